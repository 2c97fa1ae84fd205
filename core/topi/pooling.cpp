#include <algorithm>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/padding.h"
#include "topi/spatial.h"

namespace fx2wasm::topi {
namespace {

// How many windows there are along one axis of `extent` elements.
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

// The shape of a pool's result, its window, and its data with a border where that is needed.
struct Windows {
  Windows(const Tensor& x, const PoolAttrs& pool, const PrimExpr& border) : attrs(pool) {
    const Indices own = te::shape_of(x);
    axes = own.size() - 2;
    FX_CHECK(axes >= 1 && axes <= 3, "a pool has one to three spatial axes");
    FX_CHECK(attrs.padding.size() == 2 * axes, "the padding has two widths for each axis");
    std::vector<int64_t> before(own.size(), 0), after(own.size(), 0);
    shape = own;
    for (size_t i = 0; i < axes; ++i) {
      const int64_t rounding_up = attrs.ceil_mode ? attrs.strides[i] - 1 : 0;
      before[2 + i] = attrs.padding[i];
      after[2 + i] = attrs.padding[axes + i] + rounding_up;
      shape[2 + i] = window_count(own[2 + i], attrs.kernel[i], attrs.strides[i], attrs.dilation[i],
                                  before[2 + i], after[2 + i], attrs.ceil_mode);
      window.push_back(
          reduce_over(imm_like(own[2 + i], attrs.kernel[i]), "rv" + std::to_string(i)));
    }
    const auto is_zero = [](int64_t width) { return width == 0; };
    const bool is_bare = std::all_of(before.begin(), before.end(), is_zero) &&
                         std::all_of(after.begin(), after.end(), is_zero);
    data = is_bare ? x : pad(x, before, after, border, PadStyle::Cpp);
  }

  // The element that the window's variables point at.
  PrimExpr element(const Indices& i) const {
    Indices indices = i;
    for (size_t k = 0; k < axes; ++k) {
      const auto imm = [&](int64_t value) { return imm_like(i[2 + k], value); };
      indices[2 + k] = tir::add(tir::mul(i[2 + k], imm(attrs.strides[k])),
                                tir::mul(te::var_of(window[k]), imm(attrs.dilation[k])));
    }
    return te::read(data, indices);
  }

