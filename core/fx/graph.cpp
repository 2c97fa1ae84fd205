#include "fx/graph.h"

#include "support/match.h"
#include "support/text.h"

namespace fx2wasm::fx {
namespace {

template <class T>
const T* find_in(const std::vector<T>& items,
                 const std::map<std::string, size_t, std::less<>>& index, std::string_view name) {
  const auto found = index.find(name);
  return found == index.end() ? nullptr : &items[found->second];
}

// Inside a slice a node prints as its bare name: FX formats the parts by their repr.
std::string print_part(const std::shared_ptr<const Argument>& part) {
  if (part == nullptr) return "None";
  if (const auto* node = std::get_if<NodeRef>(&part->value)) return node->name;
  return print_argument(*part);
}

std::string print_list(const ArgumentList& list) {
  std::string out = "(";
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out += ", ";
    out += print_argument(list[i]);
  }
  if (list.size() == 1) out += ",";
  return out + ")";
}

std::string print_dict(const Dict& dict) {
  std::string out = "{";
  for (size_t i = 0; i < dict.items.size(); ++i) {
    if (i > 0) out += ", ";
    out += dict.items[i].first + ": " + print_argument(dict.items[i].second);
  }
  return out + "}";
}

}  // namespace

std::string_view opcode_name(Opcode opcode) {
  switch (opcode) {
    case Opcode::Placeholder:
      return "placeholder";
    case Opcode::GetAttr:
      return "get_attr";
    case Opcode::CallFunction:
      return "call_function";
    case Opcode::CallMethod:
      return "call_method";
    case Opcode::CallModule:
      return "call_module";
    case Opcode::Output:
      return "output";
  }
  return "";
}

Place place_in(const Graph& graph, ByteRange range, std::string_view fx_node) {
  Place place = place_of(graph.text, range.begin);
  place.file = graph.file;
  place.fx_node = std::string(fx_node);
  return place;
}

const Node* find_node(const Graph& graph, std::string_view name) {
  return find_in(graph.nodes, graph.node_index, name);
}
const Module* find_module(const Graph& graph, std::string_view name) {
  return find_in(graph.modules, graph.module_index, name);
}
const Tensor* find_tensor(const Graph& graph, std::string_view name) {
  return find_in(graph.tensors, graph.tensor_index, name);
}

std::string print_argument(const Argument& argument) {
  return match(
      argument.value, [](std::nullptr_t) -> std::string { return "None"; },
      [](bool value) -> std::string { return value ? "True" : "False"; },
      [](int64_t value) -> std::string { return std::to_string(value); },
      [](double value) -> std::string { return python_float(value); },
      [](const std::string& value) -> std::string { return value; },
      [](const ArgumentList& list) -> std::string { return print_list(list); },
      [](const NodeRef& node) -> std::string { return "%" + node.name; },
      [](const Slice& slice) -> std::string {
        return "slice(" + print_part(slice.start) + ", " + print_part(slice.stop) + ", " +
               print_part(slice.step) + ")";
      },
      [](const Ellipsis&) -> std::string { return "Ellipsis"; },
      [](DType dtype) -> std::string { return "torch." + std::string(dtype_name(dtype)); },
      [](const Device& device) -> std::string { return device.name; },
      [](const MemoryFormat& format) -> std::string { return "torch." + format.name; },
      [](const Layout& layout) -> std::string { return "torch." + layout.name; },
      [](const Dict& dict) -> std::string { return print_dict(dict); });
}

}  // namespace fx2wasm::fx
