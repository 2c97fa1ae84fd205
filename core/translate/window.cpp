// Convolutions and pools.
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

relax::Expr add_batch_axis(const relax::Expr& x) {
  return relax::op::call("expand_dims", {x}, {{"axis", relax::op::int_list({0})}});
}

// Not bound here: TVM's importer leaves it to the first use, which shows in the names.
Result<Mapped> drop_batch_axis(Call& call, const relax::Expr& x) {
  FX_TRY(result, call.builder.normalize(
                     relax::op::call("squeeze", {x}, {{"axis", relax::op::int_list({0})}})));
  return Mapped{{result}};
}

// Two paddings (rows, columns) on both sides each.
std::vector<int64_t> both_sides(const std::vector<int64_t>& padding) {
  return {padding[0], padding[1], padding[0], padding[1]};
}

struct Conv2d {
  relax::Expr x, weight;
  std::optional<relax::Expr> bias;
  relax::op::Conv2dSettings settings;
};

// The padding of padding="same": the odd one more goes to the bottom and the right.
Result<std::vector<int64_t>> same_padding(const Call& call, const Conv2d& conv) {
  const relax::TensorType* type = relax::as_tensor(conv.weight);
  const auto shape = relax::static_shape(*type);
  if (!shape || shape->size() != 4) {
    return call.error(codes::kShapeMismatch,
                      "padding='same' needs a weight of known shape, not " + shape_text(*type));
  }
  std::vector<int64_t> padding(4);
  for (size_t i = 0; i < 2; ++i) {
    if (conv.settings.strides[i] != 1) {
      return call.error(codes::kArgument, "padding='same' goes with stride 1 only");
    }
    const int64_t total = conv.settings.dilation[i] * ((*shape)[i + 2] - 1);
    padding[i] = total / 2;
    padding[i + 2] = total - total / 2;
  }
  return padding;
}

Result<std::vector<int64_t>> named_padding(const Call& call, const Conv2d& conv,
                                           const std::string& name) {
  if (name == "valid") return std::vector<int64_t>(4, 0);
  if (name == "same") return same_padding(call, conv);
  return call.error(codes::kArgument, "padding is 'valid', 'same' or integers, not '" + name + "'");
}

Result<Mapped> apply_conv2d(Call& call, Conv2d conv) {
  const bool batched = relax::as_tensor(conv.x)->ndim != 3;
  const relax::TensorType* weight = relax::as_tensor(conv.weight);
  conv.settings.out_dtype = weight->dtype;
  const relax::Expr x = batched ? conv.x : add_batch_axis(conv.x);
  FX_TRY(result, call.builder.emit(relax::op::conv2d(x, conv.weight, conv.settings)));
  if (conv.bias) {
    const std::vector<tir::PrimExpr> shape = {
        tir::int_imm(DType::Int64, 1), tir::int_imm(DType::Int64, -1),
        tir::int_imm(DType::Int64, 1), tir::int_imm(DType::Int64, 1)};
    const relax::TensorType* bias = relax::as_tensor(*conv.bias);
    if (bias->ndim != 1) {
      return call.error(codes::kShapeMismatch,
                        "the bias has one axis, not the shape " + shape_text(*bias));
    }
    FX_TRY(sum, call.builder.emit(relax::op::add(result, relax::op::reshape(*conv.bias, shape))));
    result = sum;
  }
  if (!batched) return drop_batch_axis(call, result);
  return Mapped{{result}};
}

Result<Mapped> map_conv2d(Call& call) {
  Conv2d conv;
  FX_TRY(x, call.tensor("input"));
  FX_TRY(kernel, call.integers_setting("kernel_size", 2));
  FX_TRY(inputs, call.integer_setting("in_channels"));
  FX_TRY(outputs, call.integer_setting("out_channels"));
  FX_TRY(groups, call.integer_setting("groups"));
  if (groups <= 0 || inputs % groups != 0) {
    return call.error(codes::kModuleAttribute,
                      "groups=" + std::to_string(groups) +
                          " do not divide in_channels=" + std::to_string(inputs));
  }
  FX_TRY(weight_fits,
         call.check_module_tensor("weight", {outputs, inputs / groups, kernel[0], kernel[1]}));
  FX_TRY(bias_fits, call.check_module_tensor("bias", {outputs}));
  static_cast<void>(weight_fits), static_cast<void>(bias_fits);
  FX_TRY(weight, call.module_tensor("weight"));
  conv.x = x;
  conv.weight = weight;
  if (call.has_module_tensor("bias")) {
    FX_TRY(bias, call.module_tensor("bias"));
    conv.bias = bias;
  }
  FX_TRY(strides, call.integers_setting("stride", 2));
  FX_TRY(dilation, call.integers_setting("dilation", 2));
  conv.settings.strides = strides;
  conv.settings.dilation = dilation;
  conv.settings.groups = groups;
  if (call.find_setting("padding_mode") != nullptr) {
    FX_TRY(mode, call.setting("padding_mode"));
    const auto* name = std::get_if<std::string>(&mode.value);
    if (name == nullptr || *name != "zeros") {
      return call.error(codes::kModuleAttribute,
                        "padding_mode=" + describe(mode) + " is not supported, 'zeros' is");
    }
  }
  FX_TRY(padding, call.setting("padding"));
  if (const auto* name = std::get_if<std::string>(&padding.value)) {
    FX_TRY(sides, named_padding(call, conv, *name));
    conv.settings.padding = sides;
  } else {
    FX_TRY(sides, call.integers_setting("padding", 2));
    conv.settings.padding = both_sides(sides);
  }
  return apply_conv2d(call, std::move(conv));
}

