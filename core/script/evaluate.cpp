// Expressions.
#include <algorithm>

#include "ir/match.h"
#include "script/interpreter.h"
#include "support/text.h"

namespace fx2wasm::script {

Diagnostics with_place(Diagnostics diagnostics, Position at) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.line != 0) continue;
    diagnostic.place.line = at.line;
    diagnostic.place.column = at.column;
  }
  return diagnostics;
}

Result<Unit> Interpreter::charge(int64_t steps) {
  steps_left_ -= std::min(steps, steps_left_);
  if (steps_left_ > 0) return Unit{};
  return script_error(codes::kScriptStepLimit, "the program takes more than " +
                                                   std::to_string(limits_.max_steps) +
                                                   " steps; it was stopped here");
}

void Interpreter::renew_limits() {
  steps_left_ = limits_.max_steps;
  tensors_left_ = kMaxTensors;
}

Result<Value> Interpreter::evaluate(const ExprRef& expr, Scope& scope) {
  FX_TRY(charged, placed(charge(1), expr->at));
  static_cast<void>(charged);
  if (depth_ >= kMaxEvaluationDepth) {
    return script_error_at(expr->at, codes::kScriptStepLimit, "evaluation is nested too deep");
  }
  ++depth_;
  Result<Value> result = placed(evaluate_kind(*expr, scope), expr->at);
  --depth_;
  return result;
}

Result<Value> Interpreter::evaluate_kind(const ExprNode& expr, Scope& scope) {
  return match(
      expr.kind, [](const NoneLiteral&) -> Result<Value> { return Value(None{}); },
      [](const bool& value) -> Result<Value> { return Value(value); },
      [](const int64_t& value) -> Result<Value> { return Value(value); },
      [](const double& value) -> Result<Value> { return Value(value); },
      [&](const std::string& value) -> Result<Value> { return string(value); },
      [&](const Name& name) { return look_up(name.name, expr.at, scope); },
      [&](const TupleDisplay& tuple) { return evaluate_items(tuple.items, scope, true); },
      [&](const ListDisplay& list) { return evaluate_items(list.items, scope, false); },
      [&](const DictDisplay& dict) { return evaluate_dict(dict, scope); },
      [&](const Unary& operation) -> Result<Value> {
        FX_TRY(operand, evaluate(operation.operand, scope));
        return unary(operation.op, operand);
      },
      [&](const Binary& operation) -> Result<Value> {
        FX_TRY(left, evaluate(operation.left, scope));
        FX_TRY(right, evaluate(operation.right, scope));
        return binary(operation.op, left, right);
      },
      [&](const Compare& comparison) { return evaluate_compare(comparison, expr.at, scope); },
      [&](const BoolOperation& operation) -> Result<Value> {
        FX_TRY(left, evaluate(operation.left, scope));
        FX_TRY(is_true, truth(left));
        if (is_true != operation.is_and) return left;
        return evaluate(operation.right, scope);
      },
      [&](const Conditional& conditional) -> Result<Value> {
        FX_TRY(test, evaluate(conditional.test, scope));
        FX_TRY(is_true, placed(truth(test), conditional.test->at));
        return evaluate(is_true ? conditional.value : conditional.other, scope);
      },
      [&](const Call& call) { return evaluate_call(call, expr.at, scope); },
      [&](const Attribute& access) -> Result<Value> {
        FX_TRY(object, evaluate(access.object, scope));
        return placed(attribute(object, access.name), access.name_at);
      },
      [](const SliceIndex&) -> Result<Value> {
        return type_error("a slice stands alone between '[' and ']'");
      },
      [&](const Subscript& subscript) { return evaluate_subscript(subscript, expr.at, scope); },
      [&](const Lambda& lambda) -> Result<Value> {
        FX_TRY(function, make_function("<lambda>", lambda.params, scope));
        (*std::get_if<FunctionObject*>(&function.kind))->body = lambda.body;
        return function;
      },
      [&](const ListComprehension& list) { return evaluate_comprehension(list, scope); });
}

Result<Value> Interpreter::look_up(const std::string& name, Position at, Scope& scope) {
  for (const Scope* level = &scope; level != nullptr; level = level->parent) {
    const auto found = level->names.find(name);
    if (found != level->names.end()) return found->second;
  }
  std::vector<std::string_view> known;
  for (const Scope* level = &scope; level != nullptr; level = level->parent) {
    for (const auto& entry : level->names) known.push_back(entry.first);
  }
  std::sort(known.begin(), known.end());  // so that the hint does not depend on a hash
  Diagnostic error =
      script_error_at(at, codes::kScriptName,
                      "the name " + quote(name) + " is not defined" + did_you_mean(name, known));
  if (name == "tir") error.notes.push_back("today's TVM calls it tirx");
  if (name == "print") {
    error.notes.push_back("there is nothing to print to: end with ARGS = […] or MODULE = bb.get()");
  }
  if (name == "np" || name == "numpy" || name == "torch") {
    error.notes.push_back("this small Python has te, tirx, topi and relax only");
  }
  return error;
}

