#include "arith/rewrite_simplify.h"

#include "arith/analyzer_core.h"
#include "arith/deep_equal.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "ir/tir_visit.h"
#include "support/check.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;

namespace {

constexpr int kPasses = 2;    // more would change what prints
constexpr int kMaxDepth = 5;  // rules that call each other stop here

const tir::Binary* as_binary(const PrimExpr& expr) { return std::get_if<tir::Binary>(&expr->kind); }

const tir::Binary* as_binary(const PrimExpr& expr, BinaryOp op) {
  const tir::Binary* binary = as_binary(expr);
  return binary != nullptr && binary->op == op ? binary : nullptr;
}

bool is_comparison(BinaryOp op) {
  return op == BinaryOp::EQ || op == BinaryOp::NE || op == BinaryOp::LT || op == BinaryOp::LE;
}

// Depends on its variables only, not on the contents of a buffer.
bool is_pure(const PrimExpr& expr) {
  bool pure = true;
  tir::walk(expr, [&](const PrimExpr& node) {
    if (std::holds_alternative<tir::BufferLoad>(node->kind)) pure = false;
    if (std::holds_alternative<tir::ProducerLoad>(node->kind)) pure = false;
    return pure;
  });
  return pure;
}

// The negation of a condition, moved to its comparisons.
PrimExpr negated(const PrimExpr& condition) {
  if (const auto* negation = std::get_if<tir::Not>(&condition->kind)) return negation->a;
  const tir::Binary* binary = as_binary(condition);
  if (binary == nullptr) return tir::logical_not(condition);
  switch (binary->op) {
    case BinaryOp::Or:
      return tir::binary(BinaryOp::And, negated(binary->a), negated(binary->b));
    case BinaryOp::And:
      return tir::binary(BinaryOp::Or, negated(binary->a), negated(binary->b));
    case BinaryOp::LT:
      return tir::binary(BinaryOp::LE, binary->b, binary->a);
    case BinaryOp::LE:
      return tir::binary(BinaryOp::LT, binary->b, binary->a);
    case BinaryOp::GT:
      return tir::binary(BinaryOp::LE, binary->a, binary->b);
    case BinaryOp::GE:
      return tir::binary(BinaryOp::LT, binary->a, binary->b);
    case BinaryOp::EQ:
      return tir::binary(BinaryOp::NE, binary->a, binary->b);
    case BinaryOp::NE:
      return tir::binary(BinaryOp::EQ, binary->a, binary->b);
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
    case BinaryOp::Min:
    case BinaryOp::Max:
      break;
  }
  return tir::logical_not(condition);
}

bool is_constant(const PrimExpr& expr) {
  return std::holds_alternative<tir::IntImm>(expr->kind) ||
         std::holds_alternative<tir::FloatImm>(expr->kind);
}

}  // namespace

PrimExpr RewriteSimplifier::simplify(const PrimExpr& expr) {
  PrimExpr result = expr;
  for (int pass = 0; pass < kPasses; ++pass) {
    const PrimExpr next = visit(result);
    if (next == result) return result;
    result = next;
  }
  return result;
}

size_t RewriteSimplifier::enter(const PrimExpr& condition) {
  const size_t mark = literals_.size();
  for (const PrimExpr& part : conjuncts(visit(condition))) {
    if (!is_pure(part)) continue;
    literals_.push_back(part);
    literals_.push_back(tir::make_expr(DType::Bool, tir::Not{negated(part)}));
  }
  return mark;
}

bool RewriteSimplifier::proves_at_least(const PrimExpr& expr, int64_t bound) {
  return core_.proves_at_least(expr, bound);
}

bool RewriteSimplifier::proves_less(const PrimExpr& expr, int64_t bound) {
  return core_.proves_less(expr, bound);
}

bool RewriteSimplifier::proves_equal(const PrimExpr& expr, int64_t value) {
  return compare(expr, value) == Comparison::EQ;
}

std::optional<PrimExpr> RewriteSimplifier::apply(const RuleSet& rules, const PrimExpr& expr) {
  const std::optional<RuleSet::Hit> hit = rules.apply(expr, *this);
  if (!hit) return std::nullopt;
  return hit->then == Then::Again ? again(hit->result) : hit->result;
}

