// Scalar functions that te and tirx share: intrinsics, logic, arithmetic by name.
#include <array>
#include <limits>

#include "ir/intrinsic.h"
#include "ir/tir_build.h"
#include "script/convert.h"
#include "script/names.h"
#include "script/reducer.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

using tir::BinaryOp;
using tir::Intrinsic;
using tir::PrimExpr;

std::string argument_of(std::string_view function) {
  return "an argument of " + std::string(function);
}

Result<PrimExpr> condition_of(const Value& value, std::string_view what) {
  FX_TRY(condition, to_prim(value, what));
  if (condition->dtype != DType::Bool) {
    return type_error(std::string(what) + " is a bool, not " +
                      std::string(dtype_name(condition->dtype)));
  }
  return condition;
}

// One intrinsic of one float.
Builtin::Body float_function(std::string name, Intrinsic intrinsic) {
  return [name, intrinsic](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(x, to_prim(args[0], argument_of(name)));
    if (!is_float(x->dtype)) {
      return type_error(name + " takes a float, not " + std::string(dtype_name(x->dtype)) +
                        "; write x.astype(\"float32\")");
    }
    return in.scalar(tir::call(x->dtype, intrinsic, {x}));
  };
}

// Rounding leaves integers as they are.
Builtin::Body rounding(std::string name, Intrinsic intrinsic) {
  return [name, intrinsic](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(x, to_prim(args[0], argument_of(name)));
    if (!is_float(x->dtype)) return in.scalar(x);
    return in.scalar(tir::call(x->dtype, intrinsic, {x}));
  };
}

Builtin::Body float_test(std::string name, Intrinsic intrinsic) {
  return [name, intrinsic](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(x, to_prim(args[0], argument_of(name)));
    if (!is_float(x->dtype)) {
      return in.scalar(tir::bool_imm(intrinsic == Intrinsic::IsFinite));
    }
    return in.scalar(tir::call(DType::Bool, intrinsic, {x}));
  };
}

// Brings both to one dtype, as TVM's operators do.
Result<std::pair<PrimExpr, PrimExpr>> two(const BoundArgs& args, const std::string& name) {
  FX_TRY(a, to_prim(args[0], argument_of(name)));
  FX_TRY(b, to_prim(args[1], argument_of(name)));
  const DType dtype = tir::binary(BinaryOp::Add, a, b)->dtype;
  return std::make_pair(tir::cast(dtype, a), tir::cast(dtype, b));
}

Builtin::Body float_pair(std::string name, Intrinsic intrinsic) {
  return [name, intrinsic](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(both, two(args, name));
    if (!is_float(both.first->dtype)) return type_error(name + " takes floats");
    return in.scalar(tir::call(both.first->dtype, intrinsic, {both.first, both.second}));
  };
}

Builtin::Body integer_pair(std::string name, Intrinsic intrinsic) {
  return [name, intrinsic](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(both, two(args, name));
    if (is_float(both.first->dtype)) return type_error(name + " takes integers");
    return in.scalar(tir::call(both.first->dtype, intrinsic, {both.first, both.second}));
  };
}

enum class Takes { Any, Integers, Bools };

Builtin::Body arithmetic(std::string name, BinaryOp op, Takes takes, bool fold) {
  return [name, op, takes, fold](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(a, to_prim(args[0], argument_of(name)));
    FX_TRY(b, to_prim(args[1], argument_of(name)));
    if (takes == Takes::Bools && (a->dtype != DType::Bool || b->dtype != DType::Bool)) {
      return type_error(name + " takes bools");
    }
    if (takes == Takes::Integers && (is_float(a->dtype) || is_float(b->dtype))) {
      return type_error(name + " takes integers");
    }
    const bool divides = op == BinaryOp::FloorDiv || op == BinaryOp::FloorMod ||
                         op == BinaryOp::Div || op == BinaryOp::Mod;
    if (divides && tir::is_zero(b)) return value_error("division by zero");
    if (fold) return in.scalar(tir::binary(op, a, b));
    if (a->dtype != b->dtype) {
      return type_error(name + " takes two operands of one dtype, not " +
                        std::string(dtype_name(a->dtype)) + " and " +
                        std::string(dtype_name(b->dtype)));
    }
    return in.scalar(tir::make_binary(op, a, b));
  };
}

Builtin::Body logic(std::string name, BinaryOp op) {
  return [name, op](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    if (args.rest.empty()) return type_error(name + " needs at least one condition");
    PrimExpr result;
    for (const Value& item : args.rest) {
      FX_TRY(condition, condition_of(item, argument_of(name)));
      result = result ? tir::binary(op, result, condition) : condition;
    }
    return in.scalar(result);
  };
}

Result<Value> absolute(Interpreter& in, const BoundArgs& args) {
  FX_TRY(x, to_prim(args[0], "the argument of abs"));
  if (is_float(x->dtype)) return in.scalar(tir::call(x->dtype, Intrinsic::Fabs, {x}));
  if (!is_int(x->dtype)) return in.scalar(x);
  const PrimExpr zero = tir::int_imm(x->dtype, 0);
  return in.scalar(
      tir::select(tir::binary(BinaryOp::GE, x, zero), x, tir::binary(BinaryOp::Sub, zero, x)));
}

