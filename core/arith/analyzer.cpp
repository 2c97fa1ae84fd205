#include "arith/analyzer.h"

#include "arith/analyzer_core.h"
#include "ir/tir_build.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;

PrimExpr AnalyzerCore::simplify(const PrimExpr& expr) {
  // Canonical forms first: the rules would take apart what they are recognised by.
  PrimExpr result = canonicalizer.visit(expr);
  if (tir::as_int(result)) return result;
  result = rewriter.simplify(result);
  if (tir::as_int(result)) return result;
  return canonicalizer.visit(result);
}

bool AnalyzerCore::proves(const PrimExpr& condition) {
  if (const auto known = tir::as_int(condition)) return *known != 0;
  return tir::as_int(simplify(condition)).value_or(0) != 0;
}

bool AnalyzerCore::proves_at_least(const PrimExpr& expr, int64_t bound) {
  if (const auto known = tir::as_int(expr)) return *known >= bound;
  return bounds.of(rewriter.simplify(expr)).min >= bound;
}

bool AnalyzerCore::proves_less(const PrimExpr& expr, int64_t bound) {
  if (const auto known = tir::as_int(expr)) return *known < bound;
  return bounds.of(rewriter.simplify(expr)).max < bound;
}

namespace {

// `x // c == k` says where x lies: what a condition about a quotient gives besides itself.
std::vector<PrimExpr> quotient_facts(const PrimExpr& condition) {
  std::vector<PrimExpr> facts{condition};
  for (const PrimExpr& part : conjuncts(condition)) {
    const auto* comparison = std::get_if<tir::Binary>(&part->kind);
    if (comparison == nullptr) continue;
    const bool left = tir::as_int(comparison->b).has_value();
    const auto* quotient = std::get_if<tir::Binary>(&(left ? comparison->a : comparison->b)->kind);
    const auto value = tir::as_int(left ? comparison->b : comparison->a);
    if (!value || quotient == nullptr || quotient->op != BinaryOp::FloorDiv) continue;
    const auto by = tir::as_int(quotient->b);
    if (!by || *by <= 0) continue;
    int64_t begin = 0, end = 0;
    if (__builtin_mul_overflow(*value, *by, &begin)) continue;
    if (__builtin_add_overflow(begin, *by, &end)) continue;
    const PrimExpr low = tir::int_imm(quotient->a->dtype, begin);
    const PrimExpr high = tir::int_imm(quotient->a->dtype, end);
    const bool less = comparison->op == BinaryOp::LT || comparison->op == BinaryOp::LE;
    const bool below = less == left;
    const auto at_least = [&](const PrimExpr& limit) {
      facts.push_back(tir::binary(BinaryOp::GE, quotient->a, limit));
    };
    const auto below_limit = [&](const PrimExpr& limit) {
      facts.push_back(tir::binary(BinaryOp::LT, quotient->a, limit));
    };
    if (comparison->op == BinaryOp::EQ) {
      at_least(low);
      below_limit(high);
    } else if (comparison->op == BinaryOp::LT || comparison->op == BinaryOp::GT) {
      below ? below_limit(low) : at_least(high);
    } else if (comparison->op == BinaryOp::LE || comparison->op == BinaryOp::GE) {
      below ? below_limit(high) : at_least(low);
    }
  }
  return facts;
}

}  // namespace

Assumption::Assumption(AnalyzerCore& core, const PrimExpr& condition)
    : core_(core), bounds_mark_(0), literals_mark_(0) {
  saved_ = core_.modular_sets.enter(condition);
  const std::vector<PrimExpr> facts = quotient_facts(condition);
  for (size_t i = 0; i < facts.size(); ++i) {
    const size_t bounds_mark = core_.bounds.enter(facts[i]);
    const size_t literals_mark = core_.rewriter.enter(facts[i]);
    if (i == 0) {
      bounds_mark_ = bounds_mark;
      literals_mark_ = literals_mark;
    }
  }
}

Assumption::~Assumption() {
  core_.bounds.leave(bounds_mark_);
  core_.rewriter.leave(literals_mark_);
  core_.modular_sets.leave(saved_);
}

struct Analyzer::Impl : AnalyzerCore {};

Analyzer::Analyzer() : impl_(std::make_unique<Impl>()) {}
Analyzer::~Analyzer() = default;

void Analyzer::bind(const tir::Var& var, const tir::Range& range) {
  if (tir::is_one(range.extent)) {
    bind(var, range.min);
  } else {
    impl_->bounds.bind(var, range);
  }
}

void Analyzer::bind(const tir::Var& var, const PrimExpr& value) {
  const PrimExpr simple = impl_->rewriter.simplify(impl_->canonicalizer.visit(value));
  impl_->bounds.set(var, impl_->bounds.of(simple));
  impl_->modular_sets.set(var, impl_->modular_sets.of(simple));
  impl_->rewriter.set(var, simple);
  impl_->canonicalizer.set(var, simple);
}

void Analyzer::assume_at_least(const tir::Var& var, int64_t min) {
  impl_->bounds.set(var, {min, std::numeric_limits<int64_t>::max()});
}

PrimExpr Analyzer::simplify(const PrimExpr& expr) { return impl_->simplify(expr); }

ConstIntBound Analyzer::const_int_bound(const PrimExpr& expr) { return impl_->bounds.of(expr); }

bool Analyzer::can_prove(const PrimExpr& condition) { return impl_->proves(condition); }

bool Analyzer::can_prove_equal(const PrimExpr& a, const PrimExpr& b) {
  const auto left = tir::as_int(a), right = tir::as_int(b);
  if (left && right) return *left == *right;
  const PrimExpr difference = tir::sub(a, b);
  return can_prove(tir::binary(BinaryOp::EQ, difference, tir::int_imm(difference->dtype, 0)));
}

}  // namespace fx2wasm::arith
