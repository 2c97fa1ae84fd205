// The largest and smallest elements, where they stand, and whether any or all elements hold.
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/fold_dims.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// The extremes of bools are those of 0 and 1, as TVM has it.
Result<relax::Expr> extreme_of(Call& call, std::string_view op, const relax::Expr& x,
                               const FoldDims& dims) {
  const bool bools = relax::as_tensor(x)->dtype == DType::Bool;
  FX_TRY(numbers, bools ? cast_to(call, x, DType::Int8) : Result<relax::Expr>(x));
  FX_TRY(extreme, call.builder.emit(relax::op::call(op, {numbers}, dims.attrs())));
  return bools ? cast_to(call, extreme, DType::Bool) : Result<relax::Expr>(extreme);
}

Result<relax::Expr> position_of(Call& call, bool largest, const relax::Expr& x,
                                const FoldDims& dims) {
  const bool bools = relax::as_tensor(x)->dtype == DType::Bool;
  FX_TRY(numbers, bools ? cast_to(call, x, DType::Int8) : Result<relax::Expr>(x));
  const AttrValue axis = dims.dims ? AttrValue{dims.dims->front()} : AttrValue{AttrNone{}};
  return call.builder.emit(relax::op::call(largest ? "argmax" : "argmin", {numbers},
                                           {{"axis", axis}, {"keepdims", AttrValue{dims.keep}}}));
}

Result<Unit> require_one_dim(const Call& call) {
  const Value& dim = call.argument("dim");
  if (!std::holds_alternative<ValueList>(dim.value)) return Unit{};
  return call.argument_error("dim", "'dim' is one integer, not " + describe(dim));
}

Result<Mapped> apply_position(Call& call, bool largest) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(single, require_one_dim(call));
  static_cast<void>(single);
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  if (relax::as_tensor(x)->dtype == DType::Bool) {
    return call.error(codes::kDtypeMismatch, "takes numbers, not bools: cast them");
  }
  FX_TRY(result, position_of(call, largest, x, dims));
  return Mapped{{result}};
}
Result<Mapped> map_argmax(Call& call) { return apply_position(call, true); }
Result<Mapped> map_argmin(Call& call) { return apply_position(call, false); }

// max(x), max(x, dim) with the positions, max(x, other).
Result<Mapped> apply_extreme(Call& call, bool largest) {
  const std::string_view op = largest ? "max" : "min";
  const bool in_dims_place = as_tensor(call.argument("dim")) != nullptr;
  if (in_dims_place || call.has("other")) {
    const RuleEntry* larger = find_method_rule(largest ? "maximum" : "minimum");
    if (in_dims_place) {
      FX_TRY(bound, call.bind(larger->signature));
      static_cast<void>(bound);
    }
    return larger->rule(call);
  }
  FX_TRY(x, call.tensor("input"));
  FX_TRY(single, require_one_dim(call));
  static_cast<void>(single);
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(extreme, extreme_of(call, op, x, dims));
  if (!call.has("dim")) return Mapped{{extreme}};
  FX_TRY(position, position_of(call, largest, x, dims));
  FX_TRY(both, call.emit(relax::tuple_expr({extreme, position})));
  return Mapped{both};
}
Result<Mapped> map_max(Call& call) { return apply_extreme(call, true); }
Result<Mapped> map_min(Call& call) { return apply_extreme(call, false); }

Result<Mapped> apply_extreme_value(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(result, extreme_of(call, op, x, dims));
  return Mapped{{result}};
}
Result<Mapped> map_amax(Call& call) { return apply_extreme_value(call, "max"); }
Result<Mapped> map_amin(Call& call) { return apply_extreme_value(call, "min"); }

Result<Mapped> map_aminmax(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(single, require_one_dim(call));
  static_cast<void>(single);
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(least, extreme_of(call, "min", x, dims));
  FX_TRY(largest, extreme_of(call, "max", x, dims));
  FX_TRY(both, call.emit(relax::tuple_expr({least, largest})));
  return Mapped{both};
}

// Of no elements any is False and all is True: sum and product of the bools have that.
Result<Mapped> apply_truth(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  const relax::TensorType& type = *relax::as_tensor(x);
  const DType result = type.dtype == DType::UInt8 ? DType::UInt8 : DType::Bool;
  FX_TRY(truth, as_truth(call, x));
  const auto shape = relax::static_shape(*relax::as_tensor(truth));
  const bool maybe_empty = !shape || element_count(*shape) == 0;
  relax::Expr found;
  if (maybe_empty) {
    FX_TRY(numbers, cast_to(call, truth, DType::Int32));
    // Counted as 0 or 1, so that the sum of any of them is positive.
    FX_TRY(folded, call.builder.emit(
                       relax::op::call(op == "max" ? "sum" : "prod", {numbers}, dims.attrs())));
    FX_TRY(holds, as_truth(call, folded));
    found = holds;
  } else {
    FX_TRY(extreme, extreme_of(call, op, truth, dims));
    found = extreme;
  }
  FX_TRY(cast, cast_to(call, found, result));
  return Mapped{{cast}};
}
Result<Mapped> map_any(Call& call) { return apply_truth(call, "max"); }
Result<Mapped> map_all(Call& call) { return apply_truth(call, "min"); }

constexpr std::string_view kExtremeArguments = "input, dim?, keepdim?, other?, out?";
constexpr std::string_view kFoldArguments = "input, dim?, keepdim?, out?";

constexpr RuleEntry kExtremeRules[] = {
    {"all", "map_all", kFoldArguments, map_all},
    {"amax", "map_amax", kFoldArguments, map_amax},
    {"amin", "map_amin", kFoldArguments, map_amin},
    {"aminmax", "map_aminmax", kFoldArguments, map_aminmax},
    {"any", "map_any", kFoldArguments, map_any},
    {"argmax", "map_argmax", kFoldArguments, map_argmax},
    {"argmin", "map_argmin", kFoldArguments, map_argmin},
    {"max", "map_max", kExtremeArguments, map_max},
    {"min", "map_min", kExtremeArguments, map_min},
};

}  // namespace

RuleTable extreme_rules() { return kExtremeRules; }

}  // namespace fx2wasm::translate
