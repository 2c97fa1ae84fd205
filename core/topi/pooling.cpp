#include <algorithm>
#include <utility>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/padding.h"
#include "topi/window.h"

namespace fx2wasm::topi {

using te::PrimExpr;
using te::Tensor;

PrimExpr window_count(const PrimExpr& extent, int64_t kernel, int64_t stride, int64_t dilation,
                      int64_t before, int64_t after, bool ceil_mode) {
  const auto imm = [&](int64_t value) { return imm_like(extent, value); };
  PrimExpr span = tir::sub(tir::sub(extent, imm((kernel - 1) * dilation)), imm(1));
  span = tir::add(tir::add(span, imm(before)), imm(after));
  const PrimExpr count = tir::add(tir::floordiv(span, imm(stride)), imm(1));
  arith::Analyzer analyzer;
  if (!ceil_mode) return analyzer.simplify(count);
  // A last window that begins in the padding behind the data does not count.
  const PrimExpr fewer = tir::sub(count, imm(1));
  const PrimExpr starts_late =
      tir::binary(tir::BinaryOp::GE, tir::mul(fewer, imm(stride)), tir::add(extent, imm(before)));
  return analyzer.simplify(tir::if_then_else(starts_late, fewer, count));
}

namespace {

// One spatial axis of a pool.
struct PoolAxis {
  size_t axis = 0;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t before = 0, after = 0;  // padding
  int64_t rounding = 0;           // more behind the data, so that the division rounds up
  te::IterVar place;              // in the window

  // Where the window of result `i` begins in the padded data.
  PrimExpr start(const Indices& i) const { return tir::mul(i[axis], imm_like(i[axis], stride)); }
  PrimExpr position(const Indices& i) const {
    return tir::add(start(i), tir::mul(te::var_of(place), imm_like(i[axis], dilation)));
  }
};

// A pool over a tensor: its axes, the shape of the result, and how its windows read.
struct Pool {
  std::vector<PoolAxis> axes;
  Indices shape;
  std::vector<te::IterVar> window;

