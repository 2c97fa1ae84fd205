// Normalisations, as modules and as functions.
#include <algorithm>
#include <limits>
#include <utility>

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/norm_parts.h"
#include "translate/rules.h"
#include "translate/vector_norm.h"

namespace fx2wasm::translate {
namespace {

using Extents = std::vector<tir::PrimExpr>;

Result<int> checked_rank(const Call& call, const relax::Expr& x, int low, int high) {
  const int rank = relax::as_tensor(x)->ndim;
  if (rank >= low && rank <= high) return rank;
  const std::string wanted = high == std::numeric_limits<int>::max()
                                 ? "at least " + std::to_string(low)
                             : low == high ? std::to_string(low)
                                           : std::to_string(low) + " or " + std::to_string(high);
  return call.error(codes::kShapeMismatch,
                    "takes tensors with " + wanted + " dimensions, not " + describe_type({x}));
}
constexpr int kAnyRank = std::numeric_limits<int>::max();

// Scale and shift of the given shape: those of the module or call, else ones and zeros.
struct ScaleAndShift {
  relax::Expr scale, shift;
};
Result<ScaleAndShift> scale_and_shift(Call& call, const Extents& shape, DType dtype) {
  FX_TRY(weight, tensor_option(call, "weight"));
  FX_TRY(bias, tensor_option(call, "bias"));
  FX_TRY(scale, weight ? Result<relax::Expr>(*weight) : filled_tensor(call, shape, dtype, true));
  FX_TRY(shift, bias ? Result<relax::Expr>(*bias) : filled_tensor(call, shape, dtype, false));
  return ScaleAndShift{scale, shift};
}

// Refuses a module's tensors of another shape than its settings say.
Result<Unit> check_tensors(const Call& call, const std::vector<int64_t>& shape) {
  if (call.module == nullptr) return Unit{};
  for (std::string_view name : {"weight", "bias", "running_mean", "running_var"}) {
    FX_TRY(fits, call.check_module_tensor(name, shape));
    static_cast<void>(fits);
  }
  return Unit{};
}

// The channels of (N, C, …).
Result<Extents> channels_of(const Call& call, const relax::Expr& x) {
  FX_TRY(shape, extents_of(call, x));
  return Extents{shape[1]};
}

// PyTorch has no variance of a single value.
Result<Unit> check_more_than_one(const Call& call, const relax::Expr& x, size_t first_folded,
                                 int64_t factor) {
  FX_TRY(shape, extents_of(call, x));
  int64_t count = factor;
  for (size_t axis = first_folded; axis < shape.size(); ++axis) {
    const std::optional<int64_t> extent = tir::as_int(shape[axis]);
    if (!extent) return Unit{};
    count *= *extent;
  }
  if (count != 1) return Unit{};
  return call.error(codes::kShapeMismatch,
                    "normalises single values: " + describe_type({x}) +
                        " has one value a mean is taken of, PyTorch asks for more");
}

// ---- batch normalisation ----

struct Statistics {
  relax::Expr mean, variance;
};

Result<Mapped> apply_batch_norm(Call& call, const relax::Expr& x, const Statistics& given,
                                bool of_batch) {
  FX_TRY(channels, channels_of(call, x));
  FX_TRY(affine, scale_and_shift(call, channels, dtype_of(x)));
  FX_TRY(epsilon, real_option(call, "eps", 1e-5));
  FX_TRY(results, call.emit(relax::op::call(
                      "nn.batch_norm", {x, affine.scale, affine.shift, given.mean, given.variance},
                      {{"axis", {int64_t{1}}},
                       {"epsilon", {epsilon}},
                       {"center", {true}},
                       {"scale", {true}},
                       {"momentum", {0.1}},
                       {"training", {of_batch}}})));
  FX_TRY(result, call.emit(relax::tuple_get_item(*as_expr(results), 0)));
  return Mapped{result};
}

// With the mean and variance of the batch: the arguments for these have no influence.
Result<Mapped> apply_batch_statistics(Call& call, const relax::Expr& x) {
  FX_TRY(shape, extents_of(call, x));
  const std::optional<int64_t> batch = tir::as_int(shape[0]);
  if (batch) {
    FX_TRY(enough, check_more_than_one(call, x, 2, *batch));
    static_cast<void>(enough);
  }
  FX_TRY(channels, channels_of(call, x));
  FX_TRY(mean, filled_tensor(call, channels, dtype_of(x), false));
  FX_TRY(variance, filled_tensor(call, channels, dtype_of(x), true));
  return apply_batch_norm(call, x, {mean, variance}, true);
}

// The running mean and variance of the module or call; absent where it keeps none.
Result<std::optional<Statistics>> running_statistics(Call& call) {
  FX_TRY(mean, tensor_option(call, "running_mean"));
  FX_TRY(variance, tensor_option(call, "running_var"));
  if (!mean && !variance) return std::optional<Statistics>();
  if (mean && variance) return std::optional(Statistics{*mean, *variance});
  return call.error(codes::kArgument, "running_mean and running_var go together");
}

Result<Unit> refuse_training(const Call& call) {
  FX_TRY(training, call.boolean_setting("training", false));
  if (!training) return Unit{};
  return option_error(call, "training",
                      "the module is in training mode, where each call changes its running "
                      "statistics; call eval() before tracing");
}

Result<Mapped> batch_norm_module(Call& call, int low, int high) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(rank, checked_rank(call, x, low, high));
  FX_TRY(not_training, refuse_training(call));
  FX_TRY(features, call.integer_setting("num_features"));
  FX_TRY(fits, check_tensors(call, {features}));
  static_cast<void>(rank), static_cast<void>(not_training), static_cast<void>(fits);
  FX_TRY(statistics, running_statistics(call));
  if (!statistics) return apply_batch_statistics(call, x);
  return apply_batch_norm(call, x, *statistics, false);
}
Result<Mapped> map_batch_norm1d(Call& call) { return batch_norm_module(call, 2, 3); }
Result<Mapped> map_batch_norm2d(Call& call) { return batch_norm_module(call, 4, 4); }
Result<Mapped> map_batch_norm3d(Call& call) { return batch_norm_module(call, 5, 5); }
Result<Mapped> map_sync_batch_norm(Call& call) { return batch_norm_module(call, 2, kAnyRank); }

Diagnostic writes_statistics(const Call& call, std::string_view argument) {
  return call.argument_error(
      argument, "'" + std::string(argument) +
                    "' with running_mean and running_var changes these in place, which is not "
                    "supported: pass None for them, or use them instead of the input's own");
}

Result<Mapped> map_batch_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(rank, checked_rank(call, x, 2, kAnyRank));
  static_cast<void>(rank);
  FX_TRY(training, call.boolean("training", false));
  FX_TRY(statistics, running_statistics(call));
  if (training && statistics) return writes_statistics(call, "training");
  if (training) return apply_batch_statistics(call, x);
  if (statistics) return apply_batch_norm(call, x, *statistics, false);
  return call.error(codes::kArgument,
                    "without training=True it takes running_mean and running_var");
}

