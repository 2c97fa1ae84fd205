// Makers of TensorIR nodes that check what must hold, and the folding that TVM's Python operators
// do while an expression is written (`x * 1` is x, `2 + 3` is 5). Mixed dtypes are brought to a
// common one as TVM's BinaryOpMatchTypes does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::tir {

PrimExpr make_expr(DType dtype, PrimExprNode::Kind kind);
Stmt make_stmt(StmtNode::Kind kind);

Var make_var(std::string name, DType dtype);
PrimExpr var_expr(const Var& var);
PrimExpr int_imm(DType dtype, int64_t value);
PrimExpr float_imm(DType dtype, double value);
PrimExpr bool_imm(bool value);
PrimExpr const_of(DType dtype, double value);  // int_imm or float_imm by the dtype

// The node as written, without any folding; operands must have the same dtype. Comparisons and
// logic give bool.
PrimExpr make_binary(BinaryOp op, PrimExpr a, PrimExpr b);

// What TVM's operators build: operand dtypes are matched, constants are folded, and neutral
// elements disappear.
PrimExpr binary(BinaryOp op, PrimExpr a, PrimExpr b);
inline PrimExpr add(PrimExpr a, PrimExpr b) {
  return binary(BinaryOp::Add, std::move(a), std::move(b));
}
inline PrimExpr sub(PrimExpr a, PrimExpr b) {
  return binary(BinaryOp::Sub, std::move(a), std::move(b));
}
inline PrimExpr mul(PrimExpr a, PrimExpr b) {
  return binary(BinaryOp::Mul, std::move(a), std::move(b));
}
inline PrimExpr floordiv(PrimExpr a, PrimExpr b) {
  return binary(BinaryOp::FloorDiv, std::move(a), std::move(b));
}
inline PrimExpr floormod(PrimExpr a, PrimExpr b) {
  return binary(BinaryOp::FloorMod, std::move(a), std::move(b));
}
PrimExpr logical_not(PrimExpr a);
PrimExpr cast(DType dtype, PrimExpr value);  // the same expression when it has the dtype already
PrimExpr select(PrimExpr condition, PrimExpr true_value, PrimExpr false_value);
PrimExpr call(DType dtype, Intrinsic op, std::vector<PrimExpr> args);
PrimExpr if_then_else(PrimExpr condition, PrimExpr a, PrimExpr b);

Buffer make_buffer(std::string name, DType dtype, std::vector<PrimExpr> shape);
PrimExpr load(const Buffer& buffer, std::vector<PrimExpr> indices);
Stmt store(const Buffer& buffer, PrimExpr value, std::vector<PrimExpr> indices);
Stmt seq(std::vector<Stmt> stmts);  // a single statement stays itself

// The integer of an IntImm, if it is one.
std::optional<int64_t> as_int(const PrimExpr& expr);
bool is_zero(const PrimExpr& expr);
bool is_one(const PrimExpr& expr);

// The smallest and largest finite value of a dtype as a constant (TVM's min_value, max_value).
PrimExpr min_value(DType dtype);
PrimExpr max_value(DType dtype);

}  // namespace fx2wasm::tir
