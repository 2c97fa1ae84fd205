#include "arith/canonical.h"

#include <utility>

#include "arith/analyzer_core.h"
#include "arith/term_sum.h"
#include "arith/wrapping.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;

namespace {

PrimExpr imm(DType dtype, int64_t value) { return tir::int_imm(dtype, value); }

// A constant operand decides the result; nothing when it does not.
std::optional<Canonical> folded(BinaryOp op, const Canonical& a, const Canonical& b) {
  const auto* plain_a = std::get_if<PrimExpr>(&a);
  const auto* plain_b = std::get_if<PrimExpr>(&b);
  if (plain_a && plain_b) {
    const PrimExpr result = tir::try_fold(op, *plain_a, *plain_b);
    return result ? std::optional<Canonical>(result) : std::nullopt;
  }
  if (plain_a == nullptr && plain_b == nullptr) return std::nullopt;
  // A variable stands for the sum, which no constant rule looks into.
  const PrimExpr constant = plain_a ? *plain_a : *plain_b;
  if (!tir::as_int(constant)) return std::nullopt;
  const PrimExpr other = tir::var_expr(tir::make_var("sum", constant->dtype));
  const PrimExpr result =
      plain_a ? tir::try_fold(op, constant, other) : tir::try_fold(op, other, constant);
  if (!result) return std::nullopt;
  return result == other ? (plain_a ? b : a) : Canonical(result);
}

std::optional<int64_t> positive_constant(const Canonical& value) {
  const auto* plain = std::get_if<PrimExpr>(&value);
  const auto constant = plain ? tir::as_int(*plain) : std::nullopt;
  return constant && *constant > 0 ? constant : std::nullopt;
}

// A negative scale makes a negative divisor, which is as good for the index itself, (-x) // n being
// x // (-n), but not for its quotient.
bool may_fold_scale(const SplitTerm& term) { return term.scale > 0 || term.lower == 1; }

}  // namespace

PrimExpr CanonicalSimplifier::visit(const PrimExpr& expr) { return normalized(canonical(expr)); }

Canonical CanonicalSimplifier::canonical(const PrimExpr& expr) {
  if (const auto* node = std::get_if<tir::Binary>(&expr->kind)) {
    if (is_index_dtype(expr->dtype)) return binary(expr, *node);
    if (node->op == BinaryOp::LT && is_index_dtype(node->a->dtype)) return less(expr, *node);
  }
  if (const auto* node = std::get_if<tir::Cast>(&expr->kind)) {
    if (is_index_dtype(expr->dtype)) return cast(expr, *node);
  }
  return rewrite(expr);
}

Canonical CanonicalSimplifier::binary(const PrimExpr& expr, const tir::Binary& node) {
  switch (node.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
      break;
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
      return rewrite(expr);
  }
  Canonical a = canonical(node.a), b = canonical(node.b);
  if (auto result = folded(node.op, a, b)) return *result;
  if (node.op == BinaryOp::Add) return sum(std::move(a), b, 1);
  if (node.op == BinaryOp::Sub) return sum(std::move(a), b, -1);
  if (node.op == BinaryOp::Mul) return product(expr, std::move(a), std::move(b));
  if (node.op == BinaryOp::Div) return quotient(expr, std::move(a), b, Rounding::Truncate);
  if (node.op == BinaryOp::FloorDiv) return quotient(expr, std::move(a), b, Rounding::Floor);
  if (node.op == BinaryOp::Mod) return remainder(expr, std::move(a), b, Rounding::Truncate);
  return remainder(expr, std::move(a), b, Rounding::Floor);
}

Canonical CanonicalSimplifier::sum(Canonical a, const Canonical& b, int64_t sign) {
  TermSum result = to_sum(a);
  const auto* plain = std::get_if<PrimExpr>(&b);
  const auto constant = plain ? tir::as_int(*plain) : std::nullopt;
  if (constant) {
    result.base = wrapping_add(result.base, wrapping_mul(sign, *constant));
  } else if (const auto* other = std::get_if<TermSum>(&b)) {
    add_sum(result, *other, sign);
  } else {
    add_term(result, to_term(b), sign);
  }
  return result;
}