  const PoolAttrs& attrs;
  size_t axes = 0;
  Indices shape;
  std::vector<te::IterVar> window;
  Tensor data;
};

Attrs schedule_rule(const std::string& name) {
  return {{"schedule_rule", AttrValue{"meta_schedule." + name}}};
}

PrimExpr quotient(const PrimExpr& a, const PrimExpr& b) {
  return tir::binary(tir::BinaryOp::Div, a, b);
}

// How many elements the window at `at` has along one axis of `extent` elements.
PrimExpr window_length(const PoolAttrs& attrs, size_t axis, const PrimExpr& at,
                       const PrimExpr& extent, bool counts_padding) {
  const auto imm = [&](int64_t value) { return imm_like(at, value); };
  const int64_t dilation = attrs.dilation[axis];
  const PrimExpr start = tir::sub(tir::mul(at, imm(attrs.strides[axis])), imm(attrs.padding[axis]));
  const PrimExpr last = tir::add(start, imm((attrs.kernel[axis] - 1) * dilation));
  const int64_t behind = counts_padding ? attrs.padding[attrs.kernel.size() + axis] : 0;
  const PrimExpr end =
      tir::binary(tir::BinaryOp::Min, last, tir::sub(tir::add(extent, imm(behind)), imm(1)));
  PrimExpr first = start;
  if (!counts_padding) {
    // Where the first element behind the padding in front lies.
    const PrimExpr jumps = quotient(tir::sub(imm(dilation - 1), start), imm(dilation));
    first =
        tir::add(start, tir::mul(imm(dilation), tir::binary(tir::BinaryOp::Max, jumps, imm(0))));
  }
  return tir::add(quotient(tir::sub(end, first), imm(dilation)), imm(1));
}

}  // namespace

Tensor max_pool(const Tensor& x, const PoolAttrs& attrs) {
  const Windows windows(x, attrs, tir::min_value(te::dtype_of(x)));
  return te::compute(windows.shape,
                     cpp_style("pool_max", windows.shape.size(), schedule_rule("pool_max")),
                     [&](const Indices& i) { return te::max(windows.element(i), windows.window); });
}

Tensor max_pool2d(const Tensor& x, const Pool2dAttrs& attrs) {
  return max_pool(x, {attrs.kernel, attrs.strides, attrs.dilation, attrs.padding, attrs.ceil_mode});
}

Tensor avg_pool(const Tensor& x, const PoolAttrs& attrs, bool counts_padding) {
  const DType dtype = te::dtype_of(x);
  const Windows windows(x, attrs, tir::const_of(dtype, 0));
  const Indices own = te::shape_of(x);
  const size_t rank = own.size();
  const Tensor sums =
      te::compute(windows.shape, cpp_style("pool_sum", rank),
                  [&](const Indices& i) { return te::sum(windows.element(i), windows.window); });
  return te::compute(
      windows.shape, cpp_style("pool_avg", rank, schedule_rule("pool_avg")), [&](const Indices& i) {
        PrimExpr count;
        for (size_t k = 0; k < windows.axes; ++k) {
          const PrimExpr length = window_length(attrs, k, i[2 + k], own[2 + k], counts_padding);
          count = count ? tir::mul(count, length) : length;
        }
        if (!counts_padding) {
          count = tir::binary(tir::BinaryOp::Max, count, imm_like(count, 1));
        }
        return quotient(te::read(sums, i), tir::cast(dtype, count));
      });
}

Tensor adaptive_avg_pool(const Tensor& x, const std::vector<int64_t>& output_size) {
  const Indices own = te::shape_of(x);
  const DType dtype = te::dtype_of(x);
  Indices shape = own;
  for (size_t k = 0; k < output_size.size(); ++k) {
    shape[2 + k] = imm_like(own[2 + k], output_size[k]);
  }
  const auto start = [&](const Indices& i, size_t k) {
    return tir::floordiv(tir::mul(i[2 + k], own[2 + k]), shape[2 + k]);
  };
  // The axis over the elements that fall to one of the result.
  const auto covered = [&](const Indices& i, size_t k) {
    const PrimExpr next = tir::mul(tir::add(i[2 + k], imm_like(i[2 + k], 1)), own[2 + k]);
    const PrimExpr whole = tir::floordiv(next, shape[2 + k]);
    const PrimExpr is_whole =
        tir::binary(tir::BinaryOp::EQ, tir::floormod(next, shape[2 + k]), imm_like(next, 0));
    const PrimExpr end = tir::select(is_whole, whole, tir::add(whole, imm_like(whole, 1)));
    return reduce_over(tir::sub(end, start(i, k)), "rv" + std::to_string(k));
  };
  const Tensor sums =
      te::compute(shape, cpp_style("adaptive_pool_sum", shape.size()), [&](const Indices& i) {
        Indices indices = i;
        std::vector<te::IterVar> window;
        for (size_t k = 0; k < output_size.size(); ++k) {
          window.push_back(covered(i, k));
          indices[2 + k] = tir::add(start(i, k), te::var_of(window.back()));
        }
        return te::sum(te::read(x, indices), window);
      });
  return te::compute(
      shape, cpp_style("adaptive_pool_avg", shape.size(), schedule_rule("adaptive_pool_avg")),
      [&](const Indices& i) {
        PrimExpr count;
        for (size_t k = 0; k < output_size.size(); ++k) {
          const PrimExpr length =
              tir::cast(dtype, tir::cast(DType::Int32, covered(i, k).dom.extent));
          count = count ? tir::mul(count, length) : length;
        }
        return quotient(te::read(sums, i), count);
      });
}

}  // namespace fx2wasm::topi
