#include "topi/reduction.h"

#include <cmath>

#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {
namespace {

// What a reduction's loops run over.
struct Folding {
  Folding(const Tensor& x, const ReduceAxes& axes) : own(te::shape_of(x)), keep(axes.keep) {
    std::vector<bool> named(own.size(), axes.axes.empty());
    for (const int axis : axes.axes) named[positive_axis(axis, own.size())] = true;
    for (size_t i = 0; i < own.size(); ++i) {
      folded.push_back(named[i]);
      if (named[i]) loops.push_back(reduce_over(own[i], "k" + std::to_string(i)));
      if (!named[i] || keep) shape.push_back(named[i] ? imm_like(own[i], 1) : own[i]);
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

PrimExpr fold(Reduction op, PrimExpr source, const std::vector<te::IterVar>& loops) {
  switch (op) {
    case Reduction::Sum:
      if (source->dtype == DType::Bool) return fold_bools(std::move(source), loops);
      return te::sum(std::move(source), loops);
    case Reduction::Prod:
      return te::prod(std::move(source), loops);
    case Reduction::Max:
      return te::max(std::move(source), loops);
    case Reduction::Min:
      return te::min(std::move(source), loops);
  }
  return nullptr;
}

PrimExpr not_a_number(const PrimExpr& value) {
  if (!is_float(value->dtype)) return tir::bool_imm(false);
  return tir::call(DType::Bool, tir::Intrinsic::IsNan, {value});
}

// Keeps the left (position, value) where it is more extreme, or as extreme and stands before.
te::Combine more_extreme(bool largest) {
  return [largest](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    const PrimExpr at = tir::var_expr(a[0]), value = tir::var_expr(a[1]);
    const PrimExpr other_at = tir::var_expr(b[0]), other = tir::var_expr(b[1]);
    const auto order = largest ? tir::BinaryOp::GT : tir::BinaryOp::LT;
    PrimExpr beats = tir::binary(order, value, other);
    PrimExpr ties = tir::binary(tir::BinaryOp::EQ, value, other);
    if (is_float(value->dtype)) {
      const PrimExpr both =
          tir::binary(tir::BinaryOp::And, not_a_number(value), not_a_number(other));
      const PrimExpr only = tir::binary(tir::BinaryOp::And, not_a_number(value),
                                        tir::logical_not(not_a_number(other)));
      beats = tir::binary(tir::BinaryOp::Or, beats, only);
      ties = tir::binary(tir::BinaryOp::Or, ties, both);
    }
    const PrimExpr first = tir::binary(tir::BinaryOp::LT, at, other_at);
    const PrimExpr keeps =
        tir::binary(tir::BinaryOp::Or, beats, tir::binary(tir::BinaryOp::And, ties, first));
    return std::vector<PrimExpr>{tir::select(keeps, at, other_at),
                                 tir::select(beats, value, other)};
  };
}

// Less extreme than every value, so that the first one replaces it whatever it is.
PrimExpr least_extreme(bool largest, DType dtype) {
  if (is_float(dtype)) return tir::float_imm(dtype, largest ? -HUGE_VAL : HUGE_VAL);
  return largest ? tir::min_value(dtype) : tir::max_value(dtype);
}

// What the shapes broadcast to; a symbol beside a number can only be 1 or that number.
Indices joined_shape(const std::vector<Indices>& shapes) {
  Indices joined;
  for (const Indices& shape : shapes) {
    if (shape.size() > joined.size()) {
      const size_t more = shape.size() - joined.size();
      joined.insert(joined.begin(), shape.begin(),
                    shape.begin() + static_cast<std::ptrdiff_t>(more));
    }
    for (size_t i = 1; i <= shape.size(); ++i) {
      PrimExpr& extent = joined[joined.size() - i];
      const PrimExpr& other = shape[shape.size() - i];
      if (tir::is_one(extent) || (tir::as_int(other) && !tir::is_one(other))) extent = other;
    }
  }
  return joined;
}

PrimExpr read_repeated(const Tensor& x, const Indices& indices, const Indices& shape) {
  const Indices own = te::shape_of(x);
  const size_t skipped = indices.size() - own.size();
  Indices at;
  for (size_t i = 0; i < own.size(); ++i) {
    const bool repeated = tir::is_one(own[i]) && !tir::is_one(shape[skipped + i]);
    at.push_back(repeated ? imm_like(indices[skipped + i], 0) : indices[skipped + i]);
  }
  return te::read(x, at);
}

PrimExpr flat_position(const Indices& indices, const Indices& shape) {
  PrimExpr flat = indices[0];
  for (size_t i = 1; i < indices.size(); ++i) {
    flat = tir::add(tir::mul(flat, shape[i]), indices[i]);
  }
  return flat;
}

}  // namespace

Tensor reduce(Reduction op, const Tensor& x, const ReduceAxes& axes) {
  const Folding folding(x, axes);
  return te::compute(
      folding.shape, cpp_style(x.op->name + "_red", folding.shape.size()),
      [&](const Indices& i) { return fold(op, te::read(x, folding.element(i)), folding.loops); });
}

Tensor mean(const Tensor& x, const ReduceAxes& axes) {
  return broadcast(BroadcastOp::Divide, reduce(Reduction::Sum, x, axes), Folding(x, axes).count());
}

Tensor variance(const Tensor& x, const ReduceAxes& axes) {
  const Tensor distance = broadcast(BroadcastOp::Subtract, x, mean(x, {axes.axes, true}));
  return mean(broadcast(BroadcastOp::Multiply, distance, distance), axes);
}

Tensor arg_extreme(bool largest, const Tensor& x, const ReduceAxes& axes) {
  const Folding folding(x, axes);
  Indices loops, extents;
  for (const te::IterVar& loop : folding.loops) loops.push_back(te::var_of(loop));
  for (size_t i = 0; i < folding.own.size(); ++i) {
    if (folding.folded[i]) extents.push_back(folding.own[i]);
  }
  const DType dtype = te::dtype_of(x);
  const std::vector<Tensor> found = te::compute_many(
      folding.shape, cpp_style(x.op->name + "_red_temp", folding.shape.size()),
      [&](const Indices& i) {
        const PrimExpr position =
            loops.empty() ? tir::int_imm(DType::Int64, 0) : flat_position(loops, extents);
        return te::reduce(
            more_extreme(largest), {tir::max_value(DType::Int64), least_extreme(largest, dtype)},
            {tir::cast(DType::Int64, position), te::read(x, folding.element(i))}, folding.loops);
      });
  return te::compute(folding.shape, cpp_style(x.op->name + "_red", folding.shape.size()),
                     [&](const Indices& i) { return te::read(found[0], i); });
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const Indices shape = joined_shape({te::shape_of(condition), te::shape_of(a), te::shape_of(b)});
  return te::compute(shape, cpp_style("T_where", shape.size()), [&](const Indices& i) {
    const PrimExpr holds = tir::cast(DType::Int64, read_repeated(condition, i, shape));
    const PrimExpr zero = tir::int_imm(DType::Int64, 0);
    return tir::select(tir::binary(tir::BinaryOp::LT, zero, holds), read_repeated(a, i, shape),
                       read_repeated(b, i, shape));
  });
}

Tensor gather(const Tensor& data, int axis, const Tensor& indices) {
  const Indices shape = te::shape_of(indices);
  const size_t at = positive_axis(axis, shape.size());
  return te::compute(shape, cpp_style("T_gather", shape.size()), [&](const Indices& i) {
    Indices from = i;
    from[at] = te::read(indices, i);
    return te::read(data, from);
  });
}

}  // namespace fx2wasm::topi