Canonical CanonicalSimplifier::product(const PrimExpr& expr, Canonical a, Canonical b) {
  const auto constant = [](const Canonical& value) {
    const auto* plain = std::get_if<PrimExpr>(&value);
    return plain ? tir::as_int(*plain) : std::nullopt;
  };
  if (constant(a)) std::swap(a, b);
  if (const auto scale = constant(b)) {
    if (auto* terms = std::get_if<TermSum>(&a)) {
      multiply(*terms, *scale);
      return *terms;
    }
    SplitTerm term = to_term(a);
    term.scale = wrapping_mul(term.scale, *scale);
    return term;
  }
  const PrimExpr result = normalized_product(normalized(a), normalized(b));
  const auto* node = std::get_if<tir::Binary>(&result->kind);
  const tir::Binary& written = std::get<tir::Binary>(expr->kind);
  const bool same =
      node && node->op == BinaryOp::Mul && node->a == written.a && node->b == written.b;
  return same ? expr : result;
}

// ---- division ----

Canonical CanonicalSimplifier::quotient(const PrimExpr& expr, Canonical a, const Canonical& b,
                                        Rounding rounding) {
  if (const auto by = positive_constant(b)) {
    if (*by == 1) return a;
    if (const auto* terms = std::get_if<TermSum>(&a)) {
      if (rounding == Rounding::Floor) return floor_quotient_of_sum(*terms, *by);
      if (auto result = trunc_quotient_of_sum(*terms, *by)) return *result;
    } else {
      const PrimExpr plain = normalized(a);
      const ConstIntBound bound = core_.bounds.of(plain);
      if (bound.min >= 0 && bound.max < *by) return imm(plain->dtype, 0);
      const auto* term = std::get_if<SplitTerm>(&a);
      if (term && rounding == Rounding::Floor) {
        if (auto result = quotient_of_remainder(*term, *by)) return *result;
      }
    }
    return divide(to_term(a), *by, rounding);
  }
  const PrimExpr x = normalized(a), y = normalized(b);
  if (const auto reduced = without_common_factors(x, y)) {
    return quotient_expr(reduced->a, reduced->b, rounding);
  }
  const tir::Binary& written = std::get<tir::Binary>(expr->kind);
  return written.a == x && written.b == y ? expr : tir::make_binary(written.op, x, y);
}

Canonical CanonicalSimplifier::floor_quotient_of_sum(const TermSum& a, int64_t by) {
  auto [divisible, rest] = separate(a, by);
  divide_exactly(divisible, by);
  if (rest.is_zero()) return divisible;
  const PrimExpr plain = normalized(rest);
  if (const auto constant = tir::as_int(plain)) {
    divisible.base = wrapping_add(divisible.base, tir::floor_div(*constant, by));
  } else if (!(compare(plain, by) == Comparison::LT && core_.proves_at_least(plain, 0))) {
    add_term(divisible, divide(to_term(plain), by, Rounding::Floor), 1);
  }
  return divisible;
}

// (index % (m * by)) // by is index // by % m; worth it where a part of the index is divisible.
std::optional<Canonical> CanonicalSimplifier::quotient_of_remainder(const SplitTerm& a,
                                                                    int64_t by) {
  if (a.lower != 1 || a.scale != 1 || a.upper == kNoUpper || a.upper % by != 0) {
    return std::nullopt;
  }
  if (a.rounding != Rounding::Floor) return std::nullopt;
  const Canonical index = canonical(a.index);
  const auto* terms = std::get_if<TermSum>(&index);
  if (terms == nullptr || separate(*terms, by).divisible.is_zero()) return std::nullopt;
  const PrimExpr inner = normalized(floor_quotient_of_sum(*terms, by));
  return visit(tir::floormod(inner, imm(a.dtype, a.upper / by)));
}

std::optional<Canonical> CanonicalSimplifier::trunc_quotient_of_sum(const TermSum& a, int64_t by) {
  auto [divisible, rest] = separate(a, by);
  if (rest.is_zero()) {
    divide_exactly(divisible, by);
    return divisible;
  }
  const PrimExpr plain = normalized(rest);
  if (!core_.proves_at_least(normalized(divisible), 0) || !core_.proves_at_least(plain, 0)) {
    return std::nullopt;
  }
  divide_exactly(divisible, by);
  if (const auto constant = tir::as_int(plain)) {
    divisible.base = wrapping_add(divisible.base, *constant / by);
  } else if (compare(plain, by) != Comparison::LT) {
    add_term(divisible, divide(to_term(plain), by, Rounding::Truncate), 1);
  }
  return divisible;
}

