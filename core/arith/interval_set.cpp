#include "arith/interval_set.h"

#include <algorithm>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"

namespace fx2wasm::arith {
namespace {

using tir::BinaryOp;
using tir::PrimExpr;

Interval point(const PrimExpr& expr) { return {expr, expr}; }

// Bounds that may be infinite: null when one operand is.
PrimExpr bound(BinaryOp op, const PrimExpr& a, const PrimExpr& b) {
  return a && b ? tir::binary(op, a, b) : nullptr;
}

bool at_least(Analyzer& analyzer, const PrimExpr& expr, int64_t least) {
  return analyzer.const_int_bound(analyzer.simplify(expr)).min >= least;
}

class Evaluator {
 public:
  Evaluator(Analyzer& analyzer, const Domains& domains) : analyzer_(analyzer), domains_(domains) {}

  Interval eval(const PrimExpr& expr) {
    return match(
        expr->kind, [&](const tir::Var& var) { return eval_var(expr, var); },
        [&](const tir::IntImm&) { return point(expr); },
        [](const tir::FloatImm&) { return Interval{}; },
        [](const tir::StringImm&) { return Interval{}; },
        [&](const tir::Binary& binary) { return eval_binary(expr, binary); },
        [](const tir::Not&) { return Interval{}; },
        [&](const tir::Cast& cast) { return eval_cast(expr, cast); },
        [&](const tir::Select& select) {
          const Interval on_true = eval(select.true_value), on_false = eval(select.false_value);
          return Interval{bound(BinaryOp::Min, on_false.min, on_true.min),
                          bound(BinaryOp::Max, on_false.max, on_true.max)};
        },
        [](const tir::Call&) { return Interval{}; },
        [&](const tir::BufferLoad& load) { return eval_load(expr, load); },
        [](const tir::Let&) { return Interval{}; },
        [](const tir::ProducerLoad&) { return Interval{}; },
        [](const tir::Reduce&) { return Interval{}; });
  }

 private:
  const Interval* domain(const tir::Var& var) const {
    for (const auto& [candidate, interval] : domains_) {
      if (candidate == var) return &interval;
    }
    return nullptr;
  }

  // A domain's bounds may name other variables that run; each nesting level of domains is
  // resolved once.
  Interval eval_var(const PrimExpr& expr, const tir::Var& var) {
    const Interval* interval = domain(var);
    if (interval == nullptr) return point(expr);
    if (depth_ >= domains_.size()) return *interval;
    ++depth_;
    const Interval low = interval->min ? eval(interval->min) : Interval{};
    const Interval high = interval->max ? eval(interval->max) : Interval{};
    --depth_;
    return {low.min, high.max};
  }

  Interval eval_cast(const PrimExpr& expr, const tir::Cast& cast) {
    const Interval value = eval(cast.value);
    if (value.is_point()) return point(tir::cast(expr->dtype, value.min));
    return {value.min ? tir::cast(expr->dtype, value.min) : nullptr,
            value.max ? tir::cast(expr->dtype, value.max) : nullptr};
  }

  Interval eval_load(const PrimExpr& expr, const tir::BufferLoad& load) {
    if (!is_integer(expr->dtype)) return {};
    for (const PrimExpr& index : load.indices) {
      for (const tir::Var& var : tir::free_vars(index)) {
        if (domain(var) != nullptr) return {};
      }
    }
    return point(expr);
  }

