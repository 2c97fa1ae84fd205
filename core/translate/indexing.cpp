// Reads at positions that tensors hold, and what else takes parts of a tensor.
#include <algorithm>
#include <utility>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/getitem.h"
#include "translate/node_map.h"
#include "translate/promote.h"
#include "translate/scatter.h"

namespace fx2wasm::translate {
namespace {

using Sizes = std::vector<tir::PrimExpr>;

const relax::TensorType& type_of(const relax::Expr& x) { return *relax::as_tensor(x); }

Result<relax::Expr> take_along(Call& call, const relax::Expr& x, const relax::Expr& positions,
                               std::optional<int64_t> axis) {
  return call.builder.emit(
      relax::op::call("take", {x, positions},
                      {{"axis", axis ? AttrValue{*axis} : AttrValue{AttrNone{}}},
                       {"mode", {std::string("fast")}}}));
}

Result<relax::Expr> flattened(Call& call, const relax::Expr& x) {
  return call.builder.emit(relax::op::reshape(x, {infer::extent_of(-1)}));
}

Result<Mapped> map_gather(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(dim, axis_argument(call, "dim", x));
  FX_TRY(result, gather_along(call, x, index, dim));
  return Mapped{{result}};
}

Result<Mapped> map_take_along_dim(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("indices"));
  if (!call.has("dim")) {
    FX_TRY(line, flattened(call, x));
    FX_TRY(which, flattened(call, index));
    FX_TRY(taken, gather_along(call, line, which, 0));
    return Mapped{{taken}};
  }
  FX_TRY(dim, axis_argument(call, "dim", x));
  if (type_of(x).ndim != type_of(index).ndim || !type_of(x).shape || !type_of(index).shape) {
    return call.argument_error("indices", "the indices have as many axes as the tensor");
  }
  // The other axes broadcast.
  Sizes own = *type_of(x).shape, wanted = *type_of(index).shape;
  const auto axis = static_cast<size_t>(dim < 0 ? dim + type_of(x).ndim : dim);
  for (size_t i = 0; i < own.size(); ++i) {
    if (i == axis) continue;
    if (tir::is_one(own[i])) own[i] = wanted[i];
    if (tir::is_one(wanted[i])) wanted[i] = own[i];
  }
  FX_TRY(data, broadcast_if_needed(call, x, own));
  FX_TRY(which, broadcast_if_needed(call, index, wanted));
  FX_TRY(taken, gather_along(call, data, which, dim));
  return Mapped{{taken}};
}

Result<Mapped> map_index_select(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(dim, axis_argument(call, "dim", x));
  if (type_of(index).ndim > 1) {
    return call.argument_error(
        "index", "the index is a vector, not a tensor of shape " + shape_text(type_of(index)));
  }
  relax::Expr data = x, which = index;
  if (type_of(index).ndim == 0) {
    FX_TRY(line, flattened(call, index));
    which = line;
  }
  if (type_of(x).ndim == 0) {
    FX_TRY(line, flattened(call, x));
    data = line;
  }
  FX_TRY(result, take_along(call, data, which, dim));
  if (type_of(x).ndim != 0) return Mapped{{result}};
  FX_TRY(scalar, call.builder.emit(relax::op::reshape(result, {})));
  return Mapped{{scalar}};
}

Result<Mapped> map_select(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, axis_argument(call, "dim", x));
  const relax::TensorType& type = type_of(x);
  if (type.ndim == 0) return call.error(codes::kArgument, "a 0-d tensor has no axis to select on");
  const auto* index = std::get_if<int64_t>(&call.argument("index").value);
  if (index == nullptr) {
    return call.argument_error("index",
                               "the index is an integer, not " + describe(call.argument("index")));
  }
  int64_t position = *index;
  const auto axis = static_cast<size_t>(dim < 0 ? dim + type.ndim : dim);
  if (const auto extent = type.shape ? tir::as_int((*type.shape)[axis]) : std::nullopt) {
    if (position < -*extent || position >= *extent) {
      return call.argument_error("index", "index " + std::to_string(position) +
                                              " is out of bounds for axis " + std::to_string(dim) +
                                              " of a tensor of shape " + shape_text(type));
    }
    if (position < 0) position += *extent;
  }
  const relax::Expr which = relax::constant_expr(scalar_constant(DType::Int64, position));
  FX_TRY(result, take_along(call, x, which, dim));
  if (!type.shape) return Mapped{{result}, Sharing::View};
  IndexKey key = whole_key(*type.shape);
  AxisKey& at = key.axes[axis];
  at.kind = AxisKey::Kind::Integer;
  at.full = false;
  at.begin = infer::extent_of(position);
  if (position < 0) at.begin = infer::simplify(tir::add((*type.shape)[axis], at.begin));
  at.end = infer::simplify(tir::add(at.begin, infer::extent_of(1)));
  return Mapped{{result}, Sharing::View, part_view(*type.shape, std::move(key))};
}

