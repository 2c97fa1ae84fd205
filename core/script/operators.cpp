// Operators, truth, and the making of values of bounded size.
#include <algorithm>
#include <cmath>
#include <limits>

#include "builder/relax_ops.h"
#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "script/convert.h"
#include "script/interpreter.h"
#include "script/tensor_operations.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

std::string_view symbol_of(Operator op) {
  switch (op) {
    case Operator::Add:
      return "+";
    case Operator::Sub:
      return "-";
    case Operator::Mul:
      return "*";
    case Operator::Div:
      return "/";
    case Operator::FloorDiv:
      return "//";
    case Operator::Mod:
      return "%";
    case Operator::Pow:
      return "**";
    case Operator::MatMul:
      return "@";
    case Operator::BitAnd:
      return "&";
    case Operator::BitOr:
      return "|";
    case Operator::BitXor:
      return "^";
    case Operator::ShiftLeft:
      return "<<";
    case Operator::ShiftRight:
      return ">>";
  }
  return "";
}

// Counts the nodes of a tree, shared parts each time; false when it is too large or too deep.
template <class Node, class Children>
bool measure(const Node& node, const Children& children, int depth, int64_t& nodes) {
  if (depth > kMaxTreeDepth || ++nodes > kMaxTreeNodes) return false;
  for (const Node& child : children(node)) {
    if (!measure(child, children, depth + 1, nodes)) return false;
  }
  return true;
}

Diagnostic unsupported(Operator op, const Value& a, const Value& b) {
  return type_error("'" + std::string(symbol_of(op)) + "' takes no " + describe(a) + " with " +
                    describe(b));
}

Diagnostic overflow() { return value_error("the result does not fit in 64 bits"); }
Diagnostic zero_division() { return value_error("division by zero"); }

Result<Value> integer_operation(Operator op, int64_t a, int64_t b) {
  int64_t out = 0;
  switch (op) {
    case Operator::Add:
      if (__builtin_add_overflow(a, b, &out)) return overflow();
      return Value(out);
    case Operator::Sub:
      if (__builtin_sub_overflow(a, b, &out)) return overflow();
      return Value(out);
    case Operator::Mul:
      if (__builtin_mul_overflow(a, b, &out)) return overflow();
      return Value(out);
    case Operator::Div:
      if (b == 0) return zero_division();
      return Value(static_cast<double>(a) / static_cast<double>(b));
    case Operator::FloorDiv:
    case Operator::Mod: {
      if (b == 0) return zero_division();
      if (b == -1) {  // the one quotient that can overflow
        if (op == Operator::Mod) return Value(int64_t{0});
        if (__builtin_sub_overflow(int64_t{0}, a, &out)) return overflow();
        return Value(out);
      }
      const int64_t remainder = a % b;
      const bool below = remainder != 0 && (remainder < 0) != (b < 0);
      if (op == Operator::Mod) return Value(below ? remainder + b : remainder);
      return Value(a / b - (below ? 1 : 0));
    }
    case Operator::Pow: {
      if (b < 0) return Value(std::pow(static_cast<double>(a), static_cast<double>(b)));
      out = 1;
      int64_t base = a;
      for (int64_t exponent = b; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(out, base, &out)) return overflow();
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) return overflow();
      }
      return Value(out);
    }
    case Operator::BitAnd:
      return Value(a & b);
    case Operator::BitOr:
      return Value(a | b);
    case Operator::BitXor:
      return Value(a ^ b);
    case Operator::ShiftLeft:
      if (b < 0 || b > 62 || a < 0 || (a >> (62 - b)) > 0) {
        return value_error("the shift does not fit in 64 bits");
      }
      return Value(a << b);
    case Operator::ShiftRight:
      if (b < 0) return value_error("a shift count is negative");
      return Value(a >> std::min<int64_t>(b, 63));
    case Operator::MatMul:
      break;
  }
  return type_error("'@' takes no numbers");
}

Result<Value> float_operation(Operator op, double a, double b) {
  switch (op) {
    case Operator::Add:
      return Value(a + b);
    case Operator::Sub:
      return Value(a - b);
    case Operator::Mul:
      return Value(a * b);
    case Operator::Div:
      if (b == 0) return zero_division();
      return Value(a / b);
    case Operator::FloorDiv:
      if (b == 0) return zero_division();
      return Value(std::floor(a / b));
    case Operator::Mod: {
      if (b == 0) return zero_division();
      const double remainder = std::fmod(a, b);
      return Value(remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder);
    }
    case Operator::Pow:
      return Value(std::pow(a, b));
    case Operator::MatMul:
    case Operator::BitAnd:
    case Operator::BitOr:
    case Operator::BitXor:
    case Operator::ShiftLeft:
    case Operator::ShiftRight:
      break;
  }
  return type_error("'" + std::string(symbol_of(op)) + "' takes no floats");
}

