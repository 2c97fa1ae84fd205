// TVM's operator inventory (topi): the tensor expressions that operators are legalised to. Names of
// blocks, axes and buffers are TVM's, since they show in the printed text. Shapes are trusted here:
// type inference (builder/infer_type.h) has refused what does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

using te::PrimExpr;
using te::Tensor;
using Operand = std::variant<Tensor, PrimExpr>;  // a 0-d constant is passed as an immediate

// ---- element-wise ----
enum class BroadcastOp { Add, Subtract, Multiply, Divide, Maximum, Minimum, Power };
// Numpy broadcasting; block and buffer "T_add", "T_subtract", …; axes ax0, ax1, ….
Tensor broadcast(BroadcastOp op, const Operand& a, const Operand& b);
Tensor relu(const Tensor& x);
// `tir_exp`, `tir_abs`, …: one intrinsic on every element.
Tensor unary(tir::Intrinsic intrinsic, const Tensor& x);
Tensor cast(const Tensor& x, DType dtype);

// ---- shape ----
Tensor reshape(const Tensor& x, std::vector<PrimExpr> shape);
Tensor transpose(const Tensor& x, const std::vector<int>& axes);  // empty: reversed
Tensor expand_dims(const Tensor& x, int axis, int count);
// Drops the axes of extent 1 among `axes` (empty: all of them).
Tensor squeeze(const Tensor& x, const std::vector<int>& axes);
// As the Relax operator expand_dims is legalised: block "expand_dims", axes i0, i1, …; `axes` are
// positions in the result.
Tensor insert_axes(const Tensor& x, const std::vector<int>& axes);
Tensor broadcast_to(const Tensor& x, std::vector<PrimExpr> shape);

// ---- contractions ----
// Batch dimensions broadcast; a vector on a side is a row or a column. Block "matmul".
Tensor matmul(const Tensor& a, const Tensor& b, std::optional<DType> out_dtype);  // batched
Tensor dense(const Tensor& x, const Tensor& weight);  // x @ weight.T, block T_matmul_NT

struct Conv2dAttrs {
  std::vector<int64_t> strides, padding, dilation;  // padding: top, left, bottom, right
  int64_t groups = 1;
};
Tensor conv2d_nchw(const Tensor& data, const Tensor& weight, const Conv2dAttrs& attrs);

// ---- windows and rows ----
struct Pool2dAttrs {
  std::vector<int64_t> kernel, strides, dilation, padding;
  bool ceil_mode = false;
};
Tensor max_pool2d(const Tensor& x, const Pool2dAttrs& attrs);
Tensor softmax(const Tensor& x, int axis);
Tensor log_softmax(const Tensor& x, int axis);

}  // namespace fx2wasm::topi
