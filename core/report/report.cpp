#include "report/report.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "fx/safetensors.h"
#include "report/event_json.h"
#include "support/line_index.h"

namespace fx2wasm::report {
namespace {

using json = nlohmann::ordered_json;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json diagnostics_json(const Diagnostics& diagnostics) {
  json list = json::array();
  for (const Diagnostic& diagnostic : diagnostics) list.push_back(diagnostic_json(diagnostic));
  return list;
}

json answer(const Diagnostics& diagnostics) {
  return {{"ok", !has_errors(diagnostics)}, {"diagnostics", diagnostics_json(diagnostics)}};
}

void collect_inputs(const fx::Argument& argument, std::vector<std::string>& names) {
  const auto add = [&names](const std::string& name) {
    for (const std::string& known : names) {
      if (known == name) return;
    }
    names.push_back(name);
  };
  if (const auto* node = std::get_if<fx::NodeRef>(&argument.value)) {
    add(node->name);
  } else if (const auto* list = std::get_if<fx::ArgumentList>(&argument.value)) {
    for (const fx::Argument& item : *list) collect_inputs(item, names);
  } else if (const auto* dict = std::get_if<fx::Dict>(&argument.value)) {
    for (const auto& item : dict->items) collect_inputs(item.second, names);
  } else if (const auto* slice = std::get_if<fx::Slice>(&argument.value)) {
    for (const auto& part : {slice->start, slice->stop, slice->step}) {
      if (part) collect_inputs(*part, names);
    }
  }
}

// A node as a line of print(graph).
std::string node_text(const fx::Node& node) {
  std::string args;
  for (const fx::Argument& argument : node.args) {
    if (!args.empty()) args += ", ";
    args += fx::print_argument(argument);
  }
  std::string kwargs;
  for (const auto& [name, argument] : node.kwargs) {
    if (!kwargs.empty()) kwargs += ", ";
    kwargs += name + ": " + fx::print_argument(argument);
  }
  if (node.op == fx::Opcode::Output) return "return " + args;
  std::string text = "%" + node.name + " = ";
  text += fx::opcode_name(node.op);
  text += "[target=" + node.target + "]";
  if (node.op == fx::Opcode::Placeholder || node.op == fx::Opcode::GetAttr) return text;
  return text + "(args = (" + args + (node.args.size() == 1 ? ",)" : ")") + ", kwargs = {" +
         kwargs + "})";
}

json dims_json(const std::vector<fx::Dim>& dims) {
  json list = json::array();
  for (const fx::Dim& dim : dims) {
    if (const auto* extent = std::get_if<int64_t>(&dim)) {
      list.push_back(*extent);
    } else {
      list.push_back(*std::get_if<std::string>(&dim));
    }
  }
  return list;
}

std::string_view kind_name(fx::TensorKind kind) {
  switch (kind) {
    case fx::TensorKind::Parameter:
      return "parameter";
    case fx::TensorKind::Buffer:
      return "buffer";
    case fx::TensorKind::Constant:
      return "constant";
  }
  return "";
}

json node_json(const fx::Graph& graph, const fx::Node& node, const LineIndex& lines) {
  std::vector<std::string> inputs;
  for (const fx::Argument& argument : node.args) collect_inputs(argument, inputs);
  for (const auto& kwarg : node.kwargs) collect_inputs(kwarg.second, inputs);
  const fx::Module* module =
      node.op == fx::Opcode::CallModule ? fx::find_module(graph, node.target) : nullptr;
  const Place begin = lines.at(node.range.begin);
  const Place end = lines.at(node.range.end);
  return {{"number", node.number},
          {"name", node.name},
          {"op", fx::opcode_name(node.op)},
          {"target", node.target},
          {"inputs", inputs},
          {"text", node_text(node)},
          {"moduleType", module ? json(module->type) : json(nullptr)},
          {"line", begin.line},
          {"column", begin.column},
          {"endLine", end.line},
          {"endColumn", end.column},
          {"shape", node.meta ? dims_json(node.meta->shape) : json(nullptr)},
          {"dtype", node.meta ? json(dtype_name(node.meta->dtype)) : json(nullptr)}};
}

json graph_json(const fx::Graph& graph) {
  const LineIndex lines(graph.text);
  json nodes = json::array();
  for (const fx::Node& node : graph.nodes) nodes.push_back(node_json(graph, node, lines));
  json tensors = json::array();
  for (const fx::Tensor& tensor : graph.tensors) {
    tensors.push_back({{"name", tensor.name},
                       {"shape", tensor.shape},
                       {"dtype", dtype_name(tensor.dtype)},
                       {"kind", kind_name(tensor.kind)},
                       {"bytes", element_count(tensor.shape) * dtype_bytes(tensor.dtype)},
                       {"hasData", tensor.data != nullptr}});
  }
  return {{"name", graph.name},
          {"weightsFile", graph.weights},
          {"nodes", std::move(nodes)},
          {"tensors", std::move(tensors)},
          {"missingWeights", fx::missing_weights(graph)}};
}

json step_json(const Step& step) {
  json events = json::array();
  for (const Event& event : step.events) events.push_back(event_json(event));
  return {{"node", step.fx_node}, {"number", step.fx_number}, {"events", std::move(events)}};
}

json steps_json(const std::vector<Step>& steps) {
  json list = json::array();
  for (const Step& step : steps) list.push_back(step_json(step));
  return list;
}

std::string_view span_kind_name(SpanKind kind) {
  switch (kind) {
    case SpanKind::Function:
      return "function";
    case SpanKind::FunctionName:
      return "function_name";
    case SpanKind::Binding:
      return "binding";
    case SpanKind::Var:
      return "var";
    case SpanKind::GlobalVar:
      return "global_var";
    case SpanKind::Constant:
      return "constant";
    case SpanKind::SBlock:
      return "sblock";
    case SpanKind::Loop:
      return "loop";
    case SpanKind::Buffer:
      return "buffer";
  }
  return "";
}

// Byte offset → offset in UTF-16 units. Texts are almost always ASCII, where both are the same.
class Utf16Offsets {
 public:
  explicit Utf16Offsets(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (static_cast<unsigned char>(text[i]) >= 0x80U) {
        fill(text);
        return;
      }
    }
  }
  uint32_t at(uint32_t byte) const { return table_.empty() ? byte : table_[byte]; }

