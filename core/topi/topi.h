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
enum class BroadcastOp {
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  FloorMod,  // the remainder of FloorDivide
  Mod,       // the remainder of a division rounded to zero
  Maximum,
  Minimum,
  Power,
  Atan2,
  Equal,  // comparisons and logic give bools
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  LogicalAnd,
  LogicalOr,
  LogicalXor,
  BitwiseAnd,
  BitwiseOr,
  BitwiseXor,
  LeftShift,
  RightShift,
};
// Numpy broadcasting; block and buffer "T_add", "T_subtract", …; axes ax0, ax1, ….
Tensor broadcast(BroadcastOp op, const Operand& a, const Operand& b);
// The same where only a run knows which of two symbolic extents is 1. An extent of the result that
// the operands' don't give is negative, which plan() of a compiled module refuses.
Tensor broadcast_when_run(BroadcastOp op, const Tensor& a, const Tensor& b);
Tensor relu(const Tensor& x);
// `tir_exp`, `tir_abs`, …: one intrinsic on every element.
Tensor unary(tir::Intrinsic intrinsic, const Tensor& x);
Tensor cast(const Tensor& x, DType dtype);
Tensor sign(const Tensor& x);
Tensor square(const Tensor& x);
Tensor bitwise_not(const Tensor& x);
Tensor logical_not(const Tensor& x);  // of bools
// Bools; of integers, that are always finite, the same for all elements.
Tensor isnan(const Tensor& x);
Tensor isinf(const Tensor& x);
Tensor isfinite(const Tensor& x);
// The larger of `low` and the smaller of x and `high`; the bounds take the tensor's dtype, cut to
// what integers hold.
Tensor clip(const Tensor& x, const PrimExpr& low, const PrimExpr& high);

// ---- activations: float16 computes erf in float32 ----
Tensor erf(const Tensor& x);
Tensor gelu(const Tensor& x);
Tensor gelu_tanh(const Tensor& x);
Tensor selu(const Tensor& x);
Tensor silu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double alpha);
Tensor softplus(const Tensor& x, double beta, double threshold);
// One slope for each position on `axis`, or a single one.
Tensor prelu(const Tensor& x, const Tensor& slope, int axis);

// ---- creation ----
Tensor full(std::vector<PrimExpr> shape, DType dtype, const PrimExpr& value);
// Ones on a diagonal, counted upwards from the main one.
Tensor eye(const PrimExpr& rows, const PrimExpr& columns, int64_t diagonal, DType dtype);

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

// ---- rows (windows: topi/window.h) ----
Tensor softmax(const Tensor& x, int axis);
Tensor log_softmax(const Tensor& x, int axis);

}  // namespace fx2wasm::topi
