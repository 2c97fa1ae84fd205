#include "translate/view_rule.h"

#include <utility>

#include "builder/relax_ops.h"
#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/check.h"

namespace fx2wasm::translate {
namespace {

Result<Value> emitted_view(BlockBuilder& builder, const relax::Expr& expr) {
  FX_TRY(variable, builder.emit(expr));
  return Value{variable};
}

relax::Expr tensor_in(const Value& value) {
  const relax::Expr* expr = as_expr(value);
  FX_CHECK(expr != nullptr, "a view and its base are tensors");
  return *expr;
}

// An item without a binding where the tuple is written out.
relax::Expr item_of(const relax::Expr& tuple, size_t index) {
  const auto* fields = std::get_if<relax::Tuple>(&tuple->kind);
  if (fields != nullptr) return fields->fields[index];
  return relax::tuple_get_item(tuple, static_cast<int>(index));
}

bool has_extent_one(const std::vector<tir::PrimExpr>& shape, size_t axis) {
  return tir::is_one(shape[axis]);
}

}  // namespace

Packing packing_of_view(Packing base, const ViewRule* rule) {
  if (rule == nullptr || base == Packing::Unknown) return Packing::Unknown;
  if (base == Packing::Spread) return Packing::Unknown;
  return rule->spreads ? Packing::Spread : Packing::Packed;
}

ViewRulePtr reshaped_view(const relax::Expr& base, std::vector<tir::PrimExpr> shape) {
  if (!relax::as_tensor(base)->shape) return nullptr;
  const std::vector<tir::PrimExpr> own = *relax::as_tensor(base)->shape;
  auto rule = std::make_shared<ViewRule>();
  rule->take = [shape = std::move(shape)](BlockBuilder& builder, const Value& changed) {
    return emitted_view(builder, relax::op::reshape(tensor_in(changed), shape));
  };
  rule->put = [own](BlockBuilder& builder, const Value&, const Value& written) {
    return emitted_view(builder, relax::op::reshape(tensor_in(written), own));
  };
  return rule;
}

ViewRulePtr permuted_view(const relax::Expr& base, const std::vector<int64_t>& axes) {
  const relax::TensorType* type = relax::as_tensor(base);
  std::vector<int64_t> back(axes.size());
  int64_t last = -1;  // of the axes with several positions
  auto rule = std::make_shared<ViewRule>();
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto from = static_cast<size_t>(axes[i]);
    back[from] = static_cast<int64_t>(i);
    if (type->shape && has_extent_one(*type->shape, from)) continue;
    rule->spreads |= axes[i] < last;
    last = axes[i];
  }
  rule->take = [axes](BlockBuilder& builder, const Value& changed) {
    return emitted_view(builder, relax::op::permute_dims(tensor_in(changed), axes));
  };
  rule->put = [back](BlockBuilder& builder, const Value&, const Value& written) {
    return emitted_view(builder, relax::op::permute_dims(tensor_in(written), back));
  };
  return rule;
}

ViewRulePtr item_view(int index) {
  const auto at = static_cast<size_t>(index);
  auto rule = std::make_shared<ViewRule>();
  rule->take = [at](BlockBuilder& builder, const Value& tuple) -> Result<Value> {
    return emitted_view(builder, item_of(tensor_in(tuple), at));
  };
  rule->put = [at](BlockBuilder& builder, const Value& tuple,
                   const Value& written) -> Result<Value> {
    const relax::Expr whole = tensor_in(tuple);
    const size_t count = relax::as_tuple(whole->type)->fields.size();
    std::vector<relax::Expr> fields;
    for (size_t i = 0; i < count; ++i) {
      if (i == at) {
        fields.push_back(tensor_in(written));
        continue;
      }
      FX_TRY(field, builder.emit(item_of(whole, i)));
      fields.push_back(field);
    }
    return Value{relax::tuple_expr(std::move(fields))};
  };
  return rule;
}

ViewRulePtr expanded_view(const relax::Expr& base, std::vector<tir::PrimExpr> shape) {
  const std::vector<tir::PrimExpr> own = *relax::as_tensor(base)->shape;
  const size_t added = shape.size() - own.size();
  bool repeats = false;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool was_one = i < added || has_extent_one(own, i - added);
    repeats |= was_one && !tir::is_one(shape[i]);
  }
  auto rule = std::make_shared<ViewRule>();
  rule->take = [shape = std::move(shape)](BlockBuilder& builder, const Value& changed) {
    return emitted_view(
        builder, relax::op::call("broadcast_to", {tensor_in(changed), relax::shape_expr(shape)}));
  };
  if (repeats) {
    rule->spreads = true;
    rule->refuses_writes =
        "one element of the expanded tensor stands for several: clone() it first";
  } else {
    rule->put = [own](BlockBuilder& builder, const Value&, const Value& written) {
      return emitted_view(builder, relax::op::reshape(tensor_in(written), own));
    };
  }
  return rule;
}

}  // namespace fx2wasm::translate