  Indices positions(const Indices& i) const {
    Indices indices = i;
    for (const PoolAxis& axis : axes) indices[axis.axis] = axis.position(i);
    return indices;
  }
};

Pool pool_over(const Tensor& x, const PoolAttrs& attrs) {
  const size_t count = attrs.kernel.size();
  FX_CHECK(attrs.padding.size() == 2 * count && attrs.axes.size() == count,
           "a pool has settings for each spatial axis");
  Pool pool;
  pool.shape = te::shape_of(x);
  for (size_t i = 0; i < count; ++i) {
    PrimExpr& extent = pool.shape[attrs.axes[i]];
    PoolAxis axis{attrs.axes[i],
                  attrs.kernel[i],
                  attrs.strides[i],
                  attrs.dilation[i],
                  attrs.padding[i],
                  attrs.padding[count + i],
                  attrs.ceil_mode ? attrs.strides[i] - 1 : 0,
                  reduce_over(imm_like(extent, attrs.kernel[i]), "rv" + std::to_string(i))};
    extent = window_count(extent, axis.kernel, axis.stride, axis.dilation, axis.before,
                          axis.after + axis.rounding, attrs.ceil_mode);
    pool.window.push_back(axis.place);
    pool.axes.push_back(std::move(axis));
  }
  return pool;
}

// The data with its border of `value`, if it has one.
Tensor with_border(const Tensor& x, const Pool& pool, const PrimExpr& value) {
  std::vector<int64_t> before(te::shape_of(x).size(), 0), after = before;
  bool is_bare = true;
  for (const PoolAxis& axis : pool.axes) {
    before[axis.axis] = axis.before;
    after[axis.axis] = axis.after + axis.rounding;
    is_bare = is_bare && axis.before == 0 && after[axis.axis] == 0;
  }
  return is_bare ? x : pad(x, before, after, value, PadStyle::Cpp);
}

te::ComputeOptions pool_style(std::string name, size_t rank, const std::string& schedule_rule) {
  return cpp_style(std::move(name), rank,
                   {{"schedule_rule", AttrValue{"meta_schedule." + schedule_rule}}});
}

// How many elements of a window an average divides by along one axis.
PrimExpr counted(const PoolAxis& axis, const Indices& i, const PrimExpr& extent,
                 bool with_padding) {
  const auto imm = [&](int64_t value) { return imm_like(extent, value); };
  const auto steps = [&](const PrimExpr& length) {
    return tir::binary(tir::BinaryOp::Div, length, imm(axis.dilation));
  };
  const auto at_most = [](const PrimExpr& a, const PrimExpr& b) {
    return tir::binary(tir::BinaryOp::Min, a, b);
  };
  PrimExpr start = tir::sub(axis.start(i), imm(axis.before));
  PrimExpr end = tir::add(start, imm((axis.kernel - 1) * axis.dilation));
  if (with_padding) {
    PrimExpr last = tir::add(extent, imm(axis.after + axis.rounding));
    last = tir::sub(tir::sub(last, imm(1)), imm(axis.rounding));
    end = at_most(end, last);
  } else {
    const PrimExpr skipped = steps(tir::sub(imm(axis.dilation - 1), start));
    const PrimExpr jumps = tir::binary(tir::BinaryOp::Max, skipped, imm(0));
    start = tir::add(start, tir::mul(imm(axis.dilation), jumps));
    end = at_most(end, tir::sub(extent, imm(1)));
  }
  return tir::add(steps(tir::sub(end, start)), imm(1));
}

}  // namespace

Tensor max_pool(const Tensor& x, const PoolAttrs& attrs) {
  const Pool pool = pool_over(x, attrs);
  const Tensor padded = with_border(x, pool, tir::min_value(te::dtype_of(x)));
  return te::compute(
      pool.shape, pool_style("pool_max", pool.shape.size(), "pool_max"),
      [&](const Indices& i) { return te::max(te::read(padded, pool.positions(i)), pool.window); });
}

Tensor avg_pool(const Tensor& x, const PoolAttrs& attrs) {
  const DType dtype = te::dtype_of(x);
  const Indices own = te::shape_of(x);
  const Pool pool = pool_over(x, attrs);
  const size_t rank = own.size();
  const Tensor padded = with_border(x, pool, tir::const_of(dtype, 0));
  const Tensor sum = te::compute(pool.shape, cpp_style("pool_sum", rank), [&](const Indices& i) {
    return te::sum(te::read(padded, pool.positions(i)), pool.window);
  });
  return te::compute(pool.shape, pool_style("pool_avg", rank, "pool_avg"), [&](const Indices& i) {
    const PrimExpr total = te::read(sum, i);
    PrimExpr count;
    if (attrs.divisor) {
      count = tir::const_of(dtype, static_cast<double>(*attrs.divisor));
    } else {
      count = tir::int_imm(DType::Int32, 1);
      for (const PoolAxis& axis : pool.axes) {
        count = tir::mul(count, counted(axis, i, own[axis.axis], attrs.count_include_pad));
      }
      if (!attrs.count_include_pad) {
        count = tir::binary(tir::BinaryOp::Max, count, tir::int_imm(DType::Int32, 1));
      }
    }
    return tir::binary(tir::BinaryOp::Div, total, count);
  });
}

namespace {

// The largest value and its position, -1 where there is none yet: the first of equal values, the
// last NaN (the element read later replaces the one before when it is larger or NaN).
std::vector<PrimExpr> reduce_largest(const PrimExpr& value, const PrimExpr& position,
                                     const std::vector<te::IterVar>& window) {
  const te::Combine combine = [](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    const PrimExpr old_value = tir::var_expr(a[0]), old_position = tir::var_expr(a[1]);
    const PrimExpr new_value = tir::var_expr(b[0]), new_position = tir::var_expr(b[1]);
    const PrimExpr zero = tir::int_imm(new_position->dtype, 0);
    const auto either = [](const PrimExpr& x, const PrimExpr& y) {
      return tir::binary(tir::BinaryOp::Or, x, y);
    };
    PrimExpr better = either(tir::binary(tir::BinaryOp::LT, old_position, zero),
                             tir::binary(tir::BinaryOp::GT, new_value, old_value));
    if (is_float(new_value->dtype)) {
      better = either(better, tir::call(DType::Bool, tir::Intrinsic::IsNan, {new_value}));
    }
    better =
        tir::binary(tir::BinaryOp::And, tir::binary(tir::BinaryOp::GE, new_position, zero), better);
    return std::vector<PrimExpr>{tir::select(better, new_value, old_value),
                                 tir::select(better, new_position, old_position)};
  };
  return te::reduce(combine, {tir::min_value(value->dtype), tir::int_imm(DType::Int64, -1)},
                    {value, position}, window);
}

// The position of an element in the flattened spatial axes.
PrimExpr flat_position(const Indices& own, const std::vector<size_t>& axes,
                       const Indices& position) {
  PrimExpr flat = tir::int_imm(DType::Int64, 0);
  for (const size_t axis : axes) {
    flat = tir::add(tir::mul(flat, own[axis]), tir::cast(DType::Int64, position[axis]));
  }
  return flat;
}

}  // namespace

std::vector<Tensor> max_pool_with_indices(const Tensor& x, const PoolAttrs& attrs) {
  const Indices own = te::shape_of(x);
  const Pool pool = pool_over(x, attrs);
  return te::compute_many(pool.shape, cpp_style("pool_max", own.size()), [&](const Indices& i) {
    Indices position = i;
    PrimExpr inside = tir::bool_imm(true);
    const auto require = [&](tir::BinaryOp op, const PrimExpr& a, const PrimExpr& b) {
      inside = tir::binary(tir::BinaryOp::And, inside, tir::binary(op, a, b));
    };
    for (const PoolAxis& axis : pool.axes) {
      const PrimExpr& extent = own[axis.axis];
      position[axis.axis] = tir::sub(axis.position(i), imm_like(extent, axis.before));
      if (axis.before != 0) {
        require(tir::BinaryOp::GE, position[axis.axis], imm_like(extent, 0));
      }
      if (axis.after + axis.rounding != 0) {
        require(tir::BinaryOp::LT, position[axis.axis], extent);
      }
    }
    PrimExpr value = te::read(x, position), place = flat_position(own, attrs.axes, position);
    if (!tir::as_int(inside)) {
      value = tir::if_then_else(inside, value, tir::min_value(te::dtype_of(x)));
      place = tir::if_then_else(inside, place, tir::int_imm(DType::Int64, -1));
    }
    return reduce_largest(value, place, pool.window);
  });
}

namespace {

// The windows of an adaptive pool: of uneven length where the sizes do not divide the extents.
struct AdaptivePool {
  Indices own, shape;
  std::vector<size_t> axes;

