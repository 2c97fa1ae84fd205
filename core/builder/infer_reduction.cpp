// Type rules of reductions, orderings, searches and choices.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<relax::Type> reduced(const relax::OpCall& call, DType dtype) {
  FX_TRY(x, tensor_argument(call, 0));
  const bool keep = bool_attr(call, "keepdims");
  const std::optional<std::vector<int64_t>> axes = optional_ints_attr(call, "axis");
  if (x.ndim < 0) return make_tensor(std::nullopt, !axes && !keep ? 0 : -1, dtype);
  const auto rank = static_cast<size_t>(x.ndim);
  std::vector<bool> folded(rank, !axes);
  for (int64_t given : axes.value_or(std::vector<int64_t>{})) {
    FX_TRY(axis, normalize_axis(call, given, x.ndim));
    if (folded[static_cast<size_t>(axis)]) {
      return shape_error(call, "axis " + std::to_string(given) + " is named twice");
    }
    folded[static_cast<size_t>(axis)] = true;
  }
  Shape shape;
  int left = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (folded[i] && !keep) continue;
    ++left;
    if (folded[i]) {
      shape.push_back(extent_of(1));
    } else if (x.shape) {
      shape.push_back((*x.shape)[i]);
    }
  }
  if (!x.shape && shape.size() != static_cast<size_t>(left)) {
    return make_tensor(std::nullopt, left, dtype);
  }
  return make_tensor(std::move(shape), left, dtype);
}

Result<relax::Type> fold(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  return reduced(call, *x.dtype);
}

Result<relax::Type> average(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!is_float(*x.dtype)) {
    return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
  }
  return reduced(call, *x.dtype);
}

// The largest of no elements is not defined.
Result<relax::Type> extreme(const relax::OpCall& call, DType dtype) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(type, reduced(call, dtype));
  const relax::TensorType* result = relax::as_tensor(type);
  const auto empty = [](const std::optional<Shape>& shape) {
    return shape && std::any_of(shape->begin(), shape->end(), tir::is_zero);
  };
  if (empty(x.shape) && !empty(result->shape)) {
    return shape_error(call, "no elements in a tensor of shape " + shape_text(x));
  }
  return type;
}

Result<relax::Type> extreme_value(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  return extreme(call, *x.dtype);
}

Result<relax::Type> extreme_position(const relax::OpCall& call) {
  return extreme(call, DType::Int64);
}

Result<Unit> check_axis(const relax::OpCall& call, const relax::TensorType& x) {
  const std::optional<std::vector<int64_t>> axes = optional_ints_attr(call, "axis");
  if (!axes || x.ndim < 0) return Unit{};
  FX_TRY(axis, normalize_axis(call, axes->front(), std::max(x.ndim, 1)));
  static_cast<void>(axis);
  return Unit{};
}

Result<relax::Type> with_dtype_attr(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(checked, check_axis(call, x));
  static_cast<void>(checked);
  return make_tensor(x.shape, x.ndim, dtype_attr(call, "dtype").value_or(*x.dtype));
}

Result<relax::Type> topk(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!x.shape) return shape_error(call, "the shape of its input is not known");
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), x.ndim));
  const int64_t count = int_attr(call, "k");
  const std::optional<int64_t> extent = tir::as_int((*x.shape)[static_cast<size_t>(axis)]);
  if (count < 0 || (extent && count > *extent)) {
    return shape_error(call, "k=" + std::to_string(count) + " of a tensor of shape " +
                                 shape_text(x) + " along axis " + std::to_string(axis));
  }
  Shape shape = *x.shape;
  shape[static_cast<size_t>(axis)] = extent_of(count);
  relax::TupleType both;
  both.fields = {make_tensor(shape, x.ndim, *x.dtype),
                 make_tensor(shape, x.ndim, dtype_attr(call, "dtype").value_or(DType::Int64))};
  return relax::make_type(std::move(both));
}

Result<relax::Type> bucketize(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(boundaries, tensor_argument(call, 1));
  if (boundaries.ndim != 1) {
    return shape_error(call,
                       "the boundaries have one axis, not the shape " + shape_text(boundaries));
  }
  if (*x.dtype != *boundaries.dtype) {
    return dtype_error(call, "values of dtype " + std::string(dtype_name(*x.dtype)) +
                                 " among boundaries of " +
                                 std::string(dtype_name(*boundaries.dtype)));
  }
  return make_tensor(x.shape, x.ndim, bool_attr(call, "out_int32") ? DType::Int32 : DType::Int64);
}

Result<relax::Type> gather_elements(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  FX_TRY(indices, tensor_argument(call, 1));
  FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), data.ndim));
  static_cast<void>(axis);
  if (data.ndim != indices.ndim) {
    return shape_error(call, "the data of shape " + shape_text(data) + " and the indices of " +
                                 shape_text(indices) + " differ in dimensions");
  }
  return make_tensor(indices.shape, indices.ndim, *data.dtype);
}

Result<relax::Type> where(const relax::OpCall& call) {
  FX_TRY(condition, tensor_argument(call, 0));
  FX_TRY(a, tensor_argument(call, 1));
  FX_TRY(b, tensor_argument(call, 2));
  if (*condition.dtype != DType::Bool) {
    return dtype_error(
        call, "the condition is of bools, not " + std::string(dtype_name(*condition.dtype)));
  }
  if (*a.dtype != *b.dtype) {
    return dtype_error(call, "a choice between " + std::string(dtype_name(*a.dtype)) + " and " +
                                 std::string(dtype_name(*b.dtype)));
  }
  const int rank = condition.ndim < 0 || a.ndim < 0 || b.ndim < 0
                       ? -1
                       : std::max({condition.ndim, a.ndim, b.ndim});
  if (!condition.shape || !a.shape || !b.shape) return make_tensor(std::nullopt, rank, *a.dtype);
  Broadcast joined = broadcast(*a.shape, *b.shape);
  if (joined.fits && joined.shape) joined = broadcast(*condition.shape, *joined.shape);
  if (!joined.fits) {
    return shape_error(call, "the shapes " + shape_text(condition) + ", " + shape_text(a) +
                                 " and " + shape_text(b) + " do not broadcast");
  }
  return make_tensor(std::move(joined.shape), rank, *a.dtype);
}

}  // namespace

Rule reduction_rule(std::string_view op) {
  if (op == "sum" || op == "prod") return fold;
  if (op == "max" || op == "min") return extreme_value;
  if (op == "mean" || op == "variance" || op == "std") return average;
  if (op == "argmax" || op == "argmin") return extreme_position;
  if (op == "cumsum" || op == "cumprod" || op == "argsort") return with_dtype_attr;
  if (op == "topk") return topk;
  if (op == "bucketize") return bucketize;
  if (op == "gather_elements") return gather_elements;
  if (op == "where") return where;
  return nullptr;
}

}  // namespace fx2wasm::infer
