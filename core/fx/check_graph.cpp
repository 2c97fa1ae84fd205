#include "fx/check_graph.h"

#include <functional>

#include "support/diagnostic_codes.h"
#include "support/match.h"
#include "support/text.h"

namespace fx2wasm::fx {
namespace {

using NodeVisitor = std::function<void(const NodeRef&, ByteRange)>;

void visit_nodes(const Argument& argument, const NodeVisitor& visit) {
  const auto visit_part = [&](const std::shared_ptr<const Argument>& part) {
    if (part != nullptr) visit_nodes(*part, visit);
  };
  match(
      argument.value, [](std::nullptr_t) {}, [](bool) {}, [](int64_t) {}, [](double) {},
      [](const std::string&) {},
      [&](const ArgumentList& list) {
        for (const Argument& item : list) visit_nodes(item, visit);
      },
      [&](const NodeRef& node) { visit(node, argument.range); },
      [&](const Slice& slice) {
        visit_part(slice.start);
        visit_part(slice.stop);
        visit_part(slice.step);
      },
      [](const Ellipsis&) {}, [](DType) {}, [](const Device&) {}, [](const MemoryFormat&) {},
      [](const Layout&) {},
      [&](const Dict& dict) {
        for (const auto& item : dict.items) visit_nodes(item.second, visit);
      });
}

template <class T>
std::vector<std::string_view> names_of(const std::vector<T>& items) {
  std::vector<std::string_view> names;
  for (const T& item : items) names.push_back(item.name);
  return names;
}

class GraphChecker {
 public:
  GraphChecker(Graph& graph, const Completeness& complete, ErrorList& errors)
      : graph_(graph), complete_(complete), errors_(errors) {}

  void check() {
    index_nodes();
    for (const Node& node : graph_.nodes) check_arguments(node);
    if (complete_.opcodes) check_output();
    for (const Node& node : graph_.nodes) {
      if (node.op == Opcode::CallModule && complete_.modules) check_module_of(node);
      if (node.op == Opcode::GetAttr && complete_.tensors) check_tensor_of(node);
    }
    for (const Module& module : graph_.modules) check_module(module);
  }

 private:
  void node_error(const Node& node, ByteRange range, std::string_view code,
                  const std::string& message, std::string note = {}) {
    const std::string owner = node.name.empty() ? "nodes[" + std::to_string(node.number - 1) + "]"
                                                : "node " + quote(node.name);
    errors_.add(range.begin, code, owner + ": " + message, node.name, std::move(note));
  }

  void index_nodes() {
    for (size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.name.empty()) continue;
      const auto [first, added] = graph_.node_index.emplace(node.name, i);
      if (added) continue;
      node_error(node, node.range, codes::kGraphDuplicateName,
                 "the name stands twice, at nodes " +
                     std::to_string(graph_.nodes[first->second].number) + " and " +
                     std::to_string(node.number),
                 "FX gives each node a name of its own: rename one of them and its uses");
    }
  }

  void check_arguments(const Node& node) {
    const NodeVisitor visit = [&](const NodeRef& ref, ByteRange range) {
      check_reference(node, ref, range);
    };
    for (const Argument& argument : node.args) visit_nodes(argument, visit);
    for (const auto& item : node.kwargs) visit_nodes(item.second, visit);
  }

  void check_reference(const Node& node, const NodeRef& ref, ByteRange range) {
    if (ref.name.empty()) return;  // reported where it was read
    const Node* read = find_node(graph_, ref.name);
    if (read == nullptr) {
      if (complete_.nodes) unknown_node(node, ref, range);
    } else if (ref.name == node.name) {
      node_error(node, range, codes::kGraphOrder, "it reads itself",
                 "a node's arguments are nodes before it");
    } else if (read->op == Opcode::Output) {
      node_error(node, range, codes::kGraphUnknownNode,
                 "it reads " + quote(ref.name) + ", the output, which is no value",
                 "read the node that the output returns");
    } else if (read->number > node.number) {
      node_error(node, range, codes::kGraphOrder,
                 "it reads " + quote(ref.name) + ", which stands behind it",
                 "a node stands before all nodes that read it: move it, or break the cycle");
    }
  }

  void unknown_node(const Node& node, const NodeRef& ref, ByteRange range) {
    // Looking for a similar name takes a while in a large graph: the first errors get it.
    const bool few = errors_.size() < kSuggestions;
    const std::string hint = few ? did_you_mean(ref.name, names_of(graph_.nodes)) : "";
    node_error(node, range, codes::kGraphUnknownNode, "there is no node " + quote(ref.name) + hint,
               "an argument names one of the nodes before it");
  }

  void check_output() {
    const Node* output = nullptr;
    for (const Node& node : graph_.nodes) {
      if (output != nullptr) {
        const bool second = node.op == Opcode::Output;
        node_error(node, node.range, codes::kGraphOutput,
                   second ? "a second output; " + quote(output->name) + " is the first"
                          : "it stands behind the output " + quote(output->name),
                   second ? "a graph has one output: return a tuple, an array in its argument"
                          : "the output is the last node: move it to the end");
      } else if (node.op == Opcode::Output) {
        output = &node;
      }
    }
    if (output != nullptr) return;
    errors_.add(complete_.nodes_range.begin, codes::kGraphOutput,
                graph_.nodes.empty() ? "the graph has no nodes, not even an output"
                                     : "the graph has no output node",
                {},
                "its last node should be {\"op\": \"output\", \"name\": \"output\", \"target\": "
                "\"output\", \"args\": [{\"node\": …}]}");
  }

  void check_module_of(const Node& node) {
    if (node.target.empty() || find_module(graph_, node.target) != nullptr) return;
    node_error(node, node.range, codes::kGraphModuleMissing,
               "it calls the module " + quote(node.target) + ", which is not in \"modules\"" +
                   did_you_mean(node.target, names_of(graph_.modules)),
               "list it there with its type, attrs and tensors");
  }

  void check_tensor_of(const Node& node) {
    const std::string& name = node.tensor.empty() ? node.target : node.tensor;
    if (name.empty() || find_tensor(graph_, name) != nullptr) return;
    node_error(node, node.range, codes::kGraphTensorMissing,
               "it reads the tensor " + quote(name) + ", which is not in \"tensors\"" +
                   did_you_mean(name, names_of(graph_.tensors)),
               "list it there with its shape and dtype");
  }

  void check_module(const Module& module) {
    const std::string owner = "module " + quote(module.name) + ": ";
    for (const auto& attr : module.attrs) {
      visit_nodes(attr.second, [&](const NodeRef& ref, ByteRange range) {
        errors_.add(range.begin, codes::kSchemaArgument,
                    owner + "its setting " + quote(attr.first) + " is the node " + quote(ref.name),
                    {}, "a module's settings are plain values");
      });
    }
    if (!complete_.tensors) return;
    for (const auto& [key, name] : module.tensors) {
      if (find_tensor(graph_, name) != nullptr) continue;
      errors_.add(module.range.begin, codes::kGraphTensorMissing,
                  owner + "its " + key + " is the tensor " + quote(name) +
                      ", which is not in \"tensors\"" +
                      did_you_mean(name, names_of(graph_.tensors)),
                  {}, "list it there with its shape and dtype");
    }
  }

  static constexpr size_t kSuggestions = 50;

  Graph& graph_;
  const Completeness& complete_;
  ErrorList& errors_;
};

}  // namespace

void check_graph(Graph& graph, const Completeness& complete, ErrorList& errors) {
  GraphChecker(graph, complete, errors).check();
}

}  // namespace fx2wasm::fx
