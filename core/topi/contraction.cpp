#include "ir/tir_build.h"
#include "topi/common.h"
#include "topi/topi.h"

namespace fx2wasm::topi {
namespace {

// One operand of a product: its batch dimensions and whether it lacks the row or column axis.
struct Factor {
  Indices batch;
  bool is_vector = false;
};

Factor factor_of(const Tensor& x) {
  Indices shape = te::shape_of(x);
  const bool is_vector = shape.size() == 1;
  if (!is_vector) shape.resize(shape.size() - 2);
  return {is_vector ? Indices{} : shape, is_vector};
}

// The batch dimension of a factor at position i of the result's `rank` ones; null where it has
// none.
PrimExpr batch_extent(const Factor& factor, size_t i, size_t rank) {
  const size_t missing = rank - factor.batch.size();
  return i < missing ? nullptr : factor.batch[i - missing];
}

bool both_equal(const PrimExpr& a, const PrimExpr& b) {
  const auto x = tir::as_int(a), y = tir::as_int(b);
  return x && y && *x == *y;
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, std::optional<DType> out_dtype) {
  const Factor left = factor_of(a), right = factor_of(b);
  const Indices a_shape = te::shape_of(a), b_shape = te::shape_of(b);
  const PrimExpr depth = a_shape.back();
  const size_t batch_rank = std::max(left.batch.size(), right.batch.size());
  const DType dtype = out_dtype.value_or(te::dtype_of(a));

  Indices shape, a_index, b_index;
  for (size_t i = 0; i < batch_rank; ++i) {
    const PrimExpr x = batch_extent(left, i, batch_rank), y = batch_extent(right, i, batch_rank);
    const bool take_y =
        !x || (y && (tir::is_one(x) || (!tir::as_int(x) && tir::as_int(y) && !tir::is_one(y))));
    shape.push_back(take_y ? y : x);
  }
  if (!left.is_vector) shape.push_back(a_shape[a_shape.size() - 2]);
  if (!right.is_vector) shape.push_back(b_shape.back());

  return te::compute(shape, python_style("matmul"), [&](const Indices& i) {
    if (tir::is_zero(depth)) return tir::const_of(dtype, 0);
    const te::IterVar k = reduce_over(depth, "k");
    Indices a_indices, b_indices;
    for (size_t n = 0; n < batch_rank; ++n) {
      const PrimExpr x = batch_extent(left, n, batch_rank);
      const PrimExpr y = batch_extent(right, n, batch_rank);
      // An extent of 1 is repeated, unless both sides have it.
      const bool repeats = x && y && !both_equal(x, y);
      if (x) a_indices.push_back(repeats && tir::is_one(x) ? imm_like(x, 0) : i[n]);
      if (y) b_indices.push_back(repeats && tir::is_one(y) ? imm_like(y, 0) : i[n]);
    }
    if (!left.is_vector) a_indices.push_back(i[batch_rank]);
    a_indices.push_back(te::var_of(k));
    b_indices.push_back(te::var_of(k));
    if (!right.is_vector) b_indices.push_back(i.back());
    PrimExpr x = te::read(a, a_indices), y = te::read(b, b_indices);
    if (out_dtype) {
      x = tir::cast(dtype, x);
      y = tir::cast(dtype, y);
    }
    return te::sum(tir::mul(x, y), {k});
  });
}

Tensor dense(const Tensor& x, const Tensor& weight) {
  const Indices x_shape = te::shape_of(x), weight_shape = te::shape_of(weight);
  const te::IterVar k = reduce_over(x_shape[1], "k");
  te::ComputeOptions options = python_style("T_matmul_NT");
  options.layout_free = {weight};
  return te::compute({x_shape[0], weight_shape[0]}, options, [&](const Indices& i) {
    const PrimExpr by = tir::cast(te::dtype_of(x), te::read(weight, {i[1], te::var_of(k)}));
    return te::sum(tir::mul(te::read(x, {i[0], te::var_of(k)}), by), {k});
  });
}

}  // namespace fx2wasm::topi
