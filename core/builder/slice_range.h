// Which elements a slice takes, as Python says.
#pragma once

#include <cstdint>

#include "ir/tir.h"

namespace fx2wasm::infer {

// The first position and the number of elements of `begin:end:step` on an axis: bounds below zero
// count from the end, bounds outside are moved to it. `step` is not 0; below zero the slice goes
// backwards, as TVM's strided_slice does. Known sizes give integers, others expressions over their
// symbols, which are at least 0.
struct SliceRange {
  tir::PrimExpr first;
  tir::PrimExpr length;
};
SliceRange slice_range(const tir::PrimExpr& extent, const tir::PrimExpr& begin,
                       const tir::PrimExpr& end, int64_t step);

}  // namespace fx2wasm::infer
