// Operators that give the same elements in another shape.
#include <algorithm>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

Result<Mapped> reshaped_to(Call& call, const relax::Expr& x, Sizes sizes,
                           Sharing sharing = Sharing::Reshaped) {
  const ViewRulePtr view = reshaped_view(x, sizes);
  FX_TRY(result, call.emit(relax::op::reshape(x, std::move(sizes))));
  return Mapped{result, sharing, view};
}

Result<Mapped> apply_flatten(Call& call, int64_t start, int64_t end) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, known_sizes(call, x));
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t axes = std::max<int64_t>(rank, 1);  // a scalar has one axis here
  for (const auto& [name, dim] : {std::pair("start_dim", start), std::pair("end_dim", end)}) {
    if (dim < -axes || dim >= axes) {
      return call.argument_error(name, std::string(name) + "=" + std::to_string(dim) +
                                           " of a tensor of shape " +
                                           shape_text(*relax::as_tensor(x)));
    }
  }
  if (start < 0) start += axes;
  if (end < 0) end += axes;
  if (start > end) {
    return call.argument_error("start_dim", "start_dim=" + std::to_string(start) +
                                                " comes after end_dim=" + std::to_string(end));
  }
  Sizes flat(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(std::min(start, rank)));
  tir::PrimExpr joined = tir::int_imm(DType::Int64, 1);
  for (int64_t i = start; i <= std::min(end, rank - 1); ++i) {
    joined = tir::mul(joined, shape[static_cast<size_t>(i)]);
  }
  flat.push_back(joined);
  for (int64_t i = end + 1; i < rank; ++i) flat.push_back(shape[static_cast<size_t>(i)]);
  return reshaped_to(call, x, std::move(flat));
}

Result<Mapped> map_flatten_module(Call& call) {
  FX_TRY(start, call.integer_setting("start_dim"));
  FX_TRY(end, call.integer_setting("end_dim"));
  return apply_flatten(call, start, end);
}

Result<Mapped> map_flatten(Call& call) {
  FX_TRY(start, call.integer("start_dim", 0));
  FX_TRY(end, call.integer("end_dim", -1));
  return apply_flatten(call, start, end);
}

Result<Mapped> map_ravel(Call& call) { return apply_flatten(call, 0, -1); }

bool structurally_same(const Sizes& a, const Sizes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return structural_equal(x, y); });
}

Result<Mapped> apply_reshape(Call& call, Sharing sharing) {
  FX_TRY(x, call.tensor("input"));
  for (const Value& value : call.rest()) {
    if (std::holds_alternative<DType>(value.value)) {
      return call.error(codes::kArgument, "a view in another dtype is not supported");
    }
  }
  FX_TRY(sizes, call.sizes(call.rest()));
  const relax::TensorType* type = relax::as_tensor(x);
  // A reshape to the same shape is left out.
  if (type->shape && structurally_same(*type->shape, sizes)) return Mapped{{x}, Sharing::Same};
  return reshaped_to(call, x, std::move(sizes), sharing);
}

Result<Mapped> map_reshape(Call& call) { return apply_reshape(call, Sharing::Reshaped); }
Result<Mapped> map_view(Call& call) { return apply_reshape(call, Sharing::View); }

Result<Mapped> apply_reshape_as(Call& call, Sharing sharing) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(other, call.tensor("other"));
  FX_TRY(sizes, known_sizes(call, other));
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->shape && structurally_same(*type->shape, sizes)) return Mapped{{x}, Sharing::Same};
  return reshaped_to(call, x, std::move(sizes), sharing);
}

Result<Mapped> map_reshape_as(Call& call) { return apply_reshape_as(call, Sharing::Reshaped); }
Result<Mapped> map_view_as(Call& call) { return apply_reshape_as(call, Sharing::View); }

// One axis becomes several.
Result<Mapped> apply_unflatten(Call& call, int64_t dim, Sizes parts) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, known_sizes(call, x));
  if (shape.empty() || parts.empty()) {
    return call.error(codes::kArgument, shape.empty() ? "a tensor without axes has none to unfold"
                                                      : "the sizes of the new axes are missing");
  }
  FX_TRY(axis, axis_at(call, "dim", dim, rank_of(x)));
  // A size of -1 is what the others leave of this axis: an empty tensor knows it too.
  tir::PrimExpr known = infer::extent_of(1);
  tir::PrimExpr* rest = nullptr;
  for (tir::PrimExpr& part : parts) {
    const bool is_rest = tir::as_int(part) == std::optional<int64_t>(-1);
    if (is_rest && rest != nullptr) {
      return call.error(codes::kArgument, "only one of the sizes can be -1");
    }
    if (is_rest) rest = &part;
    if (!is_rest) known = tir::mul(known, part);
  }
  if (rest != nullptr && !tir::is_zero(known)) {
    *rest = infer::simplify(tir::floordiv(shape[axis], known));
  }
  const tir::PrimExpr joined = infer::simplify(infer::product(parts));
  if (!infer::provably_equal(joined, shape[axis])) {
    return call.error(codes::kShapeMismatch,
                      "axis " + std::to_string(axis) + " of " + shape_text(*relax::as_tensor(x)) +
                          " does not become axes of the sizes " + infer::shape_text(parts));
  }
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), parts.begin(), parts.end());
  return reshaped_to(call, x, std::move(shape), Sharing::View);
}