SplitTerm CanonicalSimplifier::divide(SplitTerm term, int64_t by, Rounding rounding) {
  term = with_rounding(std::move(term), rounding);
  if (term.scale % by == 0) {
    term.scale /= by;
    return term;
  }
  int64_t lower = 0;
  if (by % term.scale == 0 && may_fold_scale(term) &&
      !__builtin_mul_overflow(term.lower, by / term.scale, &lower)) {
    if (term.upper != kNoUpper && term.upper % lower != 0) {
      if (term.upper <= lower) return to_term(Canonical(imm(term.dtype, 0)));
      // The remainder moves into the index, as lower does not divide it.
      term.index = remainder_expr(term.index, imm(term.dtype, term.upper), rounding);
      term.upper = kNoUpper;
    }
    term.scale = 1;
    term.lower = lower;
    return term;
  }
  term = to_term(Canonical(normalized(term)));
  term.lower = wrapping_mul(term.lower, by);
  term.rounding = rounding;
  return term;
}

// ---- remainder ----

Canonical CanonicalSimplifier::remainder(const PrimExpr& expr, Canonical a, const Canonical& b,
                                         Rounding rounding) {
  if (const auto by = positive_constant(b)) {
    if (auto* terms = std::get_if<TermSum>(&a)) {
      if (rounding == Rounding::Floor) return floor_remainder_of_sum(*terms, *by);
      if (auto result = trunc_remainder_of_sum(*terms, *by)) return *result;
    } else {
      const ConstIntBound bound = core_.bounds.of(normalized(a));
      if (bound.min >= 0 && bound.max < *by) return a;
    }
    return modulo(to_term(a), *by, rounding);
  }
  const PrimExpr x = normalized(a), y = normalized(b);
  if (const auto reduced = without_common_factors(x, y)) {
    return tir::mul(remainder_expr(reduced->a, reduced->b, rounding), reduced->common);
  }
  const tir::Binary& written = std::get<tir::Binary>(expr->kind);
  return written.a == x && written.b == y ? expr : tir::make_binary(written.op, x, y);
}

Canonical CanonicalSimplifier::floor_remainder_of_sum(const TermSum& a, int64_t by) {
  TermSum rest = separate(a, by).rest;
  const PrimExpr plain = normalized(rest);
  if (const auto constant = tir::as_int(plain)) {
    return imm(a.dtype, tir::floor_mod(*constant, by));
  }
  if (compare(plain, by) == Comparison::LT && core_.proves_at_least(plain, 0)) return plain;
  rest.base = tir::floor_mod(rest.base, by);
  return modulo(to_term(Canonical(std::move(rest))), by, Rounding::Floor);
}

// Leaves in `a` what a remainder must still be taken of.
std::optional<Canonical> CanonicalSimplifier::trunc_remainder_of_sum(TermSum& a, int64_t by) {
  auto [divisible, rest] = separate(a, by);
  if (rest.is_zero()) return imm(a.dtype, 0);
  const PrimExpr plain = normalized(rest);
  if (core_.proves_at_least(normalized(divisible), 0) && core_.proves_at_least(plain, 0)) {
    if (const auto constant = tir::as_int(plain)) return imm(a.dtype, *constant % by);
    if (compare(plain, by) == Comparison::LT) return plain;
    a = std::move(rest);
  }
  const ConstIntBound bound = core_.bounds.of(normalized(a));
  const int64_t base = a.base % by;
  const int64_t lowered = wrapping_add(wrapping_sub(bound.min, a.base), base);
  if (bound.min >= 0 && lowered >= 0) a.base = base;
  return std::nullopt;
}

SplitTerm CanonicalSimplifier::modulo(SplitTerm term, int64_t by, Rounding rounding) {
  term = with_rounding(std::move(term), rounding);
  if (term.scale % by == 0) {
    term.scale = 0;
    return term;
  }
  int64_t upper = 0;
  if (by % term.scale == 0 && may_fold_scale(term) &&
      !__builtin_mul_overflow(term.lower, by / term.scale, &upper)) {
    // (x * c) % (d * c) is x % d * c, and (x // c) % d is x % (c * d) // c.
    if (term.upper == kNoUpper) {
      term.upper = upper;
      return term;
    }
    if (term.upper % upper == 0) {
      if (upper >= term.upper) {
        term.upper = upper;
        return term;
      }
      // A smaller remainder of the index may simplify further.
      SplitTerm smaller =
          to_term(Canonical(visit(remainder_expr(term.index, imm(term.dtype, upper), rounding))));
      if (term.lower != 1) smaller = divide(std::move(smaller), term.lower, rounding);
      smaller.scale = wrapping_mul(smaller.scale, term.scale);
      return smaller;
    }
    if (term.scale > 0 && upper % term.upper == 0) return term;
  }
  term = to_term(Canonical(normalized(term)));
  term.rounding = rounding;
  term.upper = by;
  return term;
}

// ---- casts ----

