// clamp and its relatives: bounds that are numbers or tensors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "builder/infer_common.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A number as TVM keeps a Python one.
relax::Expr prim_number(const Value& number) {
  if (const auto* integer = std::get_if<int64_t>(&number.value)) {
    return relax::prim_value(tir::int_imm(DType::Int64, *integer));
  }
  return relax::prim_value(tir::float_imm(DType::Float64, *as_number(number)));
}

// A bound that is a tensor, spread over the tensor that it bounds. What doesn't fit in there
// widens the result instead.
Result<relax::Expr> spread_bound(Call& call, const relax::Expr& x, const relax::Expr& bound) {
  const relax::TensorType *type = relax::as_tensor(x), *bound_type = relax::as_tensor(bound);
  if (!type->shape || !bound_type->shape) return bound;
  const infer::Broadcast joined = infer::broadcast(*type->shape, *bound_type->shape);
  if (!joined.fits || !joined.shape) return bound;  // the operator itself refuses it
  return call.builder.emit(
      relax::op::call("broadcast_to", {bound, relax::shape_expr(*joined.shape)}));
}

// What a bound says about the dtype of the result; nothing when it is no bound at all.
Result<std::optional<Operand>> bound_operand(const Call& call, std::string_view name) {
  using Answer = Result<std::optional<Operand>>;
  const Value& bound = call.argument(name);
  if (is_none(bound)) return Answer(std::nullopt);
  if (const relax::TensorType* type = as_tensor(bound)) {
    return Answer(
        Operand{type->ndim == 0 ? Operand::Rank::Scalar : Operand::Rank::Tensor, *type->dtype});
  }
  if (!as_number(bound)) {
    return call.argument_error(
        name, "'" + std::string(name) + "' is a number or a tensor, not " + describe(bound));
  }
  const bool whole = std::holds_alternative<int64_t>(bound.value);
  const bool flag = std::holds_alternative<bool>(bound.value);
  return Answer(Operand{Operand::Rank::Number, flag    ? DType::Bool
                                               : whole ? DType::Int64
                                                       : DType::Float32});
}

// Tensors bound one after the other, numbers at the end, as TVM's importer does.
Result<Mapped> apply_bounds(Call& call, std::string_view low_name, std::string_view high_name) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(low_operand, bound_operand(call, low_name));
  FX_TRY(high_operand, bound_operand(call, high_name));
  if (!low_operand && !high_operand) {
    return call.error(codes::kArgument, "at least one of the bounds is given");
  }
  Operand result{relax::as_tensor(input)->ndim == 0 ? Operand::Rank::Scalar : Operand::Rank::Tensor,
                 dtype_of(input)};
  for (const std::optional<Operand>& bound : {low_operand, high_operand}) {
    if (bound) result = {std::max(result.rank, bound->rank), result_type(result, *bound)};
  }
  FX_TRY(x, cast_to(call, input, result.dtype));
  Value low = call.argument(low_name), high = call.argument(high_name);
  const auto apply_tensor = [&](Value& bound, std::string_view op) -> Result<Unit> {
    if (as_tensor(bound) == nullptr) return Unit{};
    FX_TRY(same_dtype, cast_to(call, *as_expr(bound), result.dtype));
    FX_TRY(spread, spread_bound(call, x, same_dtype));
    FX_TRY(bounded, call.builder.emit(relax::op::call(op, {x, spread})));
    x = bounded;
    bound = {nullptr};
    return Unit{};
  };
  FX_TRY(raised, apply_tensor(low, "maximum"));
  // A number below must act before a tensor above.
  if (!is_none(low) && as_tensor(high) != nullptr) {
    FX_TRY(clipped, call.builder.emit(clip(x, low, {nullptr})));
    x = clipped;
    low = {nullptr};
  }
  FX_TRY(lowered, apply_tensor(high, "minimum"));
  static_cast<void>(raised), static_cast<void>(lowered);
  FX_TRY(clipped, call.emit(clip(x, low, high)));
  return Mapped{clipped};
}

}  // namespace

relax::Expr clip(const relax::Expr& x, const Value& low, const Value& high) {
  const Value above = is_none(high) ? Value{kInfinity} : high;
  Value below = is_none(low) ? Value{-kInfinity} : low;
  if (*as_number(below) > *as_number(above)) below = above;
  return relax::op::call("clip", {x, prim_number(below), prim_number(above)});
}

Result<Mapped> map_clamp(Call& call) { return apply_bounds(call, "min", "max"); }
Result<Mapped> map_clamp_min(Call& call) { return apply_bounds(call, "min", "no maximum"); }
Result<Mapped> map_clamp_max(Call& call) { return apply_bounds(call, "no minimum", "max"); }

Result<Mapped> map_hardtanh(Call& call) {
  FX_TRY(x, input_of_numbers(call));
  FX_TRY(low, option(call, "min_val", {-1.0}));
  FX_TRY(high, option(call, "max_val", {1.0}));
  if (!as_number(low)) {
    return option_error(call, "min_val", "'min_val' is a number, not " + describe(low));
  }
  if (!as_number(high)) {
    return option_error(call, "max_val", "'max_val' is a number, not " + describe(high));
  }
  if (*as_number(low) > *as_number(high)) {
    return option_error(
        call, "min_val",
        "'min_val' is " + describe(low) + ", above 'max_val', which is " + describe(high));
  }
  FX_TRY(result, call.emit(clip(x, low, high)));
  return Mapped{result};
}

Result<Mapped> map_relu6(Call& call) {
  FX_TRY(x, input_of_numbers(call));
  FX_TRY(result, call.emit(clip(x, {int64_t{0}}, {int64_t{6}})));
  return Mapped{result};
}

}  // namespace fx2wasm::translate
