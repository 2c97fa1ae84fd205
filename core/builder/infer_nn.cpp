// Type rules of contractions and rows.
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
  if (op == "nn.softmax" || op == "nn.log_softmax") return along_axis;
  return nullptr;
}

}  // namespace fx2wasm::infer
