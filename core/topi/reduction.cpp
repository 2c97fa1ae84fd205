#include "topi/reduction.h"

#include <cmath>
#include <optional>

#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {
namespace {

// What a reduction's loops run over.
struct Folding {
  Folding(const Tensor& x, const ReduceAxes& axes) : own(te::shape_of(x)), keep(axes.keep) {
    folded.assign(own.size(), axes.axes.empty());
    for (const int axis : axes.axes) folded[positive_axis(axis, own.size())] = true;
    for (size_t i = 0; i < own.size(); ++i) {
      if (folded[i]) loops.push_back(reduce_over(own[i], "k" + std::to_string(i)));
      if (!folded[i] || keep) shape.push_back(folded[i] ? imm_like(own[i], 1) : own[i]);
    }
  }

  // The element of x at the indices of the result.
  Indices element(const Indices& result) const {
    Indices indices;
    size_t next = 0, loop = 0;
    for (size_t i = 0; i < own.size(); ++i) {
      indices.push_back(folded[i] ? te::var_of(loops[loop++]) : result[next]);
      if (!folded[i] || keep) ++next;
    }
    return indices;
  }

  PrimExpr count() const {
    PrimExpr product = tir::int_imm(DType::Int64, 1);
    for (size_t i = 0; i < own.size(); ++i) {
      if (folded[i]) product = tir::mul(product, own[i]);
    }
    return product;
  }

  Indices own, shape;
  bool keep;
  std::vector<bool> folded;
  std::vector<te::IterVar> loops;
};

PrimExpr fold_bools(PrimExpr source, const std::vector<te::IterVar>& loops) {
  const te::Combine either = [](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    return std::vector<PrimExpr>{
        tir::binary(tir::BinaryOp::Or, tir::var_expr(a[0]), tir::var_expr(b[0]))};
  };
  return te::reduce(either, {tir::bool_imm(false)}, {std::move(source)}, loops)[0];
}

// Less extreme than every value, so that the first one replaces it whatever it is.
PrimExpr least_extreme(bool largest, DType dtype) {
  if (is_float(dtype)) return tir::float_imm(dtype, largest ? -HUGE_VAL : HUGE_VAL);
  return largest ? tir::min_value(dtype) : tir::max_value(dtype);
}

PrimExpr fold_from_infinity(bool largest, PrimExpr source, const std::vector<te::IterVar>& loops) {
  const te::Combine extreme = [&](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    const auto op = largest ? tir::BinaryOp::Max : tir::BinaryOp::Min;
    return std::vector<PrimExpr>{tir::binary(op, tir::var_expr(a[0]), tir::var_expr(b[0]))};
  };
  const DType dtype = source->dtype;
  return te::reduce(extreme, {least_extreme(largest, dtype)}, {std::move(source)}, loops)[0];
}

PrimExpr fold_elements(Reduction op, PrimExpr source, const std::vector<te::IterVar>& loops,
                       const FoldStyle& style) {
  const bool infinite = style.from_infinity && is_float(source->dtype);
  switch (op) {
    case Reduction::Sum:
      if (source->dtype == DType::Bool) return fold_bools(std::move(source), loops);
      return te::sum(std::move(source), loops);
    case Reduction::Prod:
      return te::prod(std::move(source), loops);
    case Reduction::Max:
      if (infinite) return fold_from_infinity(true, std::move(source), loops);
      return te::max(std::move(source), loops);
    case Reduction::Min:
      if (infinite) return fold_from_infinity(false, std::move(source), loops);
      return te::min(std::move(source), loops);
  }
  return nullptr;
}

bool is_narrow_float(DType dtype) { return dtype == DType::Float16 || dtype == DType::BFloat16; }

// The dtype in which elements are added.
DType folding_dtype(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style) {
  const DType dtype = te::dtype_of(x);
  if (dtype != DType::Float32 && !is_narrow_float(dtype)) return dtype;
  const std::optional<int64_t> count = tir::as_int(Folding(x, axes).count());
  const bool many = count ? *count >= style.many : style.unknown_is_many;
  return many ? DType::Float64 : DType::Float32;
}

// Rounds what was computed in a wider dtype.
Tensor round_to(const Tensor& x, DType dtype) {
  if (te::dtype_of(x) == dtype) return x;
  const Indices shape = te::shape_of(x);
  return te::compute(shape, cpp_style(x.op->name + "_cast", shape.size()),
                     [&](const Indices& i) { return tir::cast(dtype, te::read(x, i)); });
}

// The elements, in another dtype, folded.
Tensor fold_in(DType dtype, Reduction op, const Tensor& x, const ReduceAxes& axes,
               const FoldStyle& style = {}) {
  const Folding folding(x, axes);
  return te::compute(folding.shape, cpp_style(x.op->name + "_red", folding.shape.size()),
                     [&](const Indices& i) {
                       PrimExpr element = tir::cast(dtype, te::read(x, folding.element(i)));
                       if (folding.loops.empty()) return element;
                       return fold_elements(op, std::move(element), folding.loops, style);
                     });
}

Tensor mean_in(DType dtype, const Tensor& x, const ReduceAxes& axes) {
  return broadcast(BroadcastOp::Divide, fold_in(dtype, Reduction::Sum, x, axes),
                   Folding(x, axes).count());
}

Tensor variance_in(DType dtype, const Tensor& x, const ReduceAxes& axes) {
  const Tensor wide = round_to(x, dtype);
  const Tensor center = mean_in(dtype, wide, {axes.axes, true});
  const Tensor distance = broadcast(BroadcastOp::Subtract, wide, center);
  return mean_in(dtype, broadcast(BroadcastOp::Multiply, distance, distance), axes);
}

PrimExpr is_nan_of(const PrimExpr& value) {
  return tir::call(DType::Bool, tir::Intrinsic::IsNan, {value});
}

// Keeps the left (position, value) where it is more extreme, or as extreme and stands before.
te::Combine more_extreme(bool largest) {
  return [largest](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    using tir::BinaryOp;
    const PrimExpr at = tir::var_expr(a[0]), value = tir::var_expr(a[1]);
    const PrimExpr other_at = tir::var_expr(b[0]), other = tir::var_expr(b[1]);
    PrimExpr beats = tir::binary(largest ? BinaryOp::GT : BinaryOp::LT, value, other);
    PrimExpr ties = tir::binary(BinaryOp::EQ, value, other);
    if (is_float(value->dtype)) {
      const PrimExpr both = tir::binary(BinaryOp::And, is_nan_of(value), is_nan_of(other));
      const PrimExpr only =
          tir::binary(BinaryOp::And, is_nan_of(value), tir::logical_not(is_nan_of(other)));
      beats = tir::binary(BinaryOp::Or, beats, only);
      ties = tir::binary(BinaryOp::Or, ties, both);
    }
    const PrimExpr first = tir::binary(BinaryOp::LT, at, other_at);
    const PrimExpr keeps =
        tir::binary(BinaryOp::Or, beats, tir::binary(BinaryOp::And, ties, first));
    return std::vector<PrimExpr>{tir::select(keeps, at, other_at),
                                 tir::select(beats, value, other)};
  };
}

PrimExpr row_major_position(const Indices& indices, const Indices& shape) {
  PrimExpr flat = indices[0];
  for (size_t i = 1; i < indices.size(); ++i) {
    flat = tir::add(tir::mul(flat, shape[i]), indices[i]);
  }
  return flat;
}

}  // namespace

