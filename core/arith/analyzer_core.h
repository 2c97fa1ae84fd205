// The parts of the analyzer, which ask each other.
#pragma once

#include "arith/canonical.h"
#include "arith/const_int_bound.h"
#include "arith/modular_set.h"
#include "arith/rewrite_simplify.h"

namespace fx2wasm::arith {

struct AnalyzerCore {
  ModularSets modular_sets;
  ConstIntBounds bounds{modular_sets};
  RewriteSimplifier rewriter{*this};
  CanonicalSimplifier canonicalizer{*this};

  tir::PrimExpr simplify(const tir::PrimExpr& expr);
  bool proves(const tir::PrimExpr& condition);
  bool proves_at_least(const tir::PrimExpr& expr, int64_t bound);
  bool proves_less(const tir::PrimExpr& expr, int64_t bound);
};

// A condition holds while this object lives.
class Assumption {
 public:
  Assumption(AnalyzerCore& core, const tir::PrimExpr& condition);
  ~Assumption();
  Assumption(const Assumption&) = delete;
  Assumption& operator=(const Assumption&) = delete;

 private:
  AnalyzerCore& core_;
  size_t bounds_mark_;
  ModularSets::Saved saved_;
  size_t literals_mark_;
};

}  // namespace fx2wasm::arith
