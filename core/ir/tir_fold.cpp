#include "ir/tir_fold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ir/tir_build.h"

namespace fx2wasm::tir {

int64_t wrap_integer(DType dtype, int64_t value) {
  if (dtype == DType::Bool) return value != 0 ? 1 : 0;
  const int bits = dtype_bits(dtype);
  if (bits >= 64) return value;
  const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  if (is_uint(dtype)) return static_cast<int64_t>(low);
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>((low ^ sign) - sign);
}

int64_t saturating_int64(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775808.0) return std::numeric_limits<int64_t>::max();
  if (value <= -9223372036854775808.0) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(value);
}

int64_t floor_div(int64_t a, int64_t b) {
  if (b == -1) return static_cast<int64_t>(-static_cast<uint64_t>(a));  // the minimum wraps
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t floor_mod(int64_t a, int64_t b) {
  if (b == -1) return 0;
  const int64_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

namespace {

int64_t wrapping(int64_t a, int64_t b, BinaryOp op) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  if (op == BinaryOp::Add) return static_cast<int64_t>(x + y);
  if (op == BinaryOp::Sub) return static_cast<int64_t>(x - y);
  return static_cast<int64_t>(x * y);
}

// Division where both are uint64, which an IntImm holds by its bits.
bool is_wide_unsigned(DType dtype) { return dtype == DType::UInt64; }

PrimExpr fold_integers(BinaryOp op, DType dtype, int64_t a, int64_t b) {
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  const bool wide = is_wide_unsigned(dtype);
  const bool less = wide ? ua < ub : a < b;
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
      return int_imm(dtype, wrapping(a, b, op));
    case BinaryOp::Div:
      if (b == 0) return nullptr;
      if (wide) return int_imm(dtype, static_cast<int64_t>(ua / ub));
      return int_imm(dtype, b == -1 ? wrapping(0, a, BinaryOp::Sub) : a / b);
    case BinaryOp::Mod:
      if (b == 0) return nullptr;
      if (wide) return int_imm(dtype, static_cast<int64_t>(ua % ub));
      return int_imm(dtype, b == -1 ? 0 : a % b);
    case BinaryOp::FloorDiv:
      if (b == 0) return nullptr;
      return int_imm(dtype, wide ? static_cast<int64_t>(ua / ub) : floor_div(a, b));
    case BinaryOp::FloorMod:
      if (b == 0) return nullptr;
      return int_imm(dtype, wide ? static_cast<int64_t>(ua % ub) : floor_mod(a, b));
    case BinaryOp::Min:
      return int_imm(dtype, less ? a : b);
    case BinaryOp::Max:
      return int_imm(dtype, less ? b : a);
    case BinaryOp::EQ:
      return bool_imm(a == b);
    case BinaryOp::NE:
      return bool_imm(a != b);
    case BinaryOp::LT:
      return bool_imm(less);
    case BinaryOp::LE:
      return bool_imm(less || a == b);
    case BinaryOp::GT:
      return bool_imm(!less && a != b);
    case BinaryOp::GE:
      return bool_imm(!less);
    case BinaryOp::And:
      return bool_imm(a != 0 && b != 0);
    case BinaryOp::Or:
      return bool_imm(a != 0 || b != 0);
  }
  return nullptr;
}

// In T, the dtype's own arithmetic.
template <class T>
std::optional<double> float_arithmetic(BinaryOp op, T a, T b) {
  switch (op) {
    case BinaryOp::Add:
      return static_cast<double>(a + b);
    case BinaryOp::Sub:
      return static_cast<double>(a - b);
    case BinaryOp::Mul:
      return static_cast<double>(a * b);
    case BinaryOp::Div:
      if (b == 0) return std::nullopt;
      return static_cast<double>(a / b);
    case BinaryOp::FloorDiv:
      if (b == 0) return std::nullopt;
      return static_cast<double>(std::floor(a / b));
    case BinaryOp::Mod:
    case BinaryOp::FloorMod:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
    case BinaryOp::And:
    case BinaryOp::Or:
      return std::nullopt;
  }
  return std::nullopt;
}

PrimExpr fold_floats(BinaryOp op, DType dtype, double a, double b) {
  switch (op) {
    case BinaryOp::Min:
      return float_imm(dtype, std::isnan(a) || a < b ? a : b);
    case BinaryOp::Max:
      return float_imm(dtype, std::isnan(a) || a > b ? a : b);
    case BinaryOp::EQ:
      return bool_imm(a == b);
    case BinaryOp::NE:
      return bool_imm(a != b);
    case BinaryOp::LT:
      return bool_imm(a < b);
    case BinaryOp::LE:
      return bool_imm(a <= b);
    case BinaryOp::GT:
      return bool_imm(a > b);
    case BinaryOp::GE:
      return bool_imm(a >= b);
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
    case BinaryOp::And:
    case BinaryOp::Or:
      break;
  }
  std::optional<double> value;
  if (dtype == DType::Float32) {
    value = float_arithmetic(op, static_cast<float>(a), static_cast<float>(b));
  } else if (dtype == DType::Float64) {
    value = float_arithmetic(op, a, b);
  }
  return value ? float_imm(dtype, *value) : nullptr;
}

bool is_true(const PrimExpr& expr) { return as_int(expr).value_or(0) != 0; }
bool is_false(const PrimExpr& expr) { return as_int(expr).value_or(1) == 0; }

// Only 32- and 64-bit signed integers are indices to TVM, whose remainders it folds.
bool is_index(DType dtype) { return dtype == DType::Int32 || dtype == DType::Int64; }

// One operand is a neutral or absorbing constant. `0 * x` is 0 for floats too, as in TVM, although
// x may be NaN: who needs the NaN uses make_binary.
PrimExpr fold_neutral(BinaryOp op, const PrimExpr& a, const PrimExpr& b) {
  switch (op) {
    case BinaryOp::Add:
      if (is_zero(a)) return b;
      return is_zero(b) ? a : nullptr;
    case BinaryOp::Sub:
      return is_zero(b) ? a : nullptr;
    case BinaryOp::Mul:
      if (is_one(a) || is_zero(b)) return b;
      return is_one(b) || is_zero(a) ? a : nullptr;
    case BinaryOp::Div:
    case BinaryOp::FloorDiv:
      if (is_zero(b)) return nullptr;
      return is_zero(a) || is_one(b) ? a : nullptr;
    case BinaryOp::Mod:
    case BinaryOp::FloorMod:
      if (!is_index(a->dtype) || is_zero(b)) return nullptr;
      if (is_one(b)) return int_imm(a->dtype, 0);
      return is_zero(a) ? a : nullptr;
    case BinaryOp::Min:
    case BinaryOp::Max:
      return a == b ? a : nullptr;
    case BinaryOp::And:
      if (is_true(a) || is_false(b)) return b;
      return is_false(a) || is_true(b) ? a : nullptr;
    case BinaryOp::Or:
      if (is_true(a) || is_false(b)) return a;
      return is_false(a) || is_true(b) ? b : nullptr;
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
      return nullptr;
  }
  return nullptr;
}

}  // namespace

PrimExpr try_fold(BinaryOp op, const PrimExpr& a, const PrimExpr& b) {
  const auto* ia = std::get_if<IntImm>(&a->kind);
  const auto* ib = std::get_if<IntImm>(&b->kind);
  if (ia && ib) {
    const bool remainder = op == BinaryOp::Mod || op == BinaryOp::FloorMod;
    if (remainder && !is_index(a->dtype) && !is_uint(a->dtype)) return nullptr;
    return fold_integers(op, a->dtype, ia->value, ib->value);
  }
  const auto* fa = std::get_if<FloatImm>(&a->kind);
  const auto* fb = std::get_if<FloatImm>(&b->kind);
  if (fa && fb) {
    if (PrimExpr folded = fold_floats(op, a->dtype, fa->value, fb->value)) return folded;
  }
  return fold_neutral(op, a, b);
}

}  // namespace fx2wasm::tir
