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
  FX_TRY(max_norm, option(call, "max_norm", {}));
  if (!is_none(max_norm)) {
    return option_error(call, "max_norm",
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

// Bags of one length: (bags, length) positions, whose rows are summed, averaged or compared.
Result<Mapped> apply_embedding_bag(Call& call, const relax::Expr& positions,
                                   const relax::Expr& weight) {
  const relax::TensorType* indices = relax::as_tensor(positions);
  if (call.has("offsets") || indices->ndim != 2) {
    return call.error(codes::kArgument,
                      "bags of several lengths are not supported: give (bags, length) positions "
                      "and no offsets, not " +
                          describe_type({positions}));
  }
  FX_TRY(padding, option(call, "padding_idx", {}));
  if (!is_none(padding)) return option_error(call, "padding_idx", "'padding_idx' is not supported");
  FX_TRY(mode, option(call, "mode", {std::string("mean")}));
  const auto* name = std::get_if<std::string>(&mode.value);
  if (name == nullptr || (*name != "sum" && *name != "mean" && *name != "max")) {
    return option_error(call, "mode", "'mode' is 'sum', 'mean' or 'max', not " + describe(mode));
  }
  FX_TRY(rows, apply_embedding(call, positions, weight));
  relax::Expr values = *as_expr(rows.value);
  if (call.has("per_sample_weights")) {
    if (*name != "sum") {
      return call.argument_error("per_sample_weights",
                                 "'per_sample_weights' go with mode='sum' alone");
    }
    FX_TRY(scales, call.tensor("per_sample_weights"));
    FX_TRY(shape, extents_of(call, positions));
    shape.push_back(tir::int_imm(DType::Int64, 1));
    FX_TRY(columns, call.builder.emit(relax::op::reshape(scales, std::move(shape))));
    FX_TRY(scaled, call.builder.emit(relax::op::multiply(values, columns)));
    values = scaled;
  }
  FX_TRY(result,
         call.emit(relax::op::call(*name, {values},
                                   {{"axis", relax::op::int_list({1})}, {"keepdims", {false}}})));
  return Mapped{result};
}

Result<Mapped> map_embedding_bag_module(Call& call) {
  FX_TRY(positions, call.tensor("input"));
  FX_TRY(weight, call.module_tensor("weight"));
  return apply_embedding_bag(call, positions, weight);
}

Result<Mapped> map_embedding_bag(Call& call) {
  FX_TRY(positions, call.tensor("input"));
  FX_TRY(weight, call.tensor("weight"));
  return apply_embedding_bag(call, positions, weight);
}

constexpr RuleEntry kEmbeddingModuleRules[] = {
    {"torch.nn.Embedding", "map_embedding_module", "input", map_embedding_module},
    {"torch.nn.EmbeddingBag", "map_embedding_bag_module", "input, offsets?, per_sample_weights?",
     map_embedding_bag_module},
};
constexpr RuleEntry kEmbeddingRules[] = {
    {"embedding", "map_embedding",
     "input, weight, padding_idx?, max_norm?, norm_type?, scale_grad_by_freq?, sparse?",
     map_embedding},
    {"embedding_bag", "map_embedding_bag",
     "input, weight, offsets?, max_norm?, norm_type?, scale_grad_by_freq?, mode?, sparse?, "
     "per_sample_weights?, include_last_offset?, padding_idx?",
     map_embedding_bag},
    {"torch.embedding", "map_embedding",
     "weight, input, padding_idx?, scale_grad_by_freq?, sparse?", map_embedding},
};

}  // namespace

RuleTable embedding_module_rules() { return kEmbeddingModuleRules; }
RuleTable embedding_rules() { return kEmbeddingRules; }

}  // namespace fx2wasm::translate