PrimExpr RewriteSimplifier::again(const PrimExpr& expr) {
  if (depth_ >= kMaxDepth) return expr;
  ++depth_;
  const PrimExpr result = visit(expr);
  --depth_;
  return result;
}

std::optional<PrimExpr> RewriteSimplifier::known_literal(const PrimExpr& expr) const {
  if (literals_.empty()) return std::nullopt;
  const PrimExpr negation = tir::make_expr(DType::Bool, tir::Not{expr});
  for (const PrimExpr& literal : literals_) {
    if (deep_equal(literal, expr)) return tir::bool_imm(true);
    if (deep_equal(literal, negation)) return tir::bool_imm(false);
  }
  return std::nullopt;
}

PrimExpr RewriteSimplifier::rewrite(const PrimExpr& expr) {
  return match(
      expr->kind,
      [&](const tir::Var& var) {
        if (var->dtype == DType::Bool) {
          if (const auto literal = known_literal(expr)) return *literal;
        }
        const auto entry = vars_.find(var);
        return entry == vars_.end() ? expr : entry->second;
      },
      [&](const tir::IntImm&) { return expr; }, [&](const tir::FloatImm&) { return expr; },
      [&](const tir::StringImm&) { return expr; },
      [&](const tir::Binary& binary) { return rewrite_binary(expr, binary.op); },
      [&](const tir::Not& negation) {
        const PrimExpr a = visit(negation.a);
        if (tir::as_int(a)) return tir::logical_not(a);
        const PrimExpr result = a == negation.a ? expr : tir::make_expr(DType::Bool, tir::Not{a});
        if (const auto literal = known_literal(result)) return *literal;
        return apply_not(result);
      },
      [&](const tir::Cast& cast) {
        const PrimExpr value = visit(cast.value);
        if (value == cast.value && value->dtype != expr->dtype && !is_constant(value)) return expr;
        return tir::cast(expr->dtype, value);
      },
      [&](const tir::Select& select) { return rewrite_select(expr, select); },
      [&](const tir::Call& call) { return rewrite_call(expr, call); },
      [&](const tir::BufferLoad&) {
        return tir::map_children(expr, [&](const PrimExpr& index) { return visit(index); });
      },
      [&](const tir::Let& let) { return rewrite_let(expr, let); },
      [&](const tir::ProducerLoad&) {
        return tir::map_children(expr, [&](const PrimExpr& index) { return visit(index); });
      },
      [&](const tir::Reduce&) { return expr; });
}

PrimExpr RewriteSimplifier::rewrite_binary(const PrimExpr& expr, BinaryOp op) {
  const tir::Binary& written = std::get<tir::Binary>(expr->kind);
  if (op == BinaryOp::GT) return visit(tir::binary(BinaryOp::LT, written.b, written.a));
  if (op == BinaryOp::GE) return visit(tir::binary(BinaryOp::LE, written.b, written.a));

  const PrimExpr a = visit(written.a), b = visit(written.b);
  const PrimExpr result = a == written.a && b == written.b ? expr : tir::make_binary(op, a, b);
  if (const PrimExpr folded = tir::try_fold(op, a, b)) return folded;
  const tir::Binary& binary = std::get<tir::Binary>(result->kind);
  if (is_comparison(op)) return rewrite_comparison(result, binary);
  if (op == BinaryOp::And || op == BinaryOp::Or) {
    if (const auto literal = known_literal(result)) return *literal;
    return apply(op == BinaryOp::And ? and_rules() : or_rules(), result).value_or(result);
  }
  return rewrite_arithmetic(result, binary);
}

PrimExpr RewriteSimplifier::rewrite_arithmetic(const PrimExpr& expr, const tir::Binary& binary) {
  const bool is_index = is_index_dtype(expr->dtype);
  std::optional<PrimExpr> result;
  switch (binary.op) {
    case BinaryOp::Add:
      if (is_index) result = apply(add_rules(), expr);
      if (!result) result = apply(select_sum_rules(), expr);
      return result.value_or(expr);
    case BinaryOp::Sub:
      result = apply(is_index ? sub_rules() : float_cancellation_rules(), expr);
      if (!result) result = apply(select_sum_rules(), expr);
      return result.value_or(expr);
    case BinaryOp::Mul:
      return is_index ? apply(mul_rules(), expr).value_or(expr) : expr;
    case BinaryOp::Div:
      return is_index ? apply(trunc_div_rules(), expr).value_or(expr) : expr;
    case BinaryOp::Mod:
      return is_index ? rewrite_trunc_mod(expr) : expr;
    case BinaryOp::FloorDiv:
      return is_index ? rewrite_floor_div(expr) : expr;
    case BinaryOp::FloorMod:
      return is_index ? rewrite_floor_mod(expr) : expr;
    case BinaryOp::Min:
      return rewrite_min_max(expr, min_rules());
    case BinaryOp::Max:
      return rewrite_min_max(expr, max_rules());
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
    case BinaryOp::And:
    case BinaryOp::Or:
      break;
  }
  return expr;
}