Result<Mapped> map_unflatten(Call& call) {
  FX_TRY(dim, call.integer("dim"));
  FX_TRY(parts, call.sizes({call.argument("sizes")}));
  return apply_unflatten(call, dim, std::move(parts));
}

Result<Mapped> map_unflatten_module(Call& call) {
  FX_TRY(dim, call.integer_setting("dim"));
  FX_TRY(sizes, call.setting("unflattened_size"));
  FX_TRY(parts, call.sizes({sizes}));
  return apply_unflatten(call, dim, std::move(parts));
}

Result<Mapped> map_unsqueeze(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, call.integer("dim"));
  const int64_t rank = rank_of(x) + 1;
  FX_TRY(axis, axis_at(call, "dim", dim, rank));
  FX_TRY(shape, known_sizes(call, x));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), infer::extent_of(1));
  const ViewRulePtr view = reshaped_view(x, std::move(shape));
  FX_TRY(result,
         call.emit(relax::op::call("expand_dims", {x}, {{"axis", relax::op::int_list({dim})}})));
  return Mapped{result, Sharing::View, view};
}

Result<Mapped> squeezed(Call& call, const relax::Expr& x,
                        const std::optional<std::vector<int64_t>>& dims) {
  const AttrValue axis = dims ? relax::op::int_list(*dims) : AttrValue{AttrNone{}};
  FX_TRY(result, call.emit(relax::op::call("squeeze", {x}, {{"axis", axis}})));
  const relax::TensorType* type = as_tensor(result);
  return Mapped{result, Sharing::View,
                type->shape ? reshaped_view(x, *type->shape) : ViewRulePtr()};
}

Result<Mapped> map_squeeze(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (!call.has("dim")) return squeezed(call, x, std::nullopt);
  FX_TRY(shape, known_sizes(call, x));
  FX_TRY(dims, integer_list(call, "dim", call.argument("dim")));
  FX_TRY(axes, axis_list(call, "dim", dims, rank_of(x)));
  // An axis of another size than 1 stays: so does a symbolic one, as a graph's ranks are fixed.
  std::vector<int64_t> known;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < shape.size() && tir::as_int(shape[axes[i]])) known.push_back(dims[i]);
  }
  if (known.empty()) return Mapped{{x}, Sharing::Same};
  return squeezed(call, x, known);
}

// At least `count` axes: new ones in front, and of three the third behind.
Result<Mapped> apply_at_least(Call& call, size_t count) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, known_sizes(call, x));
  if (shape.size() >= count) return Mapped{{x}, Sharing::Same};
  return reshaped_to(call, x, sizes_at_least(shape, count), Sharing::View);
}

Result<Mapped> map_at_least_1d(Call& call) { return apply_at_least(call, 1); }
Result<Mapped> map_at_least_2d(Call& call) { return apply_at_least(call, 2); }
Result<Mapped> map_at_least_3d(Call& call) { return apply_at_least(call, 3); }

constexpr RuleEntry kShapeModuleRules[] = {
    {"torch.nn.Flatten", "map_flatten_module", "input", map_flatten_module},
    {"torch.nn.Unflatten", "map_unflatten_module", "input", map_unflatten_module},
};
constexpr RuleEntry kShapeRules[] = {
    {"atleast_1d", "map_at_least_1d", "input", map_at_least_1d},
    {"atleast_2d", "map_at_least_2d", "input", map_at_least_2d},
    {"atleast_3d", "map_at_least_3d", "input", map_at_least_3d},
    {"flatten", "map_flatten", "input, start_dim?, end_dim?", map_flatten},
    {"ravel", "map_ravel", "input", map_ravel},
    {"reshape", "map_reshape", "input, *shape", map_reshape},
    {"reshape_as", "map_reshape_as", "input, other", map_reshape_as},
    {"squeeze", "map_squeeze", "input, dim?", map_squeeze},
    {"unflatten", "map_unflatten", "input, dim, sizes", map_unflatten},
    {"unsqueeze", "map_unsqueeze", "input, dim", map_unsqueeze},
    {"view", "map_reshape", "input, *size", map_view},
    {"view_as", "map_view_as", "input, other", map_view_as},
};

}  // namespace

RuleTable shape_module_rules() { return kShapeModuleRules; }
RuleTable shape_rules() { return kShapeRules; }

}  // namespace fx2wasm::translate
