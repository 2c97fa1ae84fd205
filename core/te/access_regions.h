// Which parts of which buffers a block reads and writes.
#pragma once

#include <vector>

#include "ir/tir.h"

namespace fx2wasm::te {

struct AccessRegions {
  std::vector<tir::BufferRegion> reads, writes;
};

// From the block's init and body, in order of first access; several accesses to a buffer give their
// hull, dimension by dimension. A block that starts from an init reads its own result, which is not
// listed. The regions of blocks inside must be there already.
AccessRegions access_regions(const tir::SBlock& block);

}  // namespace fx2wasm::te
