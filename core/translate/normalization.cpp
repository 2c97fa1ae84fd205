// BatchNorm, InstanceNorm, GroupNorm, LayerNorm, normalize, and the loss of classes.
#include <cmath>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

relax::Expr filled(const std::vector<int64_t>& shape, DType dtype, double value) {
  const relax::Constant scalar = scalar_constant(dtype, value);
  std::vector<std::byte> bytes;
  for (int64_t i = 0; i < element_count(shape); ++i) {
    bytes.insert(bytes.end(), scalar->data->bytes.begin(), scalar->data->bytes.end());
  }
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->dtype = dtype;
  constant->shape = shape;
  constant->data = make_tensor_data(dtype, shape, std::move(bytes));
  return relax::constant_expr(std::move(constant));
}

// The module's tensor, or one filled with a number where it has none.
Result<relax::Expr> tensor_or(Call& call, std::string_view name, const std::vector<int64_t>& shape,
                              double value) {
  if (call.has_module_tensor(name)) {
    FX_TRY(fits, call.check_module_tensor(name, shape));
    static_cast<void>(fits);
    return call.module_tensor(name);
  }
  return filled(shape, DType::Float32, value);
}

// An argument, or a filled tensor where it is None.
Result<relax::Expr> argument_or(Call& call, std::string_view name,
                                const std::vector<int64_t>& shape, DType dtype, double value) {
  if (call.has(name)) return call.tensor(name);
  return filled(shape, dtype, value);
}

Result<double> real_of(const Call& call, std::string_view name, const Value& value) {
  if (const std::optional<double> number = as_number(value)) return *number;
  return call.argument_error(name,
                             "'" + std::string(name) + "' is a number, not " + describe(value));
}

Result<double> real_setting(const Call& call, std::string_view name, double fallback) {
  if (call.find_setting(name) == nullptr) return fallback;
  FX_TRY(value, call.setting(name));
  return is_none(value) ? Result<double>(fallback) : real_of(call, name, value);
}

Result<double> real_argument(const Call& call, std::string_view name, double fallback) {
  if (!call.has(name)) return fallback;
  return real_of(call, name, call.argument(name));
}

Result<int> checked_rank(const Call& call, const relax::Expr& x, int low, int high) {
  const int rank = relax::as_tensor(x)->ndim;
  if (rank >= low && rank <= high) return rank;
  const std::string wanted =
      low == high ? std::to_string(low) : std::to_string(low) + " or " + std::to_string(high);
  return call.error(codes::kShapeMismatch,
                    "takes tensors with " + wanted + " dimensions, not " + describe_type({x}));
}

struct BatchNorm {
  relax::Expr weight, bias, mean, variance;
  double epsilon = 1e-5, momentum = 0.1;
  bool training = false;
};

Result<Mapped> apply_batch_norm(Call& call, const relax::Expr& x, const BatchNorm& norm) {
  FX_TRY(results, call.emit(relax::op::call("nn.batch_norm",
                                            {x, norm.weight, norm.bias, norm.mean, norm.variance},
                                            {{"axis", {int64_t{1}}},
                                             {"epsilon", {norm.epsilon}},
                                             {"center", {true}},
                                             {"scale", {true}},
                                             {"momentum", {norm.momentum}},
                                             {"training", {norm.training}}})));
  FX_TRY(result, call.emit(relax::tuple_get_item(*as_expr(results), 0)));
  return Mapped{result};
}

// The module's statistics; where it keeps none the batch's own are used.
Result<BatchNorm> batch_norm_of(Call& call, bool training) {
  FX_TRY(features, call.integer_setting("num_features"));
  BatchNorm norm;
  FX_TRY(weight, tensor_or(call, "weight", {features}, 1));
  FX_TRY(bias, tensor_or(call, "bias", {features}, 0));
  FX_TRY(mean, tensor_or(call, "running_mean", {features}, 0));
  FX_TRY(variance, tensor_or(call, "running_var", {features}, 1));
  FX_TRY(epsilon, real_setting(call, "eps", 1e-5));
  FX_TRY(momentum, real_setting(call, "momentum", 0.1));
  return BatchNorm{weight, bias, mean, variance, epsilon, momentum, training};
}

