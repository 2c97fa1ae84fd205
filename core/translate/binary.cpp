// Comparisons, bit operations, logic, powers, remainders, larger and smaller of two, choices.
#include <utility>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "translate/in_place.h"
#include "translate/numbers.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// ---- one Relax operator of two operands of a common dtype ----

enum class Operands { Any, Floats, Bits };
struct PlainBinary {
  std::string_view key;
  std::string_view op;
  Operands operands = Operands::Any;
  std::optional<NumberOp> number_op = {};  // of two values that are no tensors
};
constexpr PlainBinary kPlainBinaries[] = {
    {"and_", "bitwise_and", Operands::Bits, NumberOp::And},
    {"arctan2", "atan2", Operands::Floats},
    {"atan2", "atan2", Operands::Floats},
    {"bitwise_and", "bitwise_and", Operands::Bits, NumberOp::And},
    {"bitwise_left_shift", "left_shift", Operands::Bits, NumberOp::LeftShift},
    {"bitwise_or", "bitwise_or", Operands::Bits, NumberOp::Or},
    {"bitwise_right_shift", "right_shift", Operands::Bits, NumberOp::RightShift},
    {"bitwise_xor", "bitwise_xor", Operands::Bits, NumberOp::Xor},
    {"eq", "equal", Operands::Any, NumberOp::Equal},
    {"fmod", "mod", Operands::Any, NumberOp::Fmod},
    {"ge", "greater_equal", Operands::Any, NumberOp::GreaterEqual},
    {"greater", "greater", Operands::Any, NumberOp::Greater},
    {"greater_equal", "greater_equal", Operands::Any, NumberOp::GreaterEqual},
    {"gt", "greater", Operands::Any, NumberOp::Greater},
    {"le", "less_equal", Operands::Any, NumberOp::LessEqual},
    {"less", "less", Operands::Any, NumberOp::Less},
    {"less_equal", "less_equal", Operands::Any, NumberOp::LessEqual},
    {"lshift", "left_shift", Operands::Bits, NumberOp::LeftShift},
    {"lt", "less", Operands::Any, NumberOp::Less},
    {"mod", "floor_mod", Operands::Any, NumberOp::Modulo},
    {"ne", "not_equal", Operands::Any, NumberOp::NotEqual},
    {"not_equal", "not_equal", Operands::Any, NumberOp::NotEqual},
    {"or_", "bitwise_or", Operands::Bits, NumberOp::Or},
    {"remainder", "floor_mod", Operands::Any, NumberOp::Modulo},
    {"rshift", "right_shift", Operands::Bits, NumberOp::RightShift},
    {"xor", "bitwise_xor", Operands::Bits, NumberOp::Xor},
};

// The row of the node's operator, also of its in-place form.
const PlainBinary& plain_binary_of(const Call& call) {
  const std::string_view key = function_key(call.node.target);
  const PlainBinary* found = nullptr;
  for (const PlainBinary& row : kPlainBinaries) {
    if (row.key == key) return row;
    if (row.key == computed_operator(key)) found = &row;
  }
  FX_CHECK(found != nullptr, "the rule is reached by the keys of this table");
  return *found;
}

Diagnostic floats_have_no_bits(const Call& call, const Value& a, const Value& b) {
  return call.error(codes::kDtypeMismatch, "takes integers or bools, not " + describe_type(a) +
                                               " and " + describe_type(b));
}

Result<Mapped> map_plain_binary(Call& call) {
  const PlainBinary& row = plain_binary_of(call);
  const Value &a = call.argument("input"), &b = call.argument("other");
  if (as_expr(a) == nullptr && as_expr(b) == nullptr && row.number_op) {
    FX_TRY(known, evaluate_number_op(call, *row.number_op, a, b));
    return Mapped{known};
  }
  const std::optional<Operand> left = operand_of(a), right = operand_of(b);
  if (row.operands == Operands::Bits && left && right && is_float(result_type(*left, *right))) {
    return floats_have_no_bits(call, a, b);
  }
  FX_TRY(result, emit_promoted(call, row.op, a, b, row.operands == Operands::Floats));
  return Mapped{result};
}

// ---- the larger or smaller of two (max and min, which reduce too, are in extreme.cpp) ----

