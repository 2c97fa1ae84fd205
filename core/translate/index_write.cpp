#include "translate/index_write.h"

#include <algorithm>
#include <utility>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "builder/slice_range.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

using Kind = AxisKey::Kind;
using PartSizes = std::vector<tir::PrimExpr>;

const PartSizes& sizes_of_part(const relax::Expr& x) { return *relax::as_tensor(x)->shape; }

bool equal_sizes(const PartSizes& a, const PartSizes& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), infer::provably_equal);
}

Result<relax::Expr> fitted(BlockBuilder& builder, const relax::Expr& x, const PartSizes& shape) {
  if (equal_sizes(sizes_of_part(x), shape)) return x;
  return builder.emit(relax::op::reshape(x, shape));
}

Result<relax::Expr> reshape_part(Call& call, const relax::Expr& x, const PartSizes& shape) {
  return fitted(call.builder, x, shape);
}

// A value in the shape of the part that it is written to.
Result<relax::Expr> spread_to(Call& call, relax::Expr value, const PartSizes& shape) {
  const relax::TensorType& type = *relax::as_tensor(value);
  if (!type.shape) return call.error(codes::kShapeMismatch, "the value's shape is not known");
  PartSizes own = *type.shape;
  // As PyTorch does: axes of extent 1 in front that the part has not are dropped.
  size_t extra = 0;
  while (own.size() - extra > shape.size() && tir::is_one(own[extra])) ++extra;
  if (extra > 0) {
    own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(extra));
    FX_TRY(dropped, reshape_part(call, value, own));
    value = dropped;
  }
  if (equal_sizes(own, shape)) return value;
  const infer::Broadcast joined = infer::broadcast(own, shape);
  if (!joined.fits || own.size() > shape.size() ||
      (joined.shape && !equal_sizes(*joined.shape, shape))) {
    return call.error(codes::kShapeMismatch, "a value of shape " + infer::shape_text(type) +
                                                 " does not broadcast to the part of shape " +
                                                 infer::shape_text(shape) +
                                                 " that it is written to");
  }
  return call.builder.emit(relax::op::call("broadcast_to", {value, relax::shape_expr(shape)}));
}

// Writes `part`, which has an extent for each axis, to the slices and integers of a key, one axis
// after the other from `first` on.
Result<relax::Expr> write_slices(BlockBuilder& builder, const relax::Expr& x, const IndexKey& key,
                                 size_t first, const relax::Expr& part) {
  const auto cut = [&](size_t axis) { return !key.axes[axis].full; };
  while (first < key.axes.size() && !cut(first)) ++first;
  if (first == key.axes.size()) return part;
  bool more = false;
  for (size_t i = first + 1; i < key.axes.size(); ++i) more = more || cut(i);
  const AxisKey& axis = key.axes[first];
  relax::Expr inner = part;
  if (more) {
    std::vector<AxisKey> only(key.axes.size());
    for (size_t i = 0; i < only.size(); ++i) {
      only[i].begin = infer::extent_of(0);
      only[i].end = sizes_of_part(x)[i];
    }
    only[first] = axis;
    FX_TRY(old, builder.emit(slice_axes(x, only)));
    FX_TRY(changed, write_slices(builder, old, key, first + 1, part));
    inner = changed;
  }
  tir::PrimExpr begin = axis.begin;
  if (tir::as_int(begin).value_or(0) < 0 && tir::as_int(sizes_of_part(x)[first])) {
    begin = infer::slice_range(sizes_of_part(x)[first], begin, axis.end, axis.step).first;
  }
  const auto prim = [](const tir::PrimExpr& value) { return relax::prim_value(value); };
  return builder.emit(relax::op::call(
      "slice_scatter", {x, inner, prim(begin), prim(axis.end), prim(infer::extent_of(axis.step))},
      {{"axis", {static_cast<int64_t>(first)}}}));
}

// The shape of x[key], and that with an extent for each axis of x.
struct RegionShape {
  PartSizes seen, part;
};
RegionShape region_shape(const PartSizes& shape, const IndexKey& key) {
  RegionShape region;
  for (const int number : key.order) {
    if (number == kNewAxis) {
      region.seen.push_back(infer::extent_of(1));
      continue;
    }
    const auto i = static_cast<size_t>(number);
    const bool single = key.axes[i].kind == Kind::Integer;
    const tir::PrimExpr extent =
        single ? infer::extent_of(1) : sliced_extent(key.axes[i], shape[i]);
    if (!single) region.seen.push_back(extent);
    region.part.push_back(extent);
  }
  return region;
}

