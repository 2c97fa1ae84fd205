// Losses of single elements, composed of operators that TVM has.
#include <utility>

#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/loss.h"
#include "translate/norm_parts.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

using relax::Expr;

Result<Expr> emit_loss(Call& call, const Expr& value) { return call.builder.emit(value); }

Expr loss_op(std::string_view op, std::vector<Expr> args) {
  return relax::op::call(op, std::move(args));
}

Expr reduce_all(std::string_view op, const Expr& x) {
  return relax::op::call(op, {x}, {{"axis", {AttrNone{}}}, {"keepdims", {false}}});
}

// Input and target in their common dtype, which is one of floats.
Result<std::pair<Expr, Expr>> loss_operands(Call& call) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(target, call.tensor("target"));
  FX_TRY(operands, promoted_operands(call, {input}, {target}, false));
  if (is_float(dtype_of(operands.first))) return operands;
  return call.error(codes::kDtypeMismatch, "takes floats, not " + describe_type({input}) + " and " +
                                               describe_type({target}));
}

Result<Expr> distance_of(Call& call) {
  FX_TRY(operands, loss_operands(call));
  return emit_loss(call, relax::op::subtract(operands.first, operands.second));
}

// With weights, a mean is divided by their sum.
Result<Mapped> reduce_weighted(Call& call, const Expr& losses) {
  FX_TRY(reduction, reduction_option(call, false));
  FX_TRY(weight, tensor_option(call, "weight"));
  if (!weight) return reduce_losses(call, losses, reduction);
  FX_TRY(weighted, emit_loss(call, relax::op::multiply(losses, *weight)));
  if (reduction != "mean") return reduce_losses(call, weighted, reduction);
  FX_TRY(total, emit_loss(call, reduce_all("sum", weighted)));
  FX_TRY(weights, emit_loss(call, reduce_all("sum", *weight)));
  FX_TRY(result, call.emit(relax::op::divide(total, weights)));
  return Mapped{result};
}

// Half the square of a distance up to `bound`, divided by `divisor`; beyond it the distance times
// `slope`, moved so that both meet.
Result<Expr> rounded_distance(Call& call, double bound, double divisor, double slope) {
  FX_TRY(difference, distance_of(call));
  FX_TRY(distance, emit_loss(call, loss_op("abs", {difference})));
  const auto number = [&](double value) { return constant_like(distance, value); };
  FX_TRY(square, emit_loss(call, relax::op::multiply(distance, distance)));
  FX_TRY(near, emit_loss(call, relax::op::multiply(square, number(0.5 / divisor))));
  FX_TRY(moved, emit_loss(call, relax::op::subtract(distance, number(0.5 * bound))));
  FX_TRY(far, emit_loss(call, relax::op::multiply(moved, number(slope))));
  FX_TRY(is_near, emit_loss(call, loss_op("less", {distance, number(bound)})));
  return emit_loss(call, where(is_near, near, far));
}

Result<Expr> bounded_log(Call& call, const Expr& x) {
  FX_TRY(log, emit_loss(call, loss_op("log", {x})));
  return emit_loss(call, loss_op("maximum", {log, constant_like(log, -100.0)}));
}

// 1 - x
Result<Expr> rest_of(Call& call, const Expr& x) {
  return emit_loss(call, relax::op::subtract(constant_like(x, 1.0), x));
}

// PyTorch multiplies the losses of probabilities by a weight and takes the plain mean.
Result<Mapped> reduce_scaled(Call& call, const Expr& losses) {
  FX_TRY(reduction, reduction_option(call, false));
  FX_TRY(weight, tensor_option(call, "weight"));
  if (!weight) return reduce_losses(call, losses, reduction);
  FX_TRY(weighted, emit_loss(call, relax::op::multiply(losses, *weight)));
  return reduce_losses(call, weighted, reduction);
}

}  // namespace

Result<Mapped> reduce_losses(Call& call, const Expr& losses, const std::string& reduction) {
  if (reduction == "none") return Mapped{{losses}};
  FX_TRY(result, call.emit(reduce_all(reduction == "sum" ? "sum" : "mean", losses)));
  return Mapped{result};
}

Result<Mapped> map_mse_loss(Call& call) {
  FX_TRY(difference, distance_of(call));
  FX_TRY(square, emit_loss(call, relax::op::multiply(difference, difference)));
  return reduce_weighted(call, square);
}

Result<Mapped> map_l1_loss(Call& call) {
  FX_TRY(difference, distance_of(call));
  FX_TRY(distance, emit_loss(call, loss_op("abs", {difference})));
  return reduce_weighted(call, distance);
}

Result<Mapped> map_smooth_l1_loss(Call& call) {
  FX_TRY(beta, real_option(call, "beta", 1));
  if (beta < 0) return option_error(call, "beta", "'beta' is not negative");
  if (beta == 0) return map_l1_loss(call);
  FX_TRY(losses, rounded_distance(call, beta, beta, 1));
  FX_TRY(reduction, reduction_option(call, false));
  return reduce_losses(call, losses, reduction);
}