PrimExpr RewriteSimplifier::rewrite_floor_div(const PrimExpr& expr) {
  if (const auto result = apply(floor_div_early_rules(), expr)) return *result;
  if (const auto result = divide_scaled_sum(std::get<tir::Binary>(expr->kind))) return *result;
  return apply(floor_div_late_rules(), expr).value_or(expr);
}

// (x * c1 + y) // c2, where the residue that c2 leaves of both parts never carries, or where c1
// divides c2 and y stays below c1.
std::optional<PrimExpr> RewriteSimplifier::divide_scaled_sum(const tir::Binary& division) {
  const auto divisor = tir::as_int(division.b);
  if (!divisor || *divisor == 0) return std::nullopt;
  const auto scaled = [](const PrimExpr& part) -> const tir::Binary* {
    const tir::Binary* product = as_binary(part, BinaryOp::Mul);
    return product != nullptr && tir::as_int(product->b) ? product : nullptr;
  };
  const tir::Binary* sum = as_binary(division.a, BinaryOp::Add);
  const tir::Binary* product = nullptr;
  PrimExpr rest = tir::int_imm(division.b->dtype, 0);
  if (sum != nullptr && (product = scaled(sum->a)) != nullptr) {
    rest = sum->b;
  } else if ((product = scaled(division.a)) == nullptr && sum != nullptr) {
    product = scaled(sum->b);
    rest = sum->a;
  }
  if (product == nullptr) return std::nullopt;

  const PrimExpr& x = product->a;
  const PrimExpr& by = division.b;
  const int64_t scale = *tir::as_int(product->b), c2 = *divisor;
  const PrimExpr rest_quotient = tir::floordiv(rest, by), rest_residue = tir::floormod(rest, by);
  const PrimExpr zero = tir::int_imm(by->dtype, 0);
  const PrimExpr carried = proves_equal(rest_quotient, 0) ? zero : rest_quotient;
  const PrimExpr residue =
      tir::floordiv(tir::add(tir::mul(x, tir::floormod(product->b, by)), rest_residue), by);
  const ConstIntBound bound = core_.bounds.of(residue);
  if (bound.min == bound.max) {
    return tir::add(tir::mul(x, tir::floordiv(product->b, by)),
                    tir::add(carried, tir::int_imm(by->dtype, bound.max)));
  }
  if (scale > 0 && c2 > 0 && c2 % scale == 0 && proves_less(rest_residue, scale)) {
    return tir::add(tir::floordiv(x, tir::int_imm(by->dtype, c2 / scale)), carried);
  }
  return std::nullopt;
}

PrimExpr RewriteSimplifier::rewrite_floor_mod(const PrimExpr& expr) {
  if (const auto result = apply(floor_mod_rules(), expr)) return *result;
  const tir::Binary& modulo = std::get<tir::Binary>(expr->kind);
  const int64_t divisor = tir::as_int(modulo.b).value_or(0);
  if (divisor <= 0) return expr;
  const ModularSet residues = core_.modular_sets.of(modulo.a);
  if (residues.coeff % divisor == 0) {
    return tir::int_imm(expr->dtype, tir::floor_mod(residues.base, divisor));
  }
  const ConstIntBound bound = core_.bounds.of(modulo.a);
  return bound.min >= 0 && bound.max < divisor ? modulo.a : expr;
}