Result<Value> extremum(Call& call, bool larger, const Value& a, const Value& b) {
  const std::optional<Operand> left = operand_of(a), right = operand_of(b);
  if (left && right && result_type(*left, *right) == DType::Bool) {
    return emit_promoted(call, larger ? "logical_or" : "logical_and", a, b);
  }
  return emit_promoted(call, larger ? "maximum" : "minimum", a, b);
}

Result<Mapped> map_extremum(Call& call, bool larger) {
  FX_TRY(result, extremum(call, larger, call.argument("input"), call.argument("other")));
  return Mapped{result};
}

Result<Mapped> map_maximum(Call& call) { return map_extremum(call, true); }
Result<Mapped> map_minimum(Call& call) { return map_extremum(call, false); }

// ---- composed of several operators ----

relax::Expr apply_op(std::string_view op, std::vector<relax::Expr> args) {
  return relax::op::call(op, std::move(args));
}

relax::Expr number_like(const relax::Expr& tensor, double value) {
  return relax::constant_expr(scalar_constant(*relax::as_tensor(tensor)->dtype, value));
}

bool holds_floats(const relax::Expr& tensor) { return is_float(*relax::as_tensor(tensor)->dtype); }

Result<std::pair<relax::Expr, relax::Expr>> operands_of(Call& call, bool as_float) {
  return promoted_operands(call, call.argument("input"), call.argument("other"), as_float);
}

// Both, where PyTorch has the function for floats only.
Result<std::pair<relax::Expr, relax::Expr>> float_operands(Call& call) {
  FX_TRY(pair, operands_of(call, false));
  if (holds_floats(pair.first)) return pair;
  return call.error(codes::kDtypeMismatch, "takes floats, not " +
                                               describe_type(call.argument("input")) + " and " +
                                               describe_type(call.argument("other")));
}

// fmax, fmin: a NaN gives way to a number.
Result<Mapped> map_number_extremum(Call& call, bool larger) {
  FX_TRY(pair, operands_of(call, false));
  const auto& [a, b] = pair;
  FX_TRY(both, extremum(call, larger, {a}, {b}));
  if (!holds_floats(a)) return Mapped{both};
  const relax::Expr without_b = apply_op("where", {apply_op("isnan", {b}), a, *as_expr(both)});
  FX_TRY(result, call.emit(apply_op("where", {apply_op("isnan", {a}), b, without_b})));
  return Mapped{result};
}

Result<Mapped> map_fmax(Call& call) { return map_number_extremum(call, true); }
Result<Mapped> map_fmin(Call& call) { return map_number_extremum(call, false); }

// The magnitude of one with the sign of the other; a negative zero has a sign.
Result<Mapped> map_copysign(Call& call) {
  FX_TRY(pair, operands_of(call, true));
  const auto& [a, b] = pair;
  const relax::Expr zero = number_like(b, 0);
  const relax::Expr below = apply_op("less", {b, zero});
  const relax::Expr reciprocal = apply_op("divide", {number_like(b, 1), b});
  const relax::Expr negative_zero =
      apply_op("logical_and", {apply_op("equal", {b, zero}), apply_op("less", {reciprocal, zero})});
  FX_TRY(magnitude, call.builder.emit(apply_op("abs", {a})));
  FX_TRY(result, call.emit(apply_op("where", {apply_op("logical_or", {below, negative_zero}),
                                              apply_op("negative", {magnitude}), magnitude})));
  return Mapped{result};
}

Result<Mapped> map_hypot(Call& call) {
  FX_TRY(pair, float_operands(call));
  const auto& [a, b] = pair;
  FX_TRY(result, call.emit(apply_op("sqrt", {apply_op("add", {apply_op("multiply", {a, a}),
                                                              apply_op("multiply", {b, b})})})));
  return Mapped{result};
}

