#include "topi/attention.h"

#include <cstdlib>

#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/topi.h"

namespace fx2wasm::topi {
namespace {

// Batches of matrices, the second of them transposed.
Tensor batch_matmul_transposed(const Tensor& a, const Tensor& b, const Indices& shape) {
  const te::IterVar k = reduce_over(te::shape_of(a)[2], "k");
  te::ComputeOptions options = python_style("T_batch_matmul_NT");
  options.axis_names = {"b", "i", "j"};
  options.layout_free = {b};
  return te::compute(shape, options, [&](const Indices& i) {
    if (tir::is_zero(te::shape_of(a)[2])) return tir::const_of(te::dtype_of(a), 0);
    return te::sum(tir::mul(te::read(a, {i[0], i[1], te::var_of(k)}),
                            te::read(b, {i[0], i[2], te::var_of(k)})),
                   {k});
  });
}

Tensor batch_matmul(const Tensor& a, const Tensor& b, const Indices& shape) {
  const te::IterVar k = reduce_over(te::shape_of(a)[2], "k");
  te::ComputeOptions options = python_style("T_batch_matmul_NN");
  options.axis_names = {"b", "i", "j"};
  options.layout_free = {b};
  return te::compute(shape, options, [&](const Indices& i) {
    if (tir::is_zero(te::shape_of(a)[2])) return tir::const_of(te::dtype_of(a), 0);
    return te::sum(tir::mul(te::read(a, {i[0], i[1], te::var_of(k)}),
                            te::read(b, {i[0], te::var_of(k), i[2]})),
                   {k});
  });
}

// Zeros above the diagonal that lies `offset` columns to the right.
Tensor lower_triangle(const Tensor& x, int64_t offset) {
  return te::compute(te::shape_of(x), python_style("trilu"), [&](const Indices& i) {
    const PrimExpr column = tir::sub(i.back(), tir::int_imm(DType::Int32, offset));
    const PrimExpr sees = tir::binary(tir::BinaryOp::GE, i[i.size() - 2], column);
    return tir::select(sees, te::read(x, i), tir::const_of(te::dtype_of(x), 0));
  });
}

using Reducer = PrimExpr (*)(PrimExpr source, std::vector<te::IterVar> axis, PrimExpr condition);
Tensor along_rows(const Tensor& x, Reducer reducer) {
  Indices shape = te::shape_of(x);
  const size_t last = shape.size() - 1;
  const te::IterVar k = reduce_over(shape[last], "k" + std::to_string(last));
  shape[last] = imm_like(shape[last], 1);
  return te::compute(shape, cpp_style(x.op->name + "_red", shape.size()), [&](const Indices& i) {
    Indices at = i;
    at[last] = te::var_of(k);
    return reducer(te::read(x, at), {k}, nullptr);
  });
}

// Scores above 0 or of hidden keys make up the largest one: no exponential overflows.
Tensor causal_softmax(const Tensor& scores, int64_t offset) {
  const Tensor seen = lower_triangle(scores, offset);
  const Tensor shifted = broadcast(BroadcastOp::Subtract, seen, along_rows(seen, te::max));
  const Tensor exps = lower_triangle(unary(tir::Intrinsic::Exp, shifted), offset);
  return broadcast(BroadcastOp::Divide, exps, along_rows(exps, te::sum));
}

}  // namespace

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value,
                 const std::optional<Tensor>& bias, const AttentionAttrs& attrs) {
  const Indices q = te::shape_of(query), v = te::shape_of(value);
  const PrimExpr &batch = q[0], &queries = q[1], &heads = q[2], &width = q[3];
  const PrimExpr &keys = v[1], &value_width = v[3];
  const PrimExpr all = tir::mul(batch, heads);
  const std::vector<int> heads_first = {0, 2, 1, 3};
  const Tensor q3 = reshape(transpose(query, heads_first), {all, queries, width});
  const Tensor k3 = reshape(transpose(key, heads_first), {all, keys, width});
  const Tensor v3 = reshape(transpose(value, heads_first), {all, keys, value_width});

  Tensor scores = batch_matmul_transposed(q3, k3, {all, queries, keys});
  const DType dtype = te::dtype_of(scores);
  if (attrs.scale) {
    scores = broadcast(BroadcastOp::Multiply, scores, tir::float_imm(dtype, *attrs.scale));
  } else {
    const PrimExpr root = tir::call(dtype, tir::Intrinsic::Sqrt, {tir::cast(dtype, width)});
    scores = broadcast(BroadcastOp::Divide, scores, root);
  }
  if (bias) {
    scores = reshape(scores, {batch, heads, queries, keys});
    scores = broadcast(BroadcastOp::Add, scores, *bias);
    scores = reshape(scores, {all, queries, keys});
  }
  Tensor shares;
  if (attrs.causal_mask.empty()) {
    shares = softmax(scores, -1);
  } else {
    int64_t offset = 0;
    if (attrs.causal_mask == "BottomRight") {
      const std::optional<int64_t> rows = tir::as_int(queries), columns = tir::as_int(keys);
      FX_CHECK(rows && columns, "a mask from the last place needs known lengths");
      offset = std::abs(*rows - *columns);
    }
    shares = causal_softmax(scores, offset);
  }
  const Tensor out = batch_matmul(shares, v3, {all, queries, value_width});
  return transpose(reshape(out, {batch, heads, queries, value_width}), heads_first);
}

}  // namespace fx2wasm::topi
