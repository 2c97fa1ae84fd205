#include "translate/from_fx.h"

#include <memory>
#include <unordered_set>
#include <utility>

#include "builder/block_builder.h"
#include "builder/infer_common.h"
#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "print/tvmscript.h"
#include "support/diagnostic_codes.h"
#include "translate/node_map.h"
#include "translate/params.h"
#include "translate/rule_provider.h"
#include "translate/rules.h"
#include "translate/unsupported.h"

namespace fx2wasm {
namespace translate {
namespace {

class Translator {
 public:
  Translator(const fx::Graph& graph, const TranslateOptions& options)
      : graph_(graph),
        options_(options),
        builder_(&recorder_),
        params_(graph, options, recorder_),
        node_map_(recorder_) {}

  Translation run();

 private:
  void translate(const fx::Node& node);
  Result<Unit> translate_node(const fx::Node& node);
  Result<Unit> placeholder(const fx::Node& node);
  Result<Unit> get_attr(const fx::Node& node);
  Result<Unit> call_node(const fx::Node& node);
  Result<Unit> call_table(const fx::Node& node);
  Result<Unit> output(const fx::Node& node);
  Result<Unit> check_meta(const fx::Node& node, const Value& value);

  void choose(const fx::Node& node, RuleChosen rule);
  void fail(const fx::Node& node, const Diagnostics& diagnostics);
  bool reads_failed_node(const fx::Node& node) const;
  bool is_in_place(const fx::Node& node) const;
  Packing packing_of_result(const fx::Node& node) const;
  void add_packed(const fx::Node& node, Value value, const std::string& first);
  Result<relax::Expr> result_expr(const fx::Node& node, const Value& value);