Result<Mapped> map_conv2d_function(Call& call) {
  Conv2d conv;
  FX_TRY(x, call.tensor("input"));
  FX_TRY(weight, call.tensor("weight"));
  conv.x = x;
  conv.weight = weight;
  if (call.has("bias")) {
    FX_TRY(bias, call.tensor("bias"));
    conv.bias = bias;
  }
  FX_TRY(strides, call.integers("stride", 2, 1));
  FX_TRY(dilation, call.integers("dilation", 2, 1));
  FX_TRY(groups, call.integer("groups", 1));
  conv.settings.strides = strides;
  conv.settings.dilation = dilation;
  conv.settings.groups = groups;
  if (const auto* name = std::get_if<std::string>(&call.argument("padding").value)) {
    FX_TRY(sides, named_padding(call, conv, *name));
    conv.settings.padding = sides;
  } else {
    FX_TRY(sides, call.integers("padding", 2, 0));
    conv.settings.padding = both_sides(sides);
  }
  return apply_conv2d(call, std::move(conv));
}

Result<Mapped> apply_max_pool2d(Call& call, const relax::Expr& x,
                                const relax::op::Pool2dSettings& settings) {
  for (size_t i = 0; i < 2; ++i) {
    if (settings.padding[i] * 2 > settings.kernel[i]) {
      return call.error(codes::kArgument, "the padding is at most half of the kernel: " +
                                              std::to_string(settings.padding[i]) + " against " +
                                              std::to_string(settings.kernel[i]));
    }
  }
  const bool batched = relax::as_tensor(x)->ndim != 3;
  FX_TRY(result,
         call.builder.emit(relax::op::max_pool2d(batched ? x : add_batch_axis(x), settings)));
  if (!batched) return drop_batch_axis(call, result);
  return Mapped{{result}};
}

constexpr const char* kNoIndices = "return_indices=True is not supported";

Result<Mapped> map_max_pool2d(Call& call) {
  FX_TRY(x, call.tensor("input"));
  relax::op::Pool2dSettings settings;
  FX_TRY(kernel, call.integers_setting("kernel_size", 2));
  settings.kernel = settings.strides = kernel;
  const fx::Argument* stride = call.find_setting("stride");
  if (stride != nullptr && !std::holds_alternative<std::nullptr_t>(stride->value)) {
    FX_TRY(strides, call.integers_setting("stride", 2));
    settings.strides = strides;
  }
  FX_TRY(padding, call.integers_setting("padding", 2));
  FX_TRY(dilation, call.integers_setting("dilation", 2));
  FX_TRY(round_up, call.boolean_setting("ceil_mode", false));
  FX_TRY(with_indices, call.boolean_setting("return_indices", false));
  if (with_indices) return call.error(codes::kModuleAttribute, kNoIndices);
  settings.padding = both_sides(padding);
  settings.dilation = dilation;
  settings.ceil_mode = round_up;
  return apply_max_pool2d(call, x, settings);
}

Result<Mapped> map_max_pool2d_function(Call& call) {
  FX_TRY(x, call.tensor("input"));
  relax::op::Pool2dSettings settings;
  FX_TRY(kernel, call.integers("kernel_size", 2));
  settings.kernel = settings.strides = kernel;
  const Value& stride = call.argument("stride");
  const auto* list = std::get_if<ValueList>(&stride.value);
  // An empty list is the default of torch.max_pool2d.
  if (!is_none(stride) && (list == nullptr || !list->empty())) {
    FX_TRY(strides, call.integers("stride", 2));
    settings.strides = strides;
  }
  FX_TRY(padding, call.integers("padding", 2, 0));
  FX_TRY(dilation, call.integers("dilation", 2, 1));
  FX_TRY(round_up, call.boolean("ceil_mode", false));
  FX_TRY(with_indices, call.boolean("return_indices", false));
  if (with_indices) return call.argument_error("return_indices", kNoIndices);
  settings.padding = both_sides(padding);
  settings.dilation = dilation;
  settings.ceil_mode = round_up;
  return apply_max_pool2d(call, x, settings);
}

constexpr RuleEntry kWindowModuleRules[] = {
    {"torch.nn.Conv2d", "map_conv2d", "input", map_conv2d},
    {"torch.nn.MaxPool2d", "map_max_pool2d", "input", map_max_pool2d},
};
constexpr RuleEntry kWindowRules[] = {
    {"conv2d", "map_conv2d_function", "input, weight, bias?, stride?, padding?, dilation?, groups?",
     map_conv2d_function},
    {"max_pool2d", "map_max_pool2d_function",
     "input, kernel_size, stride?, padding?, dilation?, ceil_mode?, return_indices?",
     map_max_pool2d_function},
};

}  // namespace

RuleTable window_module_rules() { return kWindowModuleRules; }
RuleTable window_rules() { return kWindowRules; }

}  // namespace fx2wasm::translate