// ---- instance and group normalisation ----

AttrValue axes_after_channels(const relax::Expr& x) {
  std::vector<int64_t> axes;
  for (int axis = 2; axis < relax::as_tensor(x)->ndim; ++axis) axes.push_back(axis);
  return relax::op::int_list(axes);
}

Result<Mapped> apply_instance_norm(Call& call, const relax::Expr& x) {
  FX_TRY(enough, check_more_than_one(call, x, 2, 1));
  static_cast<void>(enough);
  FX_TRY(channels, channels_of(call, x));
  FX_TRY(affine, scale_and_shift(call, channels, dtype_of(x)));
  FX_TRY(epsilon, real_option(call, "eps", 1e-5));
  FX_TRY(result, call.emit(relax::op::call("nn.instance_norm", {x, affine.scale, affine.shift},
                                           {{"channel_axis", {int64_t{1}}},
                                            {"axes", axes_after_channels(x)},
                                            {"epsilon", {epsilon}},
                                            {"center", {true}},
                                            {"scale", {true}}})));
  return Mapped{result};
}

Result<Mapped> apply_tracked_norm(Call& call, const relax::Expr& x) {
  FX_TRY(statistics, running_statistics(call));
  if (!statistics) return apply_instance_norm(call, x);
  return apply_batch_norm(call, x, *statistics, false);
}

