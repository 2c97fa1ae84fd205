// Simplification to sums of split indices (TVM's CanonicalSimplifier): every integer expression
// becomes  Σ (index % upper) // lower * scale + base,  in a fixed order.
#pragma once

#include <cstdint>
#include <limits>
#include <variant>
#include <vector>

#include "arith/rewrite_simplify.h"
#include "ir/tir.h"

namespace fx2wasm::arith {

enum class Rounding : uint8_t { Truncate, Floor };  // of the division and remainder

inline constexpr int64_t kNoUpper = std::numeric_limits<int64_t>::max();

// (index % upper) // lower * scale, where lower divides upper.
struct SplitTerm {
  DType dtype = DType::Int32;
  tir::PrimExpr index;
  int64_t lower = 1;
  int64_t upper = kNoUpper;
  int64_t scale = 1;
  Rounding rounding = Rounding::Truncate;
};

// The terms of one index stand together, those with a greater `lower` first.
struct TermSum {
  DType dtype = DType::Int32;
  std::vector<SplitTerm> terms;
  int64_t base = 0;

  bool is_zero() const { return terms.empty() && base == 0; }
};

using Canonical = std::variant<tir::PrimExpr, SplitTerm, TermSum>;

class CanonicalSimplifier final : public RewriteSimplifier {
 public:
  using RewriteSimplifier::RewriteSimplifier;

  tir::PrimExpr visit(const tir::PrimExpr& expr) override;

 private:
  Canonical canonical(const tir::PrimExpr& expr);
  Canonical binary(const tir::PrimExpr& expr, const tir::Binary& binary);
  Canonical sum(Canonical a, const Canonical& b, int64_t sign);
  Canonical product(const tir::PrimExpr& expr, Canonical a, Canonical b);
  Canonical quotient(const tir::PrimExpr& expr, Canonical a, const Canonical& b, Rounding rounding);
  Canonical remainder(const tir::PrimExpr& expr, Canonical a, const Canonical& b,
                      Rounding rounding);
  Canonical floor_quotient_of_sum(const TermSum& a, int64_t by);
  std::optional<Canonical> quotient_of_remainder(const SplitTerm& a, int64_t by);
  std::optional<Canonical> trunc_quotient_of_sum(const TermSum& a, int64_t by);
  Canonical floor_remainder_of_sum(const TermSum& a, int64_t by);
  std::optional<Canonical> trunc_remainder_of_sum(TermSum& a, int64_t by);
  SplitTerm divide(SplitTerm term, int64_t by, Rounding rounding);
  SplitTerm modulo(SplitTerm term, int64_t by, Rounding rounding);
  Canonical cast(const tir::PrimExpr& expr, const tir::Cast& cast);
  bool cast_is_safe(DType dtype, const tir::PrimExpr& value) const;
  bool can_cast_parts(const SplitTerm& term, DType dtype) const;
  bool can_cast_parts(const TermSum& sum, DType dtype) const;
  tir::PrimExpr less(const tir::PrimExpr& expr, const tir::Binary& less);
};

}  // namespace fx2wasm::arith
