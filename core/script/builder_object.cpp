#include "script/builder_object.h"

#include <algorithm>

#include "ir/relax_build.h"
#include "script/convert.h"
#include "script/names.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

// What bb.function(…) and bb.dataflow() give: `with` enters it.
class BuilderScope : public HostObject {
 public:
  struct FunctionHead {
    std::string name;
    std::optional<std::vector<relax::Var>> params;
    Attrs attrs;
  };
  BuilderScope(BuilderObject* owner, std::optional<FunctionHead> head)
      : HostObject(HostKind::BuilderScope), owner_(owner), head_(std::move(head)) {}

  std::string type_name() const override { return head_ ? "bb.function(…)" : "bb.dataflow()"; }
  Result<Value> enter(Interpreter& interpreter) override {
    if (entered_) {
      return script_error(codes::kBuilderMisuse, type_name() + " can be entered once");
    }
    entered_ = true;
    owner_->begin_step(interpreter);
    const Result<Unit> begun =
        head_ ? owner_->builder().begin_function(head_->name, head_->params, head_->attrs)
              : owner_->builder().begin_dataflow();
    if (!begun.ok()) return begun.diagnostics();
    return Value(None{});
  }
  Result<Unit> exit(Interpreter& interpreter) override {
    owner_->begin_step(interpreter);
    return head_ ? owner_->builder().end_function() : owner_->builder().end_dataflow();
  }

 private:
  BuilderObject* owner_;
  std::optional<FunctionHead> head_;
  bool entered_ = false;
};

Result<std::optional<std::vector<relax::Var>>> params_of(const Value& value) {
  if (value.is_none()) return std::optional<std::vector<relax::Var>>();
  std::vector<relax::Var> params;
  const std::vector<Value> single = {value};
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) items = &single;
  for (const Value& item : *items) {
    FX_TRY(var, to_graph_var(item, "a parameter of the function"));
    params.push_back(var);
  }
  return std::optional(std::move(params));
}

Result<std::string> hint_of(const Value& value) {
  if (value.is_none()) return std::string();
  return to_text(value, "the name hint");
}

// ---- emit_te ----

bool holds_expressions(const Value& value, int depth = 0) {
  if (value.as<relax::Expr>() != nullptr || is_symbolic(value)) return true;
  const std::vector<Value>* items = items_of(value);
  return items != nullptr && depth < 16 &&
         std::any_of(items->begin(), items->end(),
                     [&](const Value& item) { return holds_expressions(item, depth + 1); });
}

Result<TeArgument> te_argument(const Value& value, int depth = 0) {
  if (value.as<te::Tensor>() != nullptr) {
    return type_error("bb.emit_te takes relax expressions and makes the te tensors for them");
  }
  if (const auto* expr = value.as<relax::Expr>()) {
    if (!(*expr)->type) {
      return type_error("the type of an argument is not known yet; bind it with bb.emit first");
    }
    return TeArgument{*expr};
  }
  if (is_symbolic(value)) {
    FX_TRY(expr, to_prim(value, "an argument of bb.emit_te"));
    return TeArgument{relax::prim_value(expr)};
  }
  if (const auto* i = value.as<int64_t>()) return TeArgument{*i};
  if (const auto* d = value.as<double>()) return TeArgument{*d};
  if (const auto* s = value.as<Text>()) return TeArgument{**s};
  if (const std::vector<Value>* items = items_of(value); items != nullptr && depth < 16) {
    TeArgumentList list;
    for (const Value& item : *items) {
      FX_TRY(argument, te_argument(item, depth + 1));
      list.push_back(argument);
    }
    return TeArgument{std::move(list)};
  }
  return TeArgument{nullptr};  // passed on as it is, by value_of
}

// What the TE function gets for an argument: tensors where it holds expressions, else itself.
Result<Value> value_of(Interpreter& in, const Value& original, const TeValue& made) {
  if (!holds_expressions(original)) return original;
  if (const auto* tensor = std::get_if<te::Tensor>(&made.value)) return Value(*tensor);
  if (const auto* expr = std::get_if<tir::PrimExpr>(&made.value)) return Value(*expr);
  const auto* list = std::get_if<TeValueList>(&made.value);
  if (list == nullptr) return original;
  const std::vector<Value>* items = items_of(original);
  std::vector<Value> out;
  for (size_t i = 0; i < list->size(); ++i) {
    // A relax tuple or shape has no items of ours; all it becomes is tensors and scalars.
    const Value stand_in = prim(nullptr);
    FX_TRY(value, value_of(in, items != nullptr ? (*items)[i] : stand_in, (*list)[i]));
    out.push_back(value);
  }
  return in.list(std::move(out));
}

