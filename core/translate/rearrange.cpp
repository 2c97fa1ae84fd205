// Joining, repeating, mirroring, rolling.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

AttrValue one_axis(size_t axis) { return {static_cast<int64_t>(axis)}; }

// ---- joining ----

// The tensors of the argument `tensors`: a list, or what a split gave.
Result<std::vector<relax::Expr>> tensors_to_join(Call& call) {
  const Value& value = call.argument("tensors");
  std::vector<relax::Expr> tensors;
  const relax::Expr* expr = as_expr(value);
  const relax::TupleType* tuple = expr == nullptr ? nullptr : relax::as_tuple((*expr)->type);
  if (tuple != nullptr) {
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      tensors.push_back(relax::tuple_get_item(*expr, static_cast<int>(i)));
    }
    return tensors;
  }
  const auto* list = std::get_if<ValueList>(&value.value);
  if (list == nullptr) {
    return call.argument_error("tensors", "takes a list of tensors, not " + describe(value));
  }
  for (const Value& item : *list) {
    if (as_tensor(item) == nullptr) {
      return call.argument_error("tensors",
                                 "takes a list of tensors, but it holds " + describe(item));
    }
    tensors.push_back(*as_expr(item));
  }
  if (tensors.empty()) return call.argument_error("tensors", "the list of tensors is empty");
  return tensors;
}

DType joined_dtype(const std::vector<relax::Expr>& tensors) {
  DType dtype = *relax::as_tensor(tensors[0])->dtype;
  for (const relax::Expr& tensor : tensors) {
    dtype = promote_types(dtype, *relax::as_tensor(tensor)->dtype);
  }
  return dtype;
}

// True when the tensors are all items of that tuple, in their order.
bool are_items(const std::vector<relax::Expr>& tensors, const relax::Expr& tuple) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto* item = std::get_if<relax::TupleGetItem>(&tensors[i]->kind);
    const bool same = item != nullptr && item->tuple == tuple && item->index == static_cast<int>(i);
    if (!same) return false;
  }
  return relax::as_tuple(tuple->type)->fields.size() == tensors.size();
}

// The tensors in one dtype, as the one argument of an operator. A tuple stays as it is.
Result<relax::Expr> joined_argument(Call& call, std::vector<relax::Expr> tensors) {
  const DType dtype = joined_dtype(tensors);
  for (relax::Expr& tensor : tensors) {
    FX_TRY(cast, cast_to(call, tensor, dtype));
    tensor = cast;
  }
  const relax::Expr* whole = as_expr(call.argument("tensors"));
  if (whole != nullptr && are_items(tensors, *whole)) return *whole;
  return relax::tuple_expr(std::move(tensors));
}

Result<Mapped> joined(Call& call, std::string_view op, std::vector<relax::Expr> tensors,
                      int64_t axis) {
  FX_TRY(argument, joined_argument(call, std::move(tensors)));
  FX_TRY(result, call.emit(relax::op::call(op, {argument}, {{"axis", {axis}}})));
  return Mapped{result};
}

Result<int64_t> join_axis(const Call& call) { return call.integer("dim", 0); }

// PyTorch leaves tensors of the shape (0,) out, whatever the others' shape.
bool is_left_out(const relax::Expr& tensor) {
  const relax::TensorType* type = relax::as_tensor(tensor);
  return type->shape && type->shape->size() == 1 && tir::is_zero((*type->shape)[0]);
}

Result<Mapped> map_cat(Call& call) {
  FX_TRY(tensors, tensors_to_join(call));
  FX_TRY(axis, join_axis(call));
  const bool some_stay = std::any_of(tensors.begin(), tensors.end(),
                                     [](const relax::Expr& x) { return rank_of(x) != 1; });
  if (some_stay) {
    const DType dtype = joined_dtype(tensors);
    tensors.erase(std::remove_if(tensors.begin(), tensors.end(), is_left_out), tensors.end());
    FX_TRY(first, cast_to(call, tensors[0], dtype));
    tensors[0] = first;
  }
  return joined(call, "concat", std::move(tensors), axis);
}

Result<Mapped> map_stack(Call& call) {
  FX_TRY(tensors, tensors_to_join(call));
  FX_TRY(axis, join_axis(call));
  return joined(call, "stack", std::move(tensors), axis);
}

// The tensors with at least `count` axes, joined along one of them.
Result<Mapped> joined_with_axes(Call& call, size_t count, size_t axis) {
  FX_TRY(tensors, tensors_to_join(call));
  bool one_axis_only = true;
  for (relax::Expr& tensor : tensors) {
    FX_TRY(shape, known_sizes(call, tensor));
    one_axis_only &= shape.size() <= 1;
    if (shape.size() >= count) continue;
    FX_TRY(widened, call.builder.emit(relax::op::reshape(tensor, sizes_at_least(shape, count))));
    tensor = widened;
  }
  // hstack joins vectors along their only axis.
  if (count == 1) axis = one_axis_only ? 0 : 1;
  return joined(call, "concat", std::move(tensors), static_cast<int64_t>(axis));
}

