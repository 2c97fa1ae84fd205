#include <algorithm>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/padding.h"
#include "topi/topi.h"

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

}  // namespace

Tensor max_pool2d(const Tensor& x, const Pool2dAttrs& attrs) {
  const Indices own = te::shape_of(x);
  FX_CHECK(own.size() == 4, "max_pool2d takes a 4-d tensor");
  FX_CHECK(attrs.padding.size() == 4, "max_pool2d's padding is top, left, bottom, right");
  std::vector<int64_t> before(4, 0), after(4, 0);
  Indices shape = own;
  std::vector<te::IterVar> window;
  for (size_t i = 0; i < 2; ++i) {
    const int64_t rounding_up = attrs.ceil_mode ? attrs.strides[i] - 1 : 0;
    before[2 + i] = attrs.padding[i];
    after[2 + i] = attrs.padding[2 + i] + rounding_up;
    shape[2 + i] = window_count(own[2 + i], attrs.kernel[i], attrs.strides[i], attrs.dilation[i],
                                before[2 + i], after[2 + i], attrs.ceil_mode);
    window.push_back(reduce_over(imm_like(own[2 + i], attrs.kernel[i]), "rv" + std::to_string(i)));
  }
  const auto is_zero = [](int64_t width) { return width == 0; };
  const bool is_bare = std::all_of(before.begin(), before.end(), is_zero) &&
                       std::all_of(after.begin(), after.end(), is_zero);
  const PrimExpr lowest = tir::min_value(te::dtype_of(x));
  const Tensor padded = is_bare ? x : pad(x, before, after, lowest, PadStyle::Cpp);

  Attrs block_attrs = {{"schedule_rule", AttrValue{std::string("meta_schedule.pool_max")}}};
  return te::compute(shape, cpp_style("pool_max", 4, block_attrs), [&](const Indices& i) {
    Indices indices = i;
    for (size_t k = 0; k < 2; ++k) {
      const auto imm = [&](int64_t value) { return imm_like(i[2 + k], value); };
      indices[2 + k] = tir::add(tir::mul(i[2 + k], imm(attrs.strides[k])),
                                tir::mul(te::var_of(window[k]), imm(attrs.dilation[k])));
    }
    return te::max(te::read(padded, indices), window);
  });
}

}  // namespace fx2wasm::topi
