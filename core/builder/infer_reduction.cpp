// The type rules of reductions, scans, orderings.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<relax::Type> reduced_type(const relax::OpCall& call, DType dtype) {
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
  if (shape.size() != static_cast<size_t>(left)) {
    return make_tensor(std::nullopt, left, dtype);
  }
  return make_tensor(std::move(shape), left, dtype);
}

Result<relax::Type> fold_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  return reduced_type(call, *x.dtype);
}

Result<relax::Type> moment_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!is_float(*x.dtype)) {
    return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
  }
  return reduced_type(call, *x.dtype);
}

// The largest of no elements is not defined.
Result<relax::Type> extreme_type(const relax::OpCall& call, DType dtype) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(type, reduced_type(call, dtype));
  if (!x.shape) return type;
  const std::optional<std::vector<int64_t>> axes = optional_ints_attr(call, "axis");
  for (size_t i = 0; i < x.shape->size(); ++i) {
    const auto at = static_cast<int64_t>(i), from_end = at - x.ndim;
    const bool folded = !axes || std::count(axes->begin(), axes->end(), at) != 0 ||
                        std::count(axes->begin(), axes->end(), from_end) != 0;
    if (folded && tir::is_zero((*x.shape)[i])) {
      return shape_error(call, "there are no elements along axis " + std::to_string(i) +
                                   " of a tensor of shape " + shape_text(x));
    }
  }
  return type;
}

Result<relax::Type> extreme_value_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  return extreme_type(call, *x.dtype);
}

Result<relax::Type> extreme_position_type(const relax::OpCall& call) {
  return extreme_type(call, DType::Int64);
}

Result<Unit> check_scan_axis(const relax::OpCall& call, const relax::TensorType& x) {
  const std::optional<std::vector<int64_t>> axes = optional_ints_attr(call, "axis");
  if (!axes || x.ndim < 0) return Unit{};
  FX_TRY(axis, normalize_axis(call, axes->front(), x.ndim));
  static_cast<void>(axis);
  return Unit{};
}

Result<relax::Type> scan_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(checked, check_scan_axis(call, x));
  static_cast<void>(checked);
  const DType dtype = dtype_attr(call, "dtype").value_or(*x.dtype);
  // Without an axis, all elements are one line.
  if (!optional_ints_attr(call, "axis")) {
    if (!x.shape) return make_tensor(std::nullopt, 1, dtype);
    return make_tensor(Shape{simplify(product(*x.shape))}, 1, dtype);
  }
  return make_tensor(x.shape, x.ndim, dtype);
}

Result<relax::Type> topk_type(const relax::OpCall& call) {
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
  const relax::Type values = make_tensor(shape, x.ndim, *x.dtype);
  const relax::Type indices =
      make_tensor(shape, x.ndim, dtype_attr(call, "dtype").value_or(DType::Int64));
  const std::string kind = string_attr(call, "ret_type");
  if (kind == "values") return values;
  if (kind == "indices") return indices;
  if (kind != "both") return shape_error(call, "ret_type is 'both', 'values' or 'indices'");
  return relax::make_type(relax::TupleType{{values, indices}});
}

Result<relax::Type> bucketize_type(const relax::OpCall& call) {
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

}  // namespace

Rule reduction_rule(std::string_view op) {
  if (op == "sum" || op == "prod") return fold_type;
  if (op == "max" || op == "min") return extreme_value_type;
  if (op == "mean" || op == "variance" || op == "std") return moment_type;
  if (op == "argmax" || op == "argmin") return extreme_position_type;
  if (op == "cumsum" || op == "cumprod" || op == "argsort") return scan_type;
  if (op == "topk") return topk_type;
  if (op == "bucketize") return bucketize_type;
  return nullptr;
}

}  // namespace fx2wasm::infer
