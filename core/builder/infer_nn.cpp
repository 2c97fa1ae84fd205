// Type rules of contractions, windows and rows.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<DType> common_dtype(const relax::OpCall& call, const relax::TensorType& a,
                           const relax::TensorType& b) {
  if (const std::optional<DType> given = dtype_attr(call, "out_dtype")) return *given;
  if (*a.dtype == *b.dtype) return *a.dtype;
  return dtype_error(call, "operands of dtype " + std::string(dtype_name(*a.dtype)) + " and " +
                               std::string(dtype_name(*b.dtype)) + "; cast one of them");
}

Result<relax::Type> matmul(const relax::OpCall& call) {
  FX_TRY(a, tensor_argument(call, 0));
  FX_TRY(b, tensor_argument(call, 1));
  FX_TRY(dtype, common_dtype(call, a, b));
  if (a.ndim < 0 || b.ndim < 0) return make_tensor(std::nullopt, -1, dtype);
  if (a.ndim == 0 || b.ndim == 0) {
    return shape_error(
        call, "a scalar operand: the shapes are " + shape_text(a) + " and " + shape_text(b));
  }
  const int rank = std::max(a.ndim, b.ndim) - (a.ndim == 1 ? 1 : 0) - (b.ndim == 1 ? 1 : 0);
  if (!a.shape || !b.shape) {
    return make_tensor(std::nullopt, a.ndim == 1 && b.ndim == 1 ? 0 : rank, dtype);
  }
  const Shape &x = *a.shape, &y = *b.shape;
  const tir::PrimExpr depth = x.back(), other_depth = y.size() == 1 ? y[0] : y[y.size() - 2];
  const std::optional<int64_t> known = tir::as_int(depth), other_known = tir::as_int(other_depth);
  if (known && other_known && *known != *other_known) {
    return shape_error(call, "the shapes " + shape_text(a) + " and " + shape_text(b) +
                                 " do not fit: " + std::to_string(*known) + " columns against " +
                                 std::to_string(*other_known) + " rows");
  }
  const Shape x_batch(x.begin(), x.size() > 2 ? x.end() - 2 : x.begin());
  const Shape y_batch(y.begin(), y.size() > 2 ? y.end() - 2 : y.begin());
  Broadcast joined = broadcast(x_batch, y_batch);
  if (!joined.fits) {
    return shape_error(
        call, "the batches of " + shape_text(a) + " and " + shape_text(b) + " do not broadcast");
  }
  if (joined.shape) {
    if (x.size() > 1) joined.shape->push_back(x[x.size() - 2]);
    if (y.size() > 1) joined.shape->push_back(y.back());
  }
  return make_tensor(std::move(joined.shape), rank, dtype);
}

// How many windows of `kernel` fit, `stride` apart.
tir::PrimExpr window_count(const tir::PrimExpr& size, int64_t padding, int64_t dilation,
                           const tir::PrimExpr& kernel, int64_t stride, bool round_up) {
  const tir::PrimExpr reach = tir::mul(extent_of(dilation), tir::sub(kernel, extent_of(1)));
  tir::PrimExpr room = tir::sub(tir::sub(tir::add(size, extent_of(padding)), reach), extent_of(1));
  if (round_up) room = tir::add(room, extent_of(stride - 1));
  return simplify(tir::add(tir::floordiv(room, extent_of(stride)), extent_of(1)));
}

Diagnostic no_window(const relax::OpCall& call, const relax::TensorType& data,
                     const std::string& kernel) {
  return shape_error(call, "a window of " + kernel + " does not fit into the data of shape " +
                               shape_text(data) + " with its padding");
}

bool is_negative_or_zero(const tir::PrimExpr& extent) {
  const std::optional<int64_t> number = tir::as_int(extent);
  return number && *number <= 0;
}

