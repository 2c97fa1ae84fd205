// Losses.
#include <utility>

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/norm_parts.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// ---- classes ----

struct ClassLoss {
  relax::Expr predictions, targets;
  std::optional<relax::Expr> weights;
  std::string reduction;
  int64_t ignored;
};

// 'none', 'mean' or 'sum'; torch's own functions number them.
Result<std::string> reduction_option(const Call& call) {
  for (std::string_view old : {"size_average", "reduce"}) {
    FX_TRY(given, given_option(call, old));
    if (!is_none(given)) {
      return given_error(call, old, "'" + std::string(old) + "' is not supported: use 'reduction'");
    }
  }
  FX_TRY(given, given_option(call, "reduction"));
  if (is_none(given)) return std::string("mean");
  if (const auto* name = std::get_if<std::string>(&given.value)) {
    if (*name == "none" || *name == "mean" || *name == "sum") return *name;
  }
  if (const auto* number = std::get_if<int64_t>(&given.value)) {
    if (*number == 0) return std::string("none");
    if (*number == 1) return std::string("mean");
    if (*number == 2) return std::string("sum");
  }
  return given_error(call, "reduction",
                     "'reduction' is 'none', 'mean' or 'sum', not " + describe(given));
}

Result<ClassLoss> class_loss(Call& call) {
  FX_TRY(predictions, call.tensor("input"));
  FX_TRY(targets, call.tensor("target"));
  FX_TRY(weights, tensor_option(call, "weight"));
  FX_TRY(reduction, reduction_option(call));
  FX_TRY(ignored, whole_option(call, "ignore_index", -100));
  return ClassLoss{predictions, targets, weights, reduction, ignored};
}

Result<Mapped> apply_nll_loss(Call& call, const ClassLoss& loss) {
  std::vector<relax::Expr> args = {loss.predictions, loss.targets};
  if (loss.weights) args.push_back(*loss.weights);
  FX_TRY(result, call.emit(relax::op::call(
                     "nn.nll_loss", std::move(args),
                     {{"reduction", {loss.reduction}}, {"ignore_index", {loss.ignored}}})));
  return Mapped{result};
}

Result<Mapped> map_nll_loss(Call& call) {
  FX_TRY(loss, class_loss(call));
  return apply_nll_loss(call, loss);
}

// The classes are on axis 1. Of one or two dimensions that is the last one, which TVM prints.
Result<Mapped> map_cross_entropy(Call& call) {
  FX_TRY(loss, class_loss(call));
  const int rank = relax::as_tensor(loss.predictions)->ndim;
  FX_TRY(scores, call.builder.emit(relax::op::log_softmax(loss.predictions, rank > 2 ? 1 : -1)));
  loss.predictions = scores;
  return apply_nll_loss(call, loss);
}

constexpr RuleEntry kLossModuleRules[] = {
    {"torch.nn.CrossEntropyLoss", "map_cross_entropy", "input, target", map_cross_entropy},
    {"torch.nn.NLLLoss", "map_nll_loss", "input, target", map_nll_loss},
};
constexpr RuleEntry kLossRules[] = {
    {"cross_entropy", "map_cross_entropy",
     "input, target, weight?, size_average?, ignore_index?, reduce?, reduction?, label_smoothing?",
     map_cross_entropy},
    {"nll_loss", "map_nll_loss",
     "input, target, weight?, size_average?, ignore_index?, reduce?, reduction?", map_nll_loss},
};

}  // namespace

RuleTable loss_module_rules() { return kLossModuleRules; }
RuleTable loss_rules() { return kLossRules; }

}  // namespace fx2wasm::translate
