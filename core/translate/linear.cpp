// Contractions: Linear, linear, matmul.
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/products.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// PyTorch's contractions take one dtype and give it; TVM's importer always asks for float32.
Result<DType> common_dtype(const Call& call, const relax::Expr& a, const relax::Expr& b) {
  const relax::TensorType *x = relax::as_tensor(a), *y = relax::as_tensor(b);
  if (x->dtype && y->dtype && *x->dtype == *y->dtype) return *x->dtype;
  return call.error(codes::kDtypeMismatch, "both operands have one dtype in PyTorch, not " +
                                               describe_type({a}) + " and " + describe_type({b}));
}

Result<Mapped> apply_linear(Call& call, const relax::Expr& x, const relax::Expr& weight,
                            std::optional<relax::Expr> bias) {
  FX_TRY(dtype, common_dtype(call, x, weight));
  FX_TRY(result, call.emit(relax::op::linear(x, weight, bias, dtype)));
  return Mapped{result};
}

Result<Mapped> map_linear(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(inputs, call.integer_setting("in_features"));
  FX_TRY(outputs, call.integer_setting("out_features"));
  FX_TRY(weight_fits, call.check_module_tensor("weight", {outputs, inputs}));
  FX_TRY(bias_fits, call.check_module_tensor("bias", {outputs}));
  static_cast<void>(weight_fits), static_cast<void>(bias_fits);
  FX_TRY(weight, call.module_tensor("weight"));
  std::optional<relax::Expr> bias;
  if (call.has_module_tensor("bias")) {
    FX_TRY(given, call.module_tensor("bias"));
    bias = given;
  }
  return apply_linear(call, x, weight, bias);
}

Result<Mapped> map_linear_function(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(weight, call.tensor("weight"));
  std::optional<relax::Expr> bias;
  if (call.has("bias")) {
    FX_TRY(given, call.tensor("bias"));
    bias = given;
  }
  return apply_linear(call, x, weight, bias);
}

// `rank` 0: any.
Result<Mapped> multiply_matrices(Call& call, std::string_view second, int rank) {
  FX_TRY(a, call.tensor("input"));
  FX_TRY(b, call.tensor(second));
  for (const auto& [name, x] : {std::pair(std::string_view("input"), a), std::pair(second, b)}) {
    if (rank == 0 || relax::as_tensor(x)->ndim == rank) continue;
    return call.argument_error(name, "the argument '" + std::string(name) + "' has " +
                                         std::to_string(rank) + " axes, not the shape " +
                                         shape_text(*relax::as_tensor(x)));
  }
  const auto &x = relax::as_tensor(a)->shape, &y = relax::as_tensor(b)->shape;
  if (rank == 3 && x && y && tir::as_int((*x)[0]) && tir::as_int((*y)[0]) &&
      *tir::as_int((*x)[0]) != *tir::as_int((*y)[0])) {
    return call.argument_error(second, "the batches of " + shape_text(*relax::as_tensor(a)) +
                                           " and " + shape_text(*relax::as_tensor(b)) +
                                           " have another size");
  }
  FX_TRY(dtype, common_dtype(call, a, b));
  FX_TRY(result, call.emit(relax::op::matmul(a, b, dtype)));
  return Mapped{result};
}

Result<Mapped> map_matmul(Call& call) { return multiply_matrices(call, "other", 0); }
Result<Mapped> map_mm(Call& call) { return multiply_matrices(call, "mat2", 2); }
Result<Mapped> map_bmm(Call& call) { return multiply_matrices(call, "mat2", 3); }

constexpr RuleEntry kLinearModuleRules[] = {
    {"torch.nn.Bilinear", "map_bilinear", "input1, input2", map_bilinear},
    {"torch.nn.CosineSimilarity", "map_cosine_similarity", "x1, x2", map_cosine_similarity},
    {"torch.nn.Linear", "map_linear", "input", map_linear},
    {"torch.nn.PairwiseDistance", "map_pairwise_distance", "x1, x2", map_pairwise_distance},
};
constexpr RuleEntry kLinearRules[] = {
    {"bmm", "map_bmm", "input, mat2", map_bmm},
    {"linear", "map_linear_function", "input, weight, bias?", map_linear_function},
    {"matmul", "map_matmul", "input, other", map_matmul},
    {"mm", "map_mm", "input, mat2", map_mm},
};

}  // namespace

RuleTable linear_module_rules() { return kLinearModuleRules; }
RuleTable linear_rules() { return kLinearRules; }

}  // namespace fx2wasm::translate
