// Choices between two tensors, powers of integers, and rows of numbers.
#pragma once

#include "topi/topi.h"

namespace fx2wasm::topi {

// `x` where the condition holds, else `y`; all three broadcast. Block "T_where".
Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y);

// start, start + step, … in the dtype; `count` of them. Block "T_arange".
Tensor arange(const PrimExpr& start, const PrimExpr& step, const PrimExpr& count, DType dtype);

// Of integers, which TVM has no expression for: a product over as many factors as the largest
// exponent that can matter. Negative exponents give 0 unless the base is 1 or -1. Of an odd base,
// exponents above 65 give another power of the same parity. Block "T_power".
Tensor integer_power(const Operand& base, const Operand& exponent);

}  // namespace fx2wasm::topi