Result<Value> if_then_else(Interpreter& in, const BoundArgs& args) {
  FX_TRY(condition, condition_of(args[0], "the condition of if_then_else"));
  FX_TRY(a, to_prim(args[1], "the second argument of if_then_else"));
  FX_TRY(b, to_prim(args[2], "the third argument of if_then_else"));
  return in.scalar(tir::if_then_else(condition, a, b));
}

Result<Value> make_tirx_const(Interpreter& in, const BoundArgs& args) {
  const Value& value = args[0];
  if (is_symbolic(value) && !known_int(value)) return type_error("const takes a number");
  if (!is_scalar(value)) return type_error("const takes a number, not " + describe(value));
  FX_TRY(plain, to_prim(value, "the value of const"));
  FX_TRY(dtype, to_dtype(args[1], "the dtype of const", plain->dtype));
  if (const auto known = known_int(value)) {
    return in.scalar(is_float(dtype) ? tir::float_imm(dtype, static_cast<double>(*known))
                                     : tir::int_imm(dtype, *known));
  }
  FX_TRY(number, to_double(value, "the value of const"));
  return in.scalar(tir::const_of(dtype, number));
}

Builtin::Body of_dtype(std::string name, PrimExpr (*make)(DType)) {
  return [name, make](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(dtype, to_dtype(args[0], "the dtype of " + name));
    return in.scalar(make(dtype));
  };
}

Result<Value> infinity(Interpreter& in, const BoundArgs& args) {
  FX_TRY(dtype, to_dtype(args[0], "the dtype of infinity"));
  if (!is_float(dtype)) return type_error("infinity is of a float dtype");
  return in.scalar(tir::float_imm(dtype, std::numeric_limits<double>::infinity()));
}

}  // namespace

void add_scalar_functions(Interpreter& interpreter, Namespace& space) {
  const auto add = [&](const std::string& name, std::string_view params, Builtin::Body body) {
    define(interpreter, space, space.name + "." + name + std::string(params), std::move(body));
  };
  static constexpr std::array kFloat = {
      Intrinsic::Exp,   Intrinsic::Exp2,  Intrinsic::Exp10, Intrinsic::Log,   Intrinsic::Log2,
      Intrinsic::Log10, Intrinsic::Log1p, Intrinsic::Sqrt,  Intrinsic::Rsqrt, Intrinsic::Sigmoid,
      Intrinsic::Tanh,  Intrinsic::Sin,   Intrinsic::Cos,   Intrinsic::Tan,   Intrinsic::Sinh,
      Intrinsic::Cosh,  Intrinsic::Asin,  Intrinsic::Acos,  Intrinsic::Atan,  Intrinsic::Asinh,
      Intrinsic::Acosh, Intrinsic::Atanh, Intrinsic::Erf};
  for (Intrinsic intrinsic : kFloat) {
    const std::string name(tir::intrinsic_name(intrinsic));
    add(name, "(x)", float_function(name, intrinsic));
  }
  for (Intrinsic intrinsic : {Intrinsic::Floor, Intrinsic::Ceil, Intrinsic::Trunc, Intrinsic::Round,
                              Intrinsic::Nearbyint}) {
    const std::string name(tir::intrinsic_name(intrinsic));
    add(name, "(x)", rounding(name, intrinsic));
  }
  for (Intrinsic intrinsic : {Intrinsic::IsNan, Intrinsic::IsInf, Intrinsic::IsFinite}) {
    const std::string name(tir::intrinsic_name(intrinsic));
    add(name, "(x)", float_test(name, intrinsic));
  }
  for (const char* name : {"power", "pow"}) add(name, "(x, y)", float_pair(name, Intrinsic::Pow));
  add("atan2", "(x1, x2)", float_pair("atan2", Intrinsic::Atan2));
  add("fmod", "(x, y)", float_pair("fmod", Intrinsic::Fmod));
  for (Intrinsic intrinsic : {Intrinsic::BitwiseAnd, Intrinsic::BitwiseOr, Intrinsic::BitwiseXor,
                              Intrinsic::ShiftLeft, Intrinsic::ShiftRight}) {
    const std::string name(tir::intrinsic_name(intrinsic));
    add(name, "(x, y)", integer_pair(name, intrinsic));
  }
  add("abs", "(x)", absolute);
  add("if_then_else", "(cond, t, f)", if_then_else);
  add("all", "(*args)", logic("all", BinaryOp::And));
  add("any", "(*args)", logic("any", BinaryOp::Or));
  add("const", "(value, dtype?)", make_tirx_const);
  add("min_value", "(dtype)", of_dtype("min_value", tir::min_value));
  add("max_value", "(dtype)", of_dtype("max_value", tir::max_value));
  add("infinity", "(dtype)", infinity);

  struct Named {
    const char* name;
    BinaryOp op;
    Takes takes;
    bool fold;
  };
  static constexpr std::array kBinary = {
      Named{"floordiv", BinaryOp::FloorDiv, Takes::Integers, true},
      Named{"floormod", BinaryOp::FloorMod, Takes::Integers, true},
      Named{"indexdiv", BinaryOp::FloorDiv, Takes::Integers, true},
      Named{"indexmod", BinaryOp::FloorMod, Takes::Integers, true},
      Named{"truncdiv", BinaryOp::Div, Takes::Integers, true},
      Named{"truncmod", BinaryOp::Mod, Takes::Integers, true},
      Named{"div", BinaryOp::Div, Takes::Any, true},
      Named{"add", BinaryOp::Add, Takes::Any, true},
      Named{"subtract", BinaryOp::Sub, Takes::Any, true},
      Named{"multiply", BinaryOp::Mul, Takes::Any, true},
      Named{"Add", BinaryOp::Add, Takes::Any, false},
      Named{"Sub", BinaryOp::Sub, Takes::Any, false},
      Named{"Mul", BinaryOp::Mul, Takes::Any, false},
      Named{"Div", BinaryOp::Div, Takes::Any, false},
      Named{"Mod", BinaryOp::Mod, Takes::Integers, false},
      Named{"FloorDiv", BinaryOp::FloorDiv, Takes::Integers, false},
      Named{"FloorMod", BinaryOp::FloorMod, Takes::Integers, false},
      Named{"Min", BinaryOp::Min, Takes::Any, false},
      Named{"Max", BinaryOp::Max, Takes::Any, false},
      Named{"EQ", BinaryOp::EQ, Takes::Any, false},
      Named{"NE", BinaryOp::NE, Takes::Any, false},
      Named{"LT", BinaryOp::LT, Takes::Any, false},
      Named{"LE", BinaryOp::LE, Takes::Any, false},
      Named{"GT", BinaryOp::GT, Takes::Any, false},
      Named{"GE", BinaryOp::GE, Takes::Any, false},
      Named{"And", BinaryOp::And, Takes::Bools, false},
      Named{"Or", BinaryOp::Or, Takes::Bools, false}};
  for (const Named& entry : kBinary) {
    add(entry.name, "(a, b)", arithmetic(entry.name, entry.op, entry.takes, entry.fold));
  }
  add_reducers(interpreter, space);
}

