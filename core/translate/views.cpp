#include "translate/views.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "translate/node_map.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

template <size_t n>
bool is_among(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Views of all elements in the same order.
constexpr std::string_view kOrdered[] = {
    "contiguous", "flatten",   "ravel", "reshape", "reshape_as",       "squeeze",
    "unflatten",  "unsqueeze", "view",  "view_as", "torch.nn.Flatten", "torch.nn.Unflatten"};
// Of these, the ones that copy where the elements do not lie in that order.
constexpr std::string_view kMayCopy[] = {"contiguous", "flatten",    "ravel",
                                         "reshape",    "reshape_as", "torch.nn.Flatten"};
// What gives tensors that are not laid out in rows, as do the results of elementwise functions of
// such tensors.
constexpr std::string_view kReordering[] = {
    "T",       "H",       "adjoint",  "einsum",   "mH", "mT",       "moveaxis",
    "movedim", "permute", "swapaxes", "swapdims", "t",  "transpose"};
constexpr std::string_view kRepeating[] = {"broadcast_to", "expand", "expand_as"};

std::string_view rule_key(const fx::Graph& graph, const fx::Node& node) {
  if (node.op != fx::Opcode::CallModule) return function_key(node.target);
  const fx::Module* module = fx::find_module(graph, node.target);
  return module == nullptr ? std::string_view() : module->type;
}

bool reorders_somewhere(const fx::Graph& graph) {
  for (const fx::Node& node : graph.nodes) {
    if (is_among(kReordering, rule_key(graph, node))) return true;
    for (const fx::Argument& argument : node.args) {  // getattr(x, "T")
      const auto* text = std::get_if<std::string>(&argument.value);
      if (text != nullptr && is_among(kReordering, *text)) return true;
    }
  }
  return false;
}

// Runs the rule of a node that takes a view again.
Result<Value> take_again(const Call& reader, const std::string& name) {
  const fx::Node* node = fx::find_node(reader.graph, name);
  FX_CHECK(node != nullptr, "a view is a node of the graph");
  const fx::Module* module =
      node->op == fx::Opcode::CallModule ? fx::find_module(reader.graph, node->target) : nullptr;
  const RuleEntry* entry = module != nullptr                    ? find_module_rule(module->type)
                           : node->op == fx::Opcode::CallMethod ? find_method_rule(node->target)
                                                                : find_function_rule(node->target);
  FX_CHECK(entry != nullptr, "a view was made by a rule");
  Call call(reader.graph, *node, module, reader.builder, reader.params, reader.node_map);
  FX_TRY(bound, call.bind(entry->signature));
  FX_TRY(mapped, entry->rule(call));
  static_cast<void>(bound);
  return mapped.value;
}

using Chain = std::vector<NodeMap::View>;  // from the tensor to a view

Chain chain_to(const NodeMap& node_map, int view) {
  Chain chain;
  for (const NodeMap::View* step = node_map.find_view(view); step != nullptr;
       step = node_map.find_view(step->base)) {
    chain.push_back(*step);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// All elements in their order; or why nothing can be put back.
struct ChainKind {
  bool ordered = true;
  bool may_copy = false;
  std::string refusal;
};
ChainKind kind_of_chain(const fx::Graph& graph, const Chain& chain) {
  ChainKind kind;
  for (const NodeMap::View& step : chain) {
    const fx::Node* node = fx::find_node(graph, step.made_by);
    FX_CHECK(node != nullptr, "a view is a node of the graph");
    const std::string_view key = rule_key(graph, *node);
    if (is_among(kRepeating, key)) {
      kind.refusal = "'" + step.made_by + "' repeats elements, and a write to them is not defined";
    }
    if (is_among(kMayCopy, key) && (!kind.ordered || reorders_somewhere(graph))) {
      kind.may_copy = true;
      kind.refusal = "whether '" + step.made_by + "' is a copy depends on the tensor's strides";
    }
    kind.ordered = kind.ordered && is_among(kOrdered, key);
  }
  return kind;
}

// The positions, in the tensor, of the elements that the last view shows.
Result<relax::Expr> positions_of(const Call& reader, const relax::TensorType& tensor,
                                 const Chain& chain) {
  const relax::Expr zero = relax::prim_value(infer::extent_of(0));
  const relax::Expr one = relax::prim_value(infer::extent_of(1));
  const relax::Expr count = relax::prim_value(infer::simplify(infer::product(*tensor.shape)));
  FX_TRY(numbers, reader.builder.emit(
                      relax::op::call("arange", {zero, count, one}, {{"dtype", {DType::Int64}}})));
  FX_TRY(shaped, reader.builder.emit(relax::op::reshape(numbers, *tensor.shape)));
  NodeMap& node_map = reader.node_map;
  std::vector<std::pair<std::string, NodeMap::Entry>> saved;
  Value value{shaped};
  Diagnostics failed;
  for (const NodeMap::View& step : chain) {
    saved.emplace_back(step.base_node, *node_map.find(step.base_node));
    node_map.put_value(step.base_node, value);
    Result<Value> taken = take_again(reader, step.made_by);
    if (!taken.ok()) {
      failed = taken.diagnostics();
      break;
    }
    value = std::move(taken).value();
  }
  while (!saved.empty()) {
    node_map.restore(saved.back().first, std::move(saved.back().second));
    saved.pop_back();
  }
  if (!failed.empty()) return failed;
  return *as_expr(value);
}

Result<Value> put_back(const Call& reader, const relax::Expr& tensor, const relax::Expr& written,
                       const Chain& chain, bool ordered) {
  const relax::TensorType& type = *relax::as_tensor(tensor);
  BlockBuilder& builder = reader.builder;
  if (ordered) {
    const relax::TensorType& shown = *relax::as_tensor(written);
    const bool same = shown.ndim == type.ndim && shape_text(shown) == shape_text(type);
    if (same) return Value{written};
    FX_TRY(reshaped, builder.emit(relax::op::reshape(written, *type.shape)));
    return Value{reshaped};
  }
  FX_TRY(positions, positions_of(reader, type, chain));
  const std::vector<tir::PrimExpr> flat = {infer::extent_of(-1)};
  FX_TRY(data, builder.emit(relax::op::reshape(tensor, flat)));
  FX_TRY(indices, builder.emit(relax::op::reshape(positions, flat)));
  FX_TRY(updates, builder.emit(relax::op::reshape(written, flat)));
  FX_TRY(scattered, builder.emit(relax::op::call(
                        "scatter_elements", {data, indices, updates},
                        {{"axis", {int64_t{0}}}, {"reduction", {std::string("update")}}})));
  FX_TRY(result, builder.emit(relax::op::reshape(scattered, *type.shape)));
  return Value{result};
}

// Puts what a view wrote last into the tensor that it shows.
Result<Unit> synchronise(const Call& reader, const std::string& node, const NodeMap::Entry& entry) {
  const int written = reader.node_map.written_view(entry.storage);
  const Chain chain = chain_to(reader.node_map, written);
  const NodeMap::Entry* view = reader.node_map.find(entry.stale);
  const relax::Expr* tensor = as_expr(entry.value);
  const relax::Expr* shown = view == nullptr ? nullptr : as_expr(view->value);
  const ChainKind kind = kind_of_chain(reader.graph, chain);
  const bool known = tensor != nullptr && shown != nullptr &&
                     relax::as_tensor(*tensor) != nullptr && relax::as_tensor(*shown) != nullptr &&
                     relax::as_tensor(*tensor)->shape && relax::as_tensor(*shown)->shape;
  if (!known || !kind.refusal.empty()) {
    return reader.error(codes::kArgument, "what '" + entry.stale +
                                              "' wrote in place into a view of '" + node +
                                              "' can't be put back" +
                                              (kind.refusal.empty() ? "" : ": " + kind.refusal) +
                                              "; write out of place instead");
  }
  FX_TRY(value, put_back(reader, *tensor, *shown, chain, kind.ordered));
  reader.node_map.set_view(entry.view, value);
  return Unit{};
}

}  // namespace

Result<Unit> refresh(const Call& reader, const std::string& node) {
  const NodeMap::Entry* found = reader.node_map.find(node);
  if (found == nullptr || found->stale.empty()) return Unit{};
  const NodeMap::Entry entry = *found;
  const NodeMap::View* view = reader.node_map.find_view(entry.view);
  if (view == nullptr) return synchronise(reader, node, entry);
  const std::string made_by = view->made_by;
  const ChainKind kind = kind_of_chain(reader.graph, chain_to(reader.node_map, entry.view));
  if (kind.may_copy) {
    return reader.error(codes::kArgument, "'" + node + "' is read after '" + entry.stale +
                                              "' wrote in place, and " + kind.refusal +
                                              "; write out of place instead");
  }
  FX_TRY(value, take_again(reader, made_by));
  reader.node_map.set_view(entry.view, value);
  return Unit{};
}

}  // namespace fx2wasm::translate
