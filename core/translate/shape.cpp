// Operators that give the same elements in another shape.
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

using Sizes = std::vector<tir::PrimExpr>;

Result<Sizes> known_shape(const Call& call, const relax::Expr& x) {
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->shape) return *type->shape;
  return call.error(codes::kShapeMismatch, "the shape of its input is not known");
}

Result<Mapped> apply_flatten(Call& call, int64_t start, int64_t end) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(shape, known_shape(call, x));
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
  FX_TRY(result, call.emit(relax::op::reshape(x, std::move(flat))));
  return Mapped{result, Sharing::View};
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

bool same_sizes(const Sizes& a, const Sizes& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!structural_equal(a[i], b[i])) return false;
  }
  return true;
}

Result<Mapped> map_reshape(Call& call) {
  FX_TRY(x, call.tensor("input"));
  for (const Value& value : call.rest()) {
    if (std::holds_alternative<DType>(value.value)) {
      return call.error(codes::kArgument, "a view in another dtype is not supported");
    }
  }
  FX_TRY(sizes, call.sizes(call.rest()));
  const relax::TensorType* type = relax::as_tensor(x);
  // A reshape to the same shape is left out.
  if (type->shape && same_sizes(*type->shape, sizes)) return Mapped{{x}, Sharing::Same};
  FX_TRY(result, call.emit(relax::op::reshape(x, sizes)));
  return Mapped{result, Sharing::View};
}

constexpr RuleEntry kShapeModuleRules[] = {
    {"torch.nn.Flatten", "map_flatten_module", "input", map_flatten_module},
};
constexpr RuleEntry kShapeRules[] = {
    {"flatten", "map_flatten", "input, start_dim?, end_dim?", map_flatten},
    {"reshape", "map_reshape", "input, *shape", map_reshape},
    {"view", "map_reshape", "input, *size", map_reshape},
};

}  // namespace

RuleTable shape_module_rules() { return kShapeModuleRules; }
RuleTable shape_rules() { return kShapeRules; }

}  // namespace fx2wasm::translate