Result<Mapped> map_huber_loss(Call& call) {
  FX_TRY(delta, real_option(call, "delta", 1));
  if (delta <= 0) return option_error(call, "delta", "'delta' is above 0");
  FX_TRY(losses, rounded_distance(call, delta, 1, delta));
  return reduce_weighted(call, losses);
}

// -(target * log(input) + (1 - target) * log(1 - input)), the logarithms at least -100.
Result<Mapped> map_bce_loss(Call& call) {
  FX_TRY(operands, loss_operands(call));
  const auto& [input, target] = operands;
  FX_TRY(log, bounded_log(call, input));
  FX_TRY(rest, rest_of(call, input));
  FX_TRY(log_rest, bounded_log(call, rest));
  FX_TRY(other_target, rest_of(call, target));
  FX_TRY(hit, emit_loss(call, relax::op::multiply(target, log)));
  FX_TRY(missed, emit_loss(call, relax::op::multiply(other_target, log_rest)));
  FX_TRY(sum, emit_loss(call, relax::op::add(hit, missed)));
  FX_TRY(losses, emit_loss(call, loss_op("negative", {sum})));
  return reduce_scaled(call, losses);
}

// (1 - target) * x + scale * (log(1 + exp(-|x|)) + max(-x, 0)), which no large x overflows; the
// scale is 1 + (pos_weight - 1) * target.
Result<Mapped> map_bce_with_logits(Call& call) {
  FX_TRY(operands, loss_operands(call));
  const auto& [x, target] = operands;
  FX_TRY(pos_weight, tensor_option(call, "pos_weight"));
  FX_TRY(size, emit_loss(call, loss_op("abs", {x})));
  FX_TRY(minus_size, emit_loss(call, loss_op("negative", {size})));
  FX_TRY(power, emit_loss(call, loss_op("exp", {minus_size})));
  FX_TRY(moved, emit_loss(call, relax::op::add(power, constant_like(power, 1.0))));
  FX_TRY(log, emit_loss(call, loss_op("log", {moved})));
  FX_TRY(minus, emit_loss(call, loss_op("negative", {x})));
  FX_TRY(positive, emit_loss(call, loss_op("maximum", {minus, constant_like(minus, 0.0)})));
  FX_TRY(soft, emit_loss(call, relax::op::add(log, positive)));
  Expr scaled = soft;
  if (pos_weight) {
    FX_TRY(extra,
           emit_loss(call, relax::op::subtract(*pos_weight, constant_like(*pos_weight, 1.0))));
    FX_TRY(product, emit_loss(call, relax::op::multiply(extra, target)));
    FX_TRY(scale, emit_loss(call, relax::op::add(product, constant_like(product, 1.0))));
    FX_TRY(both, emit_loss(call, relax::op::multiply(scale, soft)));
    scaled = both;
  }
  FX_TRY(other_target, rest_of(call, target));
  FX_TRY(linear, emit_loss(call, relax::op::multiply(other_target, x)));
  FX_TRY(losses, emit_loss(call, relax::op::add(linear, scaled)));
  return reduce_scaled(call, losses);
}

// target * (log(target) - input), 0 where the target is; the target may be given as a logarithm.
Result<Mapped> map_kl_div(Call& call) {
  FX_TRY(operands, loss_operands(call));
  const auto& [input, target] = operands;
  FX_TRY(setting, option(call, "log_target", {false}));
  const auto* is_log = std::get_if<bool>(&setting.value);
  if (is_log == nullptr) {
    return option_error(call, "log_target", "'log_target' is True or False");
  }
  FX_TRY(reduction, reduction_option(call, true));
  Expr losses;
  if (*is_log) {
    FX_TRY(power, emit_loss(call, loss_op("exp", {target})));
    FX_TRY(difference, emit_loss(call, relax::op::subtract(target, input)));
    FX_TRY(product, emit_loss(call, relax::op::multiply(power, difference)));
    losses = product;
  } else {
    FX_TRY(log, emit_loss(call, loss_op("log", {target})));
    FX_TRY(entropy, emit_loss(call, relax::op::multiply(target, log)));
    FX_TRY(is_zero, emit_loss(call, loss_op("equal", {target, constant_like(target, 0.0)})));
    FX_TRY(bounded, emit_loss(call, where(is_zero, constant_like(target, 0.0), entropy)));
    FX_TRY(cross, emit_loss(call, relax::op::multiply(target, input)));
    FX_TRY(difference, emit_loss(call, relax::op::subtract(bounded, cross)));
    losses = difference;
  }
  if (reduction != "batchmean") return reduce_losses(call, losses, reduction);
  FX_TRY(shape, extents_of(call, input));
  const Value batch = shape.empty() ? Value{int64_t{1}} : size_value(shape[0]);
  const std::optional<double> count = as_number(batch);
  if (!count) return call.error(codes::kShapeMismatch, "the batch's size is not known");
  FX_TRY(total, emit_loss(call, reduce_all("sum", losses)));
  FX_TRY(result, call.emit(relax::op::divide(total, constant_like(total, *count))));
  return Mapped{result};
}

}  // namespace fx2wasm::translate
