#include "lower/tiling.h"

#include <algorithm>
#include <vector>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/affine.h"

namespace fx2wasm::wasm {
namespace {

using tir::PrimExpr;

constexpr int64_t kTileLanes = 4;
// Eight accumulators hide an addition's latency and leave registers for operands (V8 has fifteen).
constexpr int64_t kAccumulators = 8;

std::vector<Affine> load_offsets(const PrimExpr& expr) {
  std::vector<Affine> offsets;
  tir::walk(expr, [&](const PrimExpr& e) {
    if (const auto* load = std::get_if<tir::BufferLoad>(&e->kind)) {
      offsets.push_back(element_offset(load->buffer, load->indices));
    }
    return true;
  });
  return offsets;
}

bool depends(const Affine& affine, const tir::Var& var) {
  return coefficient(affine, var) != 0 || opaque_uses(affine, var);
}

// Loads whose lanes are neither one element nor neighbours.
int count_gathers(const std::vector<Affine>& loads, const tir::Var& lane) {
  return static_cast<int>(std::count_if(loads.begin(), loads.end(), [&](const Affine& a) {
    const int64_t stride = coefficient(a, lane);
    return stride != 0 && stride != 1;
  }));
}

class Chooser {
 public:
  Chooser(Emitter& emitter, const Nest& nest)
      : emitter_(emitter), nest_(nest), loads_(load_offsets(nest.value)) {}

  Tiling choose() {
    const bool simd = emitter_.options.simd != Simd::Off;
    if (!emitter_.options.schedule) return in_order();
    const auto spatial = simd ? spatial_lane() : std::nullopt;
    const bool gathers = spatial && count_gathers(loads_, nest_.spatial[*spatial].var) > 0;
    if (spatial && !gathers) return with_spatial_lanes(*spatial);
    const auto reduce = simd ? reduce_lane() : std::nullopt;
    if (reduce) return with_reduce_lanes(*reduce);
    if (spatial) return with_spatial_lanes(*spatial);
    return scalars();
  }

 private:
  bool reduction() const { return nest_.accumulator != nullptr; }

  // The spatial loop along which the results are neighbours.
  std::optional<size_t> spatial_lane() {
    const Affine out = element_offset(nest_.out, nest_.indices);
    for (size_t i = nest_.spatial.size(); i-- > 0;) {
      const NestLoop& loop = nest_.spatial[i];
      if (loop.extent < kTileLanes || coefficient(out, loop.var) != 1 ||
          opaque_uses(out, loop.var)) {
        continue;
      }
      if (nest_.out->dtype != DType::Float32 && nest_.out->dtype != DType::Int32) continue;
      emitter_.lane = loop.var;
      const bool possible =
          emitter_.vectorizable(nest_.value) && (!nest_.init || emitter_.vectorizable(nest_.init));
      emitter_.lane = nullptr;
      if (possible) return i;
    }
    return std::nullopt;
  }

  // The reduce loop along which everything that is read is contiguous.
  std::optional<size_t> reduce_lane() {
    if (!reduction() || !nest_.associative) return std::nullopt;
    if (nest_.out->dtype != DType::Float32 && nest_.out->dtype != DType::Int32) return std::nullopt;
    for (size_t i = nest_.reduce.size(); i-- > 0;) {
      const NestLoop& loop = nest_.reduce[i];
      if (loop.extent < 2 * kTileLanes || count_gathers(loads_, loop.var) > 0) continue;
      emitter_.lane = loop.var;
      const bool possible = emitter_.vectorizable(nest_.term);
      emitter_.lane = nullptr;
      // The scalar rest of each outer round adds up in one accumulator.
      int64_t rounds = 1;
      for (const NestLoop& other : nest_.reduce) rounds *= other.extent;
      if (possible && rounds / loop.extent <= 64) return i;
    }
    return std::nullopt;
  }

  // Another spatial loop that some load does not depend on: computing several of its rows at once
  // loads that value once.
  std::optional<size_t> sharing_loop(std::optional<size_t> except) {
    std::optional<size_t> best;
    for (size_t i = 0; i < nest_.spatial.size(); ++i) {
      if (except && i == *except) continue;
      const bool shares = std::any_of(loads_.begin(), loads_.end(), [&](const Affine& a) {
        return !depends(a, nest_.spatial[i].var);
      });
      if (shares && (!best || nest_.spatial[i].extent > nest_.spatial[*best].extent)) best = i;
    }
    return best;
  }

  Tiling with_spatial_lanes(size_t lane) {
    Tiling tiling;
    tiling.lanes = LaneKind::Spatial;
    tiling.lane_loop = lane;
    const int64_t vectors = (nest_.spatial[lane].extent + kTileLanes - 1) / kTileLanes;
    if (!reduction()) {
      tiling.columns = TileAxis{lane, 1};
      return tiling;
    }
    int64_t columns = std::min<int64_t>(vectors, kAccumulators);
    if (const auto rows = sharing_loop(lane)) {
      const int64_t extent = nest_.spatial[*rows].extent;
      columns = std::min<int64_t>(vectors, extent >= 4 ? 2 : 4);
      const int64_t count = std::min<int64_t>(extent, std::max<int64_t>(4, 8 / columns));
      tiling.rows = TileAxis{*rows, std::min<int64_t>(count, kAccumulators / columns)};
    }
    tiling.columns = TileAxis{lane, columns};
    return tiling;
  }

  Tiling with_reduce_lanes(size_t lane) {
    Tiling tiling;
    tiling.lanes = LaneKind::Reduce;
    tiling.lane_loop = lane;
    if (const auto columns = sharing_loop(std::nullopt)) {
      const int64_t extent = nest_.spatial[*columns].extent;
      tiling.columns = TileAxis{*columns, std::min<int64_t>(extent, 4)};
      if (const auto rows = sharing_loop(columns); rows && extent >= 2) {
        tiling.rows = TileAxis{*rows, 2};
      } else {
        tiling.columns->count = std::min<int64_t>(extent, kAccumulators);
      }
      return tiling;
    }
    if (nest_.reduce[lane].extent >= 4 * kTileLanes) tiling.lane_unroll = 4;
    return tiling;
  }

  // One result after the other; the last loop moves the pointers.
  Tiling in_order() {
    Tiling tiling;
    if (!nest_.spatial.empty()) tiling.columns = TileAxis{nest_.spatial.size() - 1, 1};
    return tiling;
  }

  Tiling scalars() {
    Tiling tiling = in_order();
    if (reduction() && tiling.columns) {
      tiling.columns->count = std::min<int64_t>(nest_.spatial.back().extent, 4);
    }
    return tiling;
  }

  Emitter& emitter_;
  const Nest& nest_;
  std::vector<Affine> loads_;
};

}  // namespace

Tiling choose_tiling(Emitter& emitter, const Nest& nest) { return Chooser(emitter, nest).choose(); }

}  // namespace fx2wasm::wasm