 private:
  void fill(std::string_view text) {
    table_.reserve(text.size() + 1);
    uint32_t units = 0;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      table_.push_back(units);
      // A code point counts at its first byte; those of four bytes are surrogate pairs.
      if ((byte & 0xC0U) != 0x80U) units += byte >= 0xF0U ? 2 : 1;
    }
    table_.push_back(units);
  }
  std::vector<uint32_t> table_;
};

json spans_json(const PrintedText& printed) {
  const Utf16Offsets offsets(printed.text);
  json list = json::array();
  for (const Span& span : printed.spans) {
    list.push_back({{"begin", offsets.at(span.begin)},
                    {"end", offsets.at(span.end)},
                    {"kind", span_kind_name(span.kind)},
                    {"function", span.function},
                    {"index", span.index},
                    {"name", span.name},
                    {"fxNodes", span.fx_nodes}});
  }
  return list;
}

}  // namespace

std::string open_graph_answer(const fx::Graph* graph, const Diagnostics& diagnostics) {
  json result = answer(diagnostics);
  result["graph"] = graph ? graph_json(*graph) : json(nullptr);
  return dump(result);
}

std::string step_line(const Step& step) { return dump(step_json(step)); }

std::string translate_answer(const std::vector<Step>& steps, const Diagnostics& diagnostics) {
  json result = answer(diagnostics);
  result["steps"] = steps_json(steps);
  return dump(result);
}

std::string text_answer(const PrintedText& text, const Diagnostics& diagnostics) {
  json result = answer(diagnostics);
  result["text"] = text.text;
  result["spans"] = spans_json(text);
  return dump(result);
}

std::string te_answer(std::string_view kind, const PrintedText& text,
                      const std::vector<Step>& steps, const Diagnostics& diagnostics) {
  json result = answer(diagnostics);
  result["kind"] = kind.empty() ? json(nullptr) : json(kind);
  result["text"] = text.text;
  result["spans"] = spans_json(text);
  result["steps"] = steps_json(steps);
  return dump(result);
}

std::string supported_operators_answer(const std::vector<SupportedOperator>& operators) {
  json list = json::array();
  for (const SupportedOperator& entry : operators) {
    list.push_back({{"map", entry.map}, {"key", entry.key}});
  }
  return dump(list);
}

}  // namespace fx2wasm::report
