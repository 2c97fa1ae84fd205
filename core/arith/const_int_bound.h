// Constant bounds of integer expressions, from the ranges of their variables and from what holds
// where they stand.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "arith/analyzer.h"
#include "arith/modular_set.h"
#include "ir/tir.h"

namespace fx2wasm::arith {

class ConstIntBounds {
 public:
  explicit ConstIntBounds(ModularSets& modular_sets) : modular_sets_(modular_sets) {}

  // An unbounded side has the extreme value ±(2^63 - 1).
  ConstIntBound of(const tir::PrimExpr& expr) const;

  void set(const tir::Var& var, ConstIntBound bound) { vars_[var] = bound; }
  void bind(const tir::Var& var, const tir::Range& range);

  // Bounds that a condition gives (`x < 5`, conjunctions of such) hold until `leave` is called
  // with what `enter` returned.
  size_t enter(const tir::PrimExpr& condition);
  void leave(size_t mark) { facts_.resize(mark); }

 private:
  friend class BoundVisitor;

  ModularSets& modular_sets_;
  std::map<tir::Var, ConstIntBound> vars_;
  std::vector<std::pair<tir::PrimExpr, ConstIntBound>> facts_;
};

// The conjuncts of a condition, left to right.
std::vector<tir::PrimExpr> conjuncts(const tir::PrimExpr& condition);

}  // namespace fx2wasm::arith
