// Arithmetic of the canonical form, without any knowledge of bounds.
#pragma once

#include "arith/canonical.h"

namespace fx2wasm::arith {

tir::PrimExpr normalized(const SplitTerm& term, int64_t scale = 1);
// The terms by descending scale, positive ones first, then the base.
tir::PrimExpr normalized(const TermSum& sum);
tir::PrimExpr normalized(const Canonical& value);

SplitTerm to_term(const Canonical& value);
TermSum to_sum(const Canonical& value);
SplitTerm with_rounding(SplitTerm term, Rounding rounding);

void add_term(TermSum& sum, SplitTerm term, int64_t scale);
void add_sum(TermSum& sum, const TermSum& other, int64_t scale);
void multiply(TermSum& sum, int64_t scale);
void divide_exactly(TermSum& sum, int64_t by);

struct Separated {
  TermSum divisible, rest;
};
// The parts of a sum whose scale is a multiple of `by`, and the others.
Separated separate(const TermSum& sum, int64_t by);

tir::PrimExpr quotient_expr(const tir::PrimExpr& a, const tir::PrimExpr& b, Rounding rounding);
tir::PrimExpr remainder_expr(const tir::PrimExpr& a, const tir::PrimExpr& b, Rounding rounding);

// a * b as ((x * y) * z) * constant.
tir::PrimExpr normalized_product(const tir::PrimExpr& a, const tir::PrimExpr& b);

// Common factors of two products, taken out of both.
struct Reduced {
  tir::PrimExpr a, b, common;
};
std::optional<Reduced> without_common_factors(const tir::PrimExpr& a, const tir::PrimExpr& b);

}  // namespace fx2wasm::arith
