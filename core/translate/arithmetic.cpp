// add, sub, mul, div and their in-place and reversed forms. On numbers and sizes they are evaluated
// while translating.
#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"
#include "translate/sizes.h"

namespace fx2wasm::translate {
namespace {

using TensorOp = relax::Expr (*)(relax::Expr, relax::Expr);

struct Arithmetic {
  TensorOp tensor_op;
  NumberOp number_op;
};
constexpr Arithmetic kAdd{relax::op::add, NumberOp::Add};
constexpr Arithmetic kSubtract{relax::op::subtract, NumberOp::Subtract};
constexpr Arithmetic kMultiply{relax::op::multiply, NumberOp::Multiply};
constexpr Arithmetic kDivide{relax::op::divide, NumberOp::Divide};

relax::Expr number_constant(const Value& number, DType dtype) {
  const auto* integer = std::get_if<int64_t>(&number.value);
  return relax::constant_expr(integer != nullptr ? scalar_constant(dtype, *integer)
                                                 : scalar_constant(dtype, *as_number(number)));
}

// The second operand times alpha, in the dtype that both operands have.
Result<relax::Expr> scaled(Call& call, const relax::Expr& tensor, const Value& alpha) {
  if (is_none(alpha)) return tensor;
  if (!as_number(alpha)) {
    return call.argument_error("alpha", "alpha is a number, not " + describe(alpha));
  }
  const DType dtype = *relax::as_tensor(tensor)->dtype;
  if (!is_float(dtype) && std::holds_alternative<double>(alpha.value)) {
    return call.argument_error(
        "alpha", "alpha is an integer for tensors of integers, not " + describe(alpha));
  }
  if (*as_number(alpha) == 1) return tensor;
  return call.builder.emit(relax::op::multiply(tensor, number_constant(alpha, dtype)));
}

Result<Value> apply(Call& call, const Arithmetic& arithmetic, const Value& a, const Value& b,
                    const Value& alpha) {
  if (as_expr(a) == nullptr && as_expr(b) == nullptr) {
    FX_TRY(second, is_none(alpha) ? Result<Value>(b)
                                  : evaluate_number_op(call, NumberOp::Multiply, b, alpha));
    return evaluate_number_op(call, arithmetic.number_op, a, second);
  }
  const bool as_float = arithmetic.number_op == NumberOp::Divide;
  FX_TRY(operands, promoted_operands(call, a, b, as_float));
  FX_TRY(second, scaled(call, operands.second, alpha));
  return call.emit(arithmetic.tensor_op(operands.first, second));
}

Result<Mapped> map_binary(Call& call, const Arithmetic& arithmetic) {
  FX_TRY(result, apply(call, arithmetic, call.argument("input"), call.argument("other"),
                       call.argument("alpha")));
  return Mapped{result};
}

// The result keeps the first operand's dtype and shape.
Result<Mapped> map_in_place(Call& call, const Arithmetic& arithmetic) {
  const Value& target = call.argument("input");
  FX_TRY(result, apply(call, arithmetic, target, call.argument("other"), call.argument("alpha")));
  const relax::TensorType *before = as_tensor(target), *after = as_tensor(result);
  if (before == nullptr || after == nullptr) return Mapped{result};
  if (is_float(*after->dtype) && !is_float(*before->dtype)) {
    return call.error(codes::kDtypeMismatch, "a result of " + describe_type(result) +
                                                 " can't be written into " + describe_type(target));
  }
  if (shape_text(*before) != shape_text(*after)) {
    return call.error(codes::kShapeMismatch, "a result of shape " + shape_text(*after) +
                                                 " can't be written into " + shape_text(*before));
  }
  FX_TRY(cast, cast_to(call, *as_expr(result), *before->dtype));
  return Mapped{{cast}, Sharing::Written};
}

Result<Mapped> map_add(Call& call) { return map_binary(call, kAdd); }
Result<Mapped> map_sub(Call& call) { return map_binary(call, kSubtract); }
Result<Mapped> map_mul(Call& call) { return map_binary(call, kMultiply); }
Result<Mapped> map_truediv(Call& call) { return map_binary(call, kDivide); }
Result<Mapped> map_add_in_place(Call& call) { return map_in_place(call, kAdd); }
Result<Mapped> map_sub_in_place(Call& call) { return map_in_place(call, kSubtract); }
Result<Mapped> map_mul_in_place(Call& call) { return map_in_place(call, kMultiply); }

Result<Mapped> map_div(Call& call) {
  if (call.has("rounding_mode")) {
    return call.argument_error("rounding_mode", "rounding_mode is not supported");
  }
  return map_binary(call, kDivide);
}

Result<Mapped> map_rsub(Call& call) {
  FX_TRY(result, apply(call, kSubtract, call.argument("other"), call.argument("input"),
                       call.argument("alpha")));
  return Mapped{result};
}

constexpr std::string_view kOperands = "input, other";
constexpr std::string_view kScaledOperands = "input, other, alpha?";

constexpr RuleEntry kArithmeticRules[] = {
    {"add", "map_add", kScaledOperands, map_add},
    {"add_", "map_add_in_place", kScaledOperands, map_add_in_place},
    {"div", "map_div", "input, other, rounding_mode?", map_div},
    {"iadd", "map_add_in_place", kOperands, map_add_in_place},
    {"imul", "map_mul_in_place", kOperands, map_mul_in_place},
    {"isub", "map_sub_in_place", kOperands, map_sub_in_place},
    {"mul", "map_mul", kOperands, map_mul},
    {"mul_", "map_mul_in_place", kOperands, map_mul_in_place},
    {"multiply", "map_mul", kOperands, map_mul},
    {"rsub", "map_rsub", kScaledOperands, map_rsub},
    {"sub", "map_sub", kScaledOperands, map_sub},
    {"sub_", "map_sub_in_place", kScaledOperands, map_sub_in_place},
    {"subtract", "map_sub", kScaledOperands, map_sub},
    {"truediv", "map_truediv", kOperands, map_truediv},
};

}  // namespace

RuleTable arithmetic_rules() { return kArithmeticRules; }

}  // namespace fx2wasm::translate
