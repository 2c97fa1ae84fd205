// The type rules of reads and writes at positions.
#include <algorithm>
#include <limits>
#include <utility>

#include "builder/infer_common.h"
#include "builder/slice_range.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<Unit> check_indices(const relax::OpCall& call, const relax::TensorType& indices) {
  if (is_int(*indices.dtype) || is_uint(*indices.dtype)) return Unit{};
  return dtype_error(call,
                     "positions are integers, not " + std::string(dtype_name(*indices.dtype)));
}

Result<relax::Type> take(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(indices, tensor_argument(call, 1));
  FX_TRY(checked, check_indices(call, indices));
  static_cast<void>(checked);
  const std::optional<std::vector<int64_t>> given = optional_ints_attr(call, "axis");
  if (!given && x.ndim != 1) {
    return shape_error(call, "without an axis it takes from a vector, not from a tensor of shape " +
                                 shape_text(x));
  }
  FX_TRY(axis, normalize_axis(call, given ? given->front() : 0, x.ndim));
  if (!x.shape || !indices.shape) {
    return make_tensor(std::nullopt, x.ndim < 0 ? -1 : x.ndim + indices.ndim - 1, *x.dtype);
  }
  Shape shape = *x.shape;
  const auto at = shape.begin() + axis;
  shape.insert(shape.erase(at), indices.shape->begin(), indices.shape->end());
  const int rank = static_cast<int>(shape.size());
  return make_tensor(std::move(shape), rank, *x.dtype);
}

// The expressions of a tuple of prim values; null when it is none.
std::optional<Shape> prim_tuple(const relax::OpCall& call, size_t index) {
  const auto* tuple = std::get_if<relax::Tuple>(&call.args[index]->kind);
  if (tuple == nullptr) return std::nullopt;
  Shape values;
  for (const relax::Expr& field : tuple->fields) {
    const auto* value = std::get_if<relax::PrimValue>(&field->kind);
    if (value == nullptr) return std::nullopt;
    values.push_back(value->value);
  }
  return values;
}

Result<relax::Type> strided_slice(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const std::optional<Shape> axes = prim_tuple(call, 1), begin = prim_tuple(call, 2),
                             end = prim_tuple(call, 3);
  const std::optional<Shape> strides =
      call.args.size() > 4 ? prim_tuple(call, 4) : Shape(axes ? axes->size() : 0, extent_of(1));
  if (!x.shape || !axes || !begin || !end || !strides) {
    return make_tensor(std::nullopt, x.ndim, *x.dtype);
  }
  if (begin->size() != axes->size() || end->size() != axes->size() ||
      strides->size() != axes->size()) {
    return shape_error(call, "axes, begin, end and strides are not equally many");
  }
  Shape shape = *x.shape;
  for (size_t i = 0; i < axes->size(); ++i) {
    const std::optional<int64_t> given = tir::as_int((*axes)[i]);
    const std::optional<int64_t> stride = tir::as_int((*strides)[i]);
    if (!given || !stride) return make_tensor(std::nullopt, x.ndim, *x.dtype);
    FX_TRY(axis, normalize_axis(call, *given, x.ndim));
    if (*stride == 0) return shape_error(call, "the step is 0");
    tir::PrimExpr& extent = shape[static_cast<size_t>(axis)];
    extent = slice_range(extent, (*begin)[i], (*end)[i], *stride).length;
  }
  return make_tensor(std::move(shape), x.ndim, *x.dtype);
}

Result<relax::Type> gather_elements(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(indices, tensor_argument(call, 1));
  FX_TRY(checked, check_indices(call, indices));
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), std::max(x.ndim, 1)));
  static_cast<void>(checked);
  if (x.ndim != indices.ndim) {
    return shape_error(call, "the positions of shape " + shape_text(indices) +
                                 " have not as many axes as the tensor of shape " + shape_text(x));
  }
  for (int i = 0; x.shape && indices.shape && i < x.ndim; ++i) {
    const std::optional<int64_t> have = tir::as_int((*x.shape)[static_cast<size_t>(i)]);
    const std::optional<int64_t> want = tir::as_int((*indices.shape)[static_cast<size_t>(i)]);
    if (i != axis && have && want && *want > *have) {
      return shape_error(call, "the positions of shape " + shape_text(indices) +
                                   " reach outside the tensor of shape " + shape_text(x) +
                                   " on axis " + std::to_string(i));
    }
  }
  return make_tensor(indices.shape, indices.ndim, *x.dtype);
}

