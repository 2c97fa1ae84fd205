// Activations beside ReLU and the softmaxes.
#include <limits>
#include <utility>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/forms.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

using relax::Expr;
namespace op = relax::op;

Expr function_of(std::string_view name, const Expr& x) { return op::call(name, {x}); }

Result<Mapped> activated(Call& call, const Expr& value) {
  FX_TRY(result, call.emit(value));
  return Mapped{result};
}

Result<Mapped> float_operator(Call& call, std::string_view name, Attrs attrs = {}) {
  FX_TRY(x, float_input(call));
  return activated(call, op::call(name, {x}, std::move(attrs)));
}

// As functions these are in unary.cpp; integers become float32.
Result<Mapped> promoted_operator(Call& call, std::string_view name) {
  FX_TRY(x, input_as_float(call));
  return activated(call, function_of(name, x));
}
Result<Mapped> map_sigmoid_module(Call& call) { return promoted_operator(call, "sigmoid"); }
Result<Mapped> map_tanh_module(Call& call) { return promoted_operator(call, "tanh"); }

Result<Mapped> map_selu(Call& call) { return float_operator(call, "nn.selu"); }
Result<Mapped> map_silu(Call& call) { return float_operator(call, "nn.silu"); }

Result<Mapped> map_gelu(Call& call) {
  FX_TRY(given, option(call, "approximate", {std::string("none")}));
  const auto* approximate = std::get_if<std::string>(&given.value);
  if (approximate != nullptr && *approximate == "none") return float_operator(call, "nn.gelu");
  if (approximate != nullptr && *approximate == "tanh") return float_operator(call, "nn.gelu_tanh");
  return option_error(call, "approximate",
                      "'approximate' is \"none\" or \"tanh\", not " + describe(given));
}

Result<Mapped> map_leaky_relu(Call& call) {
  FX_TRY(slope, number_option(call, "negative_slope", 0.01));
  return float_operator(call, "nn.leakyrelu", {{"alpha", {slope}}});
}

// In inference the slope of every element is the middle of the range.
Result<Mapped> map_rrelu(Call& call) {
  FX_TRY(training, call.boolean("training", false));
  if (training) return call.argument_error("training", "takes random slopes while training");
  FX_TRY(lower, number_option(call, "lower", 1.0 / 8));
  FX_TRY(upper, number_option(call, "upper", 1.0 / 3));
  return float_operator(call, "nn.leakyrelu", {{"alpha", {(lower + upper) / 2}}});
}

Result<Mapped> map_softplus(Call& call) {
  FX_TRY(beta, number_option(call, "beta", 1));
  FX_TRY(threshold, number_option(call, "threshold", 20));
  if (beta == 0) return option_error(call, "beta", "'beta' is 0: softplus divides by it");
  return float_operator(call, "nn.softplus", {{"beta", {beta}}, {"threshold", {threshold}}});
}

// alpha · relu(1 - exp(x)), with the sign of alpha turned, + relu(x)
Result<Mapped> map_elu(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(alpha, number_option(call, "alpha", 1));
  const Expr below = op::relu(op::subtract(constant_like(x, 1.0), function_of("exp", x)));
  return activated(call, op::add(op::multiply(constant_like(x, -alpha), below), op::relu(x)));
}

Result<Mapped> map_celu(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(alpha, number_option(call, "alpha", 1));
  if (alpha == 0) return option_error(call, "alpha", "'alpha' is 0: CELU divides by it");
  // TVM divides exp(x) by alpha, which is the same when alpha is 1 and only then.
  const Expr grown = alpha == 1 ? op::divide(function_of("exp", x), constant_like(x, alpha))
                                : function_of("exp", op::divide(x, constant_like(x, alpha)));
  const Expr curve = op::subtract(grown, constant_like(x, 1.0));
  if (alpha < 0) {
    const Expr above = op::call("greater", {x, constant_like(x, 0.0)});
    return activated(call, where(above, x, op::multiply(constant_like(x, alpha), curve)));
  }
  const Expr below = op::call("minimum", {constant_like(x, 0.0), curve});
  return activated(call, op::add(op::multiply(constant_like(x, alpha), below), op::relu(x)));
}

