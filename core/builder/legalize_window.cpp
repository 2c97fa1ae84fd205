// Which tensor expressions stand for convolutions and pools of any number of axes.
#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "ir/tir_build.h"
#include "topi/window.h"

namespace fx2wasm::legalize {
namespace {

using infer::int_attr;
using infer::ints_attr;
using infer::string_attr;

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// "max_pool2d" of "nn.max_pool2d".
std::string function_name(const Legalization& l) { return std::string(l.call.op->name.substr(3)); }

topi::ConvAttrs conv_attrs(const Legalization& l) {
  topi::ConvAttrs attrs;
  attrs.strides = ints_attr(l.call, "strides");
  attrs.padding = ints_attr(l.call, "padding");
  attrs.dilation = ints_attr(l.call, "dilation");
  attrs.groups = int_attr(l.call, "groups");
  attrs.out_dtype = *l.out->dtype;
  attrs.data_layout = string_attr(l.call, "data_layout");
  attrs.kernel_layout = string_attr(l.call, "kernel_layout");
  return attrs;
}

Answer conv(const Legalization& l) {
  const topi::ConvAttrs attrs = conv_attrs(l);
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(Tensors{topi::conv(tensor(args, 0), tensor(args, 1), attrs)});
      },
      function_name(l), arguments(l.call));
}

Answer conv_transpose(const Legalization& l) {
  topi::ConvAttrs attrs = conv_attrs(l);
  attrs.output_padding = ints_attr(l.call, "output_padding");
  // Only for the layouts that PyTorch has.
  if (!starts_with(attrs.data_layout, "NC") || !starts_with(attrs.kernel_layout, "IO")) {
    return relax::Expr();
  }
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(
            Tensors{topi::conv_transpose(tensor(args, 0), tensor(args, 1), attrs)});
      },
      function_name(l), arguments(l.call));
}

Answer pool(const Legalization& l) {
  topi::PoolAttrs attrs;
  attrs.kernel = ints_attr(l.call, "pool_size");
  attrs.strides = ints_attr(l.call, "strides");
  attrs.dilation = ints_attr(l.call, "dilation");
  attrs.padding = ints_attr(l.call, "padding");
  attrs.ceil_mode = infer::bool_attr(l.call, "ceil_mode");
  attrs.count_include_pad = infer::bool_attr(l.call, "count_include_pad");
  attrs.axes = topi::parse_layout(string_attr(l.call, "layout"), "NC")->spatial;
  const bool largest = starts_with(l.call.op->name, "nn.max");
  return unary_te(l, function_name(l), [&](const te::Tensor& x) {
    return largest ? topi::max_pool(x, attrs) : topi::avg_pool(x, attrs);
  });
}

Answer adaptive_pool(const Legalization& l) {
  const std::vector<size_t> axes = topi::parse_layout(string_attr(l.call, "layout"), "NC")->spatial;
  const auto given = infer::optional_ints_attr(l.call, "output_size");
  return unary_te(l, function_name(l), [&](const te::Tensor& x) {
    std::vector<tir::PrimExpr> sizes;
    for (size_t i = 0; i < axes.size(); ++i) {
      // TVM gets them from Python as int32, which shows in the casts of the text.
      sizes.push_back(given ? tir::int_imm(DType::Int32, (*given)[i]) : te::shape_of(x)[axes[i]]);
    }
    return topi::adaptive_avg_pool(x, sizes, axes);
  });
}

}  // namespace

std::optional<Answer> window(const Legalization& l) {
  const std::string_view op = l.call.op->name;
  const bool is_conv = starts_with(op, "nn.conv");
  const bool is_adaptive = starts_with(op, "nn.adaptive_avg_pool");
  const bool is_pool = starts_with(op, "nn.max_pool") || starts_with(op, "nn.avg_pool");
  if (!is_conv && !is_adaptive && !is_pool) return std::nullopt;
  // The tensor expressions keep the layout.
  const std::string layout = string_attr(l.call, is_conv ? "data_layout" : "layout");
  if (string_attr(l.call, "out_layout") != layout) return relax::Expr();
  if (is_conv) {
    return op.find("_transpose") != std::string_view::npos ? conv_transpose(l) : conv(l);
  }
  return is_adaptive ? adaptive_pool(l) : pool(l);
}

}  // namespace fx2wasm::legalize
