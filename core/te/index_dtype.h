// Index arithmetic in int64 throughout, as relax wants it: its shapes are int64.
#pragma once

#include "ir/tir.h"

namespace fx2wasm::te {

// The function with all loop and block variables, index expressions, extents, buffer shapes and
// integer scalar parameters in int64; the values that are computed keep their dtype.
tir::PrimFunc with_int64_indices(const tir::PrimFuncNode& func);

}  // namespace fx2wasm::te