// log(exp(a) + exp(b)) without overflow. Equal operands, which may be infinite, have no difference.
Result<Mapped> map_logaddexp(Call& call) {
  FX_TRY(pair, float_operands(call));
  const auto& [a, b] = pair;
  const relax::Expr apart = apply_op("abs", {apply_op("subtract", {a, b})});
  const relax::Expr distance =
      apply_op("where", {apply_op("equal", {a, b}), number_like(a, 0), apart});
  const relax::Expr smaller = apply_op("exp", {apply_op("negative", {distance})});
  const relax::Expr rest = apply_op("log", {apply_op("add", {smaller, number_like(a, 1)})});
  FX_TRY(result, call.emit(apply_op("add", {apply_op("maximum", {a, b}), rest})));
  return Mapped{result};
}

// a * log(b); 0 where a is 0, unless b is NaN.
Result<Mapped> map_xlogy(Call& call) {
  FX_TRY(pair, operands_of(call, true));
  const auto& [a, b] = pair;
  const relax::Expr product = apply_op("multiply", {a, apply_op("log", {b})});
  const relax::Expr zero = number_like(a, 0);
  const relax::Expr cleared = apply_op("where", {apply_op("equal", {a, zero}), zero, product});
  FX_TRY(result, call.emit(apply_op("where", {apply_op("isnan", {b}), b, cleared})));
  return Mapped{result};
}

// 0, the value or 1, as the input is below, at or above 0.
Result<Mapped> map_heaviside(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(values, call.tensor("values"));
  const DType dtype = *relax::as_tensor(x)->dtype;
  if (relax::as_tensor(values)->dtype != dtype) {
    return call.argument_error(
        "values", "'values' has the input's dtype, not " + describe_type(call.argument("values")));
  }
  const relax::Expr zero = number_like(x, 0);
  const relax::Expr step = relax::op::astype(apply_op("greater", {x, zero}), dtype);
  FX_TRY(result, call.emit(apply_op("where", {apply_op("equal", {x, zero}), values, step})));
  return Mapped{result};
}

// ---- logic ----

Result<relax::Expr> truth_of(Call& call, std::string_view name) {
  FX_TRY(x, call.tensor(name));
  return cast_to(call, x, DType::Bool);
}

Result<Mapped> map_logical(Call& call, std::string_view op) {
  FX_TRY(a, truth_of(call, "input"));
  FX_TRY(b, truth_of(call, "other"));
  FX_TRY(result, call.emit(apply_op(op, {a, b})));
  return Mapped{result};
}

Result<Mapped> map_logical_and(Call& call) { return map_logical(call, "logical_and"); }
Result<Mapped> map_logical_or(Call& call) { return map_logical(call, "logical_or"); }
Result<Mapped> map_logical_xor(Call& call) { return map_logical(call, "logical_xor"); }

Result<Mapped> map_logical_not(Call& call) {
  FX_TRY(x, truth_of(call, "input"));
  FX_TRY(result, call.emit(apply_op("logical_not", {x})));
  return Mapped{result};
}

Result<Mapped> map_bitwise_not(Call& call) {
  const Value& input = call.argument("input");
  if (const auto* number = std::get_if<int64_t>(&input.value)) return Mapped{{~*number}};
  FX_TRY(x, call.tensor("input"));
  if (holds_floats(x)) {
    return call.error(codes::kDtypeMismatch,
                      "takes integers or bools, not " + describe_type(input));
  }
  FX_TRY(result, call.emit(apply_op("bitwise_not", {x})));
  return Mapped{result};
}

// ---- powers ----

constexpr int64_t kMostFactors = 64;

// An integer's power as products: one factor after the other, and of large exponents the squares.
Result<Value> product_of_factors(Call& call, const relax::Expr& base, int64_t exponent) {
  if (exponent == 0) return call.emit(apply_op("ones_like", {base}));
  relax::Expr result = base;
  if (exponent <= kMostFactors) {
    for (int64_t i = 1; i < exponent; ++i) {
      FX_TRY(product, call.builder.emit(relax::op::multiply(result, base)));
      result = product;
    }
    return Value{result};
  }
  FX_TRY(half, product_of_factors(call, base, exponent / 2));
  FX_TRY(square, call.builder.emit(relax::op::multiply(*as_expr(half), *as_expr(half))));
  if (exponent % 2 == 0) return Value{square};
  return call.emit(relax::op::multiply(square, base));
}

