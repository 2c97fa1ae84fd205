// Embeddings.
#include <utility>

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/norm_parts.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// Rows of the weight. TVM takes them by a vector of int32 positions.
Result<Mapped> apply_embedding(Call& call, const relax::Expr& positions,
                               const relax::Expr& weight) {
  const relax::TensorType *indices = relax::as_tensor(positions), *rows = relax::as_tensor(weight);
  if (*indices->dtype != DType::Int64 && *indices->dtype != DType::Int32) {
    return call.error(codes::kDtypeMismatch,
                      "the indices are int32 or int64, not " + describe_type({positions}));
  }
  if (rows->ndim != 2) {
    return call.error(codes::kShapeMismatch,
                      "the weight has two dimensions, not " + describe_type({weight}));
  }
  FX_TRY(max_norm, given_option(call, "max_norm"));
  if (!is_none(max_norm)) {
    return given_error(call, "max_norm",
                       "'max_norm' rescales the weight in place, which is not supported");
  }
  FX_TRY(shape, extents_of(call, positions));
  FX_TRY(table, extents_of(call, weight));
  FX_TRY(cast, call.builder.emit(relax::op::astype(positions, DType::Int32)));
  const auto take = [&](const relax::Expr& at) {
    return relax::op::call("take", {weight, at},
                           {{"axis", {int64_t{0}}}, {"mode", {std::string("fast")}}});
  };
  if (shape.size() == 1) {
    FX_TRY(result, call.emit(take(cast)));
    return Mapped{result};
  }
  FX_TRY(flat, call.builder.emit(relax::op::reshape(cast, {tir::int_imm(DType::Int64, -1)})));
  FX_TRY(taken, call.builder.emit(take(flat)));
  std::vector<tir::PrimExpr> result_shape = shape;
  result_shape.push_back(table[1]);
  FX_TRY(result, call.emit(relax::op::reshape(taken, std::move(result_shape))));
  return Mapped{result};
}

Result<Mapped> map_embedding_module(Call& call) {
  FX_TRY(positions, call.tensor("input"));
  FX_TRY(count, call.integer_setting("num_embeddings"));
  FX_TRY(width, call.integer_setting("embedding_dim"));
  FX_TRY(fits, call.check_module_tensor("weight", {count, width}));
  static_cast<void>(fits);
  FX_TRY(weight, call.module_tensor("weight"));
  return apply_embedding(call, positions, weight);
}

Result<Mapped> map_embedding(Call& call) {
  FX_TRY(positions, call.tensor("input"));
  FX_TRY(weight, call.tensor("weight"));
  return apply_embedding(call, positions, weight);
}

constexpr RuleEntry kEmbeddingModuleRules[] = {
    {"torch.nn.Embedding", "map_embedding_module", "input", map_embedding_module},
};
constexpr RuleEntry kEmbeddingRules[] = {
    {"embedding", "map_embedding",
     "input, weight, padding_idx?, max_norm?, norm_type?, scale_grad_by_freq?, sparse?",
     map_embedding},
    {"torch.embedding", "map_embedding",
     "weight, input, padding_idx?, scale_grad_by_freq?, sparse?", map_embedding},
};

}  // namespace

RuleTable embedding_module_rules() { return kEmbeddingModuleRules; }
RuleTable embedding_rules() { return kEmbeddingRules; }

}  // namespace fx2wasm::translate