Result<Mapped> map_narrow(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, axis_argument(call, "dim", x));
  const relax::TensorType& type = type_of(x);
  tir::PrimExpr start = as_size(call.argument("start"));
  const tir::PrimExpr length = as_size(call.argument("length"));
  if (start == nullptr || length == nullptr || !type.shape || type.ndim == 0) {
    return call.error(codes::kArgument, "start and length are sizes, not " +
                                            describe(call.argument("start")) + " and " +
                                            describe(call.argument("length")));
  }
  const auto axis = static_cast<size_t>(dim < 0 ? dim + type.ndim : dim);
  const tir::PrimExpr extent = (*type.shape)[axis];
  const std::optional<int64_t> first = tir::as_int(start);
  if (first && *first < 0) start = infer::simplify(tir::add(extent, start));
  const tir::PrimExpr end = infer::simplify(tir::add(start, length));
  const auto from = tir::as_int(start), count = tir::as_int(length), size = tir::as_int(extent);
  if ((count && *count < 0) || (from && *from < 0) ||
      (from && count && size && (*from > *size || *count > *size - *from))) {
    return call.error(codes::kArgument, "start " + describe(call.argument("start")) +
                                            " and length " + describe(call.argument("length")) +
                                            " reach outside axis " + std::to_string(dim) +
                                            " of a tensor of shape " + shape_text(type));
  }
  const auto one = [](const tir::PrimExpr& value) {
    return relax::tuple_expr({relax::prim_value(value)});
  };
  FX_TRY(result, call.emit(relax::op::call("strided_slice",
                                           {x, one(infer::extent_of(dim)), one(start), one(end)},
                                           {{"assume_inbound", {false}}})));
  IndexKey key = whole_key(*type.shape);
  key.axes[axis].begin = start;
  key.axes[axis].end = end;
  key.axes[axis].full = from && *from == 0 && infer::provably_equal(end, extent);
  return Mapped{result, Sharing::View, part_view(*type.shape, std::move(key))};
}

// A tensor may be of several axes: what it names are positions in it flattened.
Result<Mapped> map_take(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(which, call.builder.emit(relax::op::astype(index, DType::Int32)));
  relax::Expr line = x;
  if (type_of(x).ndim != 1) {
    FX_TRY(flat, flattened(call, x));
    line = flat;
  }
  FX_TRY(result, take_along(call, line, which, std::nullopt));
  return Mapped{{result}};
}

Result<Mapped> map_one_hot(Call& call) {
  FX_TRY(x, call.tensor("tensor"));
  FX_TRY(classes, call.integer("num_classes", -1));
  if (classes == -1) {
    return call.error(codes::kUnsupportedOperator,
                      "without num_classes the shape of its result depends on the data, which "
                      "can't be compiled ahead");
  }
  if (classes < 1) {
    return call.argument_error("num_classes",
                               "the number of classes is positive, not " + std::to_string(classes));
  }
  const auto number = [](int64_t value) { return relax::prim_value(infer::extent_of(value)); };
  FX_TRY(result, call.emit(relax::op::call("one_hot", {x, number(1), number(0)},
                                           {{"depth", {classes}}, {"axis", {int64_t{-1}}}})));
  return Mapped{result};
}

Result<Mapped> map_isin(Call& call) {
  const Value &elements = call.argument("elements"), &tested = call.argument("test_elements");
  FX_TRY(invert, call.boolean("invert", false));
  FX_TRY(operands, promoted_operands(call, elements, tested, false));
  const DType dtype = *type_of(operands.first).dtype;
  FX_TRY(column, call.builder.emit(relax::op::call("expand_dims", {operands.first},
                                                   {{"axis", relax::op::int_list({-1})}})));
  FX_TRY(line, flattened(call, operands.second));
  FX_TRY(equal, call.builder.emit(relax::op::call("equal", {column, line})));
  FX_TRY(any, call.builder.emit(relax::op::call(
                  "sum", {equal}, {{"axis", relax::op::int_list({-1})}, {"keepdims", {false}}})));
  const relax::Expr zero = relax::constant_expr(scalar_constant(dtype, int64_t{0}));
  FX_TRY(found, call.builder.emit(relax::op::call("greater", {any, zero})));
  if (!invert) return Mapped{{found}};
  FX_TRY(missing, call.emit(relax::op::call("logical_not", {found})));
  return Mapped{missing};
}

