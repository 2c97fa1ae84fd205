// In-place operators, and functions that write into their argument and nothing else: fill_, zero_,
// copy_.
#include "translate/in_place.h"

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

// torch.can_cast for results written in place: never from floats to integers, nor to bool.
bool can_write(DType from, DType to) {
  if (to == DType::Bool) return from == DType::Bool;
  return is_float(to) || !is_float(from);
}

bool same_extents(const relax::TensorType& a, const relax::TensorType& b) {
  if (!a.shape || !b.shape) return a.ndim == b.ndim;
  if (a.shape->size() != b.shape->size()) return false;
  for (size_t i = 0; i < a.shape->size(); ++i) {
    if (!structural_equal((*a.shape)[i], (*b.shape)[i])) return false;
  }
  return true;
}

// Comparisons give a bool, but write what their target holds.
bool gives_truth(std::string_view key) {
  constexpr std::string_view kTests[] = {
      "eq",          "equal", "ge",         "greater",     "greater_equal", "gt",
      "le",          "less",  "less_equal", "logical_and", "logical_not",   "logical_or",
      "logical_xor", "lt",    "ne",         "not_equal"};
  for (std::string_view test : kTests) {
    if (test == key) return true;
  }
  return false;
}

Result<Mapped> write(Call& call, const Value& result, bool any_dtype) {
  const Value& target = call.argument("input");
  const relax::TensorType *before = as_tensor(target), *after = as_tensor(result);
  if (before == nullptr || after == nullptr) return Mapped{result};
  if (!any_dtype && !can_write(*after->dtype, *before->dtype)) {
    return call.error(codes::kDtypeMismatch, "a result of " + describe_type(result) +
                                                 " can't be written into " + describe_type(target));
  }
  if (!same_extents(*before, *after)) {
    return call.error(codes::kShapeMismatch, "a result of shape " + shape_text(*after) +
                                                 " can't be written into " + shape_text(*before));
  }
  FX_TRY(cast, cast_to(call, *as_expr(result), *before->dtype));
  return Mapped{{cast}, Sharing::Written};
}

Result<Mapped> map_fill_in_place(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const relax::TensorType* type = relax::as_tensor(x);
  if (!type->shape) return call.error(codes::kShapeMismatch, "the shape of its input is not known");
  FX_TRY(value, fill_value(call, "value", *type->dtype));
  FX_TRY(filled, call.emit(relax::op::call("full", {relax::shape_expr(*type->shape), value},
                                           {{"dtype", {*type->dtype}}})));
  return Mapped{filled, Sharing::Written};
}

Result<Mapped> map_zero(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(zeros, call.emit(relax::op::call("zeros_like", {x})));
  return Mapped{zeros, Sharing::Written};
}

// Takes the target's dtype and shape. TVM broadcasts even where the shapes are the same.
Result<Mapped> map_copy(Call& call) {
  FX_TRY(target, call.tensor("input"));
  const relax::TensorType* type = relax::as_tensor(target);
  FX_TRY(source, tensor_of(call, call.argument("src"), *type->dtype));
  if (!type->shape) return call.error(codes::kShapeMismatch, "the shape of its input is not known");
  FX_TRY(copy,
         call.emit(relax::op::call("broadcast_to", {source, relax::shape_expr(*type->shape)})));
  return Mapped{copy, Sharing::Written};
}

constexpr std::string_view kPair = "input, other";
constexpr std::string_view kScaledPair = "input, other, alpha?";
constexpr std::string_view kDivision = "input, other, rounding_mode?";

constexpr RuleEntry kInPlaceRules[] = {
    in_place_row("add_", kScaledPair),
    in_place_row("addcdiv_", "input, tensor1, tensor2, value?"),
    in_place_row("addcmul_", "input, tensor1, tensor2, value?"),
    in_place_row("arctan2_", kPair),
    in_place_row("atan2_", kPair),
    in_place_row("bitwise_and_", kPair),
    in_place_row("bitwise_left_shift_", kPair),
    in_place_row("bitwise_not_", "input"),
    in_place_row("bitwise_or_", kPair),
    in_place_row("bitwise_right_shift_", kPair),
    in_place_row("bitwise_xor_", kPair),
    {"copy_", "map_copy", "input, src, non_blocking?", map_copy},
    in_place_row("copysign_", kPair),
    in_place_row("div_", kDivision),
    in_place_row("divide_", kDivision),
    in_place_row("eq_", kPair),
    {"fill_", "map_fill_in_place", "input, value", map_fill_in_place},
    in_place_row("floor_divide_", kPair),
    in_place_row("fmod_", kPair),
    in_place_row("ge_", kPair),
    in_place_row("greater_", kPair),
    in_place_row("greater_equal_", kPair),
    in_place_row("gt_", kPair),
    in_place_row("heaviside_", "input, values"),
    in_place_row("hypot_", kPair),
    in_place_row("iadd", kPair),
    in_place_row("iand", kPair),
    in_place_row("ifloordiv", kPair),
    in_place_row("ilshift", kPair),
    in_place_row("imod", kPair),
    in_place_row("imul", kPair),
    in_place_row("ior", kPair),
    in_place_row("ipow", "input, exponent"),
    in_place_row("irshift", kPair),
    in_place_row("isub", kPair),
    in_place_row("itruediv", kPair),
    in_place_row("ixor", kPair),
    in_place_row("le_", kPair),
    in_place_row("less_", kPair),
    in_place_row("less_equal_", kPair),
    in_place_row("logical_and_", kPair),
    in_place_row("logical_not_", "input"),
    in_place_row("logical_or_", kPair),
    in_place_row("logical_xor_", kPair),
    in_place_row("lt_", kPair),
    in_place_row("masked_fill_", "input, mask, value"),
    in_place_row("mul_", kPair),
    in_place_row("multiply_", kPair),
    in_place_row("ne_", kPair),
    in_place_row("not_equal_", kPair),
    in_place_row("pow_", "input, exponent"),
    in_place_row("remainder_", kPair),
    in_place_row("sub_", kScaledPair),
    in_place_row("subtract_", kScaledPair),
    in_place_row("true_divide_", kPair),
    in_place_row("xlogy_", kPair),
    {"zero_", "map_zero", "input", map_zero},
};

}  // namespace

std::string_view computed_operator(std::string_view key) {
  if (key == "iand") return "and_";
  if (key == "ior") return "or_";
  if (key.back() == '_') return key.substr(0, key.size() - 1);
  return key.substr(1);
}

Result<Mapped> map_in_place(Call& call) {
  const std::string_view key = computed_operator(function_key(call.node.target));
  const RuleEntry* computed = find_method_rule(key);
  FX_CHECK(computed != nullptr, "an in-place operator has one that it computes");
  FX_TRY(result, computed->rule(call));
  return write(call, result.value, gives_truth(key));
}

Result<Mapped> written(Call& call, const Value& result) { return write(call, result, false); }

RuleTable in_place_rules() { return kInPlaceRules; }

}  // namespace fx2wasm::translate
