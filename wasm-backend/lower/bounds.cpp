#include "lower/bounds.h"

#include <algorithm>
#include <initializer_list>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "ir/tir_visit.h"

namespace fx2wasm::wasm {
namespace {

using tir::BinaryOp;
using tir::PrimExpr;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

int64_t add(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return b > 0 ? kMax : kMin;
  return result;
}

int64_t mul(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return (a > 0) == (b > 0) ? kMax : kMin;
  return result;
}

int64_t negate(int64_t a) { return a == kMin ? kMax : -a; }

Interval hull(std::initializer_list<int64_t> values) {
  return Interval{std::min(values), std::max(values)};
}

Interval dtype_range(DType dtype) {
  switch (dtype) {
    case DType::Bool:
      return {0, 1};
    case DType::Int8:
      return {-128, 127};
    case DType::UInt8:
      return {0, 255};
    case DType::Int16:
      return {-32768, 32767};
    case DType::UInt16:
      return {0, 65535};
    case DType::Int32:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case DType::UInt32:
      return {0, std::numeric_limits<uint32_t>::max()};
    case DType::Int64:
    case DType::UInt64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
      return {};
  }
  return {};
}

// Division by a constant that is not 0 (−1 cannot overflow here: kMin is unknown anyway).
Interval floor_div(Interval a, int64_t divisor) {
  if (a.min == kMin || a.max == kMax) return {};
  return hull({tir::floor_div(a.min, divisor), tir::floor_div(a.max, divisor)});
}

Interval binary(BinaryOp op, Interval a, Interval b) {
  const bool divisor_known = b.min == b.max && b.min != 0;
  switch (op) {
    case BinaryOp::Add:
      return {add(a.min, b.min), add(a.max, b.max)};
    case BinaryOp::Sub:
      return {add(a.min, negate(b.max)), add(a.max, negate(b.min))};
    case BinaryOp::Mul:
      return hull({mul(a.min, b.min), mul(a.min, b.max), mul(a.max, b.min), mul(a.max, b.max)});
    case BinaryOp::FloorDiv:
      return divisor_known ? floor_div(a, b.min) : Interval{};
    case BinaryOp::Div:
      if (!divisor_known || a.min == kMin || a.max == kMax) return {};
      return hull({a.min / b.min, a.max / b.min});
    case BinaryOp::FloorMod:
      if (!divisor_known || b.min < 0) return {};
      if (a.min >= 0 && a.max < b.min) return a;
      return {0, b.min - 1};
    case BinaryOp::Mod:
      if (!divisor_known || b.min < 0) return {};
      if (a.min >= 0 && a.max < b.min) return a;
      return {a.min >= 0 ? 0 : 1 - b.min, b.min - 1};
    case BinaryOp::Min:
      return {std::min(a.min, b.min), std::min(a.max, b.max)};
    case BinaryOp::Max:
      return {std::max(a.min, b.min), std::max(a.max, b.max)};
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
    case BinaryOp::And:
    case BinaryOp::Or:
      return {0, 1};
  }
  return {};
}

Interval unite(Interval a, Interval b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }

}  // namespace

Interval Bounds::of(const PrimExpr& expr) const {
  const Interval range = dtype_range(expr->dtype);
  const Interval found = match(
      expr->kind,
      [&](const tir::Var& var) {
        const auto known = intervals_.find(var.get());
        return known == intervals_.end() ? range : known->second;
      },
      [&](const tir::IntImm& imm) {
        return Interval{imm.value, imm.value};
      },
      [&](const tir::Binary& e) {
        if (is_float(e.a->dtype)) return range;
        return binary(e.op, of(e.a), of(e.b));
      },
      [&](const tir::Cast& e) { return is_float(e.value->dtype) ? range : of(e.value); },
      [&](const tir::Select& e) { return unite(of(e.true_value), of(e.false_value)); },
      [&](const tir::Call& e) {
        if (e.op == tir::Intrinsic::IfThenElse) return unite(of(e.args[1]), of(e.args[2]));
        return range;
      },
      [&](const tir::FloatImm&) { return range; }, [&](const tir::StringImm&) { return range; },
      [&](const tir::Not&) { return range; }, [&](const tir::BufferLoad&) { return range; },
      [&](const tir::Let&) { return range; }, [&](const tir::ProducerLoad&) { return range; },
      [&](const tir::Reduce&) { return range; });
  // Out of the dtype's range the value wraps, and nothing is known but the range.
  return found.min < range.min || found.max > range.max ? range : found;
}

bool Bounds::fits_int32(const PrimExpr& expr) const {
  constexpr int64_t kLow = std::numeric_limits<int32_t>::min();
  constexpr int64_t kHigh = std::numeric_limits<int32_t>::max();
  bool fits = true;
  tir::walk(expr, [&](const PrimExpr& e) {
    if (is_float(e->dtype) || std::holds_alternative<tir::BufferLoad>(e->kind)) {
      // What a load's own indices do is decided where they are computed.
      if (e->dtype == DType::Int64 || e->dtype == DType::UInt64) fits = false;
      return false;
    }
    const Interval interval = of(e);
    if (interval.min < kLow || interval.max > kHigh) fits = false;
    return fits;
  });
  return fits;
}

}  // namespace fx2wasm::wasm
