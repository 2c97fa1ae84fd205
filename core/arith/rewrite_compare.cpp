// Comparisons in RewriteSimplifier.
#include "arith/analyzer_core.h"
#include "arith/deep_equal.h"
#include "arith/wrapping.h"
#include "ir/tir_build.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;

namespace {

const tir::Binary* as_comparison(const PrimExpr& expr, BinaryOp op) {
  const auto* binary = std::get_if<tir::Binary>(&expr->kind);
  return binary != nullptr && binary->op == op ? binary : nullptr;
}

struct Offset {
  PrimExpr base;
  int64_t constant = 0;
};

// base + constant, where the expression is written so.
Offset split_offset(const PrimExpr& expr) {
  const auto* binary = std::get_if<tir::Binary>(&expr->kind);
  if (binary == nullptr) return {expr, 0};
  const auto constant = tir::as_int(binary->b);
  if (constant && binary->op == BinaryOp::Add) return {binary->a, *constant};
  if (constant && binary->op == BinaryOp::Sub) return {binary->a, wrapping_sub(0, *constant)};
  return {expr, 0};
}

}  // namespace

Comparison RewriteSimplifier::compare(const PrimExpr& x, int64_t value) {
  const PrimExpr simple = visit(x);
  if (const auto constant = tir::as_int(simple)) {
    if (*constant == value) return Comparison::EQ;
    return *constant > value ? Comparison::GT : Comparison::LT;
  }
  const ConstIntBound bound = core_.bounds.of(simple);
  if (bound.min == value && bound.max == value) return Comparison::EQ;
  if (bound.min > value) return Comparison::GT;
  if (bound.max < value) return Comparison::LT;
  if (bound.min >= value) return Comparison::GE;
  if (bound.max <= value) return Comparison::LE;
  if (value == 0 && core_.modular_sets.of(simple).base != 0) return Comparison::NE;
  return Comparison::Unknown;
}

Comparison RewriteSimplifier::compare(const PrimExpr& x, const PrimExpr& y) {
  return compare(tir::sub(x, y), 0);
}

PrimExpr RewriteSimplifier::rewrite_comparison(const PrimExpr& expr, const tir::Binary& binary) {
  if (const auto literal = known_literal(expr)) return *literal;
  switch (binary.op) {
    case BinaryOp::EQ:
      return apply_eq(expr);
    case BinaryOp::NE:
      return apply_ne(expr);
    case BinaryOp::LE:
      return apply_le(expr);
    case BinaryOp::LT:
      return apply_lt(expr);
    case BinaryOp::GT:
    case BinaryOp::GE:
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::And:
    case BinaryOp::Or:
      break;
  }
  return expr;
}

PrimExpr RewriteSimplifier::apply_eq(const PrimExpr& expr) {
  const tir::Binary& equal = std::get<tir::Binary>(expr->kind);
  if (!is_index_dtype(equal.a->dtype)) {
    return deep_equal(equal.a, equal.b) ? tir::bool_imm(true) : expr;
  }
  switch (compare(equal.a, equal.b)) {
    case Comparison::EQ:
      return tir::bool_imm(true);
    case Comparison::NE:
    case Comparison::GT:
    case Comparison::LT:
      return tir::bool_imm(false);
    case Comparison::GE:
    case Comparison::LE:
    case Comparison::Unknown:
      break;
  }
  return apply(eq_rules(), expr).value_or(expr);
}

PrimExpr RewriteSimplifier::apply_ne(const PrimExpr& expr) {
  const tir::Binary& differ = std::get<tir::Binary>(expr->kind);
  if (is_index_dtype(differ.a->dtype)) {
    switch (compare(differ.a, differ.b)) {
      case Comparison::NE:
      case Comparison::GT:
      case Comparison::LT:
        return tir::bool_imm(true);
      case Comparison::EQ:
        return tir::bool_imm(false);
      case Comparison::GE:
        return apply_lt(tir::make_binary(BinaryOp::LT, differ.b, differ.a));
      case Comparison::LE:
        return apply_lt(tir::make_binary(BinaryOp::LT, differ.a, differ.b));
      case Comparison::Unknown:
        break;
    }
  }
  const PrimExpr equal = apply_eq(tir::make_binary(BinaryOp::EQ, differ.a, differ.b));
  return apply_not(tir::make_expr(DType::Bool, tir::Not{equal}));
}

