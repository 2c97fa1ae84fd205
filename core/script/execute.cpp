// Statements and calls.
#include <algorithm>

#include "ir/match.h"
#include "script/interpreter.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

std::string count_of(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

Result<Unit> Interpreter::run(const Block& block) {
  FX_TRY(flow, execute(block, globals_));
  static_cast<void>(flow);
  return Unit{};
}

Result<Interpreter::Flow> Interpreter::execute(const Block& block, Scope& scope) {
  for (const auto& stmt : block) {
    FX_TRY(charged, placed(charge(1), stmt->at));
    static_cast<void>(charged);
    if (depth_ >= kMaxEvaluationDepth) {
      return script_error_at(stmt->at, codes::kScriptStepLimit, "evaluation is nested too deep");
    }
    ++depth_;
    Result<Flow> flow = placed(execute_one(stmt, scope), stmt->at);
    --depth_;
    if (!flow.ok() || flow.value() != Flow::Next) return flow;
  }
  return Flow::Next;
}

Result<Interpreter::Flow> Interpreter::execute_one(const std::shared_ptr<const StmtNode>& stmt,
                                                   Scope& scope) {
  return match(
      stmt->kind,
      [&](const ExprStmt& statement) -> Result<Flow> {
        FX_TRY(value, evaluate(statement.value, scope));
        static_cast<void>(value);
        return Flow::Next;
      },
      [&](const Assign& statement) -> Result<Flow> {
        FX_TRY(value, evaluate(statement.value, scope));
        for (const ExprRef& target : statement.targets) {
          FX_TRY(assigned, assign(target, value, scope));
          static_cast<void>(assigned);
        }
        return Flow::Next;
      },
      [&](const AugmentedAssign& statement) -> Result<Flow> {
        FX_TRY(old, evaluate(statement.target, scope));
        FX_TRY(value, evaluate(statement.value, scope));
        FX_TRY(result, placed(binary(statement.op, old, value), stmt->at));
        FX_TRY(assigned, assign(statement.target, result, scope));
        static_cast<void>(assigned);
        return Flow::Next;
      },
      [&](const Def& statement) -> Result<Flow> {
        FX_TRY(function, make_function(statement.name, statement.params, scope));
        (*std::get_if<FunctionObject*>(&function.kind))->def = stmt;
        scope.names[statement.name] = function;
        return Flow::Next;
      },
      [&](const Return& statement) -> Result<Flow> {
        returned_ = Value();
        if (statement.value) {
          FX_TRY(value, evaluate(statement.value, scope));
          returned_ = value;
        }
        return Flow::Return;
      },
      [&](const If& statement) -> Result<Flow> {
        for (const auto& branch : statement.branches) {
          FX_TRY(test, evaluate(branch.first, scope));
          FX_TRY(is_true, placed(truth(test), branch.first->at));
          if (is_true) return execute(branch.second, scope);
        }
        return execute(statement.otherwise, scope);
      },
      [&](const ForLoop& statement) { return execute_for(statement, scope); },
      [&](const With& statement) { return execute_with(statement, 0, scope); },
      [&](const Import& statement) -> Result<Flow> {
        FX_TRY(imported, execute_import(statement, stmt->at, scope));
        static_cast<void>(imported);
        return Flow::Next;
      },
      [&](const Assert& statement) -> Result<Flow> {
        FX_TRY(condition, evaluate(statement.condition, scope));
        FX_TRY(is_true, placed(truth(condition), statement.condition->at));
        if (is_true) return Flow::Next;
        std::string message = "the assertion does not hold";
        if (statement.message) {
          FX_TRY(text, evaluate(statement.message, scope));
          message += ": " + (text.as<Text>() != nullptr ? **text.as<Text>() : repr(text));
        }
        return script_error_at(stmt->at, codes::kScriptValue, std::move(message));
      },
      [](const Pass&) -> Result<Flow> { return Flow::Next; },
      [](const Break&) -> Result<Flow> { return Flow::Break; },
      [](const Continue&) -> Result<Flow> { return Flow::Continue; });
}

Result<Interpreter::Flow> Interpreter::execute_for(const ForLoop& loop, Scope& scope) {
  FX_TRY(iterable, evaluate(loop.iterable, scope));
  FX_TRY(items, placed(iterate(iterable), loop.iterable->at));
  for (const Value& item : items) {
    FX_TRY(assigned, assign(loop.target, item, scope));
    static_cast<void>(assigned);
    FX_TRY(flow, execute(loop.body, scope));
    if (flow == Flow::Break) break;
    if (flow == Flow::Return) return flow;
  }
  return Flow::Next;
}

Result<Interpreter::Flow> Interpreter::execute_with(const With& with, size_t from, Scope& scope) {
  if (from == with.items.size()) return execute(with.body, scope);
  const auto& [context, target] = with.items[from];
  FX_TRY(value, evaluate(context, scope));
  const auto* host = value.as<HostObject*>();
  if (host == nullptr) {
    return script_error_at(context->at, codes::kScriptType,
                           "'with' needs bb.function(…) or bb.dataflow(), not " + describe(value));
  }
  call_at_ = context->at;
  FX_TRY(entered, placed((*host)->enter(*this), context->at));
  if (target) {
    FX_TRY(assigned, assign(target, entered, scope));
    static_cast<void>(assigned);
  }
  FX_TRY(flow, execute_with(with, from + 1, scope));
  call_at_ = context->at;
  FX_TRY(left, placed((*host)->exit(*this), context->at));
  static_cast<void>(left);
  return flow;
}

Result<Unit> Interpreter::execute_import(const Import& import, Position at, Scope& scope) {
  for (const auto& [name, path] : import.names) {
    const auto found = importable_.find(path);
    if (found == importable_.end()) {
      std::string list;
      for (const std::string& module : modules_) list += (list.empty() ? "" : ", ") + module;
      Diagnostic error =
          script_error_at(at, codes::kScriptName, "this small Python has no module " + quote(path));
      if (path == "tvm.tir" || path.rfind("tvm.tir.", 0) == 0) {
        error.notes.push_back("today's TVM calls tvm.tir tvm.tirx");
      }
      if (path.rfind("tvm.script", 0) == 0) {
        error.notes.push_back(
            "TVMScript is another language: its text is an input of its own, not part of a "
            "program");
      }
      error.notes.push_back("it has " + list);
      return error;
    }
    if (!name.empty()) {
      scope.names[name] = found->second;
    } else {
      const std::string first = path.substr(0, path.find('.'));
      const auto root = importable_.find(first);
      if (root != importable_.end()) scope.names[first] = root->second;
    }
  }
  return Unit{};
}

Result<Unit> Interpreter::assign(const ExprRef& target, const Value& value, Scope& scope) {
  if (const auto* name = std::get_if<Name>(&target->kind)) {
    scope.names[name->name] = value;
    return Unit{};
  }
  if (const auto* subscript = std::get_if<Subscript>(&target->kind)) {
    return placed(assign_item(*subscript, value, scope), target->at);
  }
  const auto* tuple = std::get_if<TupleDisplay>(&target->kind);
  const auto* list = std::get_if<ListDisplay>(&target->kind);
  FX_CHECK(tuple != nullptr || list != nullptr, "the parser lets other targets not pass");
  const std::vector<ExprRef>& names = tuple != nullptr ? tuple->items : list->items;
  FX_TRY(items, placed(iterate(value), target->at));
  if (items.size() != names.size()) {
    return script_error_at(target->at, codes::kScriptValue,
                           "there are " + count_of(names.size(), "name") + " here for " +
                               count_of(items.size(), "value"));
  }
  for (size_t i = 0; i < names.size(); ++i) {
    FX_TRY(assigned, assign(names[i], items[i], scope));
    static_cast<void>(assigned);
  }
  return Unit{};
}

Result<Unit> Interpreter::assign_item(const Subscript& target, const Value& value, Scope& scope) {
  FX_TRY(object, evaluate(target.object, scope));
  if (std::holds_alternative<SliceIndex>(target.index->kind)) {
    return type_error("this small Python does not assign to slices");
  }
  FX_TRY(key, evaluate(target.index, scope));
  if (const auto* dict = object.as<DictObject*>()) {
    if (!dict_set(**dict, key, value)) {
      return type_error(describe(key) + " cannot be a dict's key");
    }
    return Unit{};
  }
  if (const auto* list = object.as<ListObject*>()) {
    const auto* index = key.as<int64_t>();
    if (index == nullptr) return type_error("a list's index is an integer, not " + describe(key));
    const auto size = static_cast<int64_t>((*list)->items.size());
    const int64_t place = *index < 0 ? *index + size : *index;
    if (place < 0 || place >= size) {
      return value_error("the list has " + count_of((*list)->items.size(), "item") + ", none at " +
                         std::to_string(*index));
    }
    (*list)->items[static_cast<size_t>(place)] = value;
    return Unit{};
  }
  return type_error("items of " + describe(object) + " cannot be assigned");
}

// ---- calls ----

Result<Value> Interpreter::call(const Value& callee, const CallArgs& args) {
  if (call_depth_ >= kMaxCallDepth) {
    return script_error(
        codes::kScriptStepLimit,
        "calls are nested more than " + std::to_string(kMaxCallDepth) + " levels deep");
  }
  ++call_depth_;
  Result<Value> result = [&]() -> Result<Value> {
    if (const auto* function = callee.as<FunctionObject*>()) return call_function(**function, args);
    if (const auto* builtin = callee.as<const Builtin*>()) return call_builtin(**builtin, args);
    if (const auto* host = callee.as<HostObject*>()) return (*host)->call(*this, args);
    if (callee.as<te::Tensor>() != nullptr) {
      // x(i, j) is x[i, j]: the lecture's `x(*i)`.
      if (!args.named.empty()) return type_error("an index has no name");
      FX_TRY(indices, tuple(args.positional));
      return item(callee, indices);
    }
    return type_error(describe(callee) + " cannot be called");
  }();
  --call_depth_;
  return result;
}

Result<Unit> Interpreter::bind_parameters(const FunctionObject& function, const CallArgs& args,
                                          Scope& scope) {
  const std::vector<Parameter>& params = *function.params;
  const std::string who = function.body ? "this lambda" : function.name;
  size_t next = 0;
  for (const auto& named : args.named) {
    const bool known = std::any_of(params.begin(), params.end(), [&](const Parameter& param) {
      return !param.star && param.name == named.first;
    });
    if (!known) return type_error(who + " has no parameter " + quote(named.first));
  }
  size_t default_index = 0;
  for (const Parameter& param : params) {
    const Value* default_value =
        param.default_value ? &function.defaults[default_index++] : nullptr;
    if (param.star) {
      std::vector<Value> rest(args.positional.begin() + static_cast<ptrdiff_t>(next),
                              args.positional.end());
      next = args.positional.size();
      FX_TRY(values, tuple(std::move(rest)));
      scope.names[param.name] = values;
      continue;
    }
    const auto named = std::find_if(args.named.begin(), args.named.end(),
                                    [&](const auto& entry) { return entry.first == param.name; });
    if (next < args.positional.size()) {
      if (named != args.named.end()) {
        return type_error(who + " is given " + quote(param.name) + " twice");
      }
      scope.names[param.name] = args.positional[next++];
    } else if (named != args.named.end()) {
      scope.names[param.name] = named->second;
    } else if (default_value != nullptr) {
      scope.names[param.name] = *default_value;
    } else {
      return type_error(who + " needs a value for " + quote(param.name));
    }
  }
  if (next < args.positional.size()) {
    return type_error(who + " takes " + count_of(params.size(), "argument") + ", not " +
                      std::to_string(args.positional.size()));
  }
  return Unit{};
}

Result<Value> Interpreter::call_function(const FunctionObject& function, const CallArgs& args) {
  Scope& scope = *heap_.scope(function.scope);
  FX_TRY(bound, bind_parameters(function, args, scope));
  static_cast<void>(bound);
  if (function.body) return evaluate(function.body, scope);
  const auto& def = *std::get_if<Def>(&function.def->kind);
  FX_TRY(flow, execute(def.body, scope));
  if (flow != Flow::Return) return Value(None{});
  return std::exchange(returned_, Value());
}

Result<Value> Interpreter::call_builtin(const Builtin& builtin, const CallArgs& args) {
  FX_TRY(charged, charge(1));
  static_cast<void>(charged);
  BoundArgs bound;
  bound.values.resize(builtin.params.size());
  bound.given.resize(builtin.params.size());
  size_t next = 0;
  std::vector<std::string_view> names;
  bool takes_others = false;
  bool takes_rest = false;
  for (size_t i = 0; i < builtin.params.size(); ++i) {
    std::string_view param = builtin.params[i];
    if (param.substr(0, 2) == "**") {
      takes_others = true;
      continue;
    }
    if (param[0] == '*') {
      takes_rest = true;
      if (param.size() == 1) continue;  // "*": what follows is given by name
      bound.rest.assign(args.positional.begin() + static_cast<ptrdiff_t>(next),
                        args.positional.end());
      next = args.positional.size();
      continue;
    }
    const bool optional = param.back() == '?';
    if (optional) param.remove_suffix(1);
    names.push_back(param);
    const auto named = std::find_if(args.named.begin(), args.named.end(),
                                    [&](const auto& entry) { return entry.first == param; });
    if (!takes_rest && next < args.positional.size()) {
      if (named != args.named.end()) {
        return type_error(builtin.name + " is given " + quote(param) + " twice");
      }
      bound.values[i] = args.positional[next++];
      bound.given[i] = true;
    } else if (named != args.named.end()) {
      bound.values[i] = named->second;
      bound.given[i] = true;
    } else if (!optional) {
      return type_error(builtin.name + " needs a value for " + quote(param));
    }
  }
  if (next < args.positional.size()) {
    return type_error(builtin.name + " takes " + count_of(next, "argument") + ", not " +
                      std::to_string(args.positional.size()));
  }
  for (const auto& named : args.named) {
    if (std::find(names.begin(), names.end(), named.first) != names.end()) continue;
    if (takes_others) {
      bound.others.push_back(named);
    } else {
      return type_error(builtin.name + " has no parameter " + quote(named.first) +
                        did_you_mean(named.first, names));
    }
  }
  return builtin.body(*this, bound);
}

}  // namespace fx2wasm::script