  const fx::Graph& graph_;
  const TranslateOptions& options_;
  StepRecorder recorder_;
  BlockBuilder builder_;
  Params params_;
  NodeMap node_map_;
  std::unique_ptr<RuleProvider> provider_;
  std::unordered_set<std::string> failed_;
  std::optional<relax::Expr> result_;
  Diagnostics diagnostics_;
};

void collect_nodes(const fx::Argument& argument, std::vector<std::string>& names) {
  match(
      argument.value, [](std::nullptr_t) {}, [](bool) {}, [](int64_t) {}, [](double) {},
      [](const std::string&) {},
      [&](const fx::ArgumentList& list) {
        for (const fx::Argument& item : list) collect_nodes(item, names);
      },
      [&](const fx::NodeRef& ref) { names.push_back(ref.name); },
      [&](const fx::Slice& slice) {
        for (const auto& part : {slice.start, slice.stop, slice.step}) {
          if (part != nullptr) collect_nodes(*part, names);
        }
      },
      [](const fx::Ellipsis&) {}, [](DType) {}, [](const fx::Device&) {},
      [](const fx::MemoryFormat&) {}, [](const fx::Layout&) {},
      [&](const fx::Dict& dict) {
        for (const auto& [key, item] : dict.items) collect_nodes(item, names);
      });
}

std::string first_node_argument(const fx::Node& node) {
  std::vector<std::string> names;
  if (!node.args.empty()) {
    collect_nodes(node.args[0], names);
  } else if (!node.kwargs.empty()) {
    collect_nodes(node.kwargs[0].second, names);
  }
  return names.empty() ? std::string() : names[0];
}

std::string map_name(const fx::Node& node) {
  switch (node.op) {
    case fx::Opcode::CallModule:
      return "call_module_map";
    case fx::Opcode::CallFunction:
      return "call_function_map";
    case fx::Opcode::CallMethod:
      return "call_method_map";
    case fx::Opcode::Placeholder:
    case fx::Opcode::GetAttr:
    case fx::Opcode::Output:
      return "";
  }
  return "";
}

RuleChosen built_in(const fx::Node& node, const std::string& why) {
  RuleChosen rule;
  rule.key = std::string(fx::opcode_name(node.op));
  rule.rule = rule.key;
  rule.rule_set = "tvm";
  rule.why = why;
  return rule;
}

void Translator::choose(const fx::Node& node, RuleChosen rule) {
  Origin origin;
  origin.fx_nodes = {node.number};
  origin.step = recorder_.current_step();
  origin.rule = rule.key;
  builder_.set_origin(std::move(origin));
  recorder_.record(std::move(rule));
}

void Translator::fail(const fx::Node& node, const Diagnostics& diagnostics) {
  failed_.insert(node.name);
  const std::string title = node_title(graph_, node);
  for (Diagnostic diagnostic : diagnostics) {
    // What inference and the builder say has no place: it is the node's.
    if (diagnostic.place.line == 0) diagnostic.place = fx::place_in(graph_, node.range, node.name);
    if (diagnostic.place.fx_node.empty()) diagnostic.place.fx_node = node.name;
    if (diagnostic.message.find("'" + node.name + "'") == std::string::npos) {
      diagnostic.message = title + ": " + diagnostic.message;
    }
    recorder_.record(DiagnosticRaised{diagnostic});
    diagnostics_.push_back(std::move(diagnostic));
  }
}

bool Translator::reads_failed_node(const fx::Node& node) const {
  std::vector<std::string> names;
  for (const fx::Argument& argument : node.args) collect_nodes(argument, names);
  for (const auto& [key, argument] : node.kwargs) collect_nodes(argument, names);
  for (const std::string& name : names) {
    if (failed_.count(name) != 0) return true;
  }
  return false;
}

Result<Unit> Translator::check_meta(const fx::Node& node, const Value& value) {
  if (!node.meta || node.op == fx::Opcode::Placeholder) return Unit{};
  const relax::TensorType* type = as_tensor(value);
  std::string given = "(";
  bool fits = type != nullptr && (!type->dtype || *type->dtype == node.meta->dtype);
  if (fits && type->shape) fits = type->shape->size() == node.meta->shape.size();
  for (size_t i = 0; i < node.meta->shape.size(); ++i) {
    const std::string extent = match(
        node.meta->shape[i], [](int64_t number) { return std::to_string(number); },
        [](const std::string& name) { return name; });
    given += (i == 0 ? "" : ", ") + extent;
    // A name may stand for any size that is not a number.
    if (fits && type->shape && std::holds_alternative<int64_t>(node.meta->shape[i])) {
      const std::optional<int64_t> inferred = tir::as_int((*type->shape)[i]);
      fits = !inferred || *inferred == std::get<int64_t>(node.meta->shape[i]);
    }
  }
  if (fits) return Unit{};
  given += node.meta->shape.size() == 1 ? ",)" : ")";
  const std::string inferred =
      type == nullptr ? describe_type(value)
                      : shape_text(*type) + " " +
                            std::string(type->dtype ? dtype_name(*type->dtype) : "of any dtype");
  return error_at(fx::place_in(graph_, node.meta->range, node.name), codes::kMetaDisagrees,
                  node_title(graph_, node) + ": its \"meta\" says " + given + " " +
                      std::string(dtype_name(node.meta->dtype)) + ", but it is " + inferred);
}

Result<Unit> Translator::placeholder(const fx::Node& node) {
  const relax::Expr input = params_.input(node.name);
  Value value{input};
  if (input != nullptr) {
    choose(node, built_in(node, "an input becomes the parameter " + describe(value)));
  } else {
    choose(node, built_in(node, "an input without a shape stands for its default value"));
    value = node.args.empty() ? Value{nullptr} : literal_value(node.args[0]);
    recorder_.record(EvaluatedWhileTranslating{describe(value)});
  }
  node_map_.add(node.name, std::move(value));
  return Unit{};
}

Result<Unit> Translator::get_attr(const fx::Node& node) {
  choose(node, built_in(node, "a tensor of the module: map_param gives it"));
  FX_TRY(tensor, params_.map_param(node.tensor.empty() ? node.target : node.tensor));
  FX_TRY(checked, check_meta(node, {tensor}));
  node_map_.add(node.name, {tensor});
  return checked;
}

Result<Unit> Translator::call_table(const fx::Node& node) {
  const fx::Module* module = nullptr;
  const RuleEntry* entry = nullptr;
  switch (node.op) {
    case fx::Opcode::CallModule:
      module = fx::find_module(graph_, node.target);
      entry = find_module_rule(module->type);
      break;
    case fx::Opcode::CallFunction:
      entry = find_function_rule(node.target);
      break;
    case fx::Opcode::CallMethod:
      entry = find_method_rule(node.target);
      break;
    case fx::Opcode::Placeholder:
    case fx::Opcode::GetAttr:
    case fx::Opcode::Output:
      break;
  }
  FX_CHECK(entry != nullptr, "nodes without a rule were refused before");
  RuleChosen rule;
  rule.map = map_name(node);
  rule.key = std::string(entry->key);
  rule.rule_set = "tvm";
  rule.rule = std::string(entry->name);
  rule.why = std::string(fx::opcode_name(node.op)) + " of " +
             (module != nullptr ? module->type : node.target) + ": " + rule.map + " has '" +
             rule.key + "'";
  if (options_.rules == RuleSet::Lecture) rule.why += "; the lecture's rules have none for it";
  choose(node, std::move(rule));
  Call call(graph_, node, module, builder_, params_, node_map_);
  call.image_layout = options_.default_image_layout;
  FX_TRY(bound, call.bind(entry->signature));
  FX_TRY(mapped, entry->rule(call));
  FX_TRY(checked, check_meta(node, mapped.value));
  static_cast<void>(bound), static_cast<void>(checked);
  if (as_expr(mapped.value) == nullptr) {
    recorder_.record(EvaluatedWhileTranslating{describe(mapped.value)});
  }
  const std::string first = first_node_argument(node);
  switch (mapped.sharing) {
    case Sharing::Own:
      node_map_.add(node.name, std::move(mapped.value), packing_of_result(node));
      break;
    case Sharing::Same:
      node_map_.add_same(node.name, std::move(mapped.value), first);
      break;
    case Sharing::View:
      node_map_.add_view(node.name, std::move(mapped.value), first, std::move(mapped.view));
      break;
    case Sharing::Reshaped:
      if (node_map_.packing(first) != Packing::Packed) mapped.view = nullptr;
      node_map_.add_view(node.name, std::move(mapped.value), first, std::move(mapped.view));
      break;
    case Sharing::Packed:
      add_packed(node, std::move(mapped.value), first);
      break;
    case Sharing::Written:
      return node_map_.add_written(node.name, std::move(mapped.value), first);
  }
  return Unit{};
}

// Operators on single elements keep the order in memory of what they are given.
Packing Translator::packing_of_result(const fx::Node& node) const {
  std::vector<std::string> names;
  for (const fx::Argument& argument : node.args) collect_nodes(argument, names);
  for (const auto& [key, argument] : node.kwargs) collect_nodes(argument, names);
  for (const std::string& name : names) {
    if (node_map_.packing(name) != Packing::Packed) return Packing::Unknown;
  }
  return Packing::Packed;
}

void Translator::add_packed(const fx::Node& node, Value value, const std::string& first) {
  switch (node_map_.packing(first)) {
    case Packing::Packed:
      node_map_.add_same(node.name, std::move(value), first);
      break;
    case Packing::Spread:
      node_map_.add(node.name, std::move(value));
      break;
    case Packing::Unknown:
      node_map_.add_view(node.name, std::move(value), first, nullptr);
      break;
  }
}

Result<Unit> Translator::call_node(const fx::Node& node) {
  const Emission emission = emission_of(options_, node);
  std::optional<RuleChosen> rule;
  if (provider_ != nullptr) rule = provider_->find(graph_, node, emission);
  if (!rule) {
    builder_.set_legalize(emission == Emission::EmitTe ? options_.emit_te : LegalizeMode::Off);
    Result<Unit> done = call_table(node);
    builder_.set_legalize(LegalizeMode::Off);
    return done;
  }
  choose(node, std::move(*rule));
  FX_TRY(value, provider_->apply(graph_, node, emission, builder_, node_map_, params_));
  FX_TRY(checked, check_meta(node, value));
  // The rules as text give a value; that the node writes in place is the graph's to say.
  if (is_in_place(node)) {
    return node_map_.add_written(node.name, std::move(value), first_node_argument(node));
  }
  node_map_.add(node.name, std::move(value), packing_of_result(node));
  return checked;
}

bool Translator::is_in_place(const fx::Node& node) const {
  const auto is_set = [](const std::vector<fx::NamedArgument>& settings) {
    for (const auto& [key, argument] : settings) {
      const auto* flag = std::get_if<bool>(&argument.value);
      if (key == "inplace" && flag != nullptr && *flag) return true;
    }
    return false;
  };
  const fx::Module* module =
      node.op == fx::Opcode::CallModule ? fx::find_module(graph_, node.target) : nullptr;
  const bool by_name = node.op == fx::Opcode::CallMethod && node.target.size() > 1 &&
                       node.target.back() == '_' && node.target[node.target.size() - 2] != '_';
  return by_name || is_set(node.kwargs) || (module != nullptr && is_set(module->attrs));
}

Result<relax::Expr> Translator::result_expr(const fx::Node& node, const Value& value) {
  if (const relax::Expr* expr = as_expr(value)) return *expr;
  if (const tir::PrimExpr size = as_size(value)) return relax::prim_value(size);
  if (const auto* flag = std::get_if<bool>(&value.value)) {
    return relax::prim_value(tir::bool_imm(*flag));
  }
  if (const auto* number = std::get_if<double>(&value.value)) {
    return relax::prim_value(tir::float_imm(DType::Float64, *number));
  }
  std::vector<const Value*> items;
  if (const auto* list = std::get_if<ValueList>(&value.value)) {
    for (const Value& item : *list) items.push_back(&item);
  } else if (const auto* dict = std::get_if<DictValue>(&value.value)) {
    for (const auto& [key, item] : dict->items) items.push_back(&item);
  } else {
    return error_at(fx::place_in(graph_, node.range, node.name), codes::kArgument,
                    "'" + node.name + "': " + describe(value) + " can't be a result");
  }
  std::vector<relax::Expr> fields;
  for (const Value* item : items) {
    if (is_none(*item)) continue;  // no tensor: left out, as all results that are none
    FX_TRY(field, result_expr(node, *item));
    fields.push_back(std::move(field));
  }
  return relax::tuple_expr(std::move(fields));
}

Result<Unit> Translator::output(const fx::Node& node) {
  choose(node, built_in(node, "the result becomes visible outside of the dataflow block"));
  Call call(graph_, node, nullptr, builder_, params_, node_map_);
  // What an in-place write has changed is worked out here.
  builder_.set_legalize(options_.ops == Emission::EmitTe ? options_.emit_te : LegalizeMode::Off);
  const Result<Unit> bound = call.bind("result");
  builder_.set_legalize(LegalizeMode::Off);
  if (!bound.ok()) return bound;
  FX_TRY(value, result_expr(node, call.argument("result")));
  const auto* tuple = std::get_if<relax::Tuple>(&value->kind);
  if (tuple != nullptr && options_.unwrap_unit_return_tuple && tuple->fields.size() == 1) {
    FX_TRY(result, builder_.emit_output(tuple->fields[0]));
    result_ = result;
  } else if (tuple != nullptr && options_.no_bind_return_tuple) {
    std::vector<relax::Expr> fields;
    for (const relax::Expr& field : tuple->fields) {
      FX_TRY(result, builder_.emit_output(field));
      fields.push_back(std::move(result));
    }
    result_ = relax::tuple_expr(std::move(fields));
  } else {
    FX_TRY(result, builder_.emit_output(value));
    result_ = result;
  }
  FX_TRY(ended, builder_.end_dataflow());
  FX_TRY(returned, builder_.emit_func_output(*result_));
  static_cast<void>(ended), static_cast<void>(returned);
  return builder_.end_function();
}

Result<Unit> Translator::translate_node(const fx::Node& node) {
  switch (node.op) {
    case fx::Opcode::Placeholder:
      return placeholder(node);
    case fx::Opcode::GetAttr:
      return get_attr(node);
    case fx::Opcode::CallFunction:
    case fx::Opcode::CallMethod:
    case fx::Opcode::CallModule:
      return call_node(node);
    case fx::Opcode::Output:
      return output(node);
  }
  return Unit{};
}

void Translator::translate(const fx::Node& node) {
  // What depends on a node that failed would only repeat its error.
  if (reads_failed_node(node)) {
    failed_.insert(node.name);
    return;
  }
  recorder_.begin_step(node.name, node.number);
  const Result<Unit> done = translate_node(node);
  if (!done.ok()) fail(node, done.diagnostics());
}

Translation Translator::run() {
  if (options_.rules == RuleSet::Lecture) {
    Result<std::unique_ptr<RuleProvider>> rules = make_lecture_rules(options_);
    if (!rules.ok()) return {{}, {}, rules.diagnostics()};
    provider_ = std::move(rules).value();
  }
  Diagnostics unsupported = find_unsupported(graph_, options_, provider_.get());
  if (!unsupported.empty()) {
    for (Diagnostic& diagnostic : unsupported) {
      const fx::Node* node = fx::find_node(graph_, diagnostic.place.fx_node);
      recorder_.begin_step(node->name, node->number);
      recorder_.record(DiagnosticRaised{diagnostic});
    }
    return {{}, recorder_.steps(), std::move(unsupported)};
  }
  const Result<Unit> begun =
      builder_.begin_function("main", params_.vars(), params_.function_attrs());
  const Result<Unit> dataflow = builder_.begin_dataflow();
  FX_CHECK(begun.ok() && dataflow.ok(), "a new builder takes a function");
  for (const fx::Node& node : graph_.nodes) translate(node);
  return {builder_.peek(), recorder_.steps(), std::move(diagnostics_)};
}

}  // namespace
}  // namespace translate

Translation from_fx(const fx::Graph& graph, const TranslateOptions& options) {
  return translate::Translator(graph, options).run();
}

std::vector<SupportedOperator> supported_operators(RuleSet) {
  std::vector<SupportedOperator> operators;
  for (std::string_view key : translate::function_keys()) {
    operators.push_back({"call_function_map", std::string(key)});
  }
  for (std::string_view key : translate::module_keys()) {
    operators.push_back({"call_module_map", std::string(key)});
  }
  return operators;
}

}  // namespace fx2wasm