// The tensors of a list, or given one by one.
Result<std::vector<relax::Expr>> listed_tensors(const Call& call, const ValueList& values) {
  const ValueList* list = &values;
  if (values.size() == 1) {
    if (const auto* nested = std::get_if<ValueList>(&values[0].value)) list = nested;
  }
  std::vector<relax::Expr> tensors;
  for (const Value& value : *list) {
    if (as_tensor(value) == nullptr) {
      return call.error(codes::kArgument, "takes tensors, not " + describe(value));
    }
    tensors.push_back(*as_expr(value));
  }
  return tensors;
}

bool mentions(const fx::Argument& argument, const std::string& name) {
  if (const auto* ref = std::get_if<fx::NodeRef>(&argument.value)) return ref->name == name;
  const auto* list = std::get_if<fx::ArgumentList>(&argument.value);
  return list != nullptr && std::any_of(list->begin(), list->end(),
                                        [&](const auto& item) { return mentions(item, name); });
}

std::vector<const fx::Node*> users_of(const fx::Graph& graph, const std::string& name) {
  std::vector<const fx::Node*> users;
  for (const fx::Node& node : graph.nodes) {
    bool used = std::any_of(node.args.begin(), node.args.end(),
                            [&](const fx::Argument& item) { return mentions(item, name); });
    for (const auto& [key, item] : node.kwargs) used = used || mentions(item, name);
    if (used) users.push_back(&node);
  }
  return users;
}

// Whether nothing but the graph's result sees the value, or a part of it.
bool only_returned(const fx::Graph& graph, const std::string& name) {
  for (const fx::Node* user : users_of(graph, name)) {
    if (user->op == fx::Opcode::Output) continue;
    const bool part =
        user->op == fx::Opcode::CallFunction && function_key(user->target) == "getitem";
    if (!part || !only_returned(graph, user->name)) return false;
  }
  return true;
}

relax::Expr grid_call(const std::vector<relax::Expr>& lines, const std::string& indexing) {
  return relax::op::call("meshgrid", {relax::tuple_expr(lines)}, {{"indexing", {indexing}}});
}

Result<Mapped> map_meshgrid(Call& call) {
  FX_TRY(lines, listed_tensors(call, call.rest()));
  std::string indexing = "ij";
  if (call.has("indexing")) {
    const auto* text = std::get_if<std::string>(&call.argument("indexing").value);
    if (text == nullptr || (*text != "ij" && *text != "xy")) {
      return call.argument_error(
          "indexing", "the indexing is 'ij' or 'xy', not " + describe(call.argument("indexing")));
    }
    indexing = *text;
  }
  if (lines.empty()) return call.error(codes::kArgument, "takes one tensor at least");
  for (relax::Expr& line : lines) {
    if (type_of(line).ndim > 1) {
      return call.error(codes::kArgument,
                        "takes vectors, not a tensor of shape " + shape_text(type_of(line)));
    }
    if (type_of(line).ndim == 1) continue;
    FX_TRY(vector, call.builder.emit(relax::op::reshape(line, {infer::extent_of(1)})));
    line = vector;
  }
  if (lines.size() == 1) return Mapped{{ValueList{{lines[0]}}}};
  if (indexing == "ij" || only_returned(call.graph, call.node.name)) {
    FX_TRY(grids, call.emit(grid_call(lines, indexing)));
    return Mapped{grids};
  }
  // The operator's type has the extents of "ij" for "xy" too, so whoever reads the grids needs
  // that: the first two lines change places before and their grids afterwards.
  std::swap(lines[0], lines[1]);
  FX_TRY(grids, call.builder.emit(grid_call(lines, "ij")));
  ValueList parts;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t from = i < 2 ? 1 - i : i;
    FX_TRY(part, call.emit(relax::tuple_get_item(grids, static_cast<int>(from))));
    parts.push_back(part);
  }
  return Mapped{{std::move(parts)}};
}

constexpr std::string_view kArithmetic[] = {"add", "sub", "mul", "truediv", "div", "pow"};