Result<Mapped> batch_norm_module(Call& call, int low, int high) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(rank, checked_rank(call, x, low, high));
  static_cast<void>(rank);
  FX_TRY(norm, batch_norm_of(call, !call.has_module_tensor("running_mean")));
  return apply_batch_norm(call, x, norm);
}
Result<Mapped> map_batch_norm1d(Call& call) { return batch_norm_module(call, 2, 3); }
Result<Mapped> map_batch_norm2d(Call& call) { return batch_norm_module(call, 4, 4); }
Result<Mapped> map_batch_norm3d(Call& call) { return batch_norm_module(call, 5, 5); }

// The channels of a tensor with a known number of them.
Result<int64_t> channel_count(const Call& call, const relax::Expr& x) {
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->shape && type->ndim >= 2) {
    const Value size = size_value((*type->shape)[1]);
    if (const auto* known = std::get_if<int64_t>(&size.value)) return *known;
  }
  return call.error(codes::kShapeMismatch,
                    "the number of channels of " + describe_type({x}) + " is not known");
}

Result<BatchNorm> batch_norm_arguments(Call& call, const relax::Expr& x, bool training) {
  FX_TRY(channels, channel_count(call, x));
  const DType dtype = *relax::as_tensor(x)->dtype;
  FX_TRY(weight, argument_or(call, "weight", {channels}, dtype, 1));
  FX_TRY(bias, argument_or(call, "bias", {channels}, dtype, 0));
  FX_TRY(mean, argument_or(call, "running_mean", {channels}, dtype, 0));
  FX_TRY(variance, argument_or(call, "running_var", {channels}, dtype, 1));
  FX_TRY(epsilon, real_argument(call, "eps", 1e-5));
  FX_TRY(momentum, real_argument(call, "momentum", 0.1));
  return BatchNorm{weight, bias, mean, variance, epsilon, momentum, training};
}

Result<Mapped> map_batch_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(training, call.boolean("training", false));
  if (!training && (!call.has("running_mean") || !call.has("running_var"))) {
    return call.error(codes::kArgument, "without training it takes running_mean and running_var");
  }
  FX_TRY(norm, batch_norm_arguments(call, x, training));
  return apply_batch_norm(call, x, norm);
}

AttrValue axes_from(int first, int rank) {
  std::vector<int64_t> axes;
  for (int axis = first; axis < rank; ++axis) axes.push_back(axis);
  return relax::op::int_list(axes);
}

Result<relax::Expr> emit_instance_norm(Call& call, const relax::Expr& x, const relax::Expr& weight,
                                       const relax::Expr& bias, double epsilon) {
  return call.builder.emit(relax::op::call("nn.instance_norm", {x, weight, bias},
                                           {{"channel_axis", {int64_t{1}}},
                                            {"axes", axes_from(2, relax::as_tensor(x)->ndim)},
                                            {"epsilon", {epsilon}},
                                            {"center", {true}},
                                            {"scale", {true}}}));
}

// Without a batch the input has a dimension less.
Result<Mapped> instance_norm_module(Call& call, int rank) {
  FX_TRY(given, call.tensor("input"));
  FX_TRY(own_rank, checked_rank(call, given, rank - 1, rank));
  const AttrValue first = relax::op::int_list({0});
  relax::Expr x = given;
  if (own_rank != rank) {
    FX_TRY(batch, call.builder.emit(relax::op::call("expand_dims", {given}, {{"axis", first}})));
    x = batch;
  }
  Value result;
  if (call.has_module_tensor("running_mean")) {
    FX_TRY(norm, batch_norm_of(call, false));
    FX_TRY(mapped, apply_batch_norm(call, x, norm));
    result = mapped.value;
  } else {
    FX_TRY(features, call.integer_setting("num_features"));
    FX_TRY(weight, tensor_or(call, "weight", {features}, 1));
    FX_TRY(bias, tensor_or(call, "bias", {features}, 0));
    FX_TRY(epsilon, real_setting(call, "eps", 1e-5));
    FX_TRY(normal, emit_instance_norm(call, x, weight, bias, epsilon));
    result = {normal};
  }
  if (own_rank == rank) return Mapped{result};
  FX_TRY(single, call.emit(relax::op::call("squeeze", {*as_expr(result)}, {{"axis", first}})));
  return Mapped{single};
}
Result<Mapped> map_instance_norm1d(Call& call) { return instance_norm_module(call, 3); }
Result<Mapped> map_instance_norm2d(Call& call) { return instance_norm_module(call, 4); }
Result<Mapped> map_instance_norm3d(Call& call) { return instance_norm_module(call, 5); }

