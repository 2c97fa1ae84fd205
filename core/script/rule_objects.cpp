#include "script/rule_objects.h"

#include <algorithm>
#include <array>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "script/convert.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

constexpr int kMaxArgumentNesting = 20;

// Tensors that a module of torch.nn can lack: then the attribute is None.
constexpr std::array<std::string_view, 8> kOptionalTensors = {
    "weight",         "bias",         "running_mean", "running_var", "num_batches_tracked",
    "in_proj_weight", "in_proj_bias", "padding_idx"};

Result<Value> dict_of(Interpreter& interpreter, const RuleItems& items) {
  DictObject* dict = interpreter.heap().dict();
  for (const auto& [name, item] : items) {
    FX_TRY(value, value_of_rule(interpreter, item));
    dict_set(*dict, text(name), value);
  }
  return Value(dict);
}

Result<Value> list_of(Interpreter& interpreter, const RuleList& list) {
  std::vector<Value> values;
  for (const RuleValue& item : list) {
    FX_TRY(value, value_of_rule(interpreter, item));
    values.push_back(value);
  }
  return interpreter.tuple(std::move(values));
}

}  // namespace

Result<Value> value_of_rule(Interpreter& in, const RuleValue& value) {
  using Answer = Result<Value>;
  return match(
      value.value, [](std::nullptr_t) -> Answer { return Value(None{}); },
      [](bool b) -> Answer { return Value(b); }, [](int64_t i) -> Answer { return Value(i); },
      [](double d) -> Answer { return Value(d); },
      [&](const std::string& s) -> Answer { return in.string(s); },
      [&](const tir::PrimExpr& expr) -> Answer { return in.scalar(expr); },
      [](const relax::Expr& expr) -> Answer { return Value(expr); },
      [&](const NodeReference& node) -> Answer {
        HostObject* object = in.heap().host<NodeObject>(node.name);
        return Value(object);
      },
      [&](const WeightReference& weight) -> Answer {
        HostObject* object = in.heap().host<WeightObject>(weight);
        return Value(object);
      },
      [&](const RuleList& list) -> Answer { return list_of(in, list); },
      [&](const std::shared_ptr<const RuleDict>& dict) -> Answer {
        return dict_of(in, dict->items);
      });
}

Result<RuleValue> rule_value_of(const Value& value, const std::string& what, int depth) {
  if (const auto* expr = value.as<relax::Expr>()) return RuleValue{*expr};
  if (const auto* b = value.as<bool>()) return RuleValue{*b};
  if (const auto known = known_int(value)) return RuleValue{*known};
  if (const auto* d = value.as<double>()) return RuleValue{*d};
  if (const auto* s = value.as<Text>()) return RuleValue{**s};
  if (is_symbolic(value)) {
    FX_TRY(expr, to_prim(value, what));
    return RuleValue{expr};
  }
  if (const std::vector<Value>* items = items_of(value);
      items != nullptr && depth < kMaxArgumentNesting) {
    RuleList list;
    for (const Value& item : *items) {
      FX_TRY(inner, rule_value_of(item, what, depth + 1));
      list.push_back(std::move(inner));
    }
    return RuleValue{std::move(list)};
  }
  if (value.is_none()) {
    return type_error(what + " gives nothing; it needs a return with what the node becomes");
  }
  return type_error(what + " gives " + describe(value) +
                    "; a node becomes a relax expression, a number or a tuple of them");
}

Result<Value> SymbolObject::attribute(Interpreter& interpreter, const std::string& name) {
  HostObject* symbol = interpreter.heap().host<SymbolObject>(path_ + "." + name);
  return Value(symbol);
}

Result<Value> SymbolObject::call(Interpreter&, const CallArgs&) {
  return script_error(codes::kScriptName,
                      path_ +
                          " is only a name here, for the keys of the maps; a rule computes "
                          "with te, topi and relax.op");
}

Result<Value> NodeObject::attribute(Interpreter& interpreter, const std::string& name) {
  if (name == "name") return text(name_);
  if (node_) {
    if (name == "op") return text(node_->op);
    if (name == "target") {
      if (node_->op != "call_function") return text(node_->target);
      HostObject* symbol = interpreter.heap().host<SymbolObject>(node_->target);
      return Value(symbol);
    }
    if (name == "args") return list_of(interpreter, node_->args);
    if (name == "kwargs") return dict_of(interpreter, node_->kwargs);
    return type_error("an FX node has name, op, target, args and kwargs, not " + quote(name));
  }
  return type_error("of an argument's node only the name is known here, not " + quote(name) +
                    "; its value is node_map[…]");
}

Result<Value> ModuleObject::attribute(Interpreter& interpreter, const std::string& name) {
  std::vector<std::string_view> known;
  for (const auto& [key, value] : module_.attributes) {
    if (key == name) return value_of_rule(interpreter, value);
    known.push_back(key);
  }
  if (std::find(kOptionalTensors.begin(), kOptionalTensors.end(), name) != kOptionalTensors.end()) {
    return Value(None{});
  }
  return type_error("the module " + quote(module_.name) + " (" + module_.type + ") has no " +
                    quote(name) + did_you_mean(name, known));
}

Result<Value> WeightObject::attribute(Interpreter& interpreter, const std::string& name) {
  if (name == "shape") {
    std::vector<Value> extents;
    for (int64_t extent : weight_.shape) extents.push_back(Value(extent));
    return interpreter.tuple(std::move(extents));
  }
  if (name == "dtype") return text(std::string(dtype_name(weight_.dtype)));
  return type_error(
      "a module's tensor has shape and dtype here; map_param(…) makes it an "
      "expression");
}

Result<Value> NodeMapObject::item(Interpreter& interpreter, const Value& key) {
  if (host_ == nullptr) {
    return script_error(codes::kScriptValue, "node_map is there only while its rule runs");
  }
  const auto* object = key.as<HostObject*>();
  if (object == nullptr || (*object)->kind() != HostKind::Node) {
    return type_error("node_map has FX nodes as keys; " + repr(key) +
                      " is no node but a value itself");
  }
  FX_TRY(found, host_->look_up(static_cast<const NodeObject*>(*object)->name()));
  return value_of_rule(interpreter, found);
}

}  // namespace fx2wasm::script
