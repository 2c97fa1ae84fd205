// ReLU and the softmaxes.
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/forms.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

Result<Mapped> map_relu(Call& call) {
  FX_TRY(x, input_of_numbers(call));
  FX_TRY(result, call.emit(relax::op::relu(x)));
  return Mapped{result};
}

using AxisOperator = relax::Expr (*)(relax::Expr, int64_t);

// Without a dim, PyTorch takes axis 0 of tensors with 0, 1 or 3 axes and axis 1 of all others.
int64_t implicit_dim(const relax::Expr& x) {
  const int rank = relax::as_tensor(x)->ndim;
  return rank == 0 || rank == 1 || rank == 3 ? 0 : 1;
}

Result<Mapped> apply_along_axis(Call& call, const relax::Expr& x, AxisOperator op,
                                const Value& dim) {
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

// The argument `dtype` may only say what the input is.
Result<Unit> check_dtype(const Call& call) {
  const Value& dtype = call.argument("dtype");
  if (is_none(dtype)) return Unit{};
  const relax::TensorType* type = as_tensor(call.argument("input"));
  const auto* wanted = std::get_if<DType>(&dtype.value);
  if (wanted != nullptr && type != nullptr && type->dtype == *wanted) return Unit{};
  return call.argument_error(
      "dtype", "dtype=" + describe(dtype) + " is not supported: cast the input before");
}

Result<Mapped> apply_axis_function(Call& call, AxisOperator op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(checked, check_dtype(call));
  static_cast<void>(checked);
  return apply_along_axis(call, x, op, call.argument("dim"));
}

Result<Mapped> map_softmax_module(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, call.setting("dim"));
  return apply_along_axis(call, x, relax::op::softmax, dim);
}
Result<Mapped> map_log_softmax_module(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, call.setting("dim"));
  return apply_along_axis(call, x, relax::op::log_softmax, dim);
}
Result<Mapped> map_softmax(Call& call) { return apply_axis_function(call, relax::op::softmax); }
Result<Mapped> map_log_softmax(Call& call) {
  return apply_axis_function(call, relax::op::log_softmax);
}

// softmax(-x)
Result<Mapped> apply_softmin(Call& call, const Value& dim) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(negated, call.emit(relax::op::call("negative", {x})));
  return apply_along_axis(call, *as_expr(negated), relax::op::softmax, dim);
}
Result<Mapped> map_softmin_module(Call& call) {
  FX_TRY(dim, call.setting("dim"));
  return apply_softmin(call, dim);
}
Result<Mapped> map_softmin(Call& call) {
  FX_TRY(checked, check_dtype(call));
  static_cast<void>(checked);
  return apply_softmin(call, call.argument("dim"));
}

// Over the channels of one image or of several.
Result<Mapped> map_softmax_2d(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const int rank = relax::as_tensor(x)->ndim;
  if (rank != 3 && rank != 4) {
    return call.error(codes::kShapeMismatch,
                      "takes 3 or 4 axes, not " + shape_text(*relax::as_tensor(x)));
  }
  return apply_along_axis(call, x, relax::op::softmax, {int64_t{rank - 3}});
}

constexpr RuleEntry kReluModuleRows[] = {{"torch.nn.ReLU", "map_relu_module", "input", map_relu}};
constexpr auto kReluModuleForms = both_forms<kReluModuleRows>();
constexpr RuleEntry kReluRows[] = {{"relu_", "map_relu", "input, inplace?", map_relu}};
constexpr auto kReluForms = both_forms<kReluRows>();

constexpr std::string_view kSoftmaxSignature = "input, dim?, _stacklevel?, dtype?";

constexpr RuleEntry kActivationModuleRules[] = {
    kReluModuleForms[0],
    {"torch.nn.LogSoftmax", "map_log_softmax_module", "input", map_log_softmax_module},
    {"torch.nn.Softmax", "map_softmax_module", "input", map_softmax_module},
    {"torch.nn.Softmax2d", "map_softmax_2d", "input", map_softmax_2d},
    {"torch.nn.Softmin", "map_softmin_module", "input", map_softmin_module},
};
constexpr RuleEntry kActivationRules[] = {
    kReluForms[0],
    kReluForms[1],
    {"log_softmax", "map_log_softmax", kSoftmaxSignature, map_log_softmax},
    {"softmax", "map_softmax", kSoftmaxSignature, map_softmax},
    {"softmin", "map_softmin", kSoftmaxSignature, map_softmin},
};

}  // namespace

RuleTable activation_module_rules() { return kActivationModuleRules; }
RuleTable activation_rules() { return kActivationRules; }

}  // namespace fx2wasm::translate
