// Simplification by rewrite rules, bottom-up (TVM's RewriteSimplifier).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "arith/rule.h"
#include "arith/rules.h"
#include "ir/tir.h"

namespace fx2wasm::arith {

struct AnalyzerCore;  // analyzer_core.h

// What is known about x against y, as a set of the three possibilities.
enum class Comparison : uint8_t { EQ = 1, LT = 2, LE = 3, GT = 4, GE = 5, NE = 6, Unknown = 7 };

inline bool is_index_dtype(DType dtype) { return dtype == DType::Int32 || dtype == DType::Int64; }

class RewriteSimplifier : public Prover {
 public:
  explicit RewriteSimplifier(AnalyzerCore& core) : core_(core) {}
  RewriteSimplifier(const RewriteSimplifier&) = delete;
  RewriteSimplifier& operator=(const RewriteSimplifier&) = delete;
  virtual ~RewriteSimplifier() = default;

  // Twice, when the first pass changed something.
  tir::PrimExpr simplify(const tir::PrimExpr& expr);
  // One pass; a simplifier that derives from this one decides the form of all parts here.
  virtual tir::PrimExpr visit(const tir::PrimExpr& expr) { return rewrite(expr); }

  void set(const tir::Var& var, const tir::PrimExpr& value) { vars_[var] = value; }

  // A condition that holds, and so decides comparisons equal to its parts, until `leave`.
  size_t enter(const tir::PrimExpr& condition);
  void leave(size_t mark) { literals_.resize(mark); }

  bool proves_at_least(const tir::PrimExpr& expr, int64_t bound) override;
  bool proves_less(const tir::PrimExpr& expr, int64_t bound) override;
  bool proves_equal(const tir::PrimExpr& expr, int64_t value) override;

 protected:
  // The rules for the node itself, after `visit` of its parts.
  tir::PrimExpr rewrite(const tir::PrimExpr& expr);
  Comparison compare(const tir::PrimExpr& x, int64_t value);

  AnalyzerCore& core_;

 private:
  tir::PrimExpr rewrite_binary(const tir::PrimExpr& expr, tir::BinaryOp op);
  tir::PrimExpr rewrite_arithmetic(const tir::PrimExpr& expr, const tir::Binary& binary);
  tir::PrimExpr rewrite_floor_div(const tir::PrimExpr& expr);
  std::optional<tir::PrimExpr> divide_scaled_sum(const tir::Binary& division);
  tir::PrimExpr rewrite_floor_mod(const tir::PrimExpr& expr);
  tir::PrimExpr rewrite_trunc_mod(const tir::PrimExpr& expr);
  tir::PrimExpr rewrite_min_max(const tir::PrimExpr& expr, const RuleSet& rules);
  tir::PrimExpr rewrite_call(const tir::PrimExpr& expr, const tir::Call& call);
  tir::PrimExpr rewrite_select(const tir::PrimExpr& expr, const tir::Select& select);
  tir::PrimExpr rewrite_let(const tir::PrimExpr& expr, const tir::Let& let);

  // Comparisons (rewrite_compare.cpp).
  Comparison compare(const tir::PrimExpr& x, const tir::PrimExpr& y);
  tir::PrimExpr rewrite_comparison(const tir::PrimExpr& expr, const tir::Binary& binary);
  tir::PrimExpr apply_eq(const tir::PrimExpr& expr);
  tir::PrimExpr apply_ne(const tir::PrimExpr& expr);
  tir::PrimExpr apply_le(const tir::PrimExpr& expr);
  tir::PrimExpr apply_lt(const tir::PrimExpr& expr);
  tir::PrimExpr apply_not(const tir::PrimExpr& expr);
  std::optional<tir::PrimExpr> merge_constants(const tir::Binary& less);

  std::optional<tir::PrimExpr> apply(const RuleSet& rules, const tir::PrimExpr& expr);
  tir::PrimExpr again(const tir::PrimExpr& expr);
  std::optional<tir::PrimExpr> known_literal(const tir::PrimExpr& expr) const;

  std::map<tir::Var, tir::PrimExpr> vars_;
  std::vector<tir::PrimExpr> literals_;
  int depth_ = 0;  // of rules that ask for the result to be simplified again
};

}  // namespace fx2wasm::arith
