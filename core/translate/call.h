// One node on its way through a translation rule: its arguments by name, the module it calls, and
// the means to emit.
//
//   Result<Value> map_flatten(Call& call) {
//     FX_TRY(x, call.tensor("input"));
//     FX_TRY(start, call.integer("start_dim", 0));
//     …
//   }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "builder/block_builder.h"
#include "fx/graph.h"
#include "translate/value.h"

namespace fx2wasm::translate {

class NodeMap;

// What a rule may ask of the translation around it.
class ParamSource {
 public:
  virtual ~ParamSource() = default;
  // map_param: the parameter or constant of a tensor of the graph (FX4003 when there is none).
  virtual Result<relax::Expr> map_param(const std::string& tensor) = 0;
  // The tensor as a constant of its own, also where parameters are inputs.
  virtual Result<relax::Expr> map_constant(const std::string& tensor) = 0;
};

class Call {
 public:
  Call(const fx::Graph& graph, const fx::Node& node, const fx::Module* module,
       BlockBuilder& builder, ParamSource& params, NodeMap& node_map)
      : graph(graph),
        node(node),
        module(module),
        builder(builder),
        params(params),
        node_map(node_map) {}

  const fx::Graph& graph;
  const fx::Node& node;
  const fx::Module* module;  // of a call_module, else null
  BlockBuilder& builder;
  ParamSource& params;
  NodeMap& node_map;
  std::string image_layout = "NCHW";  // of images that resizing works on

  // Gives the node's arguments the names of a signature: `input, start_dim?, *shape`. A `?` marks
  // an argument that may be left out, a `*` takes all further positional ones. torch's own
  // functions and methods also answer to NumPy's names: axis (dim), keepdims (keepdim), x, a and x1
  // (input), x2 (other). Too many, unknown, doubled and missing arguments are FX4003.
  Result<Unit> bind(std::string_view signature);

  // ---- arguments, by the names that bind gave ----
  bool has(std::string_view name) const;  // given, and not None
  // The value; None when it was left out.
  const Value& argument(std::string_view name) const;
  const ValueList& rest() const { return rest_; }  // of `*name`
  Result<relax::Expr> tensor(std::string_view name) const;
  Result<int64_t> integer(std::string_view name, std::optional<int64_t> fallback = {}) const;
  Result<bool> boolean(std::string_view name, bool fallback) const;
  // One integer for each of `count` axes: a single one stands for all.
  Result<std::vector<int64_t>> integers(std::string_view name, size_t count,
                                        std::optional<int64_t> fallback = {}) const;
  // The sizes in a list, or in several positional arguments.
  Result<std::vector<tir::PrimExpr>> sizes(const ValueList& values) const;

  // ---- the module's settings and tensors ----
  // Null when the module lacks the setting.
  const fx::Argument* find_setting(std::string_view name) const;
  Result<Value> setting(std::string_view name) const;
  Result<int64_t> integer_setting(std::string_view name) const;
  Result<bool> boolean_setting(std::string_view name, bool fallback) const;
  Result<std::vector<int64_t>> integers_setting(std::string_view name, size_t count) const;
  bool has_module_tensor(std::string_view name) const;
  Result<relax::Expr> module_tensor(std::string_view name);
  Result<relax::Expr> module_constant(std::string_view name);  // as a constant, never an input
  // Refuses (FX4002) a module's tensor of another shape than its settings say.
  Result<Unit> check_module_tensor(std::string_view name, const std::vector<int64_t>& shape) const;

  // ---- results ----
  Result<Value> emit(const relax::Expr& value);
  // An error at the node: `'bad' (torch.add): message`.
  Diagnostic error(std::string_view code, const std::string& message) const;
  // An error at an argument.
  Diagnostic argument_error(std::string_view name, const std::string& message) const;

 private:
  Result<std::string> tensor_of_module(std::string_view name) const;
  const fx::Argument* source_of(std::string_view name) const;

  struct Bound {
    std::string_view name;
    Value value;
    const fx::Argument* source;
  };
  std::vector<Bound> bound_;
  ValueList rest_;
};

// `'bad' (torch.add)`: how messages name a node.
std::string node_title(const fx::Graph& graph, const fx::Node& node);

// A setting or literal argument without nodes as a value.
Value literal_value(const fx::Argument& argument);

}  // namespace fx2wasm::translate