PrimExpr RewriteSimplifier::apply_le(const PrimExpr& expr) {
  const tir::Binary& written = std::get<tir::Binary>(expr->kind);
  const PrimExpr greater = apply_lt(tir::make_binary(BinaryOp::LT, written.b, written.a));
  const PrimExpr result = apply_not(tir::make_expr(DType::Bool, tir::Not{greater}));
  const tir::Binary* at_most = as_comparison(result, BinaryOp::LE);
  if (at_most == nullptr || !is_index_dtype(at_most->a->dtype)) return result;
  switch (compare(at_most->a, at_most->b)) {
    case Comparison::LE:
    case Comparison::LT:
    case Comparison::EQ:
      return tir::bool_imm(true);
    case Comparison::GT:
      return tir::bool_imm(false);
    case Comparison::NE:
      return apply_lt(tir::make_binary(BinaryOp::LT, at_most->a, at_most->b));
    case Comparison::GE:
      return apply_eq(tir::make_binary(BinaryOp::EQ, at_most->a, at_most->b));
    case Comparison::Unknown:
      break;
  }
  return result;
}

PrimExpr RewriteSimplifier::apply_lt(const PrimExpr& expr) {
  const tir::Binary& less = std::get<tir::Binary>(expr->kind);
  if (!is_index_dtype(less.a->dtype)) return expr;
  switch (compare(less.a, less.b)) {
    case Comparison::LT:
      return tir::bool_imm(true);
    case Comparison::EQ:
    case Comparison::GT:
    case Comparison::GE:
      return tir::bool_imm(false);
    case Comparison::LE:
    case Comparison::NE:
    case Comparison::Unknown:
      break;
  }
  if (const auto result = apply(lt_rules(), expr)) return *result;
  if (const auto merged = merge_constants(less)) return again(*merged);
  const ModularSet a = core_.modular_sets.of(less.a), b = core_.modular_sets.of(less.b);
  const int64_t factor =
      gcd_with_zero(gcd_with_zero(a.base, a.coeff), gcd_with_zero(b.base, b.coeff));
  if (factor <= 1) return expr;
  const PrimExpr by = tir::int_imm(less.a->dtype, factor);
  return again(tir::binary(BinaryOp::LT, tir::floordiv(less.a, by), tir::floordiv(less.b, by)));
}

// Brings the constants of both sides together: on the right when it has one, never negative.
std::optional<PrimExpr> RewriteSimplifier::merge_constants(const tir::Binary& less) {
  const Offset left = split_offset(less.a), right = split_offset(less.b);
  if (left.constant == 0 && right.constant == 0) return std::nullopt;
  int64_t difference = 0;
  if (__builtin_sub_overflow(right.constant, left.constant, &difference)) return std::nullopt;
  if (difference == 0) return tir::binary(BinaryOp::LT, left.base, right.base);
  if (difference == 1) return tir::binary(BinaryOp::LE, left.base, right.base);
  const DType dtype = less.a->dtype;
  if (difference < 0 && right.constant != 0) {
    return tir::binary(BinaryOp::LT,
                       tir::add(left.base, tir::int_imm(dtype, wrapping_sub(0, difference))),
                       right.base);
  }
  if (difference > 0 && left.constant != 0) {
    return tir::binary(BinaryOp::LT, left.base,
                       tir::add(right.base, tir::int_imm(dtype, difference)));
  }
  return std::nullopt;
}

PrimExpr RewriteSimplifier::apply_not(const PrimExpr& expr) {
  const PrimExpr& inner = std::get<tir::Not>(expr->kind).a;
  if (tir::as_int(inner)) return tir::logical_not(inner);
  return apply(not_rules(), expr).value_or(expr);
}

}  // namespace fx2wasm::arith
