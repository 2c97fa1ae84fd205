// Which loop of a nest runs over the lanes, and how many results are computed at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "lower/emitter.h"
#include "lower/nest.h"

namespace fx2wasm::wasm {

// Where the four lanes come from.
enum class LaneKind { None, Spatial, Reduce };

struct TileAxis {
  size_t loop = 0;    // in Nest::spatial
  int64_t count = 1;  // results (or vectors of them) computed together
};

struct Tiling {
  LaneKind lanes = LaneKind::None;
  size_t lane_loop = 0;             // in Nest::spatial or Nest::reduce
  std::optional<TileAxis> rows;     // a second axis that shares loads
  std::optional<TileAxis> columns;  // with spatial lanes: the lane loop itself
  int64_t lane_unroll = 1;          // accumulators per result, with reduce lanes
};

// The default: columns of vectors where the results are contiguous in memory, else lanes over a
// contiguous reduction, else scalars. Without `schedule` one result at a time, as the program says.
Tiling choose_tiling(Emitter& emitter, const Nest& nest);

}  // namespace fx2wasm::wasm