// TVM makes a 0-d int32 tensor of the size. That tells nobody but the arithmetic of float tensors,
// which takes it for a number; elsewhere it stays a size.
Result<bool> is_factor_of_tensors(Call& call) {
  const std::vector<const fx::Node*> users = users_of(call.graph, call.node.name);
  for (const fx::Node* user : users) {
    const std::string_view key =
        user->op == fx::Opcode::CallFunction ? function_key(user->target) : "";
    if (std::find(std::begin(kArithmetic), std::end(kArithmetic), key) == std::end(kArithmetic)) {
      return false;
    }
    bool beside_tensor = false;
    for (const fx::Argument& argument : user->args) {
      const auto* ref = std::get_if<fx::NodeRef>(&argument.value);
      if (ref == nullptr || !call.node_map.has(ref->name)) continue;
      FX_TRY(value, call.node_map.read(ref->name, call.builder));
      const relax::TensorType* type = as_tensor(value);
      beside_tensor = beside_tensor || (type != nullptr && type->dtype && is_float(*type->dtype));
    }
    if (!beside_tensor) return false;
  }
  return !users.empty();
}

Result<Mapped> map_sym_size(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, axis_argument(call, "dim", x));
  const relax::TensorType& type = type_of(x);
  if (!type.shape || type.ndim == 0) {
    return call.error(codes::kArgument, "the shape of its input is not known");
  }
  const tir::PrimExpr& extent = (*type.shape)[static_cast<size_t>(dim < 0 ? dim + type.ndim : dim)];
  const std::optional<int64_t> known = tir::as_int(extent);
  FX_TRY(is_factor, is_factor_of_tensors(call));
  if (!known || !is_factor) return Mapped{size_value(extent)};
  FX_TRY(number, call.emit(relax::constant_expr(scalar_constant(DType::Int32, *known))));
  return Mapped{number};
}

constexpr RuleEntry kIndexingRules[] = {
    {"diagonal_scatter", "map_diagonal_scatter", "input, src, offset?, dim1?, dim2?",
     map_diagonal_scatter},
    {"gather", "map_gather", "input, dim, index, sparse_grad?", map_gather},
    {"index_add", "map_index_add", "input, dim, index, source, alpha?", map_index_add},
    {"index_add_", "map_index_add", "input, dim, index, source, alpha?", written<map_index_add>},
    {"index_copy", "map_index_copy", "input, dim, index, source", map_index_copy},
    {"index_copy_", "map_index_copy", "input, dim, index, source", written<map_index_copy>},
    {"index_fill", "map_index_fill", "input, dim, index, value", map_index_fill},
    {"index_fill_", "map_index_fill", "input, dim, index, value", written<map_index_fill>},
    {"index_put", "map_index_put", "input, indices, values, accumulate?", map_index_put},
    {"index_put_", "map_index_put", "input, indices, values, accumulate?", written<map_index_put>},
    {"index_select", "map_index_select", "input, dim, index", map_index_select},
    {"isin", "map_isin", "elements, test_elements, assume_unique?, invert?", map_isin},
    {"masked_scatter", "map_masked_scatter", "input, mask, source", map_masked_scatter},
    {"masked_scatter_", "map_masked_scatter", "input, mask, source", written<map_masked_scatter>},
    {"meshgrid", "map_meshgrid", "*tensors, indexing?", map_meshgrid},
    {"narrow", "map_narrow", "input, dim, start, length", map_narrow},
    {"one_hot", "map_one_hot", "tensor, num_classes?", map_one_hot},
    {"put", "map_put", "input, index, source, accumulate?", map_put},
    {"put_", "map_put", "input, index, source, accumulate?", written<map_put>},
    {"scatter", "map_scatter", "input, dim, index, src?, reduce?, value?", map_scatter},
    {"scatter_", "map_scatter", "input, dim, index, src?, reduce?, value?", written<map_scatter>},
    {"scatter_add", "map_scatter_add", "input, dim, index, src", map_scatter_add},
    {"scatter_add_", "map_scatter_add", "input, dim, index, src", written<map_scatter_add>},
    {"scatter_reduce", "map_scatter_reduce", "input, dim, index, src, reduce, include_self?",
     map_scatter_reduce},
    {"scatter_reduce_", "map_scatter_reduce", "input, dim, index, src, reduce, include_self?",
     written<map_scatter_reduce>},
    {"select", "map_select", "input, dim, index", map_select},
    {"select_scatter", "map_select_scatter", "input, src, dim, index", map_select_scatter},
    {"slice_scatter", "map_slice_scatter", "input, src, dim?, start?, end?, step?",
     map_slice_scatter},
    {"sym_size.int", "map_sym_size", "input, dim?", map_sym_size},
    {"take", "map_take", "input, index", map_take},
    {"take_along_dim", "map_take_along_dim", "input, indices, dim?", map_take_along_dim},
};

}  // namespace

RuleTable indexing_rules() { return kIndexingRules; }

}  // namespace fx2wasm::translate
