// The type rules of joining, splitting, repeating, mirroring and padding.
#include <algorithm>
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "ir/match.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

// The types of the tensors in a call's tuple; they have one dtype.
Result<std::vector<relax::TensorType>> joined_tensors(const relax::OpCall& call) {
  const relax::TupleType* tuple = call.args.empty() ? nullptr : relax::as_tuple(call.args[0]->type);
  if (tuple == nullptr) return dtype_error(call, "takes a tuple of tensors");
  if (tuple->fields.empty()) return shape_error(call, "there is no tensor to join");
  std::vector<relax::TensorType> types;
  for (const relax::Type& field : tuple->fields) {
    const relax::TensorType* type = relax::as_tensor(field);
    if (type == nullptr || !type->dtype) return dtype_error(call, "takes tensors of known dtype");
    types.push_back(*type);
    if (*type->dtype != *types[0].dtype) {
      return dtype_error(call, "joins tensors of one dtype, not " +
                                   std::string(dtype_name(*types[0].dtype)) + " and " +
                                   std::string(dtype_name(*type->dtype)));
    }
    if (type->ndim != types[0].ndim) {
      return shape_error(call, "tensors of shape " + shape_text(types[0]) + " and " +
                                   shape_text(*type) + " have different numbers of axes");
    }
  }
  return types;
}

Result<relax::Type> concat_type(const relax::OpCall& call) {
  FX_TRY(types, joined_tensors(call));
  const relax::TensorType& first = types[0];
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), first.ndim));
  const auto joined = static_cast<size_t>(axis);
  if (!first.shape) return make_tensor(std::nullopt, first.ndim, *first.dtype);
  Shape shape = *first.shape;
  for (size_t k = 1; k < types.size(); ++k) {
    const relax::TensorType& type = types[k];
    if (!type.shape) return make_tensor(std::nullopt, first.ndim, *first.dtype);
    for (size_t i = 0; i < shape.size(); ++i) {
      if (i == joined) {
        shape[i] = tir::add(shape[i], (*type.shape)[i]);
      } else if (!provably_equal(shape[i], (*type.shape)[i])) {
        return shape_error(call, "tensors of shape " + shape_text(first) + " and " +
                                     shape_text(type) + " differ on axis " + std::to_string(i) +
                                     ", while axis " + std::to_string(joined) + " is joined");
      }
    }
  }
  shape[joined] = simplify(shape[joined]);
  return make_tensor(std::move(shape), first.ndim, *first.dtype);
}

Result<relax::Type> stack_type(const relax::OpCall& call) {
  FX_TRY(types, joined_tensors(call));
  const relax::TensorType& first = types[0];
  const int rank = first.ndim + 1;
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), rank));
  for (const relax::TensorType& type : types) {
    if (!first.shape || !type.shape) return make_tensor(std::nullopt, rank, *first.dtype);
    for (size_t i = 0; i < first.shape->size(); ++i) {
      if (provably_equal((*first.shape)[i], (*type.shape)[i])) continue;
      return shape_error(call, "stacks tensors of one shape, not " + shape_text(first) + " and " +
                                   shape_text(type));
    }
  }
  Shape shape = *first.shape;
  shape.insert(shape.begin() + axis, extent_of(static_cast<int64_t>(types.size())));
  return make_tensor(std::move(shape), rank, *first.dtype);
}

// Where the parts after the first begin.
Result<Shape> split_positions(const relax::OpCall& call, const tir::PrimExpr& extent) {
  const AttrValue* attr = find_attr(call.attrs, "indices_or_sections");
  Shape positions;
  if (std::holds_alternative<AttrList>(attr->value)) {
    int64_t before = 0;
    for (const int64_t position : ints_attr(call, "indices_or_sections")) {
      if (position < before) return shape_error(call, "the positions are not in ascending order");
      positions.push_back(extent_of(before = position));
    }
    const std::optional<int64_t> known = tir::as_int(extent);
    if (known && before > *known) {
      return shape_error(call, "position " + std::to_string(before) + " of an axis of size " +
                                   std::to_string(*known));
    }
    return positions;
  }
  const int64_t count = int_attr(call, "indices_or_sections");
  if (count <= 0) return shape_error(call, std::to_string(count) + " parts");
  const tir::PrimExpr size =
      simplify(tir::floordiv(tir::add(extent, extent_of(count - 1)), extent_of(count)));
  for (int64_t i = 1; i < count; ++i) {
    positions.push_back(simplify(tir::mul(size, extent_of(i))));
  }
  return positions;
}

