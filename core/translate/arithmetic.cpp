// add, sub, mul, div and reversed forms. On numbers and sizes they are evaluated while translating.
#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/numbers.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

struct Arithmetic {
  std::string_view op;
  std::string_view op_of_bools;  // empty: bools have none
  NumberOp number_op;
};
constexpr Arithmetic kAdd{"add", "logical_or", NumberOp::Add};
constexpr Arithmetic kSubtract{"subtract", "", NumberOp::Subtract};
constexpr Arithmetic kMultiply{"multiply", "logical_and", NumberOp::Multiply};

// The second operand times alpha.
Result<Value> scaled(Call& call, const Value& value, const Value& alpha, DType dtype) {
  if (is_none(alpha)) return value;
  if (!as_number(alpha)) {
    return call.error(codes::kArgument, "scales by a number, not by " + describe(alpha));
  }
  if (!is_float(dtype) && std::holds_alternative<double>(alpha.value)) {
    return call.error(codes::kArgument,
                      "tensors of integers are scaled by an integer, not by " + describe(alpha));
  }
  if (*as_number(alpha) == 1) return value;
  if (as_expr(value) == nullptr) {
    return evaluate_number_op(call, NumberOp::Multiply, value, alpha);
  }
  FX_TRY(factor, tensor_of(call, alpha, dtype));
  FX_TRY(tensor, tensor_of(call, value, dtype));
  return call.emit(relax::op::multiply(tensor, factor));
}

Result<Value> apply(Call& call, const Arithmetic& arithmetic, const Value& a, const Value& b,
                    const Value& alpha) {
  if (as_expr(a) == nullptr && as_expr(b) == nullptr) {
    FX_TRY(second, scaled(call, b, alpha, DType::Float32));
    return evaluate_number_op(call, arithmetic.number_op, a, second);
  }
  const std::optional<Operand> left = operand_of(a), right = operand_of(b);
  if (!left || !right) return emit_promoted(call, arithmetic.op, a, b);  // refuses them
  const DType dtype = result_type(*left, *right);
  const bool some_bools = left->dtype == DType::Bool || right->dtype == DType::Bool;
  if (some_bools && arithmetic.op_of_bools.empty()) {
    return call.error(codes::kDtypeMismatch,
                      "bools can't be subtracted: take logical_xor or bitwise_not, or cast them");
  }
  FX_TRY(second, scaled(call, b, alpha, dtype));
  if (dtype != DType::Bool) return emit_promoted(call, arithmetic.op, a, second);
  return emit_promoted(call, arithmetic.op_of_bools, a, second);
}

Result<Mapped> map_binary(Call& call, const Arithmetic& arithmetic) {
  FX_TRY(result, apply(call, arithmetic, call.argument("input"), call.argument("other"),
                       call.argument("alpha")));
  return Mapped{result};
}

Result<Mapped> map_add(Call& call) { return map_binary(call, kAdd); }
Result<Mapped> map_sub(Call& call) { return map_binary(call, kSubtract); }
Result<Mapped> map_mul(Call& call) { return map_binary(call, kMultiply); }

Result<Mapped> map_rsub(Call& call) {
  FX_TRY(result, apply(call, kSubtract, call.argument("other"), call.argument("input"),
                       call.argument("alpha")));
  return Mapped{result};
}

Result<Value> quotient(Call& call, const Value& a, const Value& b) {
  if (as_expr(a) == nullptr && as_expr(b) == nullptr) {
    return evaluate_number_op(call, NumberOp::Divide, a, b);
  }
  return emit_promoted(call, "divide", a, b, true);
}

Result<Mapped> map_truediv(Call& call) {
  FX_TRY(result, quotient(call, call.argument("input"), call.argument("other")));
  return Mapped{result};
}

Result<Value> floored(Call& call, const Value& a, const Value& b) {
  if (as_expr(a) == nullptr && as_expr(b) == nullptr) {
    return evaluate_number_op(call, NumberOp::FloorDivide, a, b);
  }
  return emit_promoted(call, "floor_divide", a, b);
}