std::optional<double> number_of(const Value& value) {
  if (const auto* b = value.as<bool>()) return *b ? 1.0 : 0.0;
  if (const auto* i = value.as<int64_t>()) return static_cast<double>(*i);
  if (const auto* d = value.as<double>()) return *d;
  return std::nullopt;
}

std::optional<int64_t> integer_of(const Value& value) {
  if (const auto* b = value.as<bool>()) return *b ? 1 : 0;
  if (const auto* i = value.as<int64_t>()) return *i;
  return std::nullopt;
}

Result<tir::PrimExpr> scalar_operation(Operator op, tir::PrimExpr a, tir::PrimExpr b) {
  const bool integers = !is_float(a->dtype) && !is_float(b->dtype);
  const auto division_by_zero = [&b] { return tir::is_zero(b); };
  const auto bits = [&](tir::Intrinsic intrinsic) -> Result<tir::PrimExpr> {
    if (!integers) return type_error("'" + std::string(symbol_of(op)) + "' takes no floats");
    if (a->dtype == DType::Bool && b->dtype != DType::Bool) a = tir::cast(b->dtype, a);
    if (a->dtype != b->dtype) b = tir::cast(a->dtype, b);
    return tir::call(a->dtype, intrinsic, {a, b});
  };
  switch (op) {
    case Operator::Add:
      return tir::binary(tir::BinaryOp::Add, a, b);
    case Operator::Sub:
      return tir::binary(tir::BinaryOp::Sub, a, b);
    case Operator::Mul:
      return tir::binary(tir::BinaryOp::Mul, a, b);
    case Operator::Div:
      if (integers) {
        return type_error(
            "'/' between integers says not how to round; write // for the floor, or "
            "tirx.truncdiv(a, b)");
      }
      if (division_by_zero()) return zero_division();
      return tir::binary(tir::BinaryOp::Div, a, b);
    case Operator::FloorDiv:
    case Operator::Mod:
      if (division_by_zero()) return zero_division();
      if (!integers) {
        return type_error("'" + std::string(symbol_of(op)) +
                          "' of scalar expressions takes integers; for floats see tirx.fmod and "
                          "tirx.floor");
      }
      return tir::binary(op == Operator::Mod ? tir::BinaryOp::FloorMod : tir::BinaryOp::FloorDiv, a,
                         b);
    case Operator::BitAnd:
      return bits(tir::Intrinsic::BitwiseAnd);
    case Operator::BitOr:
      return bits(tir::Intrinsic::BitwiseOr);
    case Operator::BitXor:
      return bits(tir::Intrinsic::BitwiseXor);
    case Operator::ShiftLeft:
      return bits(tir::Intrinsic::ShiftLeft);
    case Operator::ShiftRight:
      return bits(tir::Intrinsic::ShiftRight);
    case Operator::Pow:
      return type_error("write tirx.power(a, b) for a power of scalars");
    case Operator::MatMul:
      break;
  }
  return type_error("'@' takes no scalars");
}

std::optional<tir::BinaryOp> scalar_comparison(Comparison op) {
  switch (op) {
    case Comparison::EQ:
      return tir::BinaryOp::EQ;
    case Comparison::NE:
      return tir::BinaryOp::NE;
    case Comparison::LT:
      return tir::BinaryOp::LT;
    case Comparison::LE:
      return tir::BinaryOp::LE;
    case Comparison::GT:
      return tir::BinaryOp::GT;
    case Comparison::GE:
      return tir::BinaryOp::GE;
    case Comparison::In:
    case Comparison::NotIn:
    case Comparison::Is:
    case Comparison::IsNot:
      break;
  }
  return std::nullopt;
}

template <class T>
bool ordered(Comparison op, const T& a, const T& b) {
  switch (op) {
    case Comparison::LT:
      return a < b;
    case Comparison::LE:
      return a <= b;
    case Comparison::GT:
      return a > b;
    case Comparison::GE:
      return a >= b;
    case Comparison::EQ:
      return a == b;
    case Comparison::NE:
      return a != b;
    case Comparison::In:
    case Comparison::NotIn:
    case Comparison::Is:
    case Comparison::IsNot:
      break;
  }
  return false;
}