Result<relax::Type> split_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), x.ndim));
  if (!x.shape) return shape_error(call, "the shape of the tensor is not known");
  const tir::PrimExpr extent = (*x.shape)[static_cast<size_t>(axis)];
  FX_TRY(begins, split_positions(call, extent));
  begins.insert(begins.begin(), extent_of(0));
  begins.push_back(extent);
  std::vector<relax::Type> parts;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    Shape shape = *x.shape;
    tir::PrimExpr& size = shape[static_cast<size_t>(axis)];
    size = simplify(tir::sub(begins[i + 1], begins[i]));
    if (const std::optional<int64_t> known = tir::as_int(size); known && *known < 0) {
      return shape_error(call,
                         "an axis of size " + shape_text({extent}) + " has not so many parts");
    }
    parts.push_back(make_tensor(std::move(shape), x.ndim, *x.dtype));
  }
  return relax::make_type(relax::TupleType{std::move(parts)});
}

Result<relax::Type> tile_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const std::vector<int64_t> repeats = ints_attr(call, "repeats");
  const auto given = static_cast<int>(repeats.size());
  const int rank = std::max(x.ndim, given);
  for (const int64_t count : repeats) {
    if (count < 0) return shape_error(call, "repeats " + std::to_string(count) + " times");
  }
  if (!x.shape) return make_tensor(std::nullopt, rank, *x.dtype);
  Shape shape;
  for (int i = 0; i < rank; ++i) {
    const int own = i - (rank - x.ndim), repeated = i - (rank - given);
    const tir::PrimExpr extent = own < 0 ? extent_of(1) : (*x.shape)[static_cast<size_t>(own)];
    const int64_t count = repeated < 0 ? 1 : repeats[static_cast<size_t>(repeated)];
    shape.push_back(simplify(tir::mul(extent, extent_of(count))));
  }
  return make_tensor(std::move(shape), rank, *x.dtype);
}

Result<relax::Type> flip_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), x.ndim));
  static_cast<void>(axis);
  return relax::make_type(x);
}

Result<relax::Type> triangle_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (x.ndim < 2) {
    return shape_error(call, "takes a matrix or a batch of them, not the shape " + shape_text(x));
  }
  return relax::make_type(x);
}

// How far a border may reach into a tensor for its elements.
Result<Unit> check_border(const relax::OpCall& call, const relax::TensorType& x, size_t axis,
                          int64_t width) {
  const std::string mode = string_attr(call, "pad_mode");
  const std::optional<int64_t> extent = tir::as_int((*x.shape)[axis]);
  if (mode == "constant" || width <= 0 || !extent) return Unit{};
  const int64_t limit = mode == "reflect" ? *extent - 1 : *extent;
  const bool fits = mode == "replicate" ? *extent > 0 : width <= limit;
  if (fits) return Unit{};
  return shape_error(call, "a border of " + std::to_string(width) + " on axis " +
                               std::to_string(axis) + " of " + shape_text(x) +
                               " is too wide for the mode '" + mode + "'");
}

Result<relax::Type> pad_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const std::vector<int64_t> widths = ints_attr(call, "pad_width");
  if (static_cast<int>(widths.size()) != 2 * x.ndim) {
    return shape_error(call, std::to_string(widths.size()) + " widths for the shape " +
                                 shape_text(x) + ": each axis has one before and one behind");
  }
  if (!x.shape) return make_tensor(std::nullopt, x.ndim, *x.dtype);
  Shape shape;
  for (size_t i = 0; i < x.shape->size(); ++i) {
    const int64_t before = widths[2 * i], after = widths[2 * i + 1];
    for (const int64_t width : {before, after}) {
      FX_TRY(fits, check_border(call, x, i, width));
      static_cast<void>(fits);
    }
    shape.push_back(
        simplify(tir::add(tir::add((*x.shape)[i], extent_of(before)), extent_of(after))));
    const std::optional<int64_t> size = tir::as_int(shape.back());
    if (size && *size < 0) {
      return shape_error(call, "widths of " + std::to_string(before) + " and " +
                                   std::to_string(after) + " leave nothing of axis " +
                                   std::to_string(i) + " of " + shape_text(x));
    }
  }
  return make_tensor(std::move(shape), x.ndim, *x.dtype);
}

}  // namespace

Rule rearrange_rule(std::string_view op) {
  if (op == "concat") return concat_type;
  if (op == "stack") return stack_type;
  if (op == "split") return split_type;
  if (op == "tile") return tile_type;
  if (op == "flip") return flip_type;
  if (op == "tril" || op == "triu") return triangle_type;
  if (op == "nn.pad") return pad_type;
  return nullptr;
}

}  // namespace fx2wasm::infer
