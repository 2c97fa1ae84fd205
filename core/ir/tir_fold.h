// Constant folding of one operation, as TVM does it while an expression is written.
#pragma once

#include <cstdint>

#include "ir/tir.h"

namespace fx2wasm::tir {

// The value of `a op b` where the operands alone decide it: two constants, or a neutral or
// absorbing one (`x + 0`, `x * 0`, `true and x`). Null when they do not, also for a division by
// zero. Both operands have the same dtype; float32 is folded in float32, float16 not at all.
PrimExpr try_fold(BinaryOp op, const PrimExpr& a, const PrimExpr& b);

// The low bits of `value` as the dtype keeps them: wrapped to its width and sign-extended for
// signed types, 0 or 1 for bool.
int64_t wrap_integer(DType dtype, int64_t value);

// Truncated; out of range saturates, NaN is 0.
int64_t saturating_int64(double value);

// Rounded towards minus infinity, and the remainder of that, for a divisor that is not 0.
int64_t floor_div(int64_t a, int64_t b);
int64_t floor_mod(int64_t a, int64_t b);

}  // namespace fx2wasm::tir