bool identical(const Value& a, const Value& b) {
  if (a.kind.index() != b.kind.index()) return false;
  return match(
      a.kind, [](const None&) { return true; }, [&](bool v) { return v == *b.as<bool>(); },
      [&](int64_t v) { return v == *b.as<int64_t>(); },
      [&](double v) { return v == *b.as<double>(); },
      [&](const Text& v) { return *v == **b.as<Text>(); },
      [&](const TupleValue& v) { return v.items == b.as<TupleValue>()->items; },
      [&](ListObject* v) { return v == *b.as<ListObject*>(); },
      [&](DictObject* v) { return v == *b.as<DictObject*>(); },
      [&](const RangeValue& v) {
        const RangeValue& w = *b.as<RangeValue>();
        return v.start == w.start && v.stop == w.stop && v.step == w.step;
      },
      [&](FunctionObject* v) { return v == *b.as<FunctionObject*>(); },
      [&](const Builtin* v) { return v == *b.as<const Builtin*>(); },
      [&](const Namespace* v) { return v == *b.as<const Namespace*>(); },
      [&](HostObject* v) {
        const auto key = v->key();
        return v == *b.as<HostObject*>() || (key && key == (*b.as<HostObject*>())->key());
      },
      [&](const tir::PrimExpr& v) { return v == *b.as<tir::PrimExpr>(); },
      [&](const IterVarValue& v) { return v.axis->var == b.as<IterVarValue>()->axis->var; },
      [&](const te::Tensor& v) { return te::same_tensor(v, *b.as<te::Tensor>()); },
      [&](const tir::PrimFunc& v) { return v == *b.as<tir::PrimFunc>(); },
      [&](const relax::Type& v) { return v == *b.as<relax::Type>(); },
      [&](const relax::Expr& v) { return v == *b.as<relax::Expr>(); },
      [&](const std::shared_ptr<const ModuleValue>& v) {
        return v == *b.as<std::shared_ptr<const ModuleValue>>();
      });
}

}  // namespace

// ---- values of bounded size ----

Result<Value> Interpreter::scalar(tir::PrimExpr expr) {
  int64_t nodes = 0;
  const auto children = [](const tir::PrimExpr& node) { return tir::children(node); };
  if (!measure(expr, children, 0, nodes)) {
    return script_error(codes::kScriptStepLimit,
                        "the scalar expression becomes too large; give a part of it a te.compute "
                        "of its own");
  }
  FX_TRY(charged, charge(nodes / 8 + 1));
  static_cast<void>(charged);
  return Value(std::move(expr));
}

Result<Value> Interpreter::graph(relax::Expr expr) {
  int64_t nodes = 0;
  const auto children = [](const relax::Expr& node) { return relax::children(node); };
  if (!measure(expr, children, 0, nodes)) {
    return script_error(codes::kScriptStepLimit,
                        "the relax expression becomes too large; bind parts of it with bb.emit");
  }
  FX_TRY(charged, charge(nodes / 8 + 1));
  static_cast<void>(charged);
  return Value(std::move(expr));
}

tir::Var Interpreter::foreign_axis(const tir::PrimExpr& expr,
                                   const std::vector<tir::Var>& own) const {
  for (const tir::Var& var : tir::free_vars(expr)) {
    if (loop_vars_.count(var.get()) == 0) continue;
    if (std::find(own.begin(), own.end(), var) == own.end()) return var;
  }
  return nullptr;
}

Result<Value> Interpreter::tensor(te::Tensor tensor) {
  if (--tensors_left_ < 0) {
    tensors_left_ = 0;
    return script_error(codes::kScriptStepLimit,
                        "the program makes more than " + std::to_string(kMaxTensors) + " tensors");
  }
  FX_TRY(charged, charge(20));
  static_cast<void>(charged);
  return Value(std::move(tensor));
}

Result<Value> Interpreter::list(std::vector<Value> items) {
  if (items.size() > kMaxItems) {
    return script_error(codes::kScriptStepLimit,
                        "a list of more than " + std::to_string(kMaxItems) + " items");
  }
  FX_TRY(charged, charge(static_cast<int64_t>(items.size())));
  static_cast<void>(charged);
  return Value(heap_.list(std::move(items)));
}

Result<Value> Interpreter::tuple(std::vector<Value> items) {
  FX_TRY(made, list(std::move(items)));
  return Value(TupleValue{*made.as<ListObject*>()});
}

