// The `lecture` rule set: rules that are text in the small Python (script/rules.h), asked before
// the tables of the tvm set.
#include <utility>

#include "ir/match.h"
#include "script/rules.h"
#include "support/diagnostic_codes.h"
#include "translate/rule_provider.h"

namespace fx2wasm::translate {
namespace {

using script::RuleBook;
using script::RuleDict;
using script::RuleItems;
using script::RuleList;
using script::RuleValue;

// ---- FX's and the translator's values as a rule sees them ----

RuleValue of_argument(const fx::Argument& argument) {
  const auto items = [](const auto& source) {
    RuleItems out;
    for (const auto& [key, item] : source) out.emplace_back(key, of_argument(item));
    return out;
  };
  return match(
      argument.value, [](std::nullptr_t) { return RuleValue{nullptr}; },
      [](bool b) { return RuleValue{b}; }, [](int64_t i) { return RuleValue{i}; },
      [](double d) { return RuleValue{d}; }, [](const std::string& s) { return RuleValue{s}; },
      [](const fx::ArgumentList& list) {
        RuleList out;
        for (const fx::Argument& item : list) out.push_back(of_argument(item));
        return RuleValue{std::move(out)};
      },
      [](const fx::NodeRef& ref) { return RuleValue{script::NodeReference{ref.name}}; },
      // What the small Python has no value for is the text that FX prints.
      [&](const fx::Slice&) { return RuleValue{fx::print_argument(argument)}; },
      [&](const fx::Ellipsis&) { return RuleValue{fx::print_argument(argument)}; },
      [](DType dtype) { return RuleValue{std::string(dtype_name(dtype))}; },
      [](const fx::Device& device) { return RuleValue{device.name}; },
      [](const fx::MemoryFormat& format) { return RuleValue{format.name}; },
      [](const fx::Layout& layout) { return RuleValue{layout.name}; },
      [&](const fx::Dict& dict) {
        return RuleValue{std::make_shared<const RuleDict>(RuleDict{items(dict.items)})};
      });
}

Result<RuleValue> of_value(const Value& value) {
  using Answer = Result<RuleValue>;
  const auto none = [&value]() -> Answer {
    return error_at({}, codes::kArgument, describe(value) + " has no value in the small Python");
  };
  return match(
      value.value, [](std::nullptr_t) -> Answer { return RuleValue{nullptr}; },
      [](bool b) -> Answer { return RuleValue{b}; },
      [](int64_t i) -> Answer { return RuleValue{i}; },
      [](double d) -> Answer { return RuleValue{d}; },
      [](const std::string& s) -> Answer { return RuleValue{s}; },
      [](const tir::PrimExpr& expr) -> Answer { return RuleValue{expr}; },
      [](DType dtype) -> Answer { return RuleValue{std::string(dtype_name(dtype))}; },
      [](const relax::Expr& expr) -> Answer { return RuleValue{expr}; },
      [](const ValueList& list) -> Answer {
        RuleList out;
        for (const Value& item : list) {
          FX_TRY(inner, of_value(item));
          out.push_back(std::move(inner));
        }
        return RuleValue{std::move(out)};
      },
      [&](const SliceValue&) { return none(); },
      [](const DictValue& dict) -> Answer {
        RuleDict out;
        for (const auto& [key, item] : dict.items) {
          FX_TRY(inner, of_value(item));
          out.items.emplace_back(key, std::move(inner));
        }
        return RuleValue{std::make_shared<const RuleDict>(std::move(out))};
      },
      [&](const fx::Ellipsis&) { return none(); },
      [](const fx::Device& device) -> Answer { return RuleValue{device.name}; },
      [](const fx::MemoryFormat& format) -> Answer { return RuleValue{format.name}; },
      [](const fx::Layout& layout) -> Answer { return RuleValue{layout.name}; });
}

// What a rule gave. An expression that is not bound yet is bound here.
Result<Value> to_value(const RuleValue& value, BlockBuilder& builder) {
  using Answer = Result<Value>;
  return match(
      value.value, [](std::nullptr_t) -> Answer { return Value{nullptr}; },
      [](bool b) -> Answer { return Value{b}; }, [](int64_t i) -> Answer { return Value{i}; },
      [](double d) -> Answer { return Value{d}; },
      [](const std::string& s) -> Answer { return Value{s}; },
      [](const tir::PrimExpr& expr) -> Answer { return Value{expr}; },
      [&](const relax::Expr& expr) -> Answer {
        if (expr->type) return Value{expr};
        FX_TRY(bound, builder.emit(expr));
        return Value{bound};
      },
      [](const script::NodeReference&) -> Answer { return Value{nullptr}; },
      [](const script::WeightReference&) -> Answer { return Value{nullptr}; },
      [&](const RuleList& list) -> Answer {
        ValueList out;
        for (const RuleValue& item : list) {
          FX_TRY(inner, to_value(item, builder));
          out.push_back(std::move(inner));
        }
        return Value{std::move(out)};
      },
      [](const std::shared_ptr<const RuleDict>&) -> Answer { return Value{nullptr}; });
}

class Host : public script::RuleHost {
 public:
  Host(NodeMap& node_map, ParamSource& params, BlockBuilder& builder)
      : node_map_(node_map), params_(params), builder_(builder) {}

  Result<RuleValue> look_up(const std::string& node) override {
    FX_TRY(value, node_map_.read(node, builder_));
    builder_.recorder()->record(ArgumentLookedUp{node, describe(value)});
    return of_value(value);
  }

