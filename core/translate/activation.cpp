// ReLU, Softmax, LogSoftmax, and functions of one element.
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

Result<Mapped> apply_relu(Call& call, bool in_place) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(result, call.emit(relax::op::relu(x)));
  return Mapped{result, in_place ? Sharing::Written : Sharing::Own};
}

Result<Mapped> map_relu_module(Call& call) {
  FX_TRY(in_place, call.boolean_setting("inplace", false));
  return apply_relu(call, in_place);
}

Result<Mapped> map_relu(Call& call) {
  FX_TRY(in_place, call.boolean("inplace", false));
  return apply_relu(call, in_place);
}

Result<Mapped> map_relu_in_place(Call& call) { return apply_relu(call, true); }

using AxisOperator = relax::Expr (*)(relax::Expr, int64_t);

// Without a dim, PyTorch takes axis 0 of tensors with 0, 1 or 3 axes and axis 1 of all others.
int64_t implicit_dim(const relax::Expr& x) {
  const int rank = relax::as_tensor(x)->ndim;
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}

Result<Mapped> apply_along_axis(Call& call, AxisOperator op, const Value& dim) {
  FX_TRY(x, call.tensor("input"));
  int64_t axis = implicit_dim(x);
  if (!is_none(dim)) {
    const auto* given = std::get_if<int64_t>(&dim.value);
    if (given == nullptr) {
      return call.argument_error("dim", "'dim' is an integer or None, not " + describe(dim));
    }
    axis = *given;
  }
  FX_TRY(result, call.emit(op(x, axis)));
  return Mapped{result};
}

Result<Mapped> apply_axis_function(Call& call, AxisOperator op) {
  const Value& dtype = call.argument("dtype");
  if (!is_none(dtype)) {
    const relax::TensorType* type = as_tensor(call.argument("input"));
    const auto* wanted = std::get_if<DType>(&dtype.value);
    if (wanted == nullptr || type == nullptr || type->dtype != *wanted) {
      return call.argument_error(
          "dtype", "dtype=" + describe(dtype) + " is not supported: cast the input before");
    }
  }
  return apply_along_axis(call, op, call.argument("dim"));
}

Result<Mapped> map_softmax_module(Call& call) {
  FX_TRY(dim, call.setting("dim"));
  return apply_along_axis(call, relax::op::softmax, dim);
}
Result<Mapped> map_log_softmax_module(Call& call) {
  FX_TRY(dim, call.setting("dim"));
  return apply_along_axis(call, relax::op::log_softmax, dim);
}
Result<Mapped> map_softmax(Call& call) { return apply_axis_function(call, relax::op::softmax); }
Result<Mapped> map_log_softmax(Call& call) {
  return apply_axis_function(call, relax::op::log_softmax);
}

Result<Mapped> apply_unary(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(result, call.emit(relax::op::call(op, {x})));
  return Mapped{result};
}

// Integers become float32 first, as in PyTorch.
Result<Mapped> apply_float_unary(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(cast, cast_to(call, x, float_type(*relax::as_tensor(x)->dtype)));
  FX_TRY(result, call.emit(relax::op::call(op, {cast})));
  return Mapped{result};
}

Result<Mapped> map_abs(Call& call) { return apply_unary(call, "abs"); }
Result<Mapped> map_neg(Call& call) { return apply_unary(call, "negative"); }
Result<Mapped> map_cos(Call& call) { return apply_float_unary(call, "cos"); }
Result<Mapped> map_exp(Call& call) { return apply_float_unary(call, "exp"); }
Result<Mapped> map_log(Call& call) { return apply_float_unary(call, "log"); }
Result<Mapped> map_rsqrt(Call& call) { return apply_float_unary(call, "rsqrt"); }
Result<Mapped> map_sigmoid(Call& call) { return apply_float_unary(call, "sigmoid"); }
Result<Mapped> map_sin(Call& call) { return apply_float_unary(call, "sin"); }
Result<Mapped> map_sqrt(Call& call) { return apply_float_unary(call, "sqrt"); }
Result<Mapped> map_tanh(Call& call) { return apply_float_unary(call, "tanh"); }

constexpr RuleEntry kActivationModuleRules[] = {
    {"torch.nn.LogSoftmax", "map_log_softmax_module", "input", map_log_softmax_module},
    {"torch.nn.ReLU", "map_relu_module", "input", map_relu_module},
    {"torch.nn.Sigmoid", "map_sigmoid", "input", map_sigmoid},
    {"torch.nn.Softmax", "map_softmax_module", "input", map_softmax_module},
    {"torch.nn.Tanh", "map_tanh", "input", map_tanh},
};
constexpr RuleEntry kActivationRules[] = {
    {"abs", "map_abs", "input", map_abs},
    {"cos", "map_cos", "input", map_cos},
    {"exp", "map_exp", "input", map_exp},
    {"log", "map_log", "input", map_log},
    {"log_softmax", "map_log_softmax", "input, dim?, _stacklevel?, dtype?", map_log_softmax},
    {"neg", "map_neg", "input", map_neg},
    {"relu", "map_relu", "input, inplace?", map_relu},
    {"relu_", "map_relu_in_place", "input", map_relu_in_place},
    {"rsqrt", "map_rsqrt", "input", map_rsqrt},
    {"sigmoid", "map_sigmoid", "input", map_sigmoid},
    {"sin", "map_sin", "input", map_sin},
    {"softmax", "map_softmax", "input, dim?, _stacklevel?, dtype?", map_softmax},
    {"sqrt", "map_sqrt", "input", map_sqrt},
    {"tanh", "map_tanh", "input", map_tanh},
};

}  // namespace

RuleTable activation_module_rules() { return kActivationModuleRules; }
RuleTable activation_rules() { return kActivationRules; }

}  // namespace fx2wasm::translate