Result<relax::Type> conv2d(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  FX_TRY(weight, tensor_argument(call, 1));
  FX_TRY(dtype, common_dtype(call, data, weight));
  if (data.ndim != 4 || weight.ndim != 4) {
    return shape_error(call, "takes data (N, C, H, W) and a weight (O, I, H, W), not " +
                                 shape_text(data) + " and " + shape_text(weight));
  }
  if (!data.shape || !weight.shape) return make_tensor(std::nullopt, 4, dtype);
  const Shape &x = *data.shape, &w = *weight.shape;
  const int64_t groups = int_attr(call, "groups");
  const std::optional<int64_t> channels = tir::as_int(x[1]), taken = tir::as_int(w[1]),
                               made = tir::as_int(w[0]);
  for (const auto& [name, count] : {std::pair("input", channels), std::pair("output", made)}) {
    if (count && (groups <= 0 || *count % groups != 0)) {
      return shape_error(call, "groups=" + std::to_string(groups) + " do not divide the " +
                                   std::to_string(*count) + " " + name + " channels");
    }
  }
  if (channels && taken && *channels != *taken * groups) {
    return shape_error(call, "the input has " + std::to_string(*channels) +
                                 " channels, the weight of shape " + shape_text(weight) +
                                 " takes " + std::to_string(*taken * groups));
  }
  const std::vector<int64_t> strides = ints_attr(call, "strides"),
                             padding = ints_attr(call, "padding"),
                             dilation = ints_attr(call, "dilation");
  Shape shape = {x[0], w[0]};
  for (size_t i = 0; i < 2; ++i) {
    if (strides[i] <= 0 || dilation[i] <= 0) {
      return shape_error(call, "stride and dilation are at least 1");
    }
    shape.push_back(window_count(x[i + 2], padding[i] + padding[i + 2], dilation[i], w[i + 2],
                                 strides[i], false));
    if (is_negative_or_zero(shape.back())) {
      return no_window(call, data, shape_text({w[2], w[3]}));
    }
  }
  return make_tensor(std::move(shape), 4, dtype);
}

Result<relax::Type> pool2d(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  if (data.ndim != 4) {
    return shape_error(call, "takes data (N, C, H, W), not " + shape_text(data));
  }
  if (!data.shape) return make_tensor(std::nullopt, 4, *data.dtype);
  const Shape& x = *data.shape;
  const std::vector<int64_t> kernel = ints_attr(call, "pool_size"),
                             strides = ints_attr(call, "strides"),
                             padding = ints_attr(call, "padding"),
                             dilation = ints_attr(call, "dilation");
  const bool round_up = bool_attr(call, "ceil_mode");
  Shape shape = {x[0], x[1]};
  for (size_t i = 0; i < 2; ++i) {
    if (strides[i] <= 0 || dilation[i] <= 0 || kernel[i] <= 0) {
      return shape_error(call, "kernel, stride and dilation are at least 1");
    }
    tir::PrimExpr count = window_count(x[i + 2], padding[i] + padding[i + 2], dilation[i],
                                       extent_of(kernel[i]), strides[i], round_up);
    const std::optional<int64_t> size = tir::as_int(x[i + 2]), windows = tir::as_int(count);
    // PyTorch drops a last window that would start in the padding on the right.
    if (round_up && size && windows && (*windows - 1) * strides[i] >= *size + padding[i]) {
      count = extent_of(*windows - 1);
    }
    if (is_negative_or_zero(count)) {
      return no_window(call, data, shape_text({extent_of(kernel[0]), extent_of(kernel[1])}));
    }
    shape.push_back(std::move(count));
  }
  return make_tensor(std::move(shape), 4, *data.dtype);
}

Result<relax::Type> along_axis(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!is_float(*x.dtype)) {
    return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
  }
  if (x.ndim >= 0) {
    // A scalar has one axis here, as in PyTorch.
    FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), std::max(x.ndim, 1)));
    static_cast<void>(axis);
  }
  return relax::make_type(x);
}

}  // namespace

Rule nn_rule(std::string_view op) {
  if (op == "matmul") return matmul;
  if (op == "nn.conv2d") return conv2d;
  if (op == "nn.max_pool2d") return pool2d;
  if (op == "nn.softmax" || op == "nn.log_softmax") return along_axis;
  return nullptr;
}

}  // namespace fx2wasm::infer