Result<Mapped> map_floordiv(Call& call) {
  FX_TRY(result, floored(call, call.argument("input"), call.argument("other")));
  return Mapped{result};
}

// The quotient rounded to zero, as the division of integers, which stay integers, does by itself.
Result<Value> truncated(Call& call, const Value& a, const Value& b) {
  if (as_expr(a) == nullptr && as_expr(b) == nullptr) {
    return evaluate_number_op(call, NumberOp::Truncate, a, b);
  }
  FX_TRY(ratio, emit_promoted(call, "divide", a, b));
  return call.emit(relax::op::call("trunc", {*as_expr(ratio)}));
}

Result<Mapped> map_div(Call& call) {
  const Value &a = call.argument("input"), &b = call.argument("other");
  const Value& mode = call.argument("rounding_mode");
  if (is_none(mode)) return map_truediv(call);
  const auto* text = std::get_if<std::string>(&mode.value);
  if (text != nullptr && *text == "floor") return map_floordiv(call);
  if (text != nullptr && *text == "trunc") {
    FX_TRY(result, truncated(call, a, b));
    return Mapped{result};
  }
  return call.argument_error("rounding_mode",
                             "rounding_mode is None, 'floor' or 'trunc', not " + describe(mode));
}

// input + value * tensor1 * tensor2, or … / tensor2, in the common dtype of all three.
Result<Mapped> map_add_combined(Call& call, std::string_view op) {
  std::optional<Operand> common;
  for (std::string_view name : {"input", "tensor1", "tensor2"}) {
    FX_TRY(tensor, call.tensor(name));
    const Operand operand = *operand_of({tensor});
    common = common ? joined_operand(*common, operand) : operand;
  }
  FX_TRY(first, tensor_of(call, call.argument("tensor1"), common->dtype));
  FX_TRY(second, tensor_of(call, call.argument("tensor2"), common->dtype));
  FX_TRY(combined, call.emit(relax::op::call(op, {first, second})));
  FX_TRY(times, scaled(call, combined, call.argument("value"), common->dtype));
  FX_TRY(sum, emit_promoted(call, "add", call.argument("input"), times));
  return Mapped{sum};
}

Result<Mapped> map_addcmul(Call& call) { return map_add_combined(call, "multiply"); }

Result<Mapped> map_addcdiv(Call& call) {
  FX_TRY(first, call.tensor("tensor1"));
  FX_TRY(second, call.tensor("tensor2"));
  if (is_float(*relax::as_tensor(first)->dtype) || is_float(*relax::as_tensor(second)->dtype)) {
    return map_add_combined(call, "divide");
  }
  return call.error(codes::kDtypeMismatch,
                    "integers are not divided here: cast tensor1 or tensor2 to floats");
}

constexpr std::string_view kOperands = "input, other";
constexpr std::string_view kScaledOperands = "input, other, alpha?";
constexpr std::string_view kQuotient = "input, other, rounding_mode?";

constexpr RuleEntry kArithmeticRules[] = {
    {"add", "map_add", kScaledOperands, map_add},
    {"addcdiv", "map_addcdiv", "input, tensor1, tensor2, value?", map_addcdiv},
    {"addcmul", "map_addcmul", "input, tensor1, tensor2, value?", map_addcmul},
    {"div", "map_div", kQuotient, map_div},
    {"divide", "map_div", kQuotient, map_div},
    {"floor_divide", "map_floordiv", kOperands, map_floordiv},
    {"floordiv", "map_floordiv", kOperands, map_floordiv},
    {"mul", "map_mul", kOperands, map_mul},
    {"multiply", "map_mul", kOperands, map_mul},
    {"rsub", "map_rsub", kScaledOperands, map_rsub},
    {"sub", "map_sub", kScaledOperands, map_sub},
    {"subtract", "map_sub", kScaledOperands, map_sub},
    {"true_divide", "map_truediv", kOperands, map_truediv},
    {"truediv", "map_truediv", kOperands, map_truediv},
};

}  // namespace

RuleTable arithmetic_rules() { return kArithmeticRules; }

}  // namespace fx2wasm::translate
