#include "translate/unsupported.h"

#include <algorithm>

#include "support/diagnostic_codes.h"
#include "support/text.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// A function or method whose result's shape depends on the values in its input.
constexpr std::string_view kDataDependent[] = {"argwhere", "masked_select", "nonzero", "unique",
                                               "unique_consecutive"};
// Python asks a tensor for its value where the program branches on it.
constexpr std::string_view kControlFlow[] = {"__bool__", "bool"};

// What is left out on purpose, by the beginning of its name (without torch.nn.), and why.
struct LeftOut {
  std::string_view start, why;
};
constexpr std::string_view kRandom =
    "it gives random numbers, and a compiled module gives the same result on every run: make them "
    "outside, and pass them as an input";
constexpr std::string_view kPacked =
    "the lengths in a packed sequence are data, which a compiled module does not know: pass the "
    "padded tensor to the layer, and mask what lies beyond the lengths";
constexpr LeftOut kLeftOut[] = {
    {"FractionalMaxPool", "its windows are drawn at random, which a compiled module does not do"},
    {"MaxUnpool", "it writes to the places that its indices hold, which are not known ahead"},
    {"bernoulli", kRandom},
    {"exponential_", kRandom},
    {"fractional_max_pool", "its windows are drawn at random, which a compiled module does not do"},
    {"max_unpool", "it writes to the places that its indices hold, which are not known ahead"},
    {"multinomial", kRandom},
    {"normal_", kRandom},
    {"pack_padded_sequence", kPacked},
    {"pack_sequence", kPacked},
    {"pad_packed_sequence", kPacked},
    {"rand", kRandom},
    {"uniform_", kRandom},
};

// Empty: it is not one of those.
std::string_view why_left_out(std::string_view name) {
  for (const LeftOut& left_out : kLeftOut) {
    if (name.substr(0, left_out.start.size()) == left_out.start) return left_out.why;
  }
  return {};
}

template <size_t n>
bool contains(const std::string_view (&list)[n], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

std::string supported_note(const std::vector<std::string_view>& keys, std::string_view what) {
  return "supported " + std::string(what) + ": " + join_words(keys);
}

Diagnostic unsupported(const fx::Graph& graph, const fx::Node& node, const std::string& what) {
  return error_at(fx::place_in(graph, node.range, node.name), codes::kUnsupportedOperator,
                  "'" + node.name + "': " + what);
}

Diagnostic unsupported_function(const fx::Graph& graph, const fx::Node& node) {
  const bool method = node.op == fx::Opcode::CallMethod;
  const std::string_view key = method ? std::string_view(node.target) : function_key(node.target);
  const std::string title = (method ? "the method " : "the function ") + std::string(node.target);
  if (const std::string_view why = why_left_out(key); !why.empty()) {
    return unsupported(graph, node, title + " is not supported: " + std::string(why));
  }
  const std::vector<std::string_view> keys = function_keys();
  Diagnostic diagnostic =
      unsupported(graph, node, "no rule translates " + title + did_you_mean(key, keys));
  if (contains(kControlFlow, key)) {
    diagnostic.message = "'" + node.name + "': " + title +
                         " asks for a tensor's value: control flow that depends on data can't "
                         "stand in a graph";
    diagnostic.notes.push_back(
        "torch.fx records one path through the program; compute both and choose with torch.where");
    return diagnostic;
  }
  if (contains(kDataDependent, key)) {
    diagnostic.notes.push_back(
        "the shape of its result depends on the data, which can't be "
        "compiled ahead");
  }
  diagnostic.notes.push_back(supported_note(keys, "functions and methods"));
  return diagnostic;
}

Diagnostic unsupported_module(const fx::Graph& graph, const fx::Node& node,
                              const std::string& type) {
  constexpr std::string_view kTorch = "torch.nn.";
  const bool of_torch = type.rfind(kTorch, 0) == 0;
  const std::string_view name = of_torch ? std::string_view(type).substr(kTorch.size()) : "";
  if (const std::string_view why = why_left_out(name); !why.empty()) {
    return unsupported(graph, node,
                       "the module " + type + " is not supported: " + std::string(why));
  }
  const std::vector<std::string_view> keys = module_keys();
  Diagnostic diagnostic =
      unsupported(graph, node, "no rule translates the module " + type + did_you_mean(type, keys));
  if (!of_torch) {
    diagnostic.notes.push_back(
        "a class of your own must not be a leaf: let torch.fx trace into it (is_leaf_module), so "
        "that the graph holds what it does");
  }
  diagnostic.notes.push_back(supported_note(keys, "modules"));
  return diagnostic;
}

}  // namespace

Emission emission_of(const TranslateOptions& options, const fx::Node& node) {
  const auto chosen = options.ops_by_node.find(node.name);
  return chosen == options.ops_by_node.end() ? options.ops : chosen->second;
}

Diagnostics find_unsupported(const fx::Graph& graph, const TranslateOptions& options,
                             const RuleProvider* provider) {
  Diagnostics found;
  for (const fx::Node& node : graph.nodes) {
    const bool is_call = node.op == fx::Opcode::CallModule || node.op == fx::Opcode::CallFunction ||
                         node.op == fx::Opcode::CallMethod;
    if (!is_call) continue;
    if (provider != nullptr && provider->find(graph, node, emission_of(options, node))) continue;
    if (node.op == fx::Opcode::CallModule) {
      const fx::Module* module = fx::find_module(graph, node.target);
      const std::string type = module == nullptr ? node.target : module->type;
      if (find_module_rule(type) == nullptr) {
        found.push_back(unsupported_module(graph, node, type));
      }
    } else {
      const RuleEntry* entry = node.op == fx::Opcode::CallMethod ? find_method_rule(node.target)
                                                                 : find_function_rule(node.target);
      if (entry == nullptr) found.push_back(unsupported_function(graph, node));
    }
  }
  return found;
}

}  // namespace fx2wasm::translate