Result<Value> power_of(Call& call, const Value& base, const Value& exponent) {
  if (as_expr(base) == nullptr && as_expr(exponent) == nullptr) {
    return evaluate_number_op(call, NumberOp::Power, base, exponent);
  }
  const std::optional<Operand> left = operand_of(base), right = operand_of(exponent);
  if (!left || !right) return emit_promoted(call, "power", base, exponent);  // refuses them
  const DType dtype = result_type(*left, *right);
  const auto* count = std::get_if<int64_t>(&exponent.value);
  if (is_float(dtype) || count == nullptr) return emit_promoted(call, "power", base, exponent);
  if (*count < 0) {
    return call.argument_error("exponent",
                               "integers have no negative powers: cast the base to "
                               "floats before");
  }
  FX_TRY(x, tensor_of(call, base, dtype));
  return product_of_factors(call, x, *count);
}

Result<Mapped> map_pow(Call& call) {
  FX_TRY(result, power_of(call, call.argument("input"), call.argument("exponent")));
  return Mapped{result};
}

// Both operands as float64.
Result<Mapped> map_float_power(Call& call) {
  const Value &base = call.argument("input"), &exponent = call.argument("exponent");
  if (as_expr(base) == nullptr && as_expr(exponent) == nullptr) return map_pow(call);
  FX_TRY(x, tensor_of(call, base, DType::Float64));
  FX_TRY(y, tensor_of(call, exponent, DType::Float64));
  FX_TRY(result, call.emit(apply_op("power", {x, y})));
  return Mapped{result};
}

Result<double> real_or(const Call& call, std::string_view name, double fallback) {
  if (!call.has(name)) return fallback;
  if (const std::optional<double> number = as_number(call.argument(name))) return *number;
  return call.argument_error(
      name, "'" + std::string(name) + "' is a number, not " + describe(call.argument(name)));
}

// |a - b| <= atol + rtol |b|, or equal, which infinities can be.
Result<Mapped> map_isclose(Call& call) {
  FX_TRY(relative, real_or(call, "rtol", 1e-5));
  FX_TRY(absolute, real_or(call, "atol", 1e-8));
  FX_TRY(equal_nan, call.boolean("equal_nan", false));
  FX_TRY(pair, operands_of(call, false));
  const auto& [a, b] = pair;
  const relax::Expr same = apply_op("equal", {a, b});
  if (relax::as_tensor(a)->dtype == DType::Bool) {
    FX_TRY(result, call.emit(same));
    return Mapped{result};
  }
  const DType dtype = float_type(*relax::as_tensor(a)->dtype);
  FX_TRY(x, cast_to(call, a, dtype));
  FX_TRY(y, cast_to(call, b, dtype));
  const relax::Expr distance = apply_op("abs", {apply_op("subtract", {x, y})});
  const relax::Expr allowed =
      apply_op("add", {number_like(x, absolute),
                       apply_op("multiply", {number_like(x, relative), apply_op("abs", {y})})});
  const relax::Expr near = apply_op("logical_and", {apply_op("less_equal", {distance, allowed}),
                                                    apply_op("isfinite", {distance})});
  relax::Expr close = apply_op("logical_or", {same, near});
  if (equal_nan) {
    close = apply_op(
        "logical_or",
        {close, apply_op("logical_and", {apply_op("isnan", {x}), apply_op("isnan", {y})})});
  }
  FX_TRY(result, call.emit(close));
  return Mapped{result};
}

// ---- choices ----

Result<Mapped> choose_where(Call& call, const Value& condition, const Value& a, const Value& b) {
  const relax::TensorType* type = as_tensor(condition);
  if (type == nullptr || type->dtype != DType::Bool) {
    return call.error(codes::kArgument,
                      "the condition is a tensor of bools, not " + describe_type(condition));
  }
  const std::optional<Operand> left = operand_of(a), right = operand_of(b);
  if (!left || !right) {
    return call.error(codes::kArgument, "chooses between tensors or numbers, not " + describe(a) +
                                            " and " + describe(b));
  }
  const DType dtype = result_type(*left, *right);
  FX_TRY(x, tensor_of(call, a, dtype));
  FX_TRY(y, tensor_of(call, b, dtype));
  FX_TRY(result, call.emit(apply_op("where", {*as_expr(condition), x, y})));
  return Mapped{result};
}

