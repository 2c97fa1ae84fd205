#include "interp/scalar.h"

#include <cmath>

#include "support/check.h"
#include "support/rounding.h"

namespace fx2wasm::interp {
namespace {

using tir::BinaryOp;
using tir::Intrinsic;

double floor_mod(double a, double b) {
  const double remainder = std::fmod(a, b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

Scalar float_binary(BinaryOp op, DType dtype, double a, double b) {
  const bool nan = std::isnan(a) || std::isnan(b);
  switch (op) {
    case BinaryOp::Add:
      return float_scalar(dtype, a + b);
    case BinaryOp::Sub:
      return float_scalar(dtype, a - b);
    case BinaryOp::Mul:
      return float_scalar(dtype, a * b);
    case BinaryOp::Div:
      return float_scalar(dtype, a / b);
    case BinaryOp::Mod:
      return float_scalar(dtype, std::fmod(a, b));
    case BinaryOp::FloorDiv:
      return float_scalar(dtype, std::floor(a / b));
    case BinaryOp::FloorMod:
      return float_scalar(dtype, floor_mod(a, b));
    case BinaryOp::Min:
      return float_scalar(dtype, nan ? std::nan("") : (b < a ? b : a));
    case BinaryOp::Max:
      return float_scalar(dtype, nan ? std::nan("") : (a < b ? b : a));
    case BinaryOp::EQ:
      return bool_scalar(a == b);
    case BinaryOp::NE:
      return bool_scalar(a != b);
    case BinaryOp::LT:
      return bool_scalar(a < b);
    case BinaryOp::LE:
      return bool_scalar(a <= b);
    case BinaryOp::GT:
      return bool_scalar(a > b);
    case BinaryOp::GE:
      return bool_scalar(a >= b);
    case BinaryOp::And:
      return bool_scalar(a != 0 && b != 0);
    case BinaryOp::Or:
      return bool_scalar(a != 0 || b != 0);
  }
  return {};
}

// Truncating division of 64 bits, signed or not; INT64_MIN / -1 wraps.
int64_t quotient(bool is_unsigned, int64_t a, int64_t b) {
  if (is_unsigned) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) / static_cast<uint64_t>(b));
  }
  return b == -1 ? static_cast<int64_t>(0 - static_cast<uint64_t>(a)) : a / b;
}

int64_t remainder(bool is_unsigned, int64_t a, int64_t b) {
  if (is_unsigned) {
    return static_cast<int64_t>(static_cast<uint64_t>(a) % static_cast<uint64_t>(b));
  }
  return b == -1 ? 0 : a % b;
}

std::optional<Scalar> integer_binary(BinaryOp op, DType dtype, int64_t a, int64_t b) {
  const bool is_unsigned = is_uint(dtype);
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  const bool less = is_unsigned ? ua < ub : a < b;
  // The quotient that was truncated towards zero is one too large when signs differ.
  const auto inexact_negative = [&] {
    return !is_unsigned && remainder(false, a, b) != 0 && (a < 0) != (b < 0);
  };
  switch (op) {
    case BinaryOp::Add:
      return integer_scalar(dtype, static_cast<int64_t>(ua + ub));
    case BinaryOp::Sub:
      return integer_scalar(dtype, static_cast<int64_t>(ua - ub));
    case BinaryOp::Mul:
      return integer_scalar(dtype, static_cast<int64_t>(ua * ub));
    case BinaryOp::Div:
      if (b == 0) return std::nullopt;
      return integer_scalar(dtype, quotient(is_unsigned, a, b));
    case BinaryOp::Mod:
      if (b == 0) return std::nullopt;
      return integer_scalar(dtype, remainder(is_unsigned, a, b));
    case BinaryOp::FloorDiv:
      if (b == 0) return std::nullopt;
      return integer_scalar(dtype, quotient(is_unsigned, a, b) - (inexact_negative() ? 1 : 0));
    case BinaryOp::FloorMod:
      if (b == 0) return std::nullopt;
      return integer_scalar(dtype, remainder(is_unsigned, a, b) + (inexact_negative() ? b : 0));
    case BinaryOp::Min:
      return integer_scalar(dtype, less ? a : b);
    case BinaryOp::Max:
      return integer_scalar(dtype, less ? b : a);
    case BinaryOp::EQ:
      return bool_scalar(a == b);
    case BinaryOp::NE:
      return bool_scalar(a != b);
    case BinaryOp::LT:
      return bool_scalar(less);
    case BinaryOp::LE:
      return bool_scalar(less || a == b);
    case BinaryOp::GT:
      return bool_scalar(!less && a != b);
    case BinaryOp::GE:
      return bool_scalar(!less);
    case BinaryOp::And:
      return bool_scalar(a != 0 && b != 0);
    case BinaryOp::Or:
      return bool_scalar(a != 0 || b != 0);
  }
  return std::nullopt;
}

Scalar reinterpret(DType dtype, const Scalar& value) {
  FX_CHECK(dtype_bytes(dtype) == dtype_bytes(value.dtype), "reinterpret changes the width");
  std::byte bytes[8];
  if (is_float(value.dtype)) {
    store_float(value.dtype, value.f, bytes);
  } else {
    store_integer(value.dtype, value.i, bytes);
  }
  return is_float(dtype) ? float_scalar(dtype, load_float(dtype, bytes))
                         : integer_scalar(dtype, load_integer(dtype, bytes));
}

Scalar shift(Intrinsic op, DType dtype, int64_t value, int64_t count) {
  const int bits = dtype_bits(dtype);
  if (count < 0 || count >= bits) {
    const bool negative = op == Intrinsic::ShiftRight && !is_uint(dtype) && value < 0;
    return integer_scalar(dtype, negative ? -1 : 0);
  }
  if (op == Intrinsic::ShiftLeft) {
    return integer_scalar(dtype, static_cast<int64_t>(static_cast<uint64_t>(value) << count));
  }
  if (is_uint(dtype)) {
    return integer_scalar(dtype, static_cast<int64_t>(static_cast<uint64_t>(value) >> count));
  }
  return integer_scalar(dtype, value >> count);
}

int count_ones(uint64_t bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

int leading_zeros(DType dtype, uint64_t bits) {
  int count = 0;
  for (int i = dtype_bits(dtype) - 1; i >= 0 && (bits >> i & 1U) == 0; --i) ++count;
  return count;
}

Scalar as_dtype(DType dtype, double value) {
  return is_float(dtype) ? float_scalar(dtype, value)
                         : integer_scalar(dtype, float_to_integer(dtype, value));
}

}  // namespace

Scalar float_scalar(DType dtype, double value) { return {dtype, round_float(dtype, value), 0}; }
Scalar integer_scalar(DType dtype, int64_t value) { return {dtype, 0, wrap_integer(dtype, value)}; }
Scalar bool_scalar(bool value) { return {DType::Bool, 0, value ? 1 : 0}; }

Scalar cast_scalar(DType dtype, const Scalar& value) {
  if (is_float(value.dtype)) return as_dtype(dtype, value.f);
  if (!is_float(dtype)) return integer_scalar(dtype, value.i);
  // Straight to float32: over float64 the number would be rounded twice.
  if (dtype == DType::Float32) {
    const float direct = value.dtype == DType::UInt64
                             ? static_cast<float>(static_cast<uint64_t>(value.i))
                             : static_cast<float>(value.i);
    return float_scalar(dtype, static_cast<double>(direct));
  }
  return float_scalar(dtype, integer_to_double(value.dtype, value.i));
}

std::optional<Scalar> apply_binary(BinaryOp op, const Scalar& a, const Scalar& b) {
  FX_CHECK(a.dtype == b.dtype, "operands of different dtypes");
  if (is_float(a.dtype)) return float_binary(op, a.dtype, a.f, b.f);
  return integer_binary(op, a.dtype, a.i, b.i);
}

std::optional<Scalar> apply_intrinsic(Intrinsic op, DType dtype, std::span<const Scalar> args) {
  FX_CHECK(args.size() == static_cast<size_t>(tir::intrinsic_arity(op)),
           "an intrinsic with a wrong number of arguments");
  const Scalar x = args.empty() ? Scalar{} : args[0];
  const Scalar y = args.size() < 2 ? Scalar{} : args[1];
  const double v = is_float(x.dtype) ? x.f : integer_to_double(x.dtype, x.i);
  const double w = is_float(y.dtype) ? y.f : integer_to_double(y.dtype, y.i);
  const auto real = [&](double value) { return as_dtype(dtype, value); };
  switch (op) {
    case Intrinsic::IfThenElse:
    case Intrinsic::Ret:
      return std::nullopt;
    case Intrinsic::Likely:
      return x;
    case Intrinsic::Exp:
      return real(std::exp(v));
    case Intrinsic::Exp2:
      return real(std::exp2(v));
    case Intrinsic::Exp10:
      return real(std::pow(10.0, v));
    case Intrinsic::Log:
      return real(std::log(v));
    case Intrinsic::Log2:
      return real(std::log2(v));
    case Intrinsic::Log10:
      return real(std::log10(v));
    case Intrinsic::Log1p:
      return real(std::log1p(v));
    case Intrinsic::Sqrt:
      return real(std::sqrt(v));
    case Intrinsic::Rsqrt:
      return real(1 / std::sqrt(v));
    case Intrinsic::Sigmoid:
      return real(1 / (1 + std::exp(-v)));
    case Intrinsic::Tanh:
      return real(std::tanh(v));
    case Intrinsic::Sin:
      return real(std::sin(v));
    case Intrinsic::Cos:
      return real(std::cos(v));
    case Intrinsic::Tan:
      return real(std::tan(v));
    case Intrinsic::Sinh:
      return real(std::sinh(v));
    case Intrinsic::Cosh:
      return real(std::cosh(v));
    case Intrinsic::Asin:
      return real(std::asin(v));
    case Intrinsic::Acos:
      return real(std::acos(v));
    case Intrinsic::Atan:
      return real(std::atan(v));
    case Intrinsic::Asinh:
      return real(std::asinh(v));
    case Intrinsic::Acosh:
      return real(std::acosh(v));
    case Intrinsic::Atanh:
      return real(std::atanh(v));
    case Intrinsic::Atan2:
      return real(std::atan2(v, w));
    case Intrinsic::Erf:
      return real(std::erf(v));
    case Intrinsic::Pow:
      return real(std::pow(v, w));
    case Intrinsic::Fmod:
      return real(std::fmod(v, w));
    case Intrinsic::Fabs:
    case Intrinsic::Abs:
      if (is_float(x.dtype)) return real(std::fabs(v));
      return integer_scalar(dtype, x.i < 0 && !is_uint(x.dtype)
                                       ? static_cast<int64_t>(0 - static_cast<uint64_t>(x.i))
                                       : x.i);
    case Intrinsic::Floor:
      return is_float(x.dtype) ? real(std::floor(v)) : x;
    case Intrinsic::Ceil:
      return is_float(x.dtype) ? real(std::ceil(v)) : x;
    case Intrinsic::Trunc:
      return is_float(x.dtype) ? real(std::trunc(v)) : x;
    case Intrinsic::Round:
    case Intrinsic::Nearbyint:
      return is_float(x.dtype) ? real(std::nearbyint(v)) : x;
    case Intrinsic::IsNan:
      return bool_scalar(std::isnan(v));
    case Intrinsic::IsInf:
      return bool_scalar(std::isinf(v));
    case Intrinsic::IsFinite:
      return bool_scalar(std::isfinite(v));
    case Intrinsic::BitwiseAnd:
      return integer_scalar(dtype, x.i & y.i);
    case Intrinsic::BitwiseOr:
      return integer_scalar(dtype, x.i | y.i);
    case Intrinsic::BitwiseXor:
      return integer_scalar(dtype, x.i ^ y.i);
    case Intrinsic::BitwiseNot:
      return integer_scalar(dtype, dtype == DType::Bool ? 1 - x.i : ~x.i);
    case Intrinsic::ShiftLeft:
    case Intrinsic::ShiftRight:
      return shift(op, dtype, x.i, y.i);
    case Intrinsic::Popcount:
      return integer_scalar(dtype, count_ones(static_cast<uint64_t>(x.i) &
                                              (UINT64_MAX >> (64 - dtype_bits(x.dtype)))));
    case Intrinsic::Clz:
      return integer_scalar(dtype, leading_zeros(x.dtype, static_cast<uint64_t>(x.i)));
    case Intrinsic::Reinterpret:
      return reinterpret(dtype, x);
    case Intrinsic::Infinity:
      return float_scalar(dtype, HUGE_VAL);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::interp