  AdaptivePool(const Tensor& x, const std::vector<PrimExpr>& sizes, std::vector<size_t> of_axes)
      : own(te::shape_of(x)), shape(own), axes(std::move(of_axes)) {
    FX_CHECK(sizes.size() == axes.size(), "an adaptive pool has a size for each axis");
    for (size_t k = 0; k < axes.size(); ++k) shape[axes[k]] = sizes[k];
  }

  PrimExpr start(const Indices& i, size_t axis) const {
    return tir::floordiv(tir::mul(i[axis], own[axis]), shape[axis]);
  }
  PrimExpr length(const Indices& i, size_t axis) const {
    const PrimExpr next = tir::mul(tir::add(i[axis], imm_like(i[axis], 1)), own[axis]);
    const PrimExpr rest = tir::floormod(next, shape[axis]), end = tir::floordiv(next, shape[axis]);
    const PrimExpr is_whole = tir::binary(tir::BinaryOp::EQ, rest, imm_like(rest, 0));
    return tir::sub(tir::select(is_whole, end, tir::add(end, imm_like(end, 1))), start(i, axis));
  }
  // The axes of the window of result `i`, and where it reads.
  std::pair<std::vector<te::IterVar>, Indices> window(const Indices& i) const {
    std::vector<te::IterVar> places;
    Indices position = i;
    for (size_t k = 0; k < axes.size(); ++k) {
      places.push_back(reduce_over(length(i, axes[k]), "rv" + std::to_string(k)));
      position[axes[k]] = tir::add(start(i, axes[k]), te::var_of(places[k]));
    }
    return {places, position};
  }
};

}  // namespace

Tensor adaptive_avg_pool(const Tensor& x, const std::vector<PrimExpr>& sizes,
                         const std::vector<size_t>& axes) {
  const DType dtype = te::dtype_of(x);
  const AdaptivePool pool(x, sizes, axes);
  const size_t rank = pool.own.size();
  const Tensor sum =
      te::compute(pool.shape, cpp_style("adaptive_pool_sum", rank), [&](const Indices& i) {
        const auto [places, position] = pool.window(i);
        return te::sum(te::read(x, position), places);
      });
  return te::compute(pool.shape, pool_style("adaptive_pool_avg", rank, "adaptive_pool_avg"),
                     [&](const Indices& i) {
                       PrimExpr count = tir::const_of(dtype, 1);
                       for (const size_t axis : axes) {
                         const PrimExpr length = tir::cast(DType::Int32, pool.length(i, axis));
                         count = tir::mul(count, length);
                       }
                       return tir::binary(tir::BinaryOp::Div, te::read(sum, i), count);
                     });
}

Tensor adaptive_max_pool(const Tensor& x, const std::vector<PrimExpr>& sizes,
                         const std::vector<size_t>& axes) {
  const AdaptivePool pool(x, sizes, axes);
  return te::compute(pool.shape,
                     pool_style("adaptive_pool_max", pool.own.size(), "adaptive_pool_max"),
                     [&](const Indices& i) {
                       const auto [places, position] = pool.window(i);
                       return te::max(te::read(x, position), places);
                     });
}

std::vector<Tensor> adaptive_max_pool_with_indices(const Tensor& x,
                                                   const std::vector<PrimExpr>& sizes,
                                                   const std::vector<size_t>& axes) {
  const AdaptivePool pool(x, sizes, axes);
  return te::compute_many(pool.shape, cpp_style("adaptive_pool_max", pool.own.size()),
                          [&](const Indices& i) {
                            const auto [places, position] = pool.window(i);
                            return reduce_largest(te::read(x, position),
                                                  flat_position(pool.own, axes, position), places);
                          });
}

}  // namespace fx2wasm::topi
