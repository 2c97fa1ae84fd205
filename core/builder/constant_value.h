// The elements of constants, as the rules of translation and legalisation need them.
#pragma once

#include "ir/relax.h"

namespace fx2wasm {

// A 0-d constant as an immediate of its dtype; null when it has dimensions, no data, or a dtype
// that no immediate has.
tir::PrimExpr scalar_immediate(const relax::ConstantNode& constant);

// A 0-d constant of a number: rounded to the dtype as PyTorch rounds a Python scalar.
relax::Constant scalar_constant(DType dtype, double value);
relax::Constant scalar_constant(DType dtype, int64_t value);

// A 0-d constant in another dtype, by C's rules for casts; null where scalar_immediate has none.
relax::Constant cast_scalar(const relax::ConstantNode& constant, DType dtype);

}  // namespace fx2wasm