Result<Value> Interpreter::evaluate_items(const std::vector<ExprRef>& items, Scope& scope,
                                          bool as_tuple) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const ExprRef& item : items) {
    FX_TRY(value, evaluate(item, scope));
    values.push_back(std::move(value));
  }
  return as_tuple ? tuple(std::move(values)) : list(std::move(values));
}

Result<Value> Interpreter::evaluate_dict(const DictDisplay& dict, Scope& scope) {
  DictObject* object = heap_.dict();
  for (const auto& entry : dict.items) {
    FX_TRY(key, evaluate(entry.first, scope));
    FX_TRY(value, evaluate(entry.second, scope));
    if (!dict_set(*object, key, value)) {
      return script_error_at(entry.first->at, codes::kScriptType,
                             describe(key) + " cannot be a dict's key");
    }
  }
  return Value(object);
}

Result<Value> Interpreter::evaluate_compare(const Compare& comparison, Position at, Scope& scope) {
  FX_TRY(first, evaluate(comparison.first, scope));
  Value left = first;
  Value result;
  for (size_t i = 0; i < comparison.rest.size(); ++i) {
    FX_TRY(right, evaluate(comparison.rest[i].second, scope));
    FX_TRY(compared, placed(compare(comparison.rest[i].first, left, right), at));
    result = compared;
    if (i + 1 == comparison.rest.size()) break;
    FX_TRY(is_true, placed(truth(result), at));
    if (!is_true) return result;
    left = right;
  }
  return result;
}

Result<Value> Interpreter::evaluate_call(const Call& expr, Position at, Scope& scope) {
  FX_TRY(callee, evaluate(expr.callee, scope));
  CallArgs args;
  for (const CallArgument& argument : expr.args) {
    FX_TRY(value, evaluate(argument.value, scope));
    if (argument.star) {
      FX_TRY(items, placed(iterate(value), argument.value->at));
      args.positional.insert(args.positional.end(), items.begin(), items.end());
    } else if (argument.name.empty()) {
      args.positional.push_back(value);
    } else {
      args.named.emplace_back(argument.name, value);
    }
  }
  const Position outer = std::exchange(call_at_, at);
  Result<Value> result = placed(call(callee, args), at);
  call_at_ = outer;
  if (!result.ok() && callee.as<FunctionObject*>() != nullptr) {
    Diagnostics diagnostics = result.diagnostics();
    Diagnostic& first = diagnostics.front();
    // The way to the error, from the inside out; a deep recursion needs no sixty lines of it.
    if (first.place.line != at.line && first.notes.size() < 5) {
      first.notes.push_back("in " + describe(callee) + ", called at line " +
                            std::to_string(at.line));
    }
    return diagnostics;
  }
  return result;
}

Result<Value> Interpreter::evaluate_subscript(const Subscript& subscript, Position at,
                                              Scope& scope) {
  FX_TRY(object, evaluate(subscript.object, scope));
  if (const auto* parts = std::get_if<SliceIndex>(&subscript.index->kind)) {
    const auto part = [&](const ExprRef& expr) -> Result<Value> {
      if (!expr) return Value(None{});
      return evaluate(expr, scope);
    };
    FX_TRY(start, part(parts->start));
    FX_TRY(stop, part(parts->stop));
    FX_TRY(step, part(parts->step));
    return placed(slice(object, start, stop, step), at);
  }
  FX_TRY(index, evaluate(subscript.index, scope));
  return placed(item(object, index), at);
}

Result<Value> Interpreter::evaluate_comprehension(const ListComprehension& comprehension,
                                                  Scope& scope) {
  FX_TRY(iterable, evaluate(comprehension.iterable, scope));
  FX_TRY(items, placed(iterate(iterable), comprehension.iterable->at));
  Scope& inner = *heap_.scope(&scope);
  std::vector<Value> values;
  for (const Value& item : items) {
    FX_TRY(assigned, assign(comprehension.target, item, inner));
    static_cast<void>(assigned);
    bool keep = true;
    for (const ExprRef& condition : comprehension.conditions) {
      FX_TRY(test, evaluate(condition, inner));
      FX_TRY(is_true, placed(truth(test), condition->at));
      keep = keep && is_true;
      if (!keep) break;
    }
    if (!keep) continue;
    FX_TRY(value, evaluate(comprehension.item, inner));
    values.push_back(std::move(value));
  }
  return list(std::move(values));
}

Result<Value> Interpreter::make_function(std::string name, const std::vector<Parameter>& params,
                                         Scope& scope) {
  FunctionObject* function = heap_.function();
  function->name = std::move(name);
  function->params = &params;
  function->scope = &scope;
  for (const Parameter& param : params) {
    if (!param.default_value) continue;
    FX_TRY(value, evaluate(param.default_value, scope));
    function->defaults.push_back(std::move(value));
  }
  return Value(function);
}

}  // namespace fx2wasm::script