Result<std::vector<te::Tensor>> tensors_of(const Value& value, const std::string& name) {
  const std::vector<Value> single = {value};
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) items = &single;
  std::vector<te::Tensor> tensors;
  for (const Value& item : *items) {
    const auto* tensor = item.as<te::Tensor>();
    if (tensor == nullptr) {
      return type_error("the function " + quote(name) + " of bb.emit_te gives a te tensor, not " +
                        describe(item));
    }
    tensors.push_back(*tensor);
  }
  if (tensors.empty()) return type_error("the function of bb.emit_te gives no tensor");
  return tensors;
}

Result<Value> emit_te(Interpreter& in, BuilderObject& self, const BoundArgs& args, bool bind) {
  const Value& function = args[0];
  std::string name;
  if (const auto* own = function.as<FunctionObject*>()) {
    name = (*own)->name;
  } else if (const auto* builtin = function.as<const Builtin*>()) {
    name = (*builtin)->short_name;
  } else {
    return type_error("bb.emit_te takes a function first, not " + describe(function));
  }
  EmitTeOptions options;
  std::vector<Value> originals = args.rest;
  std::vector<std::string> names;
  std::string hint = name;
  for (const auto& [key, value] : args.others) {
    if (key == "primfunc_name_hint") {
      if (value.is_none()) continue;
      FX_TRY(given, to_text(value, "primfunc_name_hint"));
      hint = given;
    } else if (key == "primfunc_attrs") {
      FX_TRY(given, to_attrs(value, "primfunc_attrs"));
      options.primfunc_attrs = given;
    } else {
      names.push_back(key);
      originals.push_back(value);
    }
  }
  TeArgumentList te_args;
  for (const Value& original : originals) {
    FX_TRY(argument, te_argument(original));
    te_args.push_back(argument);
  }
  const TeFunction te_function = [&](const TeValueList& values) -> Result<std::vector<te::Tensor>> {
    CallArgs call_args;
    const size_t positional = originals.size() - names.size();
    for (size_t i = 0; i < originals.size(); ++i) {
      FX_TRY(value, value_of(in, originals[i], values[i]));
      if (i < positional) {
        call_args.positional.push_back(value);
      } else {
        call_args.named.emplace_back(names[i - positional], value);
      }
    }
    FX_TRY(result, in.call(function, call_args));
    return tensors_of(result, name);
  };
  FX_TRY(charged, in.charge(100));
  static_cast<void>(charged);
  self.begin_step(in);
  BlockBuilder& builder = self.builder();
  FX_TRY(expr, bind ? builder.emit_te(te_function, hint, te_args, options)
                    : builder.call_te(te_function, hint, te_args, options));
  return Value(expr);
}

// ---- the other calls ----

Result<Value> begin_function(Interpreter& in, BuilderObject& self, const BoundArgs& args) {
  FX_TRY(name, to_text(args[0], "the name of bb.function"));
  if (!is_identifier(name)) {
    return value_error("a function's name is one word, not " + quote(name));
  }
  FX_TRY(params, params_of(args[1]));
  FX_TRY(attrs, to_attrs(args[2], "the attrs of bb.function"));
  HostObject* scope = in.heap().host<BuilderScope>(
      &self, BuilderScope::FunctionHead{name, std::move(params), std::move(attrs)});
  return Value(scope);
}

Result<Value> emit(Interpreter& in, BuilderObject& self, const BoundArgs& args) {
  FX_TRY(value, to_graph(args[0], "the argument of bb.emit"));
  FX_TRY(hint, hint_of(args[1]));
  self.begin_step(in);
  FX_TRY(bound, self.builder().emit(value, hint));
  return Value(bound);
}

Result<Value> emit_output(Interpreter& in, BuilderObject& self, const BoundArgs& args) {
  FX_TRY(value, to_graph(args[0], "the argument of bb.emit_output"));
  FX_TRY(hint, hint_of(args[1]));
  self.begin_step(in);
  FX_TRY(bound, self.builder().emit_output(value, hint));
  return Value(bound);
}