Result<Mapped> map_hstack(Call& call) { return joined_with_axes(call, 1, 1); }
Result<Mapped> map_vstack(Call& call) { return joined_with_axes(call, 2, 0); }
Result<Mapped> map_dstack(Call& call) { return joined_with_axes(call, 3, 2); }

Result<Mapped> map_column_stack(Call& call) {
  FX_TRY(tensors, tensors_to_join(call));
  for (relax::Expr& tensor : tensors) {
    FX_TRY(shape, known_sizes(call, tensor));
    if (shape.size() > 1) continue;
    const tir::PrimExpr one = infer::extent_of(1);
    const Sizes column = {shape.empty() ? one : shape[0], one};
    FX_TRY(widened, call.builder.emit(relax::op::reshape(tensor, column)));
    tensor = widened;
  }
  return joined(call, "concat", std::move(tensors), 1);
}

// ---- repeating ----

// Repeats that are symbolic sizes: every axis becomes two, of which the first is expanded.
Result<Mapped> repeat_by_sizes(Call& call, const relax::Expr& x, Sizes repeats) {
  FX_TRY(own, known_sizes(call, x));
  const tir::PrimExpr one = infer::extent_of(1);
  while (repeats.size() < own.size()) repeats.insert(repeats.begin(), one);
  own.insert(own.begin(), repeats.size() - own.size(), one);
  Sizes apart, expanded, together;
  for (size_t i = 0; i < own.size(); ++i) {
    apart.insert(apart.end(), {one, own[i]});
    expanded.insert(expanded.end(), {repeats[i], own[i]});
    together.push_back(infer::simplify(tir::mul(repeats[i], own[i])));
  }
  FX_TRY(result, call.emit(relax::op::reshape(
                     relax::op::call("broadcast_to",
                                     {relax::op::reshape(x, apart), relax::shape_expr(expanded)}),
                     together)));
  return Mapped{result};
}

Result<Mapped> apply_repeat(Call& call, bool names_all_axes) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(repeats, call.sizes(call.rest()));
  if (names_all_axes && static_cast<int64_t>(repeats.size()) < rank_of(x)) {
    return call.error(codes::kArgument,
                      std::to_string(repeats.size()) + " repeats for a tensor of shape " +
                          shape_text(*relax::as_tensor(x)) + ": each axis needs one");
  }
  std::vector<int64_t> counts;
  for (const tir::PrimExpr& repeat : repeats) {
    const std::optional<int64_t> count = tir::as_int(repeat);
    if (!count) return repeat_by_sizes(call, x, std::move(repeats));
    if (*count < 0) {
      return call.error(codes::kArgument, "repeats an axis " + std::to_string(*count) + " times");
    }
    counts.push_back(*count);
  }
  FX_TRY(result,
         call.emit(relax::op::call("tile", {x}, {{"repeats", relax::op::int_list(counts)}})));
  return Mapped{result};
}

Result<Mapped> map_repeat(Call& call) { return apply_repeat(call, true); }
Result<Mapped> map_tile(Call& call) { return apply_repeat(call, false); }

Result<Mapped> map_repeat_interleave(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(count, call.integer("repeats"));
  if (count < 0) {
    return call.argument_error("repeats",
                               "repeats each element " + std::to_string(count) + " times");
  }
  FX_TRY(shape, known_sizes(call, x));
  size_t axis = 0;
  if (call.has("dim")) {
    FX_TRY(given, axis_argument(call, "dim", rank_of(x)));
    axis = given;
  }
  if (!call.has("dim") || shape.empty()) shape = {infer::simplify(infer::product(shape))};
  const auto behind = static_cast<std::ptrdiff_t>(axis) + 1;
  Sizes apart = shape, expanded = shape, together = shape;
  apart.insert(apart.begin() + behind, infer::extent_of(1));
  expanded.insert(expanded.begin() + behind, infer::extent_of(count));
  together[axis] = infer::simplify(tir::mul(shape[axis], infer::extent_of(count)));
  FX_TRY(result, call.emit(relax::op::reshape(
                     relax::op::call("broadcast_to",
                                     {relax::op::reshape(x, apart), relax::shape_expr(expanded)}),
                     together)));
  return Mapped{result};
}

// ---- mirroring and rolling ----

Result<relax::Expr> flipped(Call& call, relax::Expr x, const std::vector<int64_t>& dims) {
  for (const int64_t dim : dims) {
    FX_TRY(next, call.builder.emit(relax::op::call("flip", {x}, {{"axis", {dim}}})));
    x = next;
  }
  return x;
}

Result<Mapped> map_flip(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, integer_list(call, "dims", call.rest()));
  FX_TRY(axes, axis_list(call, "dims", dims, rank_of(x)));
  static_cast<void>(axes);
  if (rank_of(x) == 0) return Mapped{{x}};
  FX_TRY(result, flipped(call, x, dims));
  return Mapped{{result}};
}

