// A torch.fx graph as read from FX graph JSON (docs/fx-json.md): nodes in topological order, leaf
// modules and tensors. It says what FX recorded and nothing more. Every part keeps its place in the
// text, so that an error found much later can still point at it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/dtype.h"
#include "support/place.h"
#include "support/tensor_data.h"

namespace fx2wasm::fx {

enum class Opcode { Placeholder, GetAttr, CallFunction, CallMethod, CallModule, Output };

// A size: a number, or the name of a symbolic size.
using Dim = std::variant<int64_t, std::string>;

struct Argument;
struct NamedArgument;
using ArgumentList = std::vector<Argument>;

struct NodeRef {
  std::string name;
};
struct Slice {  // the parts are None, integers or nodes
  std::shared_ptr<const Argument> start, stop, step;
};
struct Ellipsis {};
struct Device {
  std::string name;
};
struct MemoryFormat {
  std::string name;
};
struct Layout {
  std::string name;
};
struct Dict {
  std::vector<NamedArgument> items;  // in the order of the text
};

// One Python value among a node's arguments or a module's settings.
struct Argument {
  using Value = std::variant<std::nullptr_t, bool, int64_t, double, std::string, ArgumentList,
                             NodeRef, Slice, Ellipsis, DType, Device, MemoryFormat, Layout, Dict>;
  Value value;
  ByteRange range;  // in the text
};

// Members as in std::pair, which can't be made of a type that is not complete yet.
struct NamedArgument {
  NamedArgument(std::string name, Argument value)
      : first(std::move(name)), second(std::move(value)) {}
  std::string first;
  Argument second;
};

struct Meta {
  std::vector<Dim> shape;
  DType dtype = DType::Float32;
  ByteRange range;
};

struct Node {
  Opcode op = Opcode::Placeholder;
  std::string name;
  std::string target;
  ArgumentList args;
  std::vector<NamedArgument> kwargs;
  std::string tensor;  // of a tied get_attr: the tensor's own name; else empty
  std::optional<Meta> meta;
  ByteRange range;  // of the node's object in the text
  int number = 0;   // 1-based place in the graph: what the page shows beside the node's colour
};

struct Module {
  std::string name;
  std::string type;  // "torch.nn.Linear"
  std::vector<NamedArgument> attrs;
  std::vector<std::pair<std::string, std::string>> tensors;  // name in the module → tensor name
  ByteRange range;
};

enum class TensorKind { Parameter, Buffer, Constant };

struct Tensor {
  std::string name;
  std::vector<int64_t> shape;
  DType dtype = DType::Float32;
  TensorKind kind = TensorKind::Parameter;
  TensorDataRef data;  // null until the weights are known
  ByteRange range;
};

struct Graph {
  std::string file;     // for places; may be empty
  std::string text;     // the JSON, kept so that ranges can become lines and columns
  std::string name;     // class of the traced module; may be empty
  std::string weights;  // file name of the safetensors beside the text; may be empty
  std::vector<Node> nodes;
  std::vector<Module> modules;
  std::vector<Tensor> tensors;

  std::map<std::string, size_t, std::less<>> node_index, module_index, tensor_index;
};

// "placeholder", "call_module", …
std::string_view opcode_name(Opcode opcode);

// The place of a range's first byte, with the FX node's name when one is given.
Place place_in(const Graph& graph, ByteRange range, std::string_view fx_node = {});

const Node* find_node(const Graph& graph, std::string_view name);
const Module* find_module(const Graph& graph, std::string_view name);
const Tensor* find_tensor(const Graph& graph, std::string_view name);

// FX's own spelling of a node's argument, as print(graph) shows it: `%x`, `slice(None, 3, None)`.
std::string print_argument(const Argument& argument);

}  // namespace fx2wasm::fx