Result<Value> emit_func_output(Interpreter& in, BuilderObject& self, const BoundArgs& args) {
  FX_TRY(value, to_graph(args[0], "the argument of bb.emit_func_output"));
  FX_TRY(params, params_of(args[1]));
  self.begin_step(in);
  FX_TRY(done, self.builder().emit_func_output(value, std::move(params)));
  static_cast<void>(done);
  return Value(None{});
}

Result<Value> add_func(Interpreter& in, BuilderObject& self, const BoundArgs& args) {
  const auto* func = args[0].as<tir::PrimFunc>();
  if (func == nullptr) {
    return type_error("bb.add_func takes a PrimFunc of te.create_prim_func, not " +
                      describe(args[0]));
  }
  FX_TRY(name, to_text(args[1], "the name of bb.add_func"));
  if (!is_identifier(name)) {
    return value_error("a function's name is one word, not " + quote(name));
  }
  self.begin_step(in);
  return text(self.builder().add_func(*func, name));
}

}  // namespace

BuilderObject::BuilderObject()
    : HostObject(HostKind::Builder),
      own_(std::make_unique<BlockBuilder>(&recorder_)),
      builder_(own_.get()),
      lent_(false) {}

BuilderObject::BuilderObject(BlockBuilder& lent)
    : HostObject(HostKind::Builder), builder_(&lent), lent_(true) {}

void BuilderObject::begin_step(const Interpreter& interpreter) {
  if (lent_) return;
  const int line = interpreter.call_at().line;
  recorder_.begin_step("", line);
  builder_->set_origin(Origin{{line}, recorder_.current_step(), ""});
}

Result<Value> BuilderObject::attribute(Interpreter& interpreter, const std::string& name) {
  using Method = Result<Value> (*)(Interpreter&, BuilderObject&, const BoundArgs&);
  struct Entry {
    std::string_view name, signature;
    Method method;
    bool for_rules;
  };
  static const std::vector<Entry> kMethods = {
      {"function", "bb.function(name, params?, attrs?)", begin_function, false},
      {"dataflow", "bb.dataflow()",
       [](Interpreter& in, BuilderObject& self, const BoundArgs&) -> Result<Value> {
         HostObject* scope = in.heap().host<BuilderScope>(&self, std::nullopt);
         return Value(scope);
       },
       false},
      {"emit", "bb.emit(expr, name_hint?)", emit, true},
      {"emit_te", "bb.emit_te(func, *args, **options)",
       [](Interpreter& in, BuilderObject& self, const BoundArgs& args) {
         return emit_te(in, self, args, true);
       },
       true},
      {"call_te", "bb.call_te(func, *args, **options)",
       [](Interpreter& in, BuilderObject& self, const BoundArgs& args) {
         return emit_te(in, self, args, false);
       },
       true},
      {"emit_output", "bb.emit_output(output, name_hint?)", emit_output, false},
      {"emit_func_output", "bb.emit_func_output(output, params?)", emit_func_output, false},
      {"add_func", "bb.add_func(func, func_name)", add_func, true},
      {"get", "bb.get()", nullptr, false},
      {"finalize", "bb.finalize()", nullptr, false},
  };
  std::vector<std::string_view> names;
  for (const Entry& entry : kMethods) {
    names.push_back(entry.name);
    if (entry.name != name) continue;
    if (lent_ && !entry.for_rules) {
      return script_error(
          codes::kBuilderMisuse,
          "a rule emits what its node becomes; the translator itself calls bb." + name);
    }
    BuilderObject* self = this;
    const Method method = entry.method;
    return Value(interpreter.heap().builtin(make_builtin(
        entry.signature, [self, method](Interpreter& in, const BoundArgs& args) -> Result<Value> {
          if (method != nullptr) return method(in, *self, args);
          FX_TRY(module, self->builder().get());
          return Value(std::make_shared<const ModuleValue>(ModuleValue{module, self}));
        })));
  }
  Diagnostic error =
      type_error("BlockBuilder has no attribute " + quote(name) + did_you_mean(name, names));
  if (name == "match_shape" || name == "match_cast") {
    error.notes.push_back(
        "this small Python has emit, emit_te, call_te, emit_output and "
        "emit_func_output");
  }
  return error;
}

Result<Value> make_block_builder(Interpreter& interpreter, const BoundArgs&) {
  HostObject* builder = interpreter.heap().host<BuilderObject>();
  return Value(builder);
}

}  // namespace fx2wasm::script