PrimExpr RewriteSimplifier::rewrite_trunc_mod(const PrimExpr& expr) {
  if (const auto result = apply(trunc_mod_rules(), expr)) return *result;
  const tir::Binary& modulo = std::get<tir::Binary>(expr->kind);
  const int64_t divisor = tir::as_int(modulo.b).value_or(0);
  if (divisor <= 0) return expr;
  const ModularSet residues = core_.modular_sets.of(modulo.a);
  if (residues.coeff % divisor != 0 || !proves_at_least(modulo.a, 0)) return expr;
  return tir::int_imm(expr->dtype, residues.base % divisor);
}

PrimExpr RewriteSimplifier::rewrite_min_max(const PrimExpr& expr, const RuleSet& rules) {
  const tir::Binary& binary = std::get<tir::Binary>(expr->kind);
  if (is_index_dtype(expr->dtype)) {
    if (deep_equal(binary.a, binary.b)) return binary.a;
    const ConstIntBound a = core_.bounds.of(binary.a), b = core_.bounds.of(binary.b);
    const bool is_min = binary.op == BinaryOp::Min;
    if (is_min ? a.max <= b.min : a.min >= b.max) return binary.a;
    if (is_min ? b.max <= a.min : b.min >= a.max) return binary.b;
    if (const auto result = apply(rules, expr)) return *result;
  }
  return apply(select_sum_rules(), expr).value_or(expr);
}

PrimExpr RewriteSimplifier::rewrite_select(const PrimExpr& expr, const tir::Select& select) {
  const PrimExpr condition = visit(select.condition);
  PrimExpr on_true, on_false;
  {
    const Assumption holds(core_, condition);
    on_true = visit(select.true_value);
  }
  {
    const Assumption fails(
        core_, core_.rewriter.simplify(tir::make_expr(DType::Bool, tir::Not{condition})));
    on_false = visit(select.false_value);
  }
  if (const auto known = tir::as_int(condition)) return *known != 0 ? on_true : on_false;
  if (deep_equal(on_true, on_false)) return on_false;
  const bool same = condition == select.condition && on_true == select.true_value &&
                    on_false == select.false_value;
  return same ? expr : tir::select(condition, on_true, on_false);
}

PrimExpr RewriteSimplifier::rewrite_call(const PrimExpr& expr, const tir::Call& call) {
  if (call.op != tir::Intrinsic::IfThenElse) {
    const PrimExpr result =
        tir::map_children(expr, [&](const PrimExpr& argument) { return visit(argument); });
    const auto& args = std::get<tir::Call>(result->kind).args;
    if (call.op == tir::Intrinsic::Likely) {
      if (tir::as_int(args[0])) return args[0];
      return known_literal(args[0]).value_or(result);
    }
    return result;
  }
  const PrimExpr condition = visit(call.args[0]);
  PrimExpr on_true, on_false;
  {
    const Assumption holds(core_, condition);
    on_true = visit(call.args[1]);
  }
  {
    const Assumption fails(core_, tir::make_expr(DType::Bool, tir::Not{condition}));
    on_false = visit(call.args[2]);
  }
  if (const auto known = tir::as_int(condition)) return *known != 0 ? on_true : on_false;
  // A choice inside a choice with the same constant otherwise is one choice.
  const auto* inner = std::get_if<tir::Call>(&on_true->kind);
  if (inner != nullptr && inner->op == tir::Intrinsic::IfThenElse && is_constant(on_false) &&
      deep_equal(inner->args[2], on_false)) {
    const PrimExpr both = tir::binary(BinaryOp::And, condition, inner->args[0]);
    return tir::call(expr->dtype, tir::Intrinsic::IfThenElse, {both, inner->args[1], on_false});
  }
  const bool same =
      condition == call.args[0] && on_true == call.args[1] && on_false == call.args[2];
  if (same) return expr;
  return tir::call(expr->dtype, tir::Intrinsic::IfThenElse, {condition, on_true, on_false});
}

PrimExpr RewriteSimplifier::rewrite_let(const PrimExpr& expr, const tir::Let& let) {
  const PrimExpr value = visit(let.value);
  if (is_constant(value) || std::holds_alternative<tir::Var>(value->kind)) {
    vars_[let.var] = value;
    return visit(let.body);
  }
  const PrimExpr body = visit(let.body);
  if (value == let.value && body == let.body) return expr;
  return tir::make_expr(expr->dtype, tir::Let{let.var, value, body});
}

}  // namespace fx2wasm::arith
