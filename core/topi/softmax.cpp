#include "ir/tir_build.h"
#include "topi/common.h"
#include "topi/topi.h"

namespace fx2wasm::topi {
namespace {

// A tensor seen as rows along one axis.
struct Rows {
  explicit Rows(const Tensor& tensor, int axis_number)
      : x(tensor), shape(te::shape_of(tensor)), axis(positive_axis(axis_number, shape.size())) {}

  // The indices without the axis: those of a row.
  Indices row(Indices indices) const {
    indices.erase(indices.begin() + static_cast<long>(axis));
    return indices;
  }
  Indices element(Indices row_indices, const te::IterVar& k) const {
    row_indices.insert(row_indices.begin() + static_cast<long>(axis), te::var_of(k));
    return row_indices;
  }
  te::IterVar reduce() const { return reduce_over(shape[axis], "k"); }
  Attrs attrs() const { return {{"axis", AttrValue{static_cast<int64_t>(axis)}}}; }

  Tensor x;
  Indices shape;
  size_t axis;
};

PrimExpr exp_of(const PrimExpr& value) {
  return tir::call(value->dtype, tir::Intrinsic::Exp, {value});
}

Tensor row_maxima(const Rows& rows) {
  const te::IterVar k = rows.reduce();
  return te::compute(
      rows.row(rows.shape), python_style("T_softmax_maxelem"),
      [&](const Indices& i) { return te::max(te::read(rows.x, rows.element(i, k)), {k}); });
}

}  // namespace

Tensor softmax(const Tensor& x, int axis) {
  const Rows rows(x, axis);
  const Tensor maxima = row_maxima(rows);
  const Tensor exps = te::compute(rows.shape, python_style("T_softmax_exp"), [&](const Indices& i) {
    return exp_of(tir::sub(te::read(x, i), te::read(maxima, rows.row(i))));
  });
  const te::IterVar k = rows.reduce();
  const Tensor sums = te::compute(
      rows.row(rows.shape), python_style("T_softmax_expsum"),
      [&](const Indices& i) { return te::sum(te::read(exps, rows.element(i, k)), {k}); });
  return te::compute(
      rows.shape, python_style("T_softmax_norm", rows.attrs()), [&](const Indices& i) {
        return tir::binary(tir::BinaryOp::Div, te::read(exps, i), te::read(sums, rows.row(i)));
      });
}

Tensor log_softmax(const Tensor& x, int axis) {
  const Rows rows(x, axis);
  const Tensor maxima = row_maxima(rows);
  const te::IterVar k = rows.reduce();
  const Tensor sums =
      te::compute(rows.row(rows.shape), python_style("compute"), [&](const Indices& i) {
        const PrimExpr element = te::read(x, rows.element(i, k));
        return te::sum(exp_of(tir::sub(element, te::read(maxima, i))), {k});
      });
  return te::compute(rows.shape, python_style("compute", rows.attrs()), [&](const Indices& i) {
    const PrimExpr sum = te::read(sums, rows.row(i));
    const PrimExpr log = tir::call(sum->dtype, tir::Intrinsic::Log, {sum});
    return tir::sub(tir::sub(te::read(x, i), te::read(maxima, rows.row(i))), log);
  });
}

}  // namespace fx2wasm::topi
