#include "arith/const_int_bound.h"

#include <algorithm>

#include "arith/deep_equal.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;

namespace {

constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinusInfinite = -kInfinite;

bool is_infinite(int64_t value) { return value == kInfinite || value == kMinusInfinite; }

ConstIntBound everything(DType dtype) {
  if (is_float(dtype)) return {kMinusInfinite, kInfinite};
  if (dtype == DType::Bool) return {0, 1};
  const int bits = dtype_bits(dtype) - (is_int(dtype) ? 1 : 0);
  const int64_t limit = bits >= 63 ? kInfinite : int64_t{1} << bits;
  return {is_int(dtype) ? -limit : 0, limit == kInfinite ? limit : limit - 1};
}

int64_t saturated_add(int64_t a, int64_t b) {
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum < kMinusInfinite) {
    return a > 0 ? kInfinite : kMinusInfinite;
  }
  return sum;
}

int64_t saturated_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product) && product >= kMinusInfinite) return product;
  return (a > 0) == (b > 0) ? kInfinite : kMinusInfinite;
}

int64_t floor_quotient(int64_t a, int64_t b) {
  if (is_infinite(a)) return b > 0 ? a : -a;
  return tir::floor_div(a, b);
}

int64_t trunc_quotient(int64_t a, int64_t b) {
  if (is_infinite(a)) return b > 0 ? a : -a;
  return b == -1 ? -a : a / b;
}

ConstIntBound either(ConstIntBound a, ConstIntBound b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}
ConstIntBound both(ConstIntBound a, ConstIntBound b) {
  return {std::max(a.min, b.min), std::min(a.max, b.max)};
}

// The hull of an operation that is monotonic in each operand: its values at the corners.
template <class Operation>
ConstIntBound at_corners(ConstIntBound a, ConstIntBound b, const Operation& operation) {
  const auto [min, max] = std::minmax({operation(a.min, b.min), operation(a.min, b.max),
                                       operation(a.max, b.min), operation(a.max, b.max)});
  return {min, max};
}

template <class Operation>
ConstIntBound divided(ConstIntBound a, ConstIntBound b, const Operation& operation) {
  if (b.min > 0 || b.max < 0) return at_corners(a, b, operation);
  ConstIntBound result{kInfinite, kMinusInfinite};
  if (b.min < 0) result = either(result, at_corners(a, {b.min, -1}, operation));
  if (b.max > 0) result = either(result, at_corners(a, {1, b.max}, operation));
  return result.min > result.max ? ConstIntBound{kMinusInfinite, kInfinite} : result;
}

// A valid program divides by no zero, so a divisor that is not negative is positive.
ConstIntBound as_divisor(ConstIntBound bound) {
  if (bound.min == 0) bound.min = 1;
  if (bound.max < bound.min) bound.max = bound.min;
  return bound;
}

}  // namespace

class BoundVisitor {
 public:
  explicit BoundVisitor(const ConstIntBounds& known) : known_(known) {}

  ConstIntBound visit(const PrimExpr& expr) const {
    ConstIntBound bound = structural(expr);
    for (const auto& [fact, fact_bound] : known_.facts_) {
      if (deep_equal(fact, expr)) bound = both(bound, fact_bound);
    }
    return bound;
  }

 private:
  ConstIntBound structural(const PrimExpr& expr) const {
    const ConstIntBound any = everything(expr->dtype);
    return match(
        expr->kind,
        [&](const tir::Var& var) {
          const auto entry = known_.vars_.find(var);
          return entry == known_.vars_.end() ? any : entry->second;
        },
        [](const tir::IntImm& imm) {
          const int64_t value = std::max(imm.value, kMinusInfinite);
          return ConstIntBound{value, value};
        },
        [&](const tir::FloatImm&) { return any; }, [&](const tir::StringImm&) { return any; },
        [&](const tir::Binary& binary) { return of_binary(expr, binary); },
        [&](const tir::Not&) { return any; },
        [&](const tir::Cast& cast) { return both(visit(cast.value), any); },
        [&](const tir::Select& select) {
          return either(visit(select.true_value), visit(select.false_value));
        },
        [&](const tir::Call& call) { return of_call(expr, call); },
        [&](const tir::BufferLoad&) { return any; }, [&](const tir::Let&) { return any; },
        [&](const tir::ProducerLoad&) { return any; }, [&](const tir::Reduce&) { return any; });
  }

  ConstIntBound of_binary(const PrimExpr& expr, const tir::Binary& binary) const {
    if (expr->dtype == DType::Bool) return everything(DType::Bool);
    const ConstIntBound a = visit(binary.a), b = visit(binary.b);
    switch (binary.op) {
      case BinaryOp::Add:
        return {saturated_add(a.min, b.min), saturated_add(a.max, b.max)};
      case BinaryOp::Sub:
        return {saturated_add(a.min, -b.max), saturated_add(a.max, -b.min)};
      case BinaryOp::Mul:
        return at_corners(a, b, saturated_mul);
      case BinaryOp::Div:
        return divided(a, as_divisor(b), trunc_quotient);
      case BinaryOp::FloorDiv:
        return divided(a, as_divisor(b), floor_quotient);
      case BinaryOp::Mod:
      case BinaryOp::FloorMod:
        return of_remainder(expr, binary, a, as_divisor(b));
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
        return everything(expr->dtype);
    }
    return everything(expr->dtype);
  }

