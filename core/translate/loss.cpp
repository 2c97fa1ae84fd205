// Losses of classes: negative log likelihood and cross entropy.
#include "translate/loss.h"

#include <utility>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/norm_parts.h"
#include "translate/promote.h"

namespace fx2wasm::translate {

Result<std::string> reduction_option(const Call& call, bool batch_mean) {
  for (std::string_view old : {"size_average", "reduce"}) {
    FX_TRY(given, option(call, old, {}));
    if (!is_none(given)) {
      return option_error(call, old,
                          "'" + std::string(old) + "' is not supported: use 'reduction'");
    }
  }
  FX_TRY(given, option(call, "reduction", {}));
  if (is_none(given)) return std::string("mean");
  if (const auto* name = std::get_if<std::string>(&given.value)) {
    if (*name == "none" || *name == "mean" || *name == "sum") return *name;
    if (batch_mean && *name == "batchmean") return *name;
  }
  // The functions of `torch` itself number them.
  if (const auto* number = std::get_if<int64_t>(&given.value)) {
    if (*number == 0) return std::string("none");
    if (*number == 1) return std::string("mean");
    if (*number == 2) return std::string("sum");
  }
  return option_error(call, "reduction",
                      "'reduction' is 'none', 'mean' or 'sum', not " + describe(given));
}

namespace {

struct ClassLoss {
  relax::Expr predictions, targets;
  std::optional<relax::Expr> weights;
  std::string reduction;
  int64_t ignored;
};

Result<ClassLoss> class_loss(Call& call) {
  FX_TRY(predictions, call.tensor("input"));
  FX_TRY(targets, call.tensor("target"));
  FX_TRY(weights, tensor_option(call, "weight"));
  FX_TRY(reduction, reduction_option(call, false));
  FX_TRY(ignored, whole_option(call, "ignore_index", -100));
  return ClassLoss{predictions, targets, weights, reduction, ignored};
}

Result<relax::Expr> nll_loss_of(Call& call, const ClassLoss& loss, const std::string& reduction) {
  std::vector<relax::Expr> args = {loss.predictions, loss.targets};
  if (loss.weights) args.push_back(*loss.weights);
  return call.builder.emit(
      relax::op::call("nn.nll_loss", std::move(args),
                      {{"reduction", {reduction}}, {"ignore_index", {loss.ignored}}}));
}

Result<Mapped> map_nll_loss(Call& call) {
  FX_TRY(loss, class_loss(call));
  FX_TRY(result, nll_loss_of(call, loss, loss.reduction));
  return Mapped{{result}};
}

// The classes are on axis 1, those of a single prediction on its only axis.
int64_t class_axis(const relax::Expr& predictions) {
  return relax::as_tensor(predictions)->ndim > 1 ? 1 : 0;
}

relax::Expr sum_of(const relax::Expr& x, std::optional<int64_t> axis) {
  const AttrValue axes = axis ? relax::op::int_list({*axis}) : AttrValue{AttrNone{}};
  return relax::op::call("sum", {x}, {{"axis", axes}, {"keepdims", {false}}});
}

// The weights of the classes beside predictions (N, C, d1, …).
Result<relax::Expr> weights_beside(Call& call, const ClassLoss& loss) {
  const int rank = relax::as_tensor(loss.predictions)->ndim;
  if (rank < 3) return *loss.weights;
  std::vector<tir::PrimExpr> shape(static_cast<size_t>(rank) - 1, tir::int_imm(DType::Int64, 1));
  FX_TRY(classes, extents_of(call, loss.predictions));
  shape[0] = classes[1];
  return call.builder.emit(relax::op::reshape(*loss.weights, std::move(shape)));
}

// The number of classes; FX4002 where it is a symbol.
Result<double> class_count(const Call& call, const ClassLoss& loss) {
  FX_TRY(shape, extents_of(call, loss.predictions));
  const std::optional<int64_t> count =
      tir::as_int(shape[static_cast<size_t>(class_axis(loss.predictions))]);
  if (count) return static_cast<double>(*count);
  return call.error(codes::kShapeMismatch, "the number of classes is not known");
}

// -sum over the classes of probability * score (* weight). A mean is that of all predictions.
Result<Mapped> probability_loss(Call& call, const ClassLoss& loss, double smoothing) {
  const relax::TensorType* scores = relax::as_tensor(loss.predictions);
  const relax::TensorType* targets = relax::as_tensor(loss.targets);
  if (targets->ndim != scores->ndim) {
    return call.argument_error("target", "probabilities have the shape of the predictions, " +
                                             describe_type({loss.predictions}) + ", not " +
                                             describe_type({loss.targets}));
  }
  relax::Expr probabilities = loss.targets;
  FX_TRY(count, class_count(call, loss));
  if (smoothing != 0) {
    FX_TRY(kept, call.builder.emit(relax::op::multiply(
                     probabilities, constant_like(probabilities, 1 - smoothing))));
    FX_TRY(smoothed,
           call.builder.emit(relax::op::add(kept, constant_like(kept, smoothing / count))));
    probabilities = smoothed;
  }
  FX_TRY(products, call.builder.emit(relax::op::multiply(loss.predictions, probabilities)));
  relax::Expr terms = products;
  if (loss.weights) {
    FX_TRY(beside, weights_beside(call, loss));
    FX_TRY(weighted, call.builder.emit(relax::op::multiply(products, beside)));
    terms = weighted;
  }
  FX_TRY(sums, call.builder.emit(sum_of(terms, class_axis(loss.predictions))));
  FX_TRY(losses, call.builder.emit(relax::op::call("negative", {sums})));
  return reduce_losses(call, losses, loss.reduction);
}

// The share that label smoothing spreads over all classes of the targets that are not ignored.
Result<relax::Expr> smooth_part(Call& call, const ClassLoss& loss) {
  relax::Expr scores = loss.predictions;
  if (loss.weights) {
    FX_TRY(beside, weights_beside(call, loss));
    FX_TRY(weighted, call.builder.emit(relax::op::multiply(scores, beside)));
    scores = weighted;
  }
  FX_TRY(sums, call.builder.emit(sum_of(scores, class_axis(loss.predictions))));
  FX_TRY(losses, call.builder.emit(relax::op::call("negative", {sums})));
  const relax::Expr ignored =
      relax::constant_expr(scalar_constant(dtype_of(loss.targets), loss.ignored));
  FX_TRY(skipped, call.builder.emit(relax::op::call("equal", {loss.targets, ignored})));
  FX_TRY(counted, call.builder.emit(where(skipped, constant_like(losses, 0.0), losses)));
  if (loss.reduction == "none") return counted;
  FX_TRY(total, call.builder.emit(sum_of(counted, std::nullopt)));
  if (loss.reduction == "sum") return total;
  // The weights of the targets are the loss of predictions that are all -1.
  ClassLoss ones = loss;
  FX_TRY(minus, call.builder.emit(relax::op::call(
                    "full_like", {loss.predictions, constant_like(loss.predictions, -1.0)},
                    {{"dtype", {AttrNone{}}}})));
  ones.predictions = minus;
  FX_TRY(weights, nll_loss_of(call, ones, "sum"));
  return call.builder.emit(relax::op::divide(total, weights));
}

// TVM prints the last axis for the classes of one or two dimensions.
Result<Mapped> map_cross_entropy(Call& call) {
  FX_TRY(loss, class_loss(call));
  FX_TRY(smoothing, real_option(call, "label_smoothing", 0));
  if (smoothing < 0 || smoothing > 1) {
    return option_error(call, "label_smoothing", "'label_smoothing' is between 0 and 1");
  }
  const int rank = relax::as_tensor(loss.predictions)->ndim;
  if (rank == 0) {
    return call.argument_error("input", "a scalar has no classes");
  }
  FX_TRY(scores, call.builder.emit(relax::op::log_softmax(loss.predictions, rank > 2 ? 1 : -1)));
  loss.predictions = scores;
  if (is_float(dtype_of(loss.targets))) return probability_loss(call, loss, smoothing);
  FX_TRY(sharp, nll_loss_of(call, loss, loss.reduction));
  if (smoothing == 0) return Mapped{{sharp}};
  FX_TRY(smooth, smooth_part(call, loss));
  FX_TRY(count, class_count(call, loss));
  FX_TRY(kept, call.builder.emit(relax::op::multiply(sharp, constant_like(sharp, 1 - smoothing))));
  FX_TRY(spread,
         call.builder.emit(relax::op::multiply(smooth, constant_like(smooth, smoothing / count))));
  FX_TRY(result, call.emit(relax::op::add(kept, spread)));
  return Mapped{result};
}

constexpr RuleEntry kClassLossModuleRules[] = {
    {"torch.nn.CrossEntropyLoss", "map_cross_entropy", "input, target", map_cross_entropy},
    {"torch.nn.NLLLoss", "map_nll_loss", "input, target", map_nll_loss},
    {"torch.nn.BCELoss", "map_bce_loss", "input, target", map_bce_loss},
    {"torch.nn.BCEWithLogitsLoss", "map_bce_with_logits", "input, target", map_bce_with_logits},
    {"torch.nn.HuberLoss", "map_huber_loss", "input, target", map_huber_loss},
    {"torch.nn.KLDivLoss", "map_kl_div", "input, target", map_kl_div},
    {"torch.nn.L1Loss", "map_l1_loss", "input, target", map_l1_loss},
    {"torch.nn.MSELoss", "map_mse_loss", "input, target", map_mse_loss},
    {"torch.nn.SmoothL1Loss", "map_smooth_l1_loss", "input, target", map_smooth_l1_loss},
};
constexpr RuleEntry kClassLossRules[] = {
    {"binary_cross_entropy", "map_bce_loss",
     "input, target, weight?, size_average?, reduce?, reduction?", map_bce_loss},
    {"binary_cross_entropy_with_logits", "map_bce_with_logits",
     "input, target, weight?, size_average?, reduce?, reduction?, pos_weight?",
     map_bce_with_logits},
    {"cross_entropy", "map_cross_entropy",
     "input, target, weight?, size_average?, ignore_index?, reduce?, reduction?, label_smoothing?",
     map_cross_entropy},
    {"huber_loss", "map_huber_loss", "input, target, reduction?, delta?, weight?", map_huber_loss},
    {"kl_div", "map_kl_div", "input, target, size_average?, reduce?, reduction?, log_target?",
     map_kl_div},
    {"l1_loss", "map_l1_loss", "input, target, size_average?, reduce?, reduction?, weight?",
     map_l1_loss},
    {"mse_loss", "map_mse_loss", "input, target, size_average?, reduce?, reduction?, weight?",
     map_mse_loss},
    {"nll_loss", "map_nll_loss",
     "input, target, weight?, size_average?, ignore_index?, reduce?, reduction?", map_nll_loss},
    {"smooth_l1_loss", "map_smooth_l1_loss",
     "input, target, size_average?, reduce?, reduction?, beta?", map_smooth_l1_loss},
    {"torch.binary_cross_entropy_with_logits", "map_bce_with_logits",
     "input, target, weight?, pos_weight?, reduction?", map_bce_with_logits},
    {"torch.kl_div", "map_kl_div", "input, target, reduction?, log_target?", map_kl_div},
};

}  // namespace

RuleTable loss_module_rules() { return kClassLossModuleRules; }
RuleTable loss_rules() { return kClassLossRules; }

}  // namespace fx2wasm::translate