  Result<relax::Expr> map_param(const std::string& tensor) override {
    return params_.map_param(tensor);
  }

 private:
  NodeMap& node_map_;
  ParamSource& params_;
  BlockBuilder& builder_;
};

std::string_view map_of(const fx::Node& node) {
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
      break;
  }
  return "";
}

class LectureRules : public RuleProvider {
 public:
  LectureRules(std::unique_ptr<RuleBook> te, std::unique_ptr<RuleBook> ops)
      : te_(std::move(te)), ops_(std::move(ops)) {}

  std::optional<RuleChosen> find(const fx::Graph& graph, const fx::Node& node,
                                 Emission emission) const override {
    const script::Rule* rule = rule_of(graph, node, emission);
    if (rule == nullptr) return std::nullopt;
    RuleChosen chosen;
    chosen.map = rule->map;
    chosen.key = rule->key;
    chosen.rule_set = "lecture";
    chosen.rule = rule->name;
    chosen.why = std::string(fx::opcode_name(node.op)) + " of " +
                 std::string(target_of(graph, node)) + ": " + rule->map + " has " + rule->key;
    chosen.source = rule->source;
    chosen.source_line = rule->first_line;
    return chosen;
  }

  Result<Value> apply(const fx::Graph& graph, const fx::Node& node, Emission emission,
                      BlockBuilder& builder, NodeMap& node_map, ParamSource& params) override {
    const script::Rule* rule = rule_of(graph, node, emission);
    FX_CHECK(rule != nullptr, "apply follows a find that gave a rule");
    script::RuleNode rule_node;
    rule_node.name = node.name;
    rule_node.op = std::string(fx::opcode_name(node.op));
    rule_node.target = node.target;
    for (const fx::Argument& argument : node.args) rule_node.args.push_back(of_argument(argument));
    for (const auto& [key, argument] : node.kwargs) {
      rule_node.kwargs.emplace_back(key, of_argument(argument));
    }
    std::optional<script::RuleModule> module;
    if (node.op == fx::Opcode::CallModule) module = module_of(graph, node.target);
    Host host(node_map, params, builder);
    const Result<RuleValue> result =
        book_of(emission).call(*rule, builder, rule_node, module ? &*module : nullptr, host);
    if (!result.ok()) return at_node(result.diagnostics(), *rule);
    return to_value(result.value(), builder);
  }

 private:
  RuleBook& book_of(Emission emission) const {
    return emission == Emission::EmitTe || ops_ == nullptr ? *te_ : *ops_;
  }

  static std::string_view target_of(const fx::Graph& graph, const fx::Node& node) {
    if (node.op != fx::Opcode::CallModule) return node.target;
    const fx::Module* module = fx::find_module(graph, node.target);
    return module != nullptr ? std::string_view(module->type) : std::string_view(node.target);
  }

  const script::Rule* rule_of(const fx::Graph& graph, const fx::Node& node,
                              Emission emission) const {
    const std::string_view map = map_of(node);
    return map.empty() ? nullptr : book_of(emission).find(map, target_of(graph, node));
  }

  static script::RuleModule module_of(const fx::Graph& graph, std::string_view name) {
    script::RuleModule out;
    const fx::Module* module = fx::find_module(graph, name);
    FX_CHECK(module != nullptr, "a call_module without its module was refused before");
    out.name = module->name;
    out.type = module->type;
    for (const auto& [key, value] : module->attrs) {
      out.attributes.emplace_back(key, of_argument(value));
    }
    for (const auto& [key, tensor_name] : module->tensors) {
      script::WeightReference weight{tensor_name, {}, DType::Float32};
      if (const fx::Tensor* tensor = fx::find_tensor(graph, tensor_name)) {
        weight.shape = tensor->shape;
        weight.dtype = tensor->dtype;
      }
      out.attributes.emplace_back(key, RuleValue{std::move(weight)});
    }
    return out;
  }

  // What does not fit in the graph (FX4…) is the node's fault; the rule's line becomes a note.
  static Diagnostics at_node(Diagnostics diagnostics, const script::Rule& rule) {
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.code.rfind("FX4", 0) != 0 || diagnostic.place.line == 0) continue;
      std::string where = diagnostic.place.file;
      if (!where.empty()) where += ":";
      where +=
          std::to_string(diagnostic.place.line) + ":" + std::to_string(diagnostic.place.column);
      diagnostic.notes.push_back("in the rule " + rule.name + " of " + rule.key + ", " + where);
      diagnostic.place = Place{};
    }
    return diagnostics;
  }

  std::unique_ptr<RuleBook> te_;   // also the only one, when the user gave a text
  std::unique_ptr<RuleBook> ops_;  // null then
};

}  // namespace

Result<std::unique_ptr<RuleProvider>> make_lecture_rules(const TranslateOptions& options) {
  if (!options.rules_text.empty()) {
    FX_TRY(book, RuleBook::load(options.rules_text, options.rules_file));
    return std::unique_ptr<RuleProvider>(std::make_unique<LectureRules>(std::move(book), nullptr));
  }
  FX_TRY(te, RuleBook::load(lecture_rules(Emission::EmitTe), "rules_te.py"));
  FX_TRY(ops, RuleBook::load(lecture_rules(Emission::RelaxOperators), "rules_ops.py"));
  return std::unique_ptr<RuleProvider>(
      std::make_unique<LectureRules>(std::move(te), std::move(ops)));
}

}  // namespace fx2wasm::translate