Result<relax::Type> scatter_elements(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(indices, tensor_argument(call, 1));
  FX_TRY(updates, tensor_argument(call, 2));
  FX_TRY(checked, check_indices(call, indices));
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), std::max(x.ndim, 1)));
  static_cast<void>(checked);
  if (*x.dtype != *updates.dtype) {
    return dtype_error(call, "values of dtype " + std::string(dtype_name(*updates.dtype)) +
                                 " are written into a tensor of dtype " +
                                 std::string(dtype_name(*x.dtype)));
  }
  if (x.ndim != indices.ndim || x.ndim != updates.ndim) {
    return shape_error(call, "the shapes " + shape_text(x) + ", " + shape_text(indices) + " and " +
                                 shape_text(updates) + " have not equally many axes");
  }
  for (size_t i = 0; x.shape && indices.shape && updates.shape && i < x.shape->size(); ++i) {
    const std::optional<int64_t> want = tir::as_int((*indices.shape)[i]);
    const std::optional<int64_t> have = tir::as_int((*x.shape)[i]);
    const std::optional<int64_t> given = tir::as_int((*updates.shape)[i]);
    const bool outside = static_cast<int>(i) != axis && want && have && *want > *have;
    if (outside || (want && given && *want > *given)) {
      return shape_error(call, "the positions of shape " + shape_text(indices) + " reach outside " +
                                   shape_text(outside ? x : updates) + " on axis " +
                                   std::to_string(i));
    }
  }
  return make_tensor(x.shape, x.ndim, *x.dtype);
}

// The types of a tuple of tensors.
Result<std::vector<relax::TensorType>> tensor_tuple(const relax::OpCall& call, size_t index) {
  const relax::TupleType* tuple = relax::as_tuple(call.args[index]->type);
  if (tuple == nullptr) return dtype_error(call, "the argument is no tuple of tensors");
  std::vector<relax::TensorType> types;
  for (const relax::Type& field : tuple->fields) {
    const relax::TensorType* type = relax::as_tensor(field);
    if (type == nullptr || !type->dtype) return dtype_error(call, "an item is no tensor");
    types.push_back(*type);
  }
  return types;
}

// What the shapes of several positions broadcast to.
Result<std::optional<Shape>> common_indices(const relax::OpCall& call,
                                            const std::vector<relax::TensorType>& indices) {
  std::optional<Shape> joined = Shape{};
  for (const relax::TensorType& type : indices) {
    FX_TRY(checked, check_indices(call, type));
    static_cast<void>(checked);
    if (!joined || !type.shape) return std::optional<Shape>();
    const Broadcast next = broadcast(*joined, *type.shape);
    if (!next.fits) {
      return shape_error(call, "positions of the shapes " + shape_text(*joined) + " and " +
                                   shape_text(type) + " do not broadcast");
    }
    joined = next.shape;
  }
  return joined;
}

Result<relax::Type> index_put(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(indices, tensor_tuple(call, 1));
  FX_TRY(values, tensor_argument(call, 2));
  FX_TRY(common, common_indices(call, indices));
  static_cast<void>(common);
  if (*values.dtype != *x.dtype) {
    return dtype_error(call, "values of dtype " + std::string(dtype_name(*values.dtype)) +
                                 " are written into a tensor of dtype " +
                                 std::string(dtype_name(*x.dtype)));
  }
  if (static_cast<int>(indices.size()) > x.ndim) {
    return shape_error(
        call, std::to_string(indices.size()) + " positions for a tensor of shape " + shape_text(x));
  }
  return make_tensor(x.shape, x.ndim, *x.dtype);
}

Result<relax::Type> index_tensor(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(indices, tensor_tuple(call, 1));
  FX_TRY(common, common_indices(call, indices));
  if (static_cast<int>(indices.size()) > x.ndim) {
    return shape_error(
        call, std::to_string(indices.size()) + " positions for a tensor of shape " + shape_text(x));
  }
  if (!common || !x.shape) return make_tensor(std::nullopt, -1, *x.dtype);
  Shape shape = *common;
  shape.insert(shape.end(), x.shape->begin() + static_cast<std::ptrdiff_t>(indices.size()),
               x.shape->end());
  const int rank = static_cast<int>(shape.size());
  return make_tensor(std::move(shape), rank, *x.dtype);
}