Result<Value> Interpreter::string(std::string value) {
  if (value.size() > kMaxTextBytes) {
    return script_error(codes::kScriptStepLimit,
                        "a string of more than " + std::to_string(kMaxTextBytes) + " bytes");
  }
  FX_TRY(charged, charge(static_cast<int64_t>(value.size() / 16)));
  static_cast<void>(charged);
  return text(std::move(value));
}

Result<bool> Interpreter::truth(const Value& value) {
  if (value.is_none()) return false;
  if (const auto number = number_of(value)) return *number != 0;
  if (const auto* s = value.as<Text>()) return !(*s)->empty();
  if (const std::vector<Value>* items = items_of(value)) return !items->empty();
  if (const auto* dict = value.as<DictObject*>()) return !(*dict)->items.empty();
  if (const auto* range = value.as<RangeValue>()) {
    return range->step > 0 ? range->start < range->stop : range->start > range->stop;
  }
  if (const auto* expr = value.as<tir::PrimExpr>()) {
    if (const auto known = tir::as_int(*expr)) return *known != 0;
  }
  if (is_symbolic(value)) {
    return type_error(
        "a scalar expression has no truth value while the program is built; write "
        "tirx.if_then_else(condition, a, b), and tirx.all, tirx.any, tirx.Not for "
        "and, or, not");
  }
  if (value.as<te::Tensor>() != nullptr) {
    return type_error("a te tensor has no truth value while the program is built");
  }
  if (value.as<relax::Expr>() != nullptr) {
    return type_error("a relax expression has no truth value while the program is built");
  }
  return true;
}

// ---- operators ----

Result<Value> Interpreter::binary(Operator op, const Value& a, const Value& b) {
  const auto left = number_of(a);
  const auto right = number_of(b);
  if (left && right) {
    const auto left_integer = integer_of(a);
    const auto right_integer = integer_of(b);
    if (left_integer && right_integer) return integer_operation(op, *left_integer, *right_integer);
    return float_operation(op, *left, *right);
  }
  if (a.as<te::Tensor>() != nullptr || b.as<te::Tensor>() != nullptr) {
    return tensor_operation(*this, op, a, b);
  }
  if (a.as<relax::Expr>() != nullptr || b.as<relax::Expr>() != nullptr) {
    return graph_operation(*this, op, a, b);
  }
  if (is_scalar(a) && is_scalar(b)) {
    FX_TRY(x, to_prim(a, "the left side"));
    FX_TRY(y, to_prim(b, "the right side"));
    FX_TRY(result, scalar_operation(op, x, y));
    return scalar(result);
  }
  const auto* left_text = a.as<Text>();
  const auto* right_text = b.as<Text>();
  if (op == Operator::Add && left_text != nullptr && right_text != nullptr) {
    return string(**left_text + **right_text);
  }
  const std::vector<Value>* left_items = items_of(a);
  const std::vector<Value>* right_items = items_of(b);
  if (op == Operator::Add && left_items != nullptr && right_items != nullptr &&
      a.kind.index() == b.kind.index()) {
    std::vector<Value> joined = *left_items;
    joined.insert(joined.end(), right_items->begin(), right_items->end());
    return a.as<TupleValue>() != nullptr ? tuple(std::move(joined)) : list(std::move(joined));
  }
  if (op == Operator::Mul) {
    const bool swapped = integer_of(a).has_value();
    const Value& sequence = swapped ? b : a;
    const auto times = known_int(swapped ? a : b);
    const std::vector<Value>* items = items_of(sequence);
    if (times && (items != nullptr || sequence.as<Text>() != nullptr)) {
      const auto count = static_cast<size_t>(std::clamp<int64_t>(*times, 0, kMaxTextBytes + 1));
      const size_t size = items != nullptr ? items->size() : (*sequence.as<Text>())->size();
      if (size > 0 && count > kMaxTextBytes / size) {
        return script_error(codes::kScriptStepLimit, "the result of '*' is too long");
      }
      if (items == nullptr) {
        std::string repeated;
        for (size_t i = 0; i < count; ++i) repeated += **sequence.as<Text>();
        return string(std::move(repeated));
      }
      FX_TRY(charged, charge(static_cast<int64_t>(count * size)));
      static_cast<void>(charged);
      std::vector<Value> repeated;
      for (size_t i = 0; i < count && size > 0; ++i) {
        repeated.insert(repeated.end(), items->begin(), items->end());
      }
      return sequence.as<TupleValue>() != nullptr ? tuple(std::move(repeated))
                                                  : list(std::move(repeated));
    }
  }
  return unsupported(op, a, b);
}

