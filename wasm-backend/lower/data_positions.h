// Loads and stores whose indices are themselves read from memory.
#pragma once

#include "ir/tir.h"

namespace fx2wasm::wasm {

// The function with such indices moved into the axis, as TensorIR means them: a negative one counts
// from the end, what is outside then reads the nearest element; a store to a position outside is
// not made. The same function when it has none.
tir::PrimFunc with_data_positions_inside(const tir::PrimFunc& func);

}  // namespace fx2wasm::wasm
