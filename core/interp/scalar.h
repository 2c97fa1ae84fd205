// Scalar values of TensorIR and the scalar arithmetic of its expressions (ir/tir.h has the
// meanings).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/tir.h"

namespace fx2wasm::interp {

struct Scalar {
  DType dtype = DType::Int32;
  double f = 0;   // the value when the dtype is a float
  int64_t i = 0;  // the value otherwise; a uint64's bits

  bool truth() const { return is_float(dtype) ? f != 0 : i != 0; }
};

Scalar float_scalar(DType dtype, double value);     // rounds
Scalar integer_scalar(DType dtype, int64_t value);  // wraps
Scalar bool_scalar(bool value);

Scalar cast_scalar(DType dtype, const Scalar& value);

// Nothing for an integer division by zero. And and Or see both values here.
std::optional<Scalar> apply_binary(tir::BinaryOp op, const Scalar& a, const Scalar& b);

// The intrinsics that evaluate all their arguments; nothing for if_then_else and ret, which do not.
std::optional<Scalar> apply_intrinsic(tir::Intrinsic op, DType dtype, std::span<const Scalar> args);

}  // namespace fx2wasm::interp