// Without a batch the input has a dimension less.
Result<Mapped> instance_norm_module(Call& call, int rank) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(own_rank, checked_rank(call, x, rank - 1, rank));
  FX_TRY(not_training, refuse_training(call));
  FX_TRY(features, call.integer_setting("num_features"));
  FX_TRY(fits, check_tensors(call, {features}));
  static_cast<void>(not_training), static_cast<void>(fits);
  if (own_rank == rank) return apply_tracked_norm(call, x);
  const AttrValue first = relax::op::int_list({0});
  FX_TRY(batch, call.builder.emit(relax::op::call("expand_dims", {x}, {{"axis", first}})));
  FX_TRY(normal, apply_tracked_norm(call, batch));
  FX_TRY(single,
         call.emit(relax::op::call("squeeze", {*as_expr(normal.value)}, {{"axis", first}})));
  return Mapped{single};
}
Result<Mapped> map_instance_norm1d(Call& call) { return instance_norm_module(call, 3); }
Result<Mapped> map_instance_norm2d(Call& call) { return instance_norm_module(call, 4); }
Result<Mapped> map_instance_norm3d(Call& call) { return instance_norm_module(call, 5); }

Result<Mapped> map_instance_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(rank, checked_rank(call, x, 3, kAnyRank));
  static_cast<void>(rank);
  FX_TRY(of_input, call.boolean("use_input_stats", true));
  FX_TRY(statistics, running_statistics(call));
  if (of_input && statistics) return writes_statistics(call, "use_input_stats");
  if (of_input) return apply_instance_norm(call, x);
  if (statistics) return apply_batch_norm(call, x, *statistics, false);
  return call.error(codes::kArgument,
                    "without use_input_stats it takes running_mean and running_var");
}

Result<Mapped> apply_group_norm(Call& call, const relax::Expr& x, int64_t groups) {
  FX_TRY(rank, checked_rank(call, x, 2, kAnyRank));
  static_cast<void>(rank);
  if (groups < 1) {
    return option_error(call, "num_groups",
                        "'num_groups' is at least 1, not " + std::to_string(groups));
  }
  FX_TRY(shape, extents_of(call, x));
  const std::optional<int64_t> batch = tir::as_int(shape[0]), channels = tir::as_int(shape[1]);
  if (batch && channels) {
    FX_TRY(enough, check_more_than_one(call, x, 2, *batch * *channels / groups));
    static_cast<void>(enough);
  }
  FX_TRY(affine, scale_and_shift(call, {shape[1]}, dtype_of(x)));
  FX_TRY(epsilon, real_option(call, "eps", 1e-5));
  FX_TRY(result, call.emit(relax::op::call("nn.group_norm", {x, affine.scale, affine.shift},
                                           {{"num_groups", {groups}},
                                            {"channel_axis", {int64_t{1}}},
                                            {"axes", axes_after_channels(x)},
                                            {"epsilon", {epsilon}},
                                            {"center", {true}},
                                            {"scale", {true}}})));
  return Mapped{result};
}

Result<Mapped> map_group_norm_module(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(groups, call.integer_setting("num_groups"));
  FX_TRY(channels, call.integer_setting("num_channels"));
  FX_TRY(fits, check_tensors(call, {channels}));
  static_cast<void>(fits);
  return apply_group_norm(call, x, groups);
}

Result<Mapped> map_group_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(groups, call.integer("num_groups"));
  return apply_group_norm(call, x, groups);
}

// ---- normalisation of the last dimensions ----

// The sizes of `normalized_shape`, which are those of the input's last dimensions.
Result<Extents> normalized_shape(const Call& call, const relax::Expr& x) {
  FX_TRY(given, option(call, "normalized_shape", {}));
  const auto* list = std::get_if<ValueList>(&given.value);
  const ValueList sizes = list != nullptr ? *list : ValueList{given};
  Extents shape;
  for (const Value& size : sizes) {
    const tir::PrimExpr extent = as_size(size);
    if (extent == nullptr) {
      return option_error(call, "normalized_shape",
                          "'normalized_shape' is one size or several, not " + describe(given));
    }
    shape.push_back(extent);
  }
  FX_TRY(own, extents_of(call, x));
  bool fits = !shape.empty() && shape.size() <= own.size();
  for (size_t i = 1; fits && i <= shape.size(); ++i) {
    const std::optional<int64_t> wanted = tir::as_int(shape[shape.size() - i]),
                                 size = tir::as_int(own[own.size() - i]);
    fits = !wanted || !size || *wanted == *size;
  }
  if (fits) return shape;
  return call.error(codes::kShapeMismatch, "normalizes the last dimensions of sizes " +
                                               describe(given) + ", the input is " +
                                               describe_type({x}));
}

// Refuses a module's tensors that are not of its normalized shape.
Result<Unit> check_inner_tensors(const Call& call, const Extents& shape) {
  std::vector<int64_t> sizes;
  for (const tir::PrimExpr& extent : shape) sizes.push_back(tir::as_int(extent).value_or(0));
  return check_tensors(call, sizes);
}