Result<Mapped> map_instance_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(own_statistics, call.boolean("use_input_stats", true));
  FX_TRY(norm, batch_norm_arguments(call, x, false));
  if (!own_statistics) return apply_batch_norm(call, x, norm);
  FX_TRY(result, emit_instance_norm(call, x, norm.weight, norm.bias, norm.epsilon));
  return Mapped{{result}};
}

Result<Mapped> apply_group_norm(Call& call, const relax::Expr& x, int64_t groups,
                                const relax::Expr& weight, const relax::Expr& bias,
                                double epsilon) {
  FX_TRY(result, call.emit(relax::op::call("nn.group_norm", {x, weight, bias},
                                           {{"num_groups", {groups}},
                                            {"channel_axis", {int64_t{1}}},
                                            {"axes", axes_from(2, relax::as_tensor(x)->ndim)},
                                            {"epsilon", {epsilon}},
                                            {"center", {true}},
                                            {"scale", {true}}})));
  return Mapped{result};
}

Result<Mapped> map_group_norm_module(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(groups, call.integer_setting("num_groups"));
  FX_TRY(channels, call.integer_setting("num_channels"));
  FX_TRY(weight, tensor_or(call, "weight", {channels}, 1));
  FX_TRY(bias, tensor_or(call, "bias", {channels}, 0));
  FX_TRY(epsilon, real_setting(call, "eps", 1e-5));
  return apply_group_norm(call, x, groups, weight, bias, epsilon);
}

Result<Mapped> map_group_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(groups, call.integer("num_groups"));
  FX_TRY(channels, channel_count(call, x));
  const DType dtype = *relax::as_tensor(x)->dtype;
  FX_TRY(weight, argument_or(call, "weight", {channels}, dtype, 1));
  FX_TRY(bias, argument_or(call, "bias", {channels}, dtype, 0));
  FX_TRY(epsilon, real_argument(call, "eps", 1e-5));
  return apply_group_norm(call, x, groups, weight, bias, epsilon);
}

Result<std::vector<int64_t>> known_sizes(const Call& call, const Value& value) {
  ValueList list;
  if (const auto* given = std::get_if<ValueList>(&value.value)) {
    list = *given;
  } else {
    list = {value};
  }
  std::vector<int64_t> sizes;
  for (const Value& item : list) {
    const auto* size = std::get_if<int64_t>(&item.value);
    if (size == nullptr) {
      return call.error(codes::kArgument,
                        "the normalized shape is of integers, not " + describe(value));
    }
    sizes.push_back(*size);
  }
  return sizes;
}

// The last dimensions, counted from the end as TVM prints them.
Result<Mapped> apply_layer_norm(Call& call, const relax::Expr& x, size_t count,
                                const relax::Expr& weight, const relax::Expr& bias,
                                double epsilon) {
  std::vector<int64_t> axes;
  for (size_t i = count; i > 0; --i) axes.push_back(-static_cast<int64_t>(i));
  FX_TRY(result, call.emit(relax::op::call("nn.layer_norm", {x, weight, bias},
                                           {{"axes", relax::op::int_list(axes)},
                                            {"epsilon", {epsilon}},
                                            {"center", {true}},
                                            {"scale", {true}}})));
  return Mapped{result};
}

Result<Mapped> map_layer_norm_module(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(setting, call.setting("normalized_shape"));
  FX_TRY(shape, known_sizes(call, setting));
  FX_TRY(weight, tensor_or(call, "weight", shape, 1));
  FX_TRY(bias, tensor_or(call, "bias", shape, 0));
  FX_TRY(epsilon, real_setting(call, "eps", 1e-5));
  return apply_layer_norm(call, x, shape.size(), weight, bias, epsilon);
}