// Where the axes of x[key] come from: the positions together, a slice, a new axis.
struct Slot {
  enum class From { Positions, Axis, New } from = From::Axis;
  size_t axis = 0;
};

struct Layout {
  std::vector<Slot> slots;
  PartSizes common;  // what the positions broadcast to
};

bool is_single(const AxisKey& axis) {
  return axis.kind == Kind::Integer ||
         (axis.kind == Kind::Positions && sizes_of_part(axis.positions).empty());
}

Result<Layout> layout_of(const Call& call, const IndexKey& key) {
  Layout layout;
  std::vector<relax::Expr> positions;
  size_t first = 0, last = 0;
  for (const int number : key.order) {
    if (number == kNewAxis) {
      layout.slots.push_back({Slot::From::New, 0});
      continue;
    }
    const auto i = static_cast<size_t>(number);
    if (is_single(key.axes[i])) continue;
    const bool is_positions = key.axes[i].kind == Kind::Positions;
    if (is_positions) {
      last = layout.slots.size();
      if (positions.empty()) first = last;
      positions.push_back(key.axes[i].positions);
    }
    layout.slots.push_back({is_positions ? Slot::From::Positions : Slot::From::Axis, i});
  }
  FX_TRY(common, common_positions(call, positions));
  layout.common = common;
  if (positions.empty()) return layout;
  // They stand together, or in front when something stands between them.
  const bool together = last - first + 1 == positions.size();
  std::erase_if(layout.slots, [](const Slot& s) { return s.from == Slot::From::Positions; });
  layout.slots.insert(layout.slots.begin() + static_cast<std::ptrdiff_t>(together ? first : 0),
                      {Slot::From::Positions, 0});
  return layout;
}

PartSizes extents_of_slots(const std::vector<Slot>& slots, const Layout& layout,
                           const IndexKey& key, const PartSizes& shape) {
  PartSizes extents;
  for (const Slot& slot : slots) {
    switch (slot.from) {
      case Slot::From::Positions:
        extents.insert(extents.end(), layout.common.begin(), layout.common.end());
        break;
      case Slot::From::Axis:
        extents.push_back(sliced_extent(key.axes[slot.axis], shape[slot.axis]));
        break;
      case Slot::From::New:
        extents.push_back(infer::extent_of(1));
        break;
    }
  }
  return extents;
}

// The positions on one axis, in a shape that broadcasts with those of the others: `behind` axes of
// the result follow its own.
Result<relax::Expr> axis_positions(Call& call, const AxisKey& axis, const tir::PrimExpr& extent,
                                   size_t behind) {
  if (axis.kind == Kind::Integer) {
    const std::optional<int64_t> index = tir::as_int(axis.begin);
    if (index) return int64_tensor({}, {*index});
  } else if (axis.kind == Kind::Positions && (behind == 0 || is_single(axis))) {
    return axis.positions;
  }
  relax::Expr positions = axis.positions;
  if (axis.kind != Kind::Positions) {
    const infer::SliceRange range = infer::slice_range(extent, axis.begin, axis.end, axis.step);
    const tir::PrimExpr end =
        axis.full ? extent
                  : infer::simplify(
                        tir::add(range.first, tir::mul(range.length, infer::extent_of(axis.step))));
    FX_TRY(counted, call.builder.emit(
                        relax::op::call("arange",
                                        {relax::prim_value(range.first), relax::prim_value(end),
                                         relax::prim_value(infer::extent_of(axis.step))},
                                        {{"dtype", {DType::Int64}}})));
    positions = counted;
  }
  PartSizes shape = sizes_of_part(positions);
  if (axis.kind == Kind::Integer) shape.clear();
  shape.insert(shape.end(), behind, infer::extent_of(1));
  return reshape_part(call, positions, shape);
}