  ConstIntBound of_remainder(const PrimExpr& expr, const tir::Binary& binary, ConstIntBound a,
                             ConstIntBound b) const {
    const bool floors = binary.op == BinaryOp::FloorMod;
    if (b.min <= 0) {
      if (!floors) return everything(expr->dtype);
      return both({std::min<int64_t>(0, saturated_add(b.min, 1)),
                   std::max<int64_t>(0, saturated_add(b.max, -1))},
                  everything(expr->dtype));
    }
    const int64_t largest = saturated_add(b.max, -1);
    ConstIntBound bound{0, largest};
    if (a.min >= 0) {
      bound = a.max < b.min ? a : ConstIntBound{0, std::min(a.max, largest)};
    } else if (!floors) {
      bound = {std::max(a.min, -largest),
               a.max < 0 ? 0 : std::min(std::max<int64_t>(a.max, 0), largest)};
      if (a.max < 0 && a.min > -b.min) bound = a;
    }
    if (b.min != b.max) return bound;
    // The remainder keeps the residue that dividend and divisor have in common.
    const ModularSet residues = known_.modular_sets_.of(binary.a);
    const int64_t common = gcd_with_zero(residues.coeff, b.min);
    if (common <= 1 || (!floors && a.min < 0)) return bound;
    const int64_t base = tir::floor_mod(residues.base, common);
    return both(bound, {base, b.min - common + base});
  }

  ConstIntBound of_call(const PrimExpr& expr, const tir::Call& call) const {
    const ConstIntBound any = everything(expr->dtype);
    if (call.op == tir::Intrinsic::ShiftRight) {
      const ConstIntBound a = visit(call.args[0]), b = visit(call.args[1]);
      if (b.min < 0 || b.max > 63) return any;
      return at_corners(a, b, [](int64_t x, int64_t y) { return is_infinite(x) ? x : x >> y; });
    }
    if (call.op == tir::Intrinsic::BitwiseAnd) {
      const ConstIntBound a = visit(call.args[0]), b = visit(call.args[1]);
      if (a.min >= 0 && b.min >= 0) return {0, std::min(a.max, b.max)};
      if (b.min >= 0) return {0, b.max};
      if (a.min >= 0) return {0, a.max};
    }
    return any;
  }

  const ConstIntBounds& known_;
};

ConstIntBound ConstIntBounds::of(const PrimExpr& expr) const {
  return BoundVisitor(*this).visit(expr);
}

void ConstIntBounds::bind(const tir::Var& var, const tir::Range& range) {
  const ConstIntBound min = of(range.min), extent = of(range.extent);
  vars_[var] = {min.min, saturated_add(min.max, saturated_add(extent.max, -1))};
}

std::vector<PrimExpr> conjuncts(const PrimExpr& condition) {
  const auto* both = std::get_if<tir::Binary>(&condition->kind);
  if (both == nullptr || both->op != BinaryOp::And) return {condition};
  std::vector<PrimExpr> parts = conjuncts(both->a);
  for (PrimExpr& part : conjuncts(both->b)) parts.push_back(std::move(part));
  return parts;
}

size_t ConstIntBounds::enter(const PrimExpr& condition) {
  const size_t mark = facts_.size();
  for (const PrimExpr& part : conjuncts(condition)) {
    const auto* comparison = std::get_if<tir::Binary>(&part->kind);
    if (comparison == nullptr) continue;
    const auto left = tir::as_int(comparison->a), right = tir::as_int(comparison->b);
    const PrimExpr& subject = right ? comparison->a : comparison->b;
    if (!left == !right || !is_integer(subject->dtype)) continue;
    const int64_t limit = std::max(right ? *right : *left, kMinusInfinite);
    ConstIntBound bound{kMinusInfinite, kInfinite};
    // Read from the side of the subject.
    const bool below =
        (comparison->op == BinaryOp::LT || comparison->op == BinaryOp::LE) == right.has_value();
    if (comparison->op == BinaryOp::EQ) {
      bound = {limit, limit};
    } else if (comparison->op == BinaryOp::LT || comparison->op == BinaryOp::GT) {
      (below ? bound.max : bound.min) = saturated_add(limit, below ? -1 : 1);
    } else if (comparison->op == BinaryOp::LE || comparison->op == BinaryOp::GE) {
      (below ? bound.max : bound.min) = limit;
    } else {
      continue;
    }
    facts_.emplace_back(subject, bound);
  }
  return mark;
}

}  // namespace fx2wasm::arith
