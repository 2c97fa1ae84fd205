#include "script/tensor_operations.h"

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "print/tvmscript.h"
#include "script/convert.h"

namespace fx2wasm::script {
namespace {

Result<topi::Operand> operand(const Value& value, std::string_view name) {
  if (const auto* tensor = value.as<te::Tensor>()) return topi::Operand(*tensor);
  FX_TRY(expr, to_prim(value, "an argument of " + std::string(name)));
  return topi::Operand(expr);
}

// Numpy's rule for two extents; symbols are taken to fit.
bool extents_fit(const tir::PrimExpr& a, const tir::PrimExpr& b) {
  const auto x = tir::as_int(a);
  const auto y = tir::as_int(b);
  return !x || !y || *x == *y || *x == 1 || *y == 1;
}

}  // namespace

std::string shape_text(const std::vector<tir::PrimExpr>& shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto known = tir::as_int(shape[i]);
    if (i > 0) out += ", ";
    out += known ? std::to_string(*known) : print_expr(shape[i]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

Result<Value> broadcast(Interpreter& interpreter, std::string_view name, topi::BroadcastOp op,
                        const Value& a, const Value& b) {
  FX_TRY(x, operand(a, name));
  FX_TRY(y, operand(b, name));
  const auto* left = a.as<te::Tensor>();
  const auto* right = b.as<te::Tensor>();
  if (left == nullptr && right == nullptr) {
    return type_error(std::string(name) + " takes at least one tensor");
  }
  if (left != nullptr && right != nullptr) {
    const auto left_shape = te::shape_of(*left);
    const auto right_shape = te::shape_of(*right);
    for (size_t i = 1; i <= std::min(left_shape.size(), right_shape.size()); ++i) {
      if (extents_fit(left_shape[left_shape.size() - i], right_shape[right_shape.size() - i])) {
        continue;
      }
      return script_error(codes::kTensorExpression,
                          std::string(name) + ": the shapes " + shape_text(left_shape) + " and " +
                              shape_text(right_shape) + " cannot be broadcast together");
    }
  }
  return interpreter.tensor(topi::broadcast(op, x, y));
}

Result<Value> tensor_operation(Interpreter& interpreter, Operator op, const Value& a,
                               const Value& b) {
  switch (op) {
    case Operator::Add:
      return broadcast(interpreter, "+", topi::BroadcastOp::Add, a, b);
    case Operator::Sub:
      return broadcast(interpreter, "-", topi::BroadcastOp::Subtract, a, b);
    case Operator::Mul:
      return broadcast(interpreter, "*", topi::BroadcastOp::Multiply, a, b);
    case Operator::Div:
      return broadcast(interpreter, "/", topi::BroadcastOp::Divide, a, b);
    case Operator::FloorDiv:
    case Operator::Mod:
    case Operator::Pow:
    case Operator::MatMul:
    case Operator::BitAnd:
    case Operator::BitOr:
    case Operator::BitXor:
    case Operator::ShiftLeft:
    case Operator::ShiftRight:
      break;
  }
  return type_error("whole te tensors have + - * / only; write a te.compute, or see topi");
}

Result<Value> graph_operation(Interpreter& interpreter, Operator op, const Value& a,
                              const Value& b) {
  if (is_scalar(a) || is_scalar(b)) {
    return type_error("a relax expression is combined with a constant: write relax.const(" +
                      repr(is_scalar(a) ? a : b) + ", \"float32\")");
  }
  FX_TRY(x, to_graph(a, "the left side"));
  FX_TRY(y, to_graph(b, "the right side"));
  namespace ops = relax::op;
  switch (op) {
    case Operator::Add:
      return interpreter.graph(ops::add(x, y));
    case Operator::Sub:
      return interpreter.graph(ops::subtract(x, y));
    case Operator::Mul:
      return interpreter.graph(ops::multiply(x, y));
    case Operator::Div:
      return interpreter.graph(ops::divide(x, y));
    case Operator::FloorDiv:
      return interpreter.graph(ops::call("floor_divide", {x, y}));
    case Operator::Mod:
      return interpreter.graph(ops::call("floor_mod", {x, y}));
    case Operator::Pow:
      return interpreter.graph(ops::call("power", {x, y}));
    case Operator::MatMul:
    case Operator::BitAnd:
    case Operator::BitOr:
    case Operator::BitXor:
    case Operator::ShiftLeft:
    case Operator::ShiftRight:
      break;
  }
  return type_error("relax expressions have + - * / // % ** only; see relax.op");
}

Result<Value> negate(Interpreter& interpreter, const Value& a) {
  if (const auto* tensor = a.as<te::Tensor>()) {
    const tir::PrimExpr minus_one = tir::const_of(te::dtype_of(*tensor), -1);
    return broadcast(interpreter, "-", topi::BroadcastOp::Multiply, a, Value(minus_one));
  }
  FX_TRY(expr, to_graph(a, "the operand"));
  return interpreter.graph(relax::op::call("negative", {expr}));
}

}  // namespace fx2wasm::script