bool CanonicalSimplifier::cast_is_safe(DType dtype, const PrimExpr& value) const {
  if (!is_index_dtype(dtype)) return false;
  if (dtype_bits(value->dtype) <= dtype_bits(dtype)) return true;
  const ConstIntBound bound = core_.bounds.of(value);
  return bound.max <= *tir::as_int(tir::max_value(dtype)) &&
         bound.min >= *tir::as_int(tir::min_value(dtype));
}

bool CanonicalSimplifier::can_cast_parts(const SplitTerm& term, DType dtype) const {
  if (dtype_bits(dtype) >= dtype_bits(term.dtype) || term.scale == 0) return true;
  SplitTerm part = term;
  part.scale = 1;
  part.lower = 1;
  part.upper = kNoUpper;
  if (!cast_is_safe(dtype, normalized(part))) return false;
  part.upper = term.upper;
  if (!cast_is_safe(dtype, normalized(part))) return false;
  part.lower = term.lower;
  if (!cast_is_safe(dtype, normalized(part))) return false;
  return cast_is_safe(dtype, normalized(term));
}

bool CanonicalSimplifier::can_cast_parts(const TermSum& sum, DType dtype) const {
  if (dtype_bits(dtype) >= dtype_bits(sum.dtype)) return true;
  // Every partial sum, in the order in which it prints, must fit too.
  TermSum partial{sum.dtype, {}, 0};
  for (const SplitTerm& term : sum.terms) {
    partial.terms.push_back(term);
    if (!cast_is_safe(dtype, normalized(partial))) return false;
  }
  if (!cast_is_safe(dtype, normalized(sum))) return false;
  for (const SplitTerm& term : sum.terms) {
    if (!can_cast_parts(term, dtype)) return false;
  }
  return true;
}

Canonical CanonicalSimplifier::cast(const PrimExpr& expr, const tir::Cast& node) {
  if (!is_index_dtype(node.value->dtype)) return rewrite(expr);
  const auto cast_term = [&](SplitTerm& term) {
    term.index = tir::cast(expr->dtype, term.index);
    term.dtype = expr->dtype;
  };
  Canonical value = canonical(node.value);
  if (auto* sum = std::get_if<TermSum>(&value); sum && can_cast_parts(*sum, expr->dtype)) {
    for (SplitTerm& term : sum->terms) cast_term(term);
    sum->dtype = expr->dtype;
    return value;
  }
  if (auto* term = std::get_if<SplitTerm>(&value); term && can_cast_parts(*term, expr->dtype)) {
    cast_term(*term);
    return value;
  }
  return rewrite(expr);
}

// ---- comparison ----

// x * d + r < c * d, where 0 <= r < d, is x < c.
PrimExpr CanonicalSimplifier::less(const PrimExpr& expr, const tir::Binary& node) {
  const Canonical difference = canonical(tir::sub(node.a, node.b));
  const auto* sum = std::get_if<TermSum>(&difference);
  if (sum == nullptr) return rewrite(expr);
  int64_t divisor = sum->base;
  bool has_scale = false;
  for (const SplitTerm& term : sum->terms) {
    if (term.scale > 1 || term.scale < -1) {
      has_scale = true;
      divisor = gcd_with_zero(divisor, term.scale);
    }
  }
  if (!has_scale || divisor <= 1) return rewrite(expr);
  auto [divisible, rest] = separate(*sum, divisor);
  const PrimExpr plain = normalized(rest), zero = imm(sum->dtype, 0);
  const PrimExpr limit = imm(sum->dtype, divisor);
  if (core_.proves(tir::binary(BinaryOp::LT, plain, limit)) &&
      core_.proves(tir::binary(BinaryOp::GE, plain, zero))) {
    divide_exactly(divisible, divisor);
    return rewrite(tir::binary(BinaryOp::LT, normalized(divisible), zero));
  }
  if (rest.terms.size() == 1 && rest.base == 0 && rest.terms[0].scale == 1 &&
      rest.terms[0].upper != kNoUpper &&
      rest.terms[0].upper % (divisor * rest.terms[0].lower) == 0) {
    const SplitTerm& term = rest.terms[0];
    const int64_t lower = divisor * term.lower;
    divide_exactly(divisible, divisor);
    const PrimExpr quotient = tir::floormod(tir::floordiv(term.index, imm(term.dtype, lower)),
                                            imm(term.dtype, term.upper / lower));
    return rewrite(tir::binary(BinaryOp::LT, tir::add(normalized(divisible), quotient), zero));
  }
  return rewrite(expr);
}

}  // namespace fx2wasm::arith