namespace {

Result<Value> make_tirx_var(Interpreter&, const BoundArgs& args) {
  FX_TRY(name, to_text(args[0], "the name of a Var"));
  FX_TRY(dtype, to_dtype(args[1], "the dtype of a Var", DType::Int32));
  if (!is_identifier(name)) return value_error("a Var's name is one word, not " + quote(name));
  return prim(tir::var_expr(tir::make_var(name, dtype)));
}

Result<Value> make_cast(Interpreter& in, const BoundArgs& args) {
  FX_TRY(dtype, to_dtype(args[0], "the dtype of Cast"));
  FX_TRY(value, to_prim(args[1], "the value of Cast"));
  return in.scalar(tir::cast(dtype, value));
}

Result<Value> make_select(Interpreter& in, const BoundArgs& args) {
  FX_TRY(condition, condition_of(args[0], "the condition of Select"));
  FX_TRY(a, to_prim(args[1], "the second argument of Select"));
  FX_TRY(b, to_prim(args[2], "the third argument of Select"));
  if (a->dtype != b->dtype) {
    return type_error("Select takes two values of one dtype, not " +
                      std::string(dtype_name(a->dtype)) + " and " +
                      std::string(dtype_name(b->dtype)));
  }
  return in.scalar(tir::select(condition, a, b));
}

Result<Value> make_not(Interpreter& in, const BoundArgs& args) {
  FX_TRY(condition, condition_of(args[0], "the argument of Not"));
  return in.scalar(tir::make_expr(DType::Bool, tir::Not{condition}));
}

Result<Value> make_imm(Interpreter& in, const BoundArgs& args) {
  FX_TRY(dtype, to_dtype(args[0], "the dtype of a constant"));
  FX_TRY(number, to_double(args[1], "the value of a constant"));
  if (const auto known = known_int(args[1]); known && !is_float(dtype)) {
    return in.scalar(tir::int_imm(dtype, *known));
  }
  return in.scalar(tir::const_of(dtype, number));
}

}  // namespace

Namespace* make_tirx(Interpreter& interpreter) {
  Namespace* space = interpreter.heap().space("tirx");
  add_scalar_functions(interpreter, *space);
  define(interpreter, *space, "tirx.Var(name, dtype?)", make_tirx_var);
  define(interpreter, *space, "tirx.SizeVar(name, dtype?)", make_tirx_var);
  define(interpreter, *space, "tirx.Cast(dtype, value)", make_cast);
  define(interpreter, *space, "tirx.Select(condition, true_value, false_value)", make_select);
  define(interpreter, *space, "tirx.Not(a)", make_not);
  define(interpreter, *space, "tirx.IntImm(dtype, value)", make_imm);
  define(interpreter, *space, "tirx.FloatImm(dtype, value)", make_imm);
  return space;
}

}  // namespace fx2wasm::script