Tensor reduce(Reduction op, const Tensor& x, const ReduceAxes& axes, const FoldStyle& style) {
  const bool adds = op == Reduction::Sum || op == Reduction::Prod;
  const DType dtype = te::dtype_of(x);
  return round_to(fold_in(adds ? folding_dtype(x, axes, style) : dtype, op, x, axes, style), dtype);
}

Tensor mean(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style) {
  return round_to(mean_in(folding_dtype(x, axes, style), x, axes), te::dtype_of(x));
}

Tensor variance(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style) {
  return round_to(variance_in(folding_dtype(x, axes, style), x, axes), te::dtype_of(x));
}

Tensor standard_deviation(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style) {
  const Tensor spread = variance_in(folding_dtype(x, axes, style), x, axes);
  return round_to(unary(tir::Intrinsic::Sqrt, spread), te::dtype_of(x));
}

Tensor arg_extreme(bool largest, const Tensor& x, const ReduceAxes& axes) {
  const Folding folding(x, axes);
  const std::string name = x.op->name + "_red";
  if (folding.loops.empty()) {
    return te::compute(folding.shape, cpp_style(name, 0),
                       [](const Indices&) { return tir::int_imm(DType::Int64, 0); });
  }
  Indices loops, extents;
  for (const te::IterVar& loop : folding.loops) loops.push_back(te::var_of(loop));
  for (size_t i = 0; i < folding.own.size(); ++i) {
    if (folding.folded[i]) extents.push_back(folding.own[i]);
  }
  const std::vector<Tensor> found = te::compute_many(
      folding.shape, cpp_style(name + "_temp", folding.shape.size()), [&](const Indices& i) {
        return te::reduce(more_extreme(largest),
                          {tir::max_value(DType::Int64), least_extreme(largest, te::dtype_of(x))},
                          {tir::cast(DType::Int64, row_major_position(loops, extents)),
                           te::read(x, folding.element(i))},
                          folding.loops);
      });
  return te::compute(folding.shape, cpp_style(name, folding.shape.size()),
                     [&](const Indices& i) { return te::read(found[0], i); });
}

}  // namespace fx2wasm::topi
