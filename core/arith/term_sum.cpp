#include "arith/term_sum.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "arith/deep_equal.h"
#include "arith/modular_set.h"
#include "arith/wrapping.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "support/check.h"

namespace fx2wasm::arith {

using tir::PrimExpr;

namespace {

PrimExpr imm(DType dtype, int64_t value) { return tir::int_imm(dtype, value); }

// The rounding does not matter to a term that neither divides nor takes a remainder.
bool fits_rounding(const SplitTerm& term, Rounding rounding) {
  return term.rounding == rounding || (term.lower == 1 && term.upper == kNoUpper);
}

// Joins what belongs together: equal terms, and (x // (c * s)) * s + x // c % s, which is x // c.
std::vector<SplitTerm> merged(std::vector<SplitTerm> terms) {
  for (size_t i = 0; i < terms.size(); ++i) {
    if (terms[i].scale == 0) continue;
    for (size_t j = i + 1; j < terms.size(); ++j) {
      SplitTerm& left = terms[i];
      SplitTerm& right = terms[j];
      if (!deep_equal(left.index, right.index) || left.upper < right.lower) break;
      if (!fits_rounding(left, right.rounding)) continue;
      if (left.upper == right.upper && left.lower == right.lower) {
        right.scale = wrapping_add(right.scale, left.scale);
        left.scale = 0;
      } else if (left.lower == right.upper && right.scale != 0 &&
                 wrapping_mod(left.scale, right.scale) == 0 &&
                 left.lower == wrapping_mul(wrapping_div(left.scale, right.scale), right.lower)) {
        right.upper = left.upper;
        left.scale = 0;
        break;
      }
    }
  }
  const auto order = [](const SplitTerm& term) {
    return std::tuple(term.scale, term.lower, term.upper, term.rounding);
  };
  std::stable_sort(terms.begin(), terms.end(),
                   [&](const SplitTerm& a, const SplitTerm& b) { return order(a) > order(b); });
  return terms;
}

// Its positive value cannot be written.
bool is_smallest(DType dtype, int64_t value) {
  return value == tir::as_int(tir::min_value(dtype)).value_or(0) && value < 0;
}

void unpack_product(const PrimExpr& expr, const std::function<void(const PrimExpr&)>& visit) {
  const auto* binary = std::get_if<tir::Binary>(&expr->kind);
  if (binary == nullptr || binary->op != tir::BinaryOp::Mul) {
    visit(expr);
    return;
  }
  unpack_product(binary->a, visit);
  unpack_product(binary->b, visit);
}

}  // namespace

PrimExpr quotient_expr(const PrimExpr& a, const PrimExpr& b, Rounding rounding) {
  const bool floors = rounding == Rounding::Floor;
  return tir::binary(floors ? tir::BinaryOp::FloorDiv : tir::BinaryOp::Div, a, b);
}

PrimExpr remainder_expr(const PrimExpr& a, const PrimExpr& b, Rounding rounding) {
  const bool floors = rounding == Rounding::Floor;
  return tir::binary(floors ? tir::BinaryOp::FloorMod : tir::BinaryOp::Mod, a, b);
}

PrimExpr normalized(const SplitTerm& term, int64_t scale) {
  if (term.scale == 0) return imm(term.dtype, 0);
  PrimExpr result = term.index;
  if (term.upper != kNoUpper) {
    result = remainder_expr(result, imm(term.dtype, term.upper), term.rounding);
  }
  if (term.lower != 1) result = quotient_expr(result, imm(term.dtype, term.lower), term.rounding);
  scale = wrapping_mul(scale, term.scale);
  return scale == 1 ? result : tir::mul(result, imm(term.dtype, scale));
}

PrimExpr normalized(const TermSum& sum) {
  if (sum.terms.empty()) return imm(sum.dtype, sum.base);
  const std::vector<SplitTerm> terms = merged(sum.terms);
  const bool smallest = is_smallest(sum.dtype, sum.base);
  PrimExpr result = imm(sum.dtype, 0);
  for (const SplitTerm& term : terms) {
    if (term.scale > 0) result = tir::add(result, normalized(term));
  }
  if (sum.base > 0 || smallest) result = tir::add(result, imm(sum.dtype, sum.base));
  for (const SplitTerm& term : terms) {
    if (term.scale < 0) result = tir::sub(result, normalized(term, -1));
  }
  if (sum.base < 0 && !smallest) result = tir::sub(result, imm(sum.dtype, -sum.base));
  return result;
}

PrimExpr normalized(const Canonical& value) {
  return match(
      value, [](const PrimExpr& expr) { return expr; },
      [](const SplitTerm& term) { return normalized(term); },
      [](const TermSum& sum) { return normalized(sum); });
}

SplitTerm to_term(const Canonical& value) {
  if (const auto* term = std::get_if<SplitTerm>(&value)) return *term;
  if (const auto* sum = std::get_if<TermSum>(&value)) {
    if (sum->base == 0 && sum->terms.size() == 1) return sum->terms[0];
  }
  SplitTerm term;
  term.index = normalized(value);
  term.dtype = term.index->dtype;
  return term;
}

TermSum to_sum(const Canonical& value) {
  if (const auto* sum = std::get_if<TermSum>(&value)) return *sum;
  TermSum sum;
  if (const auto* expr = std::get_if<PrimExpr>(&value)) {
    if (const auto constant = tir::as_int(*expr)) {
      sum.dtype = (*expr)->dtype;
      sum.base = *constant;
      return sum;
    }
  }
  sum.terms.push_back(to_term(value));
  sum.dtype = sum.terms[0].dtype;
  return sum;
}

SplitTerm with_rounding(SplitTerm term, Rounding rounding) {
  if (!fits_rounding(term, rounding)) term = to_term(normalized(term));
  term.rounding = rounding;
  return term;
}

void add_term(TermSum& sum, SplitTerm term, int64_t scale) {
  if (term.scale == 0) return;
  const auto same_index = [&](const SplitTerm& other) {
    return deep_equal(other.index, term.index);
  };
  auto place = std::find_if(sum.terms.begin(), sum.terms.end(), same_index);
  for (; place != sum.terms.end(); ++place) {
    if (!same_index(*place) || term.lower > place->lower) break;
    if (term.lower == place->lower && term.upper == place->upper &&
        fits_rounding(term, place->rounding)) {
      place->scale = wrapping_add(place->scale, wrapping_mul(term.scale, scale));
      return;
    }
  }
  term.scale = wrapping_mul(term.scale, scale);
  sum.terms.insert(place, std::move(term));
}

void add_sum(TermSum& sum, const TermSum& other, int64_t scale) {
  for (const SplitTerm& term : other.terms) add_term(sum, term, scale);
  sum.base = wrapping_add(sum.base, wrapping_mul(other.base, scale));
}

void multiply(TermSum& sum, int64_t scale) {
  sum.base = wrapping_mul(sum.base, scale);
  for (SplitTerm& term : sum.terms) term.scale = wrapping_mul(term.scale, scale);
}

void divide_exactly(TermSum& sum, int64_t by) {
  FX_CHECK(sum.base % by == 0, "an exact division leaves a remainder");
  sum.base /= by;
  for (SplitTerm& term : sum.terms) term.scale /= by;
}

Separated separate(const TermSum& sum, int64_t by) {
  Separated parts{{sum.dtype, {}, 0}, {sum.dtype, {}, 0}};
  (sum.base % by == 0 ? parts.divisible : parts.rest).base = sum.base;
  for (const SplitTerm& term : sum.terms) {
    (term.scale % by == 0 ? parts.divisible : parts.rest).terms.push_back(term);
  }
  return parts;
}

PrimExpr normalized_product(const PrimExpr& a, const PrimExpr& b) {
  int64_t scale = 1;
  PrimExpr result = imm(a->dtype, 1);
  const auto collect = [&](const PrimExpr& factor) {
    if (const auto constant = tir::as_int(factor)) {
      scale = wrapping_mul(scale, *constant);
    } else {
      result = tir::mul(result, factor);
    }
  };
  unpack_product(a, collect);
  unpack_product(b, collect);
  return scale == 1 ? result : tir::mul(result, imm(result->dtype, scale));
}

std::optional<Reduced> without_common_factors(const PrimExpr& a, const PrimExpr& b) {
  if (tir::as_int(b)) return std::nullopt;
  std::vector<PrimExpr> left;
  int64_t left_scale = 1, right_scale = 1;
  unpack_product(a, [&](const PrimExpr& factor) {
    if (const auto constant = tir::as_int(factor)) {
      left_scale = wrapping_mul(left_scale, *constant);
    } else {
      left.push_back(factor);
    }
  });
  PrimExpr right = imm(b->dtype, 1), common = imm(b->dtype, 1);
  bool found = false;
  unpack_product(b, [&](const PrimExpr& factor) {
    if (const auto constant = tir::as_int(factor)) {
      right_scale = wrapping_mul(right_scale, *constant);
      return;
    }
    const auto same = std::find_if(
        left.begin(), left.end(), [&](const PrimExpr& other) { return deep_equal(factor, other); });
    if (same == left.end()) {
      right = tir::mul(right, factor);
      return;
    }
    left.erase(same);
    found = true;
    common = tir::mul(common, factor);
  });
  const int64_t divisor = gcd_with_zero(left_scale, right_scale);
  if (divisor == 0 || (!found && divisor == 1)) return std::nullopt;
  PrimExpr rest = imm(a->dtype, 1);
  for (const PrimExpr& factor : left) rest = tir::mul(rest, factor);
  return Reduced{tir::mul(rest, imm(a->dtype, left_scale / divisor)),
                 tir::mul(right, imm(b->dtype, right_scale / divisor)),
                 tir::mul(common, imm(b->dtype, divisor))};
}

}  // namespace fx2wasm::arith
