// What a PrimFunc's parameters are for.
#pragma once

#include <vector>

#include "ir/tir.h"

namespace fx2wasm::tir {

// Which parameters the function writes (its outputs), by position.
std::vector<bool> written_params(const PrimFunc& func);

// Variables of the buffer parameters' shapes that are no parameters themselves, in order of first
// occurrence: a caller must bind them.
std::vector<Var> shape_symbols(const PrimFunc& func);

}  // namespace fx2wasm::tir