// Counted from the end, as TVM prints them.
AttrValue last_axes(size_t count) {
  std::vector<int64_t> axes;
  for (size_t i = count; i > 0; --i) axes.push_back(-static_cast<int64_t>(i));
  return relax::op::int_list(axes);
}

Result<Mapped> map_layer_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, normalized_shape(call, x));
  FX_TRY(fits, check_inner_tensors(call, shape));
  static_cast<void>(fits);
  FX_TRY(affine, scale_and_shift(call, shape, dtype_of(x)));
  FX_TRY(epsilon, real_option(call, "eps", 1e-5));
  FX_TRY(result, call.emit(relax::op::call("nn.layer_norm", {x, affine.scale, affine.shift},
                                           {{"axes", last_axes(shape.size())},
                                            {"epsilon", {epsilon}},
                                            {"center", {true}},
                                            {"scale", {true}}})));
  return Mapped{result};
}

// The distance from 1 to the next number.
double machine_epsilon(DType dtype) {
  return dtype == DType::Float64 ? std::numeric_limits<double>::epsilon()
                                 : double{std::numeric_limits<float>::epsilon()};
}

Result<Mapped> map_rms_norm(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, normalized_shape(call, x));
  FX_TRY(fits, check_inner_tensors(call, shape));
  static_cast<void>(fits);
  FX_TRY(weight, tensor_option(call, "weight"));
  FX_TRY(scale,
         weight ? Result<relax::Expr>(*weight) : filled_tensor(call, shape, dtype_of(x), true));
  FX_TRY(epsilon, real_option(call, "eps", machine_epsilon(dtype_of(x))));
  FX_TRY(result,
         call.emit(relax::op::call("nn.rms_norm", {x, scale},
                                   {{"axes", last_axes(shape.size())}, {"epsilon", {epsilon}}})));
  return Mapped{result};
}

constexpr RuleEntry kNormalizationModuleRules[] = {
    {"torch.nn.BatchNorm1d", "map_batch_norm1d", "input", map_batch_norm1d},
    {"torch.nn.BatchNorm2d", "map_batch_norm2d", "input", map_batch_norm2d},
    {"torch.nn.BatchNorm3d", "map_batch_norm3d", "input", map_batch_norm3d},
    {"torch.nn.GroupNorm", "map_group_norm_module", "input", map_group_norm_module},
    {"torch.nn.InstanceNorm1d", "map_instance_norm1d", "input", map_instance_norm1d},
    {"torch.nn.InstanceNorm2d", "map_instance_norm2d", "input", map_instance_norm2d},
    {"torch.nn.InstanceNorm3d", "map_instance_norm3d", "input", map_instance_norm3d},
    {"torch.nn.LayerNorm", "map_layer_norm", "input", map_layer_norm},
    {"torch.nn.LocalResponseNorm", "map_local_response_norm", "input", map_local_response_norm},
    {"torch.nn.RMSNorm", "map_rms_norm", "input", map_rms_norm},
    {"torch.nn.SyncBatchNorm", "map_sync_batch_norm", "input", map_sync_batch_norm},
};
constexpr RuleEntry kNormalizationRules[] = {
    {"batch_norm", "map_batch_norm",
     "input, running_mean, running_var, weight?, bias?, training?, momentum?, eps?",
     map_batch_norm},
    {"group_norm", "map_group_norm", "input, num_groups, weight?, bias?, eps?, cudnn_enabled?",
     map_group_norm},
    {"instance_norm", "map_instance_norm",
     "input, running_mean?, running_var?, weight?, bias?, use_input_stats?, momentum?, eps?",
     map_instance_norm},
    {"layer_norm", "map_layer_norm", "input, normalized_shape, weight?, bias?, eps?, cudnn_enable?",
     map_layer_norm},
    {"local_response_norm", "map_local_response_norm", "input, size, alpha?, beta?, k?",
     map_local_response_norm},
    {"normalize", "map_normalize", "input, p?, dim?, eps?, out?", map_normalize},
    {"rms_norm", "map_rms_norm", "input, normalized_shape, weight?, eps?", map_rms_norm},
    {"torch.batch_norm", "map_batch_norm",
     "input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled?",
     map_batch_norm},
    {"torch.instance_norm", "map_instance_norm",
     "input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, "
     "cudnn_enabled?",
     map_instance_norm},
};

}  // namespace

RuleTable normalization_module_rules() { return kNormalizationModuleRules; }
RuleTable normalization_rules() { return kNormalizationRules; }

}  // namespace fx2wasm::translate
