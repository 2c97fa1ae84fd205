// Facts about index expressions: bounds, proofs, and the canonical form in which they print.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "ir/tir.h"

namespace fx2wasm::arith {

// Inclusive bounds of an integer expression; the extremes of int64 stand for "unbounded".
struct ConstIntBound {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};

// Knows the ranges of variables that were bound, and simplifies under them. Its results are TVM's
// (arith::Analyzer: rewrite rules, then canonical sums of split expressions) where they show in a
// printed text.
class Analyzer {
 public:
  Analyzer();
  ~Analyzer();
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  // Tells that a variable lies in the range from now on; a range of one value substitutes it.
  void bind(const tir::Var& var, const tir::Range& range);
  void bind(const tir::Var& var, const tir::PrimExpr& value);
  // A symbolic extent: at least `min`.
  void assume_at_least(const tir::Var& var, int64_t min);

  tir::PrimExpr simplify(const tir::PrimExpr& expr);
  ConstIntBound const_int_bound(const tir::PrimExpr& expr);
  // True only when the condition holds for all values of its variables.
  bool can_prove(const tir::PrimExpr& condition);
  bool can_prove_equal(const tir::PrimExpr& a, const tir::PrimExpr& b);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fx2wasm::arith