// clip(x + 3, 0, 6) / 6
Expr hard_step(const Expr& x, const Expr& shifted) {
  const auto bound = [](int64_t value) {
    return relax::prim_value(tir::int_imm(DType::Int64, value));
  };
  return op::divide(op::call("clip", {shifted, bound(0), bound(6)}), constant_like(x, 6.0));
}

Result<Mapped> map_hardsigmoid(Call& call) {
  FX_TRY(x, float_input(call));
  return activated(call, hard_step(x, op::add(x, constant_like(x, 3.0))));
}

Result<Mapped> map_hardswish(Call& call) {
  FX_TRY(x, float_input(call));
  return activated(call, op::multiply(x, hard_step(x, op::add(x, constant_like(x, 3.0)))));
}

// ---- PReLU ----

Result<Mapped> apply_slopes(Call& call, const Expr& weight) {
  FX_TRY(x, float_input(call));
  const relax::TensorType* type = relax::as_tensor(x);
  const relax::TensorType* weight_type = relax::as_tensor(weight);
  if (type->ndim == 0) {
    FX_TRY(slope, call.builder.emit(op::reshape(weight, {})));
    const Expr above = op::call("greater", {x, constant_like(x, 0.0)});
    return activated(call, where(above, x, op::multiply(x, slope)));
  }
  // A tensor without channels has one slope.
  if (type->ndim == 1 && weight_type->ndim == 1 && weight_type->shape &&
      tir::as_int((*weight_type->shape)[0]).value_or(1) != 1) {
    return call.error(codes::kShapeMismatch, "slopes of shape " + shape_text(*weight_type) +
                                                 " for a tensor of shape " + shape_text(*type) +
                                                 ", which has no channels");
  }
  Expr slopes = weight;
  if (weight_type->ndim == 0) {
    FX_TRY(vector, call.builder.emit(op::reshape(weight, {tir::int_imm(DType::Int64, 1)})));
    slopes = vector;
  }
  const int64_t axis = type->ndim == 1 ? 0 : 1;
  return activated(call, op::call("nn.prelu", {x, slopes}, {{"axis", {axis}}}));
}

Result<Mapped> map_prelu(Call& call) {
  FX_TRY(weight, call.tensor("weight"));
  return apply_slopes(call, weight);
}

// TVM keeps the slopes as a constant, also where weights are inputs.
Result<Mapped> map_prelu_module(Call& call) {
  FX_TRY(weight, call.module_constant("weight"));
  return apply_slopes(call, weight);
}

// ---- what TVM's importer lacks: float16 computes in float32 and is rounded once ----

struct WideFloat {
  Expr x;
  DType result;
};

Result<WideFloat> wide_float(Call& call, const Expr& x) {
  const DType dtype = dtype_of(x);
  const bool narrow = dtype == DType::Float16 || dtype == DType::BFloat16;
  FX_TRY(wide, cast_to(call, x, narrow ? DType::Float32 : dtype));
  return WideFloat{wide, dtype};
}

Result<Mapped> rounded_once(Call& call, const WideFloat& input, const Expr& value) {
  const bool narrow = dtype_of(input.x) != input.result;
  return activated(call, narrow ? op::astype(value, input.result) : value);
}

Expr softplus_of(const Expr& x) {
  return op::call("nn.softplus", {x}, {{"beta", {1.0}}, {"threshold", {20.0}}});
}

Result<Mapped> map_mish(Call& call) {
  FX_TRY(given, float_input(call));
  FX_TRY(in, wide_float(call, given));
  return rounded_once(call, in, op::multiply(in.x, function_of("tanh", softplus_of(in.x))));
}

Result<Mapped> map_softsign(Call& call) {
  FX_TRY(given, input_as_float(call));
  FX_TRY(in, wide_float(call, given));
  const Expr size = op::add(function_of("abs", in.x), constant_like(in.x, 1.0));
  return rounded_once(call, in, op::divide(in.x, size));
}

