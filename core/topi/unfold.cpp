#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/window.h"

namespace fx2wasm::topi {

using te::PrimExpr;
using te::Tensor;

namespace {

PrimExpr both_hold(const PrimExpr& a, const PrimExpr& b) {
  return tir::binary(tir::BinaryOp::And, a, b);
}

PrimExpr is_within(const PrimExpr& position, const PrimExpr& extent) {
  return both_hold(tir::binary(tir::BinaryOp::GE, position, imm_like(position, 0)),
                   tir::binary(tir::BinaryOp::LT, position, extent));
}

PrimExpr simplified(const PrimExpr& expr) {
  arith::Analyzer analyzer;
  return analyzer.simplify(expr);
}

}  // namespace

Tensor unfold(const Tensor& x, const UnfoldAttrs& attrs) {
  const Indices own = te::shape_of(x);
  FX_CHECK(own.size() == 4 && attrs.kernel.size() == 2, "unfold takes an image (N, C, H, W)");
  const auto imm = [&](int64_t value) { return imm_like(own[0], value); };
  Indices counts;
  for (size_t k = 0; k < 2; ++k) {
    counts.push_back(window_count(own[2 + k], attrs.kernel[k], attrs.strides[k], attrs.dilation[k],
                                  attrs.padding[k], attrs.padding[k], false));
  }
  const PrimExpr window = imm(attrs.kernel[0] * attrs.kernel[1]);
  const Indices shape = {own[0], simplified(tir::mul(own[1], window)),
                         simplified(tir::mul(counts[0], counts[1]))};
  return te::compute(shape, python_style("unfold"), [&](const Indices& i) {
    const PrimExpr place = tir::floormod(i[1], window), columns = imm(attrs.kernel[1]);
    const Indices in_window = {tir::floordiv(place, columns), tir::floormod(place, columns)};
    const Indices start = {tir::floordiv(i[2], counts[1]), tir::floormod(i[2], counts[1])};
    Indices position = {i[0], tir::floordiv(i[1], window)};
    PrimExpr inside = tir::bool_imm(true);
    for (size_t k = 0; k < 2; ++k) {
      const PrimExpr from =
          tir::sub(tir::mul(start[k], imm(attrs.strides[k])), imm(attrs.padding[k]));
      position.push_back(tir::add(from, tir::mul(in_window[k], imm(attrs.dilation[k]))));
      if (attrs.padding[k] != 0) inside = both_hold(inside, is_within(position[2 + k], own[2 + k]));
    }
    const PrimExpr element = te::read(x, position);
    if (tir::as_int(inside)) return element;
    return tir::if_then_else(inside, element, tir::const_of(te::dtype_of(x), 0));
  });
}

Tensor fold(const Tensor& columns, const std::vector<int64_t>& size, const UnfoldAttrs& attrs) {
  const Indices own = te::shape_of(columns);
  FX_CHECK(own.size() == 3 && attrs.kernel.size() == 2, "fold takes columns (N, C, L)");
  const auto imm = [&](int64_t value) { return imm_like(own[0], value); };
  Indices counts, shape = {own[0], {}};
  std::vector<te::IterVar> window;
  for (size_t k = 0; k < 2; ++k) {
    counts.push_back(window_count(imm(size[k]), attrs.kernel[k], attrs.strides[k],
                                  attrs.dilation[k], attrs.padding[k], attrs.padding[k], false));
    shape.push_back(imm(size[k]));
    window.push_back(reduce_over(imm(attrs.kernel[k]), "rv" + std::to_string(k)));
  }
  const PrimExpr places = imm(attrs.kernel[0] * attrs.kernel[1]);
  shape[1] = simplified(tir::floordiv(own[1], places));
  return te::compute(shape, python_style("fold"), [&](const Indices& i) {
    PrimExpr channel = tir::mul(i[1], places), number = imm(0), hits = tir::bool_imm(true);
    channel = tir::add(channel, tir::add(tir::mul(te::var_of(window[0]), imm(attrs.kernel[1])),
                                         te::var_of(window[1])));
    for (size_t k = 0; k < 2; ++k) {
      // Where the window would begin that has this element at its place `window[k]`.
      const PrimExpr start = tir::sub(tir::add(i[2 + k], imm(attrs.padding[k])),
                                      tir::mul(te::var_of(window[k]), imm(attrs.dilation[k])));
      const PrimExpr stride = imm(attrs.strides[k]), at = tir::floordiv(start, stride);
      hits = both_hold(hits, tir::binary(tir::BinaryOp::EQ, tir::floormod(start, stride), imm(0)));
      hits = both_hold(hits, is_within(at, counts[k]));
      number = tir::add(tir::mul(number, counts[k]), at);
    }
    const PrimExpr element = te::read(columns, {i[0], channel, number});
    return te::sum(tir::if_then_else(hits, element, tir::const_of(te::dtype_of(columns), 0)),
                   window);
  });
}

Tensor sliding_windows(const Tensor& x, size_t axis, int64_t size, int64_t step) {
  Indices shape = te::shape_of(x);
  shape[axis] = window_count(shape[axis], size, step, 1, 0, 0, false);
  shape.push_back(imm_like(shape[axis], size));
  return te::compute(shape, python_style("sliding_windows"), [&](const Indices& i) {
    Indices position(i.begin(), i.end() - 1);
    position[axis] = tir::add(tir::mul(i[axis], imm_like(i[axis], step)), i.back());
    return te::read(x, position);
  });
}

}  // namespace fx2wasm::topi