Result<relax::Expr> write_positions(Call& call, const relax::Expr& x, const IndexKey& key,
                                    const relax::Expr& value, bool accumulate) {
  const PartSizes& shape = sizes_of_part(x);
  FX_TRY(layout, layout_of(call, key));
  FX_TRY(spread, spread_to(call, value, extents_of_slots(layout.slots, layout, key, shape)));
  std::erase_if(layout.slots, [](const Slot& slot) { return slot.from == Slot::From::New; });
  FX_TRY(values, reshape_part(call, spread, extents_of_slots(layout.slots, layout, key, shape)));
  // Axes at the end that are written whole need no positions.
  size_t count = key.axes.size();
  while (count > 0 && key.axes[count - 1].full) --count;
  if (count == 0) {
    return accumulate ? call.builder.emit(relax::op::add(x, values)) : Result<relax::Expr>(values);
  }
  const auto is_rest = [&](const Slot& slot) {
    return slot.from == Slot::From::Axis && slot.axis >= count;
  };
  std::vector<Slot> indexed = layout.slots;
  std::erase_if(indexed, is_rest);
  std::vector<relax::Expr> fields;
  for (size_t i = 0; i < count; ++i) {
    const AxisKey& axis = key.axes[i];
    size_t behind = 0;
    bool found = false;
    for (const Slot& slot : indexed) {
      const bool is_positions = slot.from == Slot::From::Positions;
      if (found) behind += is_positions ? layout.common.size() : 1;
      found = found || (is_positions ? axis.kind == Kind::Positions : slot.axis == i);
    }
    FX_TRY(positions, axis_positions(call, axis, shape[i], found ? behind : 0));
    fields.push_back(positions);
  }
  return call.builder.emit(relax::op::call("index_put",
                                           {x, relax::tuple_expr(std::move(fields)), values},
                                           {{"accumulate", {accumulate}}}));
}

// x[mask] = value: with a value for all, or for the rest of the axes, a choice; with one for each
// true element, in their order, the values are counted off.
Result<relax::Expr> write_masked(Call& call, const relax::Expr& x, const ValueList& items,
                                 const relax::Expr& value, bool accumulate) {
  const PartSizes& shape = sizes_of_part(x);
  size_t before = 0;
  relax::Expr mask;
  for (const Value& item : items) {
    if (as_expr(item) != nullptr && mask == nullptr) {
      mask = *as_expr(item);
      continue;
    }
    const auto* slice = std::get_if<SliceValue>(&item.value);
    const bool whole = slice != nullptr && is_none(*slice->start) && is_none(*slice->stop) &&
                       is_none(*slice->step);
    const bool at_end = mask != nullptr && std::holds_alternative<fx::Ellipsis>(item.value);
    if (!whole && !at_end) {
      return call.argument_error(
          "key", "a mask stands beside whole slices only, not beside " + describe(item));
    }
    if (mask == nullptr) ++before;
  }
  const relax::TensorType& type = *relax::as_tensor(mask);
  const auto covered = static_cast<size_t>(type.ndim);
  bool fits = type.shape && before + covered <= shape.size();
  for (size_t i = 0; fits && i < covered; ++i) {
    fits = infer::provably_equal((*type.shape)[i], shape[before + i]);
  }
  if (!fits) {
    return call.argument_error("key", "a mask of shape " + infer::shape_text(type) +
                                          " does not fit a tensor of shape " +
                                          infer::shape_text(shape));
  }
  if (*type.dtype != DType::Bool) {
    FX_TRY(flags, cast_to(call, mask, DType::Bool));
    mask = flags;
  }
  const size_t rest = shape.size() - before - covered;
  relax::Expr chosen = value;
  const PartSizes own = sizes_of_part(value);
  const bool is_one_value = std::all_of(own.begin(), own.end(), tir::is_one);
  if (is_one_value) {
    FX_TRY(scalar, reshape_part(call, value, {}));
    chosen = scalar;
  } else if (own.size() > rest && before == 0 && own.size() == rest + 1 && !tir::is_one(own[0])) {
    const PartSizes flat = {infer::product(*type.shape)};
    FX_TRY(flags, reshape_part(call, mask, flat));
    FX_TRY(counted,
           call.builder.emit(relax::op::call(
               "cumsum", {flags},
               {{"axis", {int64_t{0}}}, {"dtype", {DType::Int32}}, {"exclusive", {false}}})));
    const relax::Expr one = relax::constant_expr(scalar_constant(DType::Int32, int64_t{1}));
    FX_TRY(which, call.builder.emit(relax::op::subtract(counted, one)));
    FX_TRY(taken,
           call.builder.emit(relax::op::call(
               "take", {value, which}, {{"axis", {int64_t{0}}}, {"mode", {std::string("fast")}}})));
    PartSizes target = shape;
    std::copy(own.begin() + 1, own.end(), target.begin() + static_cast<std::ptrdiff_t>(covered));
    FX_TRY(placed, reshape_part(call, taken, target));
    chosen = placed;
  } else if (own.size() > rest) {
    return call.error(codes::kShapeMismatch,
                      "a value of shape " + infer::shape_text(own) +
                          " is not supported for a mask that stands behind a slice");
  }
  PartSizes wide = *type.shape;
  wide.insert(wide.end(), rest, infer::extent_of(1));
  FX_TRY(condition, reshape_part(call, mask, wide));
  if (accumulate) {
    FX_TRY(sum, call.builder.emit(relax::op::add(x, chosen)));
    chosen = sum;
  }
  return call.builder.emit(relax::op::call("where", {condition, chosen, x}));
}