Result<Mapped> map_tanhshrink(Call& call) {
  FX_TRY(given, input_as_float(call));
  FX_TRY(in, wide_float(call, given));
  return rounded_once(call, in, op::subtract(in.x, function_of("tanh", in.x)));
}

// min(x, 0) - log(1 + exp(-|x|)) never overflows.
Result<Mapped> map_log_sigmoid(Call& call) {
  FX_TRY(given, float_input(call));
  FX_TRY(in, wide_float(call, given));
  const Expr low = op::call("minimum", {in.x, constant_like(in.x, 0.0)});
  const Expr decay = function_of("exp", function_of("negative", function_of("abs", in.x)));
  const Expr rest = function_of("log", op::add(decay, constant_like(in.x, 1.0)));
  return rounded_once(call, in, op::subtract(low, rest));
}

Result<double> shrink_width(const Call& call) {
  FX_TRY(lambd, number_option(call, "lambd", 0.5));
  return lambd;
}

// Zero where |x| <= lambd; a NaN is not.
Result<Mapped> map_hardshrink(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(lambd, shrink_width(call));
  const Expr small = op::call("less_equal", {function_of("abs", x), constant_like(x, lambd)});
  return activated(call, where(small, constant_like(x, 0.0), x));
}

// What is left of x without the part within ±lambd.
Result<Mapped> map_softshrink(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(lambd, shrink_width(call));
  if (!(lambd >= 0)) return option_error(call, "lambd", "'lambd' is negative");
  return activated(call, op::subtract(x, clip(x, {-lambd}, {lambd})));
}

Result<Mapped> map_threshold(Call& call) {
  FX_TRY(x, input_of_numbers(call));
  constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  FX_TRY(threshold, number_option(call, "threshold", kMissing));
  FX_TRY(value, number_option(call, "value", kMissing));
  const Expr low = op::call("less_equal", {x, constant_like(x, threshold)});
  return activated(call, where(low, constant_like(x, value), x));
}

// The first half times the sigmoid of the second.
Result<Mapped> map_glu(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(given, option(call, "dim", {int64_t{-1}}));
  const relax::TensorType* type = relax::as_tensor(x);
  const auto* dim = std::get_if<int64_t>(&given.value);
  if (dim == nullptr || *dim < -type->ndim || *dim >= type->ndim) {
    return option_error(call, "dim",
                        "'dim' is an axis of a tensor with " + std::to_string(type->ndim) +
                            " axes, not " + describe(given));
  }
  const int64_t axis = *dim < 0 ? *dim + type->ndim : *dim;
  const std::optional<int64_t> extent =
      type->shape ? tir::as_int((*type->shape)[static_cast<size_t>(axis)]) : std::nullopt;
  if (extent.value_or(0) % 2 != 0) {
    return call.error(codes::kShapeMismatch, "halves axis " + std::to_string(axis) +
                                                 ", which has " + std::to_string(*extent) +
                                                 " positions");
  }
  FX_TRY(halves, call.builder.emit(op::call(
                     "split", {x}, {{"indices_or_sections", {int64_t{2}}}, {"axis", {axis}}})));
  const Expr gate = function_of("sigmoid", relax::tuple_get_item(halves, 1));
  return activated(call, op::multiply(relax::tuple_get_item(halves, 0), gate));
}