// Of "xy", TVM declares the extents unswapped; the legalised function has the right ones.
Result<relax::Type> meshgrid(const relax::OpCall& call) {
  FX_TRY(lines, tensor_tuple(call, 0));
  Shape shape;
  for (const relax::TensorType& line : lines) {
    if (!line.shape || line.ndim > 1) {
      return shape_error(
          call, "takes vectors of known length, not a tensor of shape " + shape_text(line));
    }
    shape.push_back(line.ndim == 0 ? extent_of(1) : line.shape->front());
  }
  std::vector<relax::Type> grids;
  for (const relax::TensorType& line : lines) {
    grids.push_back(relax::tensor_type(shape, *line.dtype));
  }
  return relax::make_type(relax::TupleType{std::move(grids)});
}

Result<relax::Type> one_hot(const relax::OpCall& call) {
  FX_TRY(indices, tensor_argument(call, 0));
  FX_TRY(checked, check_indices(call, indices));
  static_cast<void>(checked);
  const auto* on = std::get_if<relax::PrimValue>(&call.args[1]->kind);
  if (on == nullptr) return dtype_error(call, "the value of a hit is a number");
  const int64_t depth = int_attr(call, "depth");
  if (depth <= 0) return shape_error(call, "the number of classes is " + std::to_string(depth));
  const DType dtype = on->value->dtype;
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), indices.ndim + 1));
  if (!indices.shape) return make_tensor(std::nullopt, indices.ndim + 1, dtype);
  Shape shape = *indices.shape;
  shape.insert(shape.begin() + axis, extent_of(depth));
  return make_tensor(std::move(shape), indices.ndim + 1, dtype);
}

Result<relax::Type> slice_scatter(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(source, tensor_argument(call, 1));
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), x.ndim));
  Shape bounds;
  for (size_t i = 2; i < 5; ++i) {
    const auto* value = std::get_if<relax::PrimValue>(&call.args[i]->kind);
    if (value == nullptr) return shape_error(call, "a bound is not known");
    bounds.push_back(value->value);
  }
  const std::optional<int64_t> step = tir::as_int(bounds[2]);
  if (!step || *step < 1) return shape_error(call, "the step is a positive integer");
  if (*source.dtype != *x.dtype) {
    return dtype_error(call, "values of dtype " + std::string(dtype_name(*source.dtype)) +
                                 " are written into a tensor of dtype " +
                                 std::string(dtype_name(*x.dtype)));
  }
  if (x.shape && source.shape) {
    Shape wanted = *x.shape;
    tir::PrimExpr& extent = wanted[static_cast<size_t>(axis)];
    extent = slice_range(extent, bounds[0], bounds[1], *step).length;
    bool fits = wanted.size() == source.shape->size();
    for (size_t i = 0; fits && i < wanted.size(); ++i) {
      const bool known = tir::as_int(wanted[i]) && tir::as_int((*source.shape)[i]);
      fits = !known || provably_equal(wanted[i], (*source.shape)[i]);
    }
    if (!fits) {
      return shape_error(call, "the part to write has shape " + shape_text(wanted) +
                                   ", the values have " + shape_text(source));
    }
  }
  return make_tensor(x.shape, x.ndim, *x.dtype);
}

struct IndexingRow {
  std::string_view op;
  Rule rule;
};
constexpr IndexingRow kIndexingRules[] = {
    {"gather_elements", gather_elements},
    {"index_put", index_put},
    {"index_tensor", index_tensor},
    {"meshgrid", meshgrid},
    {"one_hot", one_hot},
    {"scatter_elements", scatter_elements},
    {"slice_scatter", slice_scatter},
    {"strided_slice", strided_slice},
    {"take", take},
};

}  // namespace

Rule indexing_rule(std::string_view op) {
  for (const IndexingRow& row : kIndexingRules) {
    if (row.op == op) return row.rule;
  }
  return nullptr;
}

}  // namespace fx2wasm::infer