Result<relax::Expr> write_key(Call& call, std::string_view name, const relax::Expr& x,
                              const Value& key, const relax::Expr& value, bool accumulate) {
  if (!relax::as_tensor(x)->shape || !relax::as_tensor(value)->shape) {
    return call.error(codes::kShapeMismatch, "a shape is not known");
  }
  if (find_mask(key) != nullptr) {
    return write_masked(call, x, key_items(key), value, accumulate);
  }
  FX_TRY(read, read_index_key(call, name, *relax::as_tensor(x), key));
  const bool plain = std::none_of(read.axes.begin(), read.axes.end(),
                                  [](const AxisKey& axis) { return axis.kind == Kind::Positions; });
  if (plain && !accumulate) {
    FX_TRY(spread, spread_to(call, value, region_shape(sizes_of_part(x), read).seen));
    return put_region(call.builder, x, read, spread);
  }
  return write_positions(call, x, read, value, accumulate);
}

// Where PyTorch writes by index_put, which casts nothing: at tensors of positions, and at a mask
// unless the value is a single one.
bool puts_by_tensors(const Value& key, int value_rank) {
  if (find_mask(key) != nullptr) return value_rank > 0;
  const ValueList items = key_items(key);
  return std::any_of(items.begin(), items.end(), [](const Value& item) {
    return as_tensor(item) != nullptr && as_tensor(item)->ndim > 0;
  });
}

}  // namespace

Result<relax::Expr> put_region(BlockBuilder& builder, const relax::Expr& x, const IndexKey& key,
                               const relax::Expr& value) {
  const PartSizes part = region_shape(sizes_of_part(x), key).part;
  if (std::any_of(part.begin(), part.end(), tir::is_zero)) return x;
  FX_TRY(fitting, fitted(builder, value, part));
  return write_slices(builder, x, key, 0, fitting);
}

Result<relax::Expr> value_as(Call& call, std::string_view name, const Value& value, DType dtype) {
  if (as_tensor(value) != nullptr) return cast_to(call, *as_expr(value), dtype);
  if (const auto* number = std::get_if<int64_t>(&value.value)) {
    return relax::constant_expr(scalar_constant(dtype, *number));
  }
  if (const std::optional<double> number = as_number(value)) {
    return relax::constant_expr(scalar_constant(dtype, *number));
  }
  return call.argument_error(name, "the argument '" + std::string(name) +
                                       "' is a tensor or a number, not " + describe(value));
}

Result<relax::Expr> write_at(Call& call, const relax::Expr& x, const Value& key,
                             const Value& value) {
  const DType dtype = *relax::as_tensor(x)->dtype;
  const relax::TensorType* type = as_tensor(value);
  if (type != nullptr && type->dtype != dtype && puts_by_tensors(key, type->ndim)) {
    return call.error(codes::kDtypeMismatch,
                      "the value has dtype " +
                          std::string(type->dtype ? dtype_name(*type->dtype) : "?") +
                          ", the tensor has " + std::string(dtype_name(dtype)));
  }
  FX_TRY(tensor, value_as(call, "value", value, dtype));
  return write_key(call, "key", x, key, tensor, false);
}

Result<relax::Expr> put_at(Call& call, const relax::Expr& x, const Value& indices,
                           const Value& value, bool accumulate) {
  ValueList items = key_items(indices);
  SliceValue whole;
  whole.start = whole.stop = whole.step = std::make_shared<Value>();
  for (Value& item : items) {
    if (is_none(item)) item.value = whole;
    if (as_tensor(item) == nullptr && !std::holds_alternative<SliceValue>(item.value)) {
      return call.argument_error("indices",
                                 "the indices are tensors or None, not " + describe(item));
    }
  }
  const DType dtype = *relax::as_tensor(x)->dtype;
  const relax::TensorType* type = as_tensor(value);
  if (type != nullptr && type->dtype != dtype) {
    return call.error(codes::kDtypeMismatch,
                      "the values have dtype " + std::string(dtype_name(*type->dtype)) +
                          ", the tensor has " + std::string(dtype_name(dtype)));
  }
  FX_TRY(tensor, value_as(call, "values", value, dtype));
  return write_key(call, "indices", x, Value{std::move(items)}, tensor, accumulate);
}

}  // namespace fx2wasm::translate