Result<Mapped> map_layer_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, known_sizes(call, call.argument("normalized_shape")));
  const DType dtype = *relax::as_tensor(x)->dtype;
  FX_TRY(weight, argument_or(call, "weight", shape, dtype, 1));
  FX_TRY(bias, argument_or(call, "bias", shape, dtype, 0));
  FX_TRY(epsilon, real_argument(call, "eps", 1e-5));
  return apply_layer_norm(call, x, shape.size(), weight, bias, epsilon);
}

// x / max(norm of x along dim, eps)
Result<Mapped> map_normalize(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(order, real_argument(call, "p", 2));
  FX_TRY(dim, call.integer("dim", 1));
  FX_TRY(epsilon, real_argument(call, "eps", 1e-12));
  const DType dtype = *relax::as_tensor(x)->dtype;
  const auto number = [&](double value) {
    return relax::constant_expr(scalar_constant(dtype, value));
  };
  const Attrs axes = {{"axis", relax::op::int_list({dim})}, {"keepdims", {true}}};
  relax::Expr norm;
  if (order == 2) {
    FX_TRY(squares, call.builder.emit(relax::op::multiply(x, x)));
    FX_TRY(sum, call.builder.emit(relax::op::call("sum", {squares}, axes)));
    FX_TRY(root, call.builder.emit(relax::op::call("sqrt", {sum})));
    norm = root;
  } else if (std::isinf(order) && order > 0) {
    FX_TRY(sizes, call.builder.emit(relax::op::call("abs", {x})));
    FX_TRY(largest, call.builder.emit(relax::op::call("max", {sizes}, axes)));
    norm = largest;
  } else if (order > 0) {
    FX_TRY(sizes, call.builder.emit(relax::op::call("abs", {x})));
    FX_TRY(powers, call.builder.emit(relax::op::call("power", {sizes, number(order)})));
    FX_TRY(sum, call.builder.emit(relax::op::call("sum", {powers}, axes)));
    FX_TRY(root, call.builder.emit(relax::op::call("power", {sum, number(1 / order)})));
    norm = root;
  } else {
    return call.argument_error("p", "'p' is a positive number or infinity");
  }
  FX_TRY(bounded, call.builder.emit(relax::op::call("maximum", {norm, number(epsilon)})));
  FX_TRY(result, call.emit(relax::op::divide(x, bounded)));
  return Mapped{result};
}

// ---- the loss ----

struct Loss {
  relax::Expr predictions, targets;
  std::optional<relax::Expr> weights;
  std::string reduction = "mean";
  int64_t ignored = -100;
};

Result<Mapped> apply_nll_loss(Call& call, const Loss& loss) {
  std::vector<relax::Expr> args = {loss.predictions, loss.targets};
  if (loss.weights) args.push_back(*loss.weights);
  FX_TRY(result, call.emit(relax::op::call(
                     "nn.nll_loss", std::move(args),
                     {{"reduction", {loss.reduction}}, {"ignore_index", {loss.ignored}}})));
  return Mapped{result};
}

// Classes are on axis 1; of one or two dimensions that is the last one, which TVM prints.
Result<Mapped> apply_cross_entropy(Call& call, Loss loss, double smoothing) {
  const relax::TensorType* targets = relax::as_tensor(loss.targets);
  if (smoothing != 0) {
    return call.error(codes::kArgument, "label_smoothing other than 0 is not supported");
  }
  if (targets->dtype && is_float(*targets->dtype)) {
    return call.error(codes::kArgument, "targets as probabilities are not supported: give classes");
  }
  const int rank = relax::as_tensor(loss.predictions)->ndim;
  FX_TRY(scores, call.builder.emit(relax::op::log_softmax(loss.predictions, rank > 2 ? 1 : -1)));
  loss.predictions = scores;
  return apply_nll_loss(call, loss);
}

Result<std::string> reduction_of(const Call& call, const Value& value) {
  const auto* name = std::get_if<std::string>(&value.value);
  if (name != nullptr && (*name == "mean" || *name == "sum" || *name == "none")) return *name;
  return call.error(codes::kArgument,
                    "the reduction is 'mean', 'sum' or 'none', not " + describe(value));
}