  Interval eval_binary(const PrimExpr& expr, const tir::Binary& binary) {
    const Interval a = eval(binary.a), b = eval(binary.b);
    if (a.is_point() && b.is_point()) {
      if (a.min == binary.a && b.min == binary.b) return point(expr);
      return point(tir::binary(binary.op, a.min, b.min));
    }
    switch (binary.op) {
      case BinaryOp::Add:
        return {bound(BinaryOp::Add, a.min, b.min), bound(BinaryOp::Add, a.max, b.max)};
      case BinaryOp::Sub:
        return {bound(BinaryOp::Sub, a.min, b.max), bound(BinaryOp::Sub, a.max, b.min)};
      case BinaryOp::Mul:
        return b.is_point() ? scaled(BinaryOp::Mul, a, b.min)
                            : (a.is_point() ? scaled(BinaryOp::Mul, b, a.min) : Interval{});
      case BinaryOp::Div:
      case BinaryOp::FloorDiv:
        return b.is_point() ? scaled(binary.op, a, b.min) : Interval{};
      case BinaryOp::FloorMod:
      case BinaryOp::Mod:
        return b.is_point() ? remainder(binary.op, a, b.min) : Interval{};
      case BinaryOp::Min:
      case BinaryOp::Max:
        return {bound(binary.op, a.min, b.min), bound(binary.op, a.max, b.max)};
      case BinaryOp::EQ:
      case BinaryOp::NE:
      case BinaryOp::LT:
      case BinaryOp::LE:
      case BinaryOp::GT:
      case BinaryOp::GE:
      case BinaryOp::And:
      case BinaryOp::Or:
        return {tir::bool_imm(false), tir::bool_imm(true)};
    }
    return {};
  }

  // A product or quotient by one value: its sign decides which bound becomes which.
  Interval scaled(BinaryOp op, const Interval& a, const PrimExpr& by) {
    if (tir::is_one(by)) return a;
    if (op == BinaryOp::Mul && tir::is_zero(by)) return point(by);
    if (at_least(analyzer_, by, 0)) return {bound(op, a.min, by), bound(op, a.max, by)};
    const PrimExpr negated = tir::sub(tir::int_imm(by->dtype, 0), by);
    if (at_least(analyzer_, negated, 1)) return {bound(op, a.max, by), bound(op, a.min, by)};
    if (!a.min || !a.max) return {};
    const PrimExpr sign = tir::binary(BinaryOp::GE, by, tir::int_imm(by->dtype, 0));
    const PrimExpr low = tir::binary(op, a.min, by), high = tir::binary(op, a.max, by);
    return {tir::select(sign, low, high), tir::select(sign, high, low)};
  }

  Interval remainder(BinaryOp op, const Interval& a, const PrimExpr& by) {
    const PrimExpr one = tir::int_imm(by->dtype, 1);
    if (!at_least(analyzer_, by, 0)) return {};
    // Inside one period the remainder only shifts the interval.
    if (op == BinaryOp::FloorMod && tir::as_int(by) && a.min && a.max) {
      const PrimExpr low = tir::floordiv(a.min, by), high = tir::floordiv(a.max, by);
      if (analyzer_.can_prove_equal(high, low)) {
        const PrimExpr shift = tir::mul(by, low);
        return {tir::sub(a.min, shift), tir::sub(a.max, shift)};
      }
    }
    return {tir::int_imm(by->dtype, 0), tir::sub(by, one)};
  }

  Analyzer& analyzer_;
  const Domains& domains_;
  size_t depth_ = 0;
};

}  // namespace

Interval interval_of(const tir::Range& range) {
  if (tir::is_one(range.extent)) return point(range.min);
  const PrimExpr end = tir::add(range.extent, range.min);
  return {range.min, tir::sub(end, tir::int_imm(end->dtype, 1))};
}

Interval eval_interval(Analyzer& analyzer, const PrimExpr& expr, const Domains& domains) {
  return Evaluator(analyzer, domains).eval(expr);
}

Interval hull(const Interval& a, const Interval& b) {
  Analyzer analyzer;
  const PrimExpr min = bound(BinaryOp::Min, a.min, b.min);
  const PrimExpr max = bound(BinaryOp::Max, a.max, b.max);
  return {min ? analyzer.simplify(min) : nullptr, max ? analyzer.simplify(max) : nullptr};
}

tir::Range cover_range(const Interval& interval, const tir::Range& whole) {
  if (!interval.min || !interval.max) return whole;
  Analyzer analyzer;
  const PrimExpr one = tir::int_imm(interval.max->dtype, 1);
  return {analyzer.simplify(interval.min),
          analyzer.simplify(tir::sub(tir::add(interval.max, one), interval.min))};
}

}  // namespace fx2wasm::arith
