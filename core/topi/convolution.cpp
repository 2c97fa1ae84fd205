#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/padding.h"
#include "topi/topi.h"

namespace fx2wasm::topi {

Tensor conv2d_nchw(const Tensor& data, const Tensor& weight, const Conv2dAttrs& attrs) {
  const Indices data_shape = te::shape_of(data), kernel_shape = te::shape_of(weight);
  FX_CHECK(data_shape.size() == 4 && kernel_shape.size() == 4, "conv2d takes two 4-d tensors");
  FX_CHECK(attrs.padding.size() == 4, "conv2d's padding is top, left, bottom, right");
  const auto imm = [&](int64_t value) { return imm_like(data_shape[0], value); };

  const std::vector<int64_t> before = {0, 0, attrs.padding[0], attrs.padding[1]};
  const std::vector<int64_t> after = {0, 0, attrs.padding[2], attrs.padding[3]};
  const PrimExpr zero = tir::const_of(te::dtype_of(data), 0);
  const Tensor padded = pad(data, before, after, zero, PadStyle::Python);

  arith::Analyzer analyzer;
  Indices shape = {data_shape[0], kernel_shape[0]};
  for (size_t i = 0; i < 2; ++i) {
    // (size + padding - dilated kernel) // stride + 1
    PrimExpr span = tir::sub(
        data_shape[2 + i], tir::mul(tir::sub(kernel_shape[2 + i], imm(1)), imm(attrs.dilation[i])));
    span = tir::sub(span, imm(1));
    span = tir::add(tir::add(span, imm(before[2 + i])), imm(after[2 + i]));
    shape.push_back(
        analyzer.simplify(tir::add(tir::floordiv(span, imm(attrs.strides[i])), imm(1))));
  }

  const PrimExpr in_group = tir::floordiv(data_shape[1], imm(attrs.groups));
  const PrimExpr out_group = tir::floordiv(kernel_shape[0], imm(attrs.groups));
  const te::IterVar rc = reduce_over(in_group, "rc");
  const te::IterVar ry = reduce_over(kernel_shape[2], "ry");
  const te::IterVar rx = reduce_over(kernel_shape[3], "rx");
  te::ComputeOptions options = python_style(attrs.groups > 1 ? "group_conv2d_nchw" : "conv2d_nchw");
  options.axis_names = {"nn", "ff", "yy", "xx"};
  return te::compute(shape, options, [&](const Indices& i) {
    PrimExpr channel = te::var_of(rc);
    if (attrs.groups > 1) {
      channel = tir::add(tir::mul(tir::floordiv(i[1], out_group), in_group), channel);
    }
    const auto position = [&](size_t k, const te::IterVar& axis) {
      return tir::add(tir::mul(i[2 + k], imm(attrs.strides[k])),
                      tir::mul(te::var_of(axis), imm(attrs.dilation[k])));
    };
    const PrimExpr element = te::read(padded, {i[0], channel, position(0, ry), position(1, rx)});
    const PrimExpr factor =
        te::read(weight, {i[1], te::var_of(rc), te::var_of(ry), te::var_of(rx)});
    return te::sum(tir::mul(element, factor), {rc, ry, rx});
  });
}

}  // namespace fx2wasm::topi