Result<Mapped> flip_axis(Call& call, int64_t axis) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) <= axis) {
    return call.error(codes::kShapeMismatch, "a tensor of shape " +
                                                 shape_text(*relax::as_tensor(x)) +
                                                 " has no axis " + std::to_string(axis));
  }
  FX_TRY(result, flipped(call, x, {axis}));
  return Mapped{{result}};
}

Result<Mapped> map_fliplr(Call& call) { return flip_axis(call, 1); }
Result<Mapped> map_flipud(Call& call) { return flip_axis(call, 0); }

Result<Mapped> map_rot90(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(turns, call.integer("k", 1));
  std::vector<int64_t> dims = {0, 1};
  if (call.has("dims")) {
    FX_TRY(given, integer_list(call, "dims", call.argument("dims")));
    dims = given;
  }
  FX_TRY(plane, axis_list(call, "dims", dims, rank_of(x)));
  if (plane.size() != 2 || rank_of(x) < 2) {
    return call.argument_error("dims", "turns the plane of two axes");
  }
  const int64_t quarter = tir::floor_mod(turns, 4);
  if (quarter == 0) return Mapped{{x}};
  const auto first = static_cast<int64_t>(plane[0]), second = static_cast<int64_t>(plane[1]);
  if (quarter == 2) {
    FX_TRY(result, flipped(call, x, {first, second}));
    return Mapped{{result}};
  }
  FX_TRY(mirrored, flipped(call, x, {quarter == 1 ? second : first}));
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < rank_of(x); ++i) axes.push_back(i);
  std::swap(axes[plane[0]], axes[plane[1]]);
  FX_TRY(result, call.emit(relax::op::permute_dims(mirrored, axes)));
  return Mapped{result};
}

Result<relax::Expr> rolled(Call& call, const relax::Expr& x, int64_t shift, size_t axis) {
  FX_TRY(extent, known_extent(call, x, axis, "where the roll begins depends on it"));
  const int64_t moved = extent == 0 ? 0 : tir::floor_mod(shift, extent);
  if (moved == 0) return x;
  FX_TRY(front, call.builder.emit(cut_out(x, axis, 0, extent - moved)));
  FX_TRY(back, call.builder.emit(cut_out(x, axis, extent - moved, extent)));
  return call.builder.emit(
      relax::op::call("concat", {relax::tuple_expr({back, front})}, {{"axis", one_axis(axis)}}));
}

Result<Mapped> map_roll(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shifts, integer_list(call, "shifts", call.argument("shifts")));
  std::vector<int64_t> dims;
  if (call.has("dims")) {
    FX_TRY(given, integer_list(call, "dims", call.argument("dims")));
    dims = given;
  }
  if (dims.empty() && shifts.size() == 1) {
    FX_TRY(shape, known_sizes(call, x));
    FX_TRY(flat, call.builder.emit(relax::op::reshape(x, {infer::extent_of(-1)})));
    FX_TRY(turned, rolled(call, flat, shifts[0], 0));
    FX_TRY(result, call.emit(relax::op::reshape(turned, shape)));
    return Mapped{result};
  }
  if (dims.size() != shifts.size()) {
    return call.argument_error("shifts", std::to_string(shifts.size()) + " shifts for " +
                                             std::to_string(dims.size()) + " axes");
  }
  relax::Expr result = x;
  for (size_t i = 0; i < dims.size(); ++i) {
    FX_TRY(axis, axis_at(call, "dims", dims[i], rank_of(x)));
    if (rank_of(x) == 0) break;
    FX_TRY(next, rolled(call, result, shifts[i], axis));
    result = next;
  }
  return Mapped{{result}};
}

// ---- the table ----

constexpr std::string_view kJoinArguments = "tensors, dim?";

constexpr RuleEntry kRearrangeRules[] = {
    {"cat", "map_cat", kJoinArguments, map_cat},
    {"column_stack", "map_column_stack", "tensors", map_column_stack},
    {"concat", "map_cat", kJoinArguments, map_cat},
    {"concatenate", "map_cat", kJoinArguments, map_cat},
    {"dstack", "map_dstack", "tensors", map_dstack},
    {"flip", "map_flip", "input, *dims", map_flip},
    {"fliplr", "map_fliplr", "input", map_fliplr},
    {"flipud", "map_flipud", "input", map_flipud},
    {"hstack", "map_hstack", "tensors", map_hstack},
    {"repeat", "map_repeat", "input, *repeats", map_repeat},
    {"repeat_interleave", "map_repeat_interleave", "input, repeats, dim?, output_size?",
     map_repeat_interleave},
    {"roll", "map_roll", "input, shifts, dims?", map_roll},
    {"rot90", "map_rot90", "input, k?, dims?", map_rot90},
    {"row_stack", "map_vstack", "tensors", map_vstack},
    {"stack", "map_stack", kJoinArguments, map_stack},
    {"tile", "map_tile", "input, *dims", map_tile},
    {"vstack", "map_vstack", "tensors", map_vstack},
};

}  // namespace

RuleTable rearrange_rules() { return kRearrangeRules; }

}  // namespace fx2wasm::translate