// The function begins with the condition, the method with the tensor it belongs to.
Result<Mapped> map_where(Call& call) {
  const bool method = call.node.op == fx::Opcode::CallMethod;
  const std::string_view names[] = {method ? "input" : "condition", method ? "condition" : "input",
                                    "other"};
  const std::string_view positions[] = {"first", "second", "third"};
  const auto find = [&](std::string_view name) -> const Value& {
    for (size_t i = 0; i < 3; ++i) {
      if (names[i] == name && call.has(positions[i])) return call.argument(positions[i]);
    }
    return call.argument(name);
  };
  if (!call.has("second") && !call.has("input") && !call.has("other")) {
    return call.error(codes::kUnsupportedOperator,
                      "where(condition) gives positions whose number depends on the data, which "
                      "can't be compiled ahead");
  }
  return choose_where(call, find("condition"), find("input"), find("other"));
}

Result<Mapped> map_masked_fill(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(mask, call.tensor("mask"));
  const DType dtype = *relax::as_tensor(x)->dtype;
  if (relax::as_tensor(mask)->dtype != DType::Bool) {
    return call.argument_error(
        "mask", "the mask is a tensor of bools, not " + describe_type(call.argument("mask")));
  }
  FX_TRY(value, fill_value(call, "value", dtype));
  FX_TRY(values, call.builder.emit(apply_op("full_like", {x, value})));
  FX_TRY(result, call.emit(apply_op("where", {mask, values, x})));
  return Mapped{result};
}

constexpr std::string_view kTwo = "input, other";

constexpr RuleEntry plain_row(std::string_view key) {
  return {key, "map_binary", kTwo, map_plain_binary};
}

constexpr RuleEntry kBinaryRules[] = {
    plain_row("and_"),
    plain_row("arctan2"),
    plain_row("atan2"),
    plain_row("bitwise_and"),
    plain_row("bitwise_left_shift"),
    {"bitwise_not", "map_bitwise_not", "input", map_bitwise_not},
    plain_row("bitwise_or"),
    plain_row("bitwise_right_shift"),
    plain_row("bitwise_xor"),
    {"copysign", "map_copysign", kTwo, map_copysign},
    plain_row("eq"),
    {"float_power", "map_float_power", "input, exponent", map_float_power},
    {"fmax", "map_fmax", kTwo, map_fmax},
    {"fmin", "map_fmin", kTwo, map_fmin},
    plain_row("fmod"),
    plain_row("ge"),
    plain_row("greater"),
    plain_row("greater_equal"),
    plain_row("gt"),
    {"heaviside", "map_heaviside", "input, values", map_heaviside},
    {"hypot", "map_hypot", kTwo, map_hypot},
    {"inv", "map_bitwise_not", "input", map_bitwise_not},
    {"invert", "map_bitwise_not", "input", map_bitwise_not},
    {"isclose", "map_isclose", "input, other, rtol?, atol?, equal_nan?", map_isclose},
    plain_row("le"),
    plain_row("less"),
    plain_row("less_equal"),
    {"logaddexp", "map_logaddexp", kTwo, map_logaddexp},
    {"logical_and", "map_logical_and", kTwo, map_logical_and},
    {"logical_not", "map_logical_not", "input", map_logical_not},
    {"logical_or", "map_logical_or", kTwo, map_logical_or},
    {"logical_xor", "map_logical_xor", kTwo, map_logical_xor},
    plain_row("lshift"),
    plain_row("lt"),
    {"masked_fill", "map_masked_fill", "input, mask, value", map_masked_fill},
    {"maximum", "map_maximum", kTwo, map_maximum},
    {"minimum", "map_minimum", kTwo, map_minimum},
    plain_row("mod"),
    plain_row("ne"),
    plain_row("not_equal"),
    plain_row("or_"),
    {"pow", "map_pow", "input, exponent", map_pow},
    plain_row("remainder"),
    plain_row("rshift"),
    {"where", "map_where", "first?, second?, third?, condition?, input?, other?", map_where},
    {"xlogy", "map_xlogy", kTwo, map_xlogy},
    plain_row("xor"),
};

}  // namespace

RuleTable binary_rules() { return kBinaryRules; }

}  // namespace fx2wasm::translate