Result<Value> Interpreter::unary(UnaryOperator op, const Value& a) {
  if (op == UnaryOperator::Not) {
    FX_TRY(is_true, truth(a));
    return Value(!is_true);
  }
  if (op == UnaryOperator::Plus && (is_scalar(a) || a.as<te::Tensor>() != nullptr)) return a;
  if (op == UnaryOperator::Minus) {
    if (const auto* d = a.as<double>()) return Value(-*d);
    if (const auto i = integer_of(a)) return integer_operation(Operator::Sub, 0, *i);
    if (is_symbolic(a)) {  // TVM's negation, which shows in the printed text
      FX_TRY(expr, to_prim(a, "the operand"));
      return scalar(tir::binary(tir::BinaryOp::Mul, expr, tir::const_of(expr->dtype, -1)));
    }
    if (a.as<te::Tensor>() != nullptr || a.as<relax::Expr>() != nullptr) return negate(*this, a);
  }
  if (op == UnaryOperator::Invert) {
    if (const auto i = integer_of(a)) return Value(~*i);
    if (is_symbolic(a)) {
      FX_TRY(expr, to_prim(a, "the operand"));
      if (is_float(expr->dtype)) return type_error("'~' takes no floats");
      return scalar(tir::call(expr->dtype, tir::Intrinsic::BitwiseNot, {expr}));
    }
  }
  return type_error(std::string(op == UnaryOperator::Minus  ? "'-'"
                                : op == UnaryOperator::Plus ? "'+'"
                                                            : "'~'") +
                    " takes no " + describe(a));
}

Result<Value> Interpreter::compare(Comparison op, const Value& a, const Value& b) {
  if (op == Comparison::Is) return Value(identical(a, b));
  if (op == Comparison::IsNot) return Value(!identical(a, b));
  if (op == Comparison::In || op == Comparison::NotIn) {
    bool found = false;
    if (const auto* dict = b.as<DictObject*>()) {
      found = dict_find(**dict, a) != nullptr;
    } else if (b.as<Text>() != nullptr && a.as<Text>() != nullptr) {
      found = (*b.as<Text>())->find(**a.as<Text>()) != std::string::npos;
    } else {
      FX_TRY(items, iterate(b));
      for (const Value& item : items) {
        FX_TRY(equal, compare(Comparison::EQ, a, item));
        FX_TRY(is_true, truth(equal));
        found = found || is_true;
      }
    }
    return Value(found == (op == Comparison::In));
  }
  FX_TRY(charged, charge(1));
  static_cast<void>(charged);
  const auto left = number_of(a);
  const auto right = number_of(b);
  if (left && right) {
    if (integer_of(a) && integer_of(b)) return Value(ordered(op, *integer_of(a), *integer_of(b)));
    return Value(ordered(op, *left, *right));
  }
  if (is_scalar(a) && is_scalar(b)) {
    FX_TRY(x, to_prim(a, "the left side"));
    FX_TRY(y, to_prim(b, "the right side"));
    return scalar(tir::binary(*scalar_comparison(op), x, y));
  }
  if (a.as<Text>() != nullptr && b.as<Text>() != nullptr) {
    return Value(ordered(op, **a.as<Text>(), **b.as<Text>()));
  }
  const bool is_equality = op == Comparison::EQ || op == Comparison::NE;
  if (!is_equality) {
    return type_error("no order between " + describe(a) + " and " + describe(b));
  }
  const std::vector<Value>* left_items = items_of(a);
  const std::vector<Value>* right_items = items_of(b);
  bool equal = identical(a, b);
  if (!equal && left_items != nullptr && right_items != nullptr &&
      a.kind.index() == b.kind.index() && left_items->size() == right_items->size()) {
    if (call_depth_ >= kMaxCallDepth) {
      return script_error(codes::kScriptStepLimit, "lists are nested too deep to be compared");
    }
    equal = true;
    ++call_depth_;
    for (size_t i = 0; i < left_items->size() && equal; ++i) {
      Result<Value> same = compare(Comparison::EQ, (*left_items)[i], (*right_items)[i]);
      Result<bool> is_true = same.ok() ? truth(same.value()) : Result<bool>(same.diagnostics());
      if (!is_true.ok()) {
        --call_depth_;
        return is_true.diagnostics();
      }
      equal = is_true.value();
    }
    --call_depth_;
  }
  return Value(equal == (op == Comparison::EQ));
}

}  // namespace fx2wasm::script