constexpr RuleEntry kActivationFunctionModuleRows[] = {
    {"torch.nn.CELU", "map_celu", "input", map_celu},
    {"torch.nn.ELU", "map_elu", "input", map_elu},
    {"torch.nn.GELU", "map_gelu", "input", map_gelu},
    {"torch.nn.GLU", "map_glu", "input", map_glu},
    {"torch.nn.Hardshrink", "map_hardshrink", "input", map_hardshrink},
    {"torch.nn.Hardsigmoid", "map_hardsigmoid", "input", map_hardsigmoid},
    {"torch.nn.Hardswish", "map_hardswish", "input", map_hardswish},
    {"torch.nn.Hardtanh", "map_hardtanh", "input", map_hardtanh},
    {"torch.nn.LeakyReLU", "map_leaky_relu", "input", map_leaky_relu},
    {"torch.nn.LogSigmoid", "map_log_sigmoid", "input", map_log_sigmoid},
    {"torch.nn.Mish", "map_mish", "input", map_mish},
    {"torch.nn.PReLU", "map_prelu_module", "input", map_prelu_module},
    {"torch.nn.RReLU", "map_rrelu", "input", map_rrelu},
    {"torch.nn.ReLU6", "map_relu6", "input", map_relu6},
    {"torch.nn.SELU", "map_selu", "input", map_selu},
    {"torch.nn.SiLU", "map_silu", "input", map_silu},
    {"torch.nn.Sigmoid", "map_sigmoid", "input", map_sigmoid_module},
    {"torch.nn.Softplus", "map_softplus", "input", map_softplus},
    {"torch.nn.Softshrink", "map_softshrink", "input", map_softshrink},
    {"torch.nn.Softsign", "map_softsign", "input", map_softsign},
    {"torch.nn.Tanh", "map_tanh", "input", map_tanh_module},
    {"torch.nn.Tanhshrink", "map_tanhshrink", "input", map_tanhshrink},
    {"torch.nn.Threshold", "map_threshold", "input", map_threshold},
};

constexpr std::string_view kFlagged = "input, inplace?";
constexpr std::string_view kThreshold = "input, threshold, value, inplace?";

constexpr RuleEntry kActivationFunctionRows[] = {
    // F.threshold is this function of Python around the one in C.
    {"_threshold", "map_threshold", kThreshold, map_threshold},
    {"celu_", "map_celu", "input, alpha?, inplace?", map_celu},
    {"elu_", "map_elu", "input, alpha?, inplace?", map_elu},
    {"gelu", "map_gelu", "input, approximate?", map_gelu},
    {"glu", "map_glu", "input, dim?", map_glu},
    {"hardshrink", "map_hardshrink", "input, lambd?", map_hardshrink},
    {"hardsigmoid", "map_hardsigmoid", kFlagged, map_hardsigmoid},
    {"hardswish", "map_hardswish", kFlagged, map_hardswish},
    {"hardtanh_", "map_hardtanh", "input, min_val?, max_val?, inplace?", map_hardtanh},
    {"leaky_relu_", "map_leaky_relu", "input, negative_slope?, inplace?", map_leaky_relu},
    {"log_sigmoid", "map_log_sigmoid", "input", map_log_sigmoid},
    {"logsigmoid", "map_log_sigmoid", "input", map_log_sigmoid},
    {"mish", "map_mish", kFlagged, map_mish},
    {"prelu", "map_prelu", "input, weight", map_prelu},
    {"relu6", "map_relu6", kFlagged, map_relu6},
    {"rrelu", "map_rrelu", "input, lower?, upper?, training?, inplace?", map_rrelu},
    {"selu_", "map_selu", kFlagged, map_selu},
    {"silu", "map_silu", kFlagged, map_silu},
    {"softplus", "map_softplus", "input, beta?, threshold?", map_softplus},
    {"softshrink", "map_softshrink", "input, lambd?", map_softshrink},
    {"softsign", "map_softsign", "input", map_softsign},
    {"tanhshrink", "map_tanhshrink", "input", map_tanhshrink},
    {"threshold_", "map_threshold", kThreshold, map_threshold},
};

constexpr auto kActivationFunctionModuleRules = both_forms<kActivationFunctionModuleRows>();
constexpr auto kActivationFunctionRules = both_forms<kActivationFunctionRows>();

}  // namespace

RuleTable activation_function_module_rules() { return kActivationFunctionModuleRules; }
RuleTable activation_function_rules() { return kActivationFunctionRules; }

}  // namespace fx2wasm::translate
