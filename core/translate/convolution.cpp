// Convolutions of one to three axes, transposed ones too; and the table of unfold.cpp.
#include <algorithm>

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/windows.h"

namespace fx2wasm::translate {
namespace {

struct Convolution {
  size_t axes = 2;
  WindowInput input;
  relax::Expr weight;
  std::optional<relax::Expr> bias;
  std::vector<int64_t> strides, dilation, padding;  // padding: all before, then all after
  int64_t groups = 1;
  std::optional<std::vector<int64_t>> output_padding;  // of a transposed one
};

// What padding="same" adds: the odd one more goes behind the data.
Result<std::vector<int64_t>> same_padding(const Call& call, const Convolution& conv) {
  const relax::TensorType* type = relax::as_tensor(conv.weight);
  const auto shape = relax::static_shape(*type);
  if (!shape || shape->size() != conv.axes + 2) {
    return call.error(codes::kShapeMismatch, "padding='same' needs a weight of " +
                                                 std::to_string(conv.axes + 2) +
                                                 " known sizes, not " + shape_text(*type));
  }
  std::vector<int64_t> padding(2 * conv.axes);
  for (size_t i = 0; i < conv.axes; ++i) {
    if (conv.strides[i] != 1) {
      return call.error(codes::kArgument, "padding='same' goes with stride 1 only");
    }
    const int64_t total = conv.dilation[i] * ((*shape)[i + 2] - 1);
    padding[i] = total / 2;
    padding[conv.axes + i] = total - total / 2;
  }
  return padding;
}

Result<std::vector<int64_t>> conv_padding(const Call& call, const WindowSettings& settings,
                                          const Convolution& conv) {
  FX_TRY(value, settings.value("padding"));
  const auto* name = std::get_if<std::string>(&value.value);
  if (name == nullptr) {
    FX_TRY(sides, settings.integers("padding", conv.axes, 0));
    FX_TRY(fits, check_at_least(settings, "padding", sides, 0));
    static_cast<void>(fits);
    return both_sides(sides);
  }
  if (*name == "valid") return std::vector<int64_t>(2 * conv.axes, 0);
  if (*name == "same") return same_padding(call, conv);
  return settings.error("padding", "padding is 'valid', 'same' or integers, not '" + *name + "'");
}

// Brings the border that a module's padding_mode means to the input; zeros are the convolution's.
Result<Unit> pad_by_mode(Call& call, const WindowSettings& settings, Convolution& conv) {
  FX_TRY(value, settings.value("padding_mode"));
  if (is_none(value)) return Unit{};
  const auto* mode = std::get_if<std::string>(&value.value);
  const bool known = mode != nullptr && (*mode == "zeros" || *mode == "reflect" ||
                                         *mode == "replicate" || *mode == "circular");
  if (!known || (*mode != "zeros" && conv.output_padding)) {
    return call.error(codes::kModuleAttribute,
                      "padding_mode=" + describe(value) + " is not supported, 'zeros' is");
  }
  const bool bare = std::all_of(conv.padding.begin(), conv.padding.end(),
                                [](int64_t width) { return width == 0; });
  if (*mode == "zeros" || bare) return Unit{};
  const auto shape = relax::static_shape(*as_tensor(call.argument("input")));
  std::vector<int64_t> widths(4, 0);
  for (size_t i = 0; i < conv.axes; ++i) {
    const int64_t before = conv.padding[i], after = conv.padding[conv.axes + i];
    widths.push_back(before);
    widths.push_back(after);
    if (!shape) continue;
    const int64_t extent = (*shape)[shape->size() - conv.axes + i];
    const int64_t limit = *mode == "reflect" ? extent - 1 : extent;
    if (*mode != "replicate" && std::max(before, after) > limit) {
      return call.error(codes::kShapeMismatch, "padding_mode='" + *mode + "' can't add " +
                                                   std::to_string(std::max(before, after)) +
                                                   " to an axis of " + std::to_string(extent));
    }
  }
  FX_TRY(padded, call.builder.emit(relax::op::call("nn.pad", {conv.input.x},
                                                   {{"pad_width", relax::op::int_list(widths)},
                                                    {"pad_value", {0.0}},
                                                    {"pad_mode", {*mode}}})));
  conv.input.x = padded;
  std::fill(conv.padding.begin(), conv.padding.end(), 0);
  return Unit{};
}

relax::Expr conv_call(const Convolution& conv, DType dtype) {
  Attrs attrs = {{"strides", relax::op::int_list(conv.strides)},
                 {"padding", relax::op::int_list(conv.padding)}};
  if (conv.output_padding) {
    attrs.emplace_back("output_padding", relax::op::int_list(*conv.output_padding));
  }
  const std::string layout = window_layout("NC", conv.axes);
  attrs.emplace_back("dilation", relax::op::int_list(conv.dilation));
  attrs.emplace_back("groups", AttrValue{conv.groups});
  attrs.emplace_back("data_layout", AttrValue{layout});
  attrs.emplace_back("kernel_layout",
                     AttrValue{window_layout(conv.output_padding ? "IO" : "OI", conv.axes)});
  attrs.emplace_back("out_layout", AttrValue{layout});
  attrs.emplace_back("out_dtype", AttrValue{dtype});
  const std::string name =
      "nn.conv" + std::to_string(conv.axes) + "d" + (conv.output_padding ? "_transpose" : "");
  return relax::op::call(name, {conv.input.x, conv.weight}, std::move(attrs));
}

// float16 and bfloat16 are summed in float32, the bias too, and rounded once.
DType sum_dtype(DType dtype) {
  return is_float(dtype) && dtype_bits(dtype) < 32 ? DType::Float32 : dtype;
}

Result<Mapped> apply_convolution(Call& call, const Convolution& conv) {
  const relax::TensorType* weight = relax::as_tensor(conv.weight);
  const relax::TensorType* data = as_tensor(call.argument("input"));
  if (weight->dtype && data->dtype && *weight->dtype != *data->dtype) {
    return call.error(codes::kDtypeMismatch, "input and weight have one dtype in PyTorch, not " +
                                                 std::string(dtype_name(*data->dtype)) + " and " +
                                                 std::string(dtype_name(*weight->dtype)));
  }
  const DType dtype = weight->dtype.value_or(DType::Float32), wide = sum_dtype(dtype);
  FX_TRY(result, call.builder.emit(conv_call(conv, wide)));
  if (conv.bias) {
    const relax::TensorType* bias = relax::as_tensor(*conv.bias);
    if (bias->ndim != 1) {
      return call.error(codes::kShapeMismatch,
                        "the bias has one axis, not the shape " + shape_text(*bias));
    }
    const auto channels = relax::as_tensor(result)->shape;
    const auto own = channels ? tir::as_int((*channels)[1]) : std::nullopt;
    const auto given = bias->shape ? tir::as_int((*bias->shape)[0]) : std::nullopt;
    if (own && given && *own != *given) {
      return call.error(codes::kShapeMismatch, "the bias has " + std::to_string(*given) +
                                                   " elements for " + std::to_string(*own) +
                                                   " output channels");
    }
    if (bias->dtype && *bias->dtype != dtype) {
      return call.error(codes::kDtypeMismatch,
                        "the bias is of dtype " + std::string(dtype_name(*bias->dtype)) +
                            ", input and weight are " + std::string(dtype_name(dtype)));
    }
    FX_TRY(summand, cast_to(call, *conv.bias, wide));
    std::vector<tir::PrimExpr> shape(conv.axes + 2, tir::int_imm(DType::Int64, 1));
    shape[1] = tir::int_imm(DType::Int64, -1);
    FX_TRY(sum, call.builder.emit(relax::op::add(result, relax::op::reshape(summand, shape))));
    result = sum;
  }
  FX_TRY(rounded, cast_to(call, result, dtype));
  FX_TRY(output, window_output(call, conv.input, rounded));
  return Mapped{{output}};
}

// The tensors, strides, dilation and groups, which all kinds have.
Result<Convolution> read_convolution(Call& call, size_t axes, bool transposed) {
  const WindowSettings settings(call);
  Convolution conv;
  conv.axes = axes;
  FX_TRY(input, window_input(call, axes));
  FX_TRY(strides, settings.integers("stride", axes, 1));
  FX_TRY(dilation, settings.integers("dilation", axes, 1));
  FX_TRY(groups, settings.integer("groups", 1));
  FX_TRY(strides_fit, check_at_least(settings, "stride", strides, 1));
  FX_TRY(dilation_fits, check_at_least(settings, "dilation", dilation, 1));
  FX_TRY(groups_fit, check_at_least(settings, "groups", {groups}, 1));
  static_cast<void>(strides_fit), static_cast<void>(dilation_fits), static_cast<void>(groups_fit);
  conv.input = input;
  conv.strides = strides;
  conv.dilation = dilation;
  conv.groups = groups;
  if (call.module == nullptr) {
    FX_TRY(weight, call.tensor("weight"));
    conv.weight = weight;
    if (call.has("bias")) {
      FX_TRY(bias, call.tensor("bias"));
      conv.bias = bias;
    }
    return conv;
  }
  FX_TRY(kernel, call.integers_setting("kernel_size", axes));
  FX_TRY(inputs, call.integer_setting("in_channels"));
  FX_TRY(outputs, call.integer_setting("out_channels"));
  for (const auto& [name, count] : {std::pair("in_channels", inputs), {"out_channels", outputs}}) {
    if (count % groups != 0) {
      return call.error(codes::kModuleAttribute, "groups=" + std::to_string(groups) +
                                                     " do not divide " + name + "=" +
                                                     std::to_string(count));
    }
  }
  std::vector<int64_t> shape = {outputs, inputs / groups};
  if (transposed) shape = {inputs, outputs / groups};
  shape.insert(shape.end(), kernel.begin(), kernel.end());
  FX_TRY(weight_fits, call.check_module_tensor("weight", shape));
  FX_TRY(bias_fits, call.check_module_tensor("bias", {outputs}));
  static_cast<void>(weight_fits), static_cast<void>(bias_fits);
  FX_TRY(weight, call.module_tensor("weight"));
  conv.weight = weight;
  if (call.has_module_tensor("bias")) {
    FX_TRY(bias, call.module_tensor("bias"));
    conv.bias = bias;
  }
  return conv;
}

Result<Mapped> convolve(Call& call, size_t axes) {
  const WindowSettings settings(call);
  FX_TRY(conv, read_convolution(call, axes, false));
  FX_TRY(padding, conv_padding(call, settings, conv));
  conv.padding = padding;
  FX_TRY(padded, pad_by_mode(call, settings, conv));
  static_cast<void>(padded);
  return apply_convolution(call, conv);
}

// The output padding with which a module's result has the size that its call asks for.
Result<std::vector<int64_t>> padding_for_size(const Call& call, const Convolution& conv) {
  const Value& value = call.argument("output_size");
  const auto* list = std::get_if<ValueList>(&value.value);
  const auto data = relax::static_shape(*as_tensor(call.argument("input")));
  const auto kernel = relax::static_shape(*relax::as_tensor(conv.weight));
  if (list == nullptr || list->size() < conv.axes || !data || !kernel) {
    return call.argument_error("output_size",
                               "output_size is a list of " + std::to_string(conv.axes) +
                                   " sizes for an input of known shape, not " + describe(value));
  }
  std::vector<int64_t> more(conv.axes);
  for (size_t i = 0; i < conv.axes; ++i) {
    const auto* size = std::get_if<int64_t>(&(*list)[list->size() - conv.axes + i].value);
    const int64_t extent = (*data)[data->size() - conv.axes + i];
    const int64_t least = (extent - 1) * conv.strides[i] - 2 * conv.padding[i] +
                          conv.dilation[i] * ((*kernel)[2 + i] - 1) + 1;
    if (size == nullptr || *size < least || *size >= least + conv.strides[i]) {
      return call.argument_error("output_size",
                                 "the output size is between " + std::to_string(least) + " and " +
                                     std::to_string(least + conv.strides[i] - 1) + ", not " +
                                     describe((*list)[list->size() - conv.axes + i]));
    }
    more[i] = *size - least;
  }
  return more;
}

Result<Mapped> convolve_transposed(Call& call, size_t axes) {
  const WindowSettings settings(call);
  FX_TRY(conv, read_convolution(call, axes, true));
  FX_TRY(padding, settings.integers("padding", axes, 0));
  FX_TRY(padding_fits, check_at_least(settings, "padding", padding, 0));
  FX_TRY(more, settings.integers("output_padding", axes, 0));
  conv.padding = both_sides(padding);
  conv.output_padding = more;
  if (call.module != nullptr && call.has("output_size")) {
    FX_TRY(asked, padding_for_size(call, conv));
    conv.output_padding = asked;
  }
  FX_TRY(padded, pad_by_mode(call, settings, conv));
  static_cast<void>(padding_fits), static_cast<void>(padded);
  return apply_convolution(call, conv);
}

template <size_t axes>
Result<Mapped> map_conv(Call& call) {
  return convolve(call, axes);
}
template <size_t axes>
Result<Mapped> map_conv_transpose(Call& call) {
  return convolve_transposed(call, axes);
}

constexpr std::string_view kTransposedModule = "input, output_size?";
constexpr std::string_view kConvolution =
    "input, weight, bias?, stride?, padding?, dilation?, groups?";
constexpr std::string_view kTransposed =
    "input, weight, bias?, stride?, padding?, output_padding?, groups?, dilation?";

constexpr RuleEntry kConvolutionModuleRules[] = {
    {"torch.nn.Conv1d", "map_conv1d", "input", map_conv<1>},
    {"torch.nn.Conv2d", "map_conv2d", "input", map_conv<2>},
    {"torch.nn.Conv3d", "map_conv3d", "input", map_conv<3>},
    {"torch.nn.ConvTranspose1d", "map_conv_transpose1d", kTransposedModule, map_conv_transpose<1>},
    {"torch.nn.ConvTranspose2d", "map_conv_transpose2d", kTransposedModule, map_conv_transpose<2>},
    {"torch.nn.ConvTranspose3d", "map_conv_transpose3d", kTransposedModule, map_conv_transpose<3>},
    {"torch.nn.Fold", "map_fold", "input", map_fold},
    {"torch.nn.Unfold", "map_unfold", "input", map_unfold},
};
constexpr RuleEntry kConvolutionRules[] = {
    {"conv1d", "map_conv1d_function", kConvolution, map_conv<1>},
    {"conv2d", "map_conv2d_function", kConvolution, map_conv<2>},
    {"conv3d", "map_conv3d_function", kConvolution, map_conv<3>},
    {"conv_transpose1d", "map_conv_transpose1d_function", kTransposed, map_conv_transpose<1>},
    {"conv_transpose2d", "map_conv_transpose2d_function", kTransposed, map_conv_transpose<2>},
    {"conv_transpose3d", "map_conv_transpose3d_function", kTransposed, map_conv_transpose<3>},
    {"fold", "map_fold_function", "input, output_size, kernel_size, dilation?, padding?, stride?",
     map_fold},
    {"unfold", "map_unfold_function", "input, kernel_size, dilation?, padding?, stride?",
     map_unfold},
};

}  // namespace

RuleTable convolution_module_rules() { return kConvolutionModuleRules; }
RuleTable convolution_rules() { return kConvolutionRules; }

}  // namespace fx2wasm::translate