Result<Mapped> map_cross_entropy_module(Call& call) {
  Loss loss;
  FX_TRY(predictions, call.tensor("input"));
  FX_TRY(targets, call.tensor("target"));
  loss.predictions = predictions;
  loss.targets = targets;
  if (call.has_module_tensor("weight")) {
    FX_TRY(weights, call.module_tensor("weight"));
    loss.weights = weights;
  }
  FX_TRY(setting, call.setting("reduction"));
  FX_TRY(reduction, reduction_of(call, setting));
  FX_TRY(ignored, call.integer_setting("ignore_index"));
  FX_TRY(smoothing, real_setting(call, "label_smoothing", 0));
  loss.reduction = reduction;
  loss.ignored = ignored;
  return apply_cross_entropy(call, loss, smoothing);
}

Result<Loss> loss_arguments(Call& call) {
  Loss loss;
  FX_TRY(predictions, call.tensor("input"));
  FX_TRY(targets, call.tensor("target"));
  loss.predictions = predictions;
  loss.targets = targets;
  if (call.has("weight")) {
    FX_TRY(weights, call.tensor("weight"));
    loss.weights = weights;
  }
  if (call.has("reduction")) {
    FX_TRY(reduction, reduction_of(call, call.argument("reduction")));
    loss.reduction = reduction;
  }
  FX_TRY(ignored, call.integer("ignore_index", -100));
  loss.ignored = ignored;
  if (call.has("size_average") || call.has("reduce")) {
    return call.error(codes::kArgument, "size_average and reduce are not supported: use reduction");
  }
  return loss;
}

Result<Mapped> map_cross_entropy(Call& call) {
  FX_TRY(loss, loss_arguments(call));
  FX_TRY(smoothing, real_argument(call, "label_smoothing", 0));
  return apply_cross_entropy(call, loss, smoothing);
}

Result<Mapped> map_nll_loss(Call& call) {
  FX_TRY(loss, loss_arguments(call));
  return apply_nll_loss(call, loss);
}

constexpr RuleEntry kNormalizationModuleRules[] = {
    {"torch.nn.BatchNorm1d", "map_batch_norm1d", "input", map_batch_norm1d},
    {"torch.nn.BatchNorm2d", "map_batch_norm2d", "input", map_batch_norm2d},
    {"torch.nn.BatchNorm3d", "map_batch_norm3d", "input", map_batch_norm3d},
    {"torch.nn.CrossEntropyLoss", "map_cross_entropy_module", "input, target",
     map_cross_entropy_module},
    {"torch.nn.GroupNorm", "map_group_norm_module", "input", map_group_norm_module},
    {"torch.nn.InstanceNorm1d", "map_instance_norm1d", "input", map_instance_norm1d},
    {"torch.nn.InstanceNorm2d", "map_instance_norm2d", "input", map_instance_norm2d},
    {"torch.nn.InstanceNorm3d", "map_instance_norm3d", "input", map_instance_norm3d},
    {"torch.nn.LayerNorm", "map_layer_norm_module", "input", map_layer_norm_module},
};
constexpr RuleEntry kNormalizationRules[] = {
    {"batch_norm", "map_batch_norm",
     "input, running_mean, running_var, weight?, bias?, training?, momentum?, eps?",
     map_batch_norm},
    {"cross_entropy", "map_cross_entropy",
     "input, target, weight?, size_average?, ignore_index?, reduce?, reduction?, label_smoothing?",
     map_cross_entropy},
    {"group_norm", "map_group_norm", "input, num_groups, weight?, bias?, eps?, cudnn_enabled?",
     map_group_norm},
    {"instance_norm", "map_instance_norm",
     "input, running_mean?, running_var?, weight?, bias?, use_input_stats?, momentum?, eps?",
     map_instance_norm},
    {"layer_norm", "map_layer_norm", "input, normalized_shape, weight?, bias?, eps?, cudnn_enable?",
     map_layer_norm},
    {"nll_loss", "map_nll_loss",
     "input, target, weight?, size_average?, ignore_index?, reduce?, reduction?", map_nll_loss},
    {"normalize", "map_normalize", "input, p?, dim?, eps?, out?", map_normalize},
};

}  // namespace

RuleTable normalization_module_rules() { return kNormalizationModuleRules; }
RuleTable normalization_rules() { return kNormalizationRules; }

}  // namespace fx2wasm::translate
