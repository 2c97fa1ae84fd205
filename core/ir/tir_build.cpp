#include "ir/tir_build.h"

#include <limits>

#include "ir/tir_fold.h"
#include "support/check.h"

namespace fx2wasm::tir {
namespace {

bool is_comparison(BinaryOp op) {
  switch (op) {
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
      return true;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::And:
    case BinaryOp::Or:
      return false;
  }
  return false;
}

bool is_logic(BinaryOp op) { return op == BinaryOp::And || op == BinaryOp::Or; }

// The dtype that both operands of a mixed operation are cast to.
DType common_dtype(DType a, DType b) {
  if (a == b) return a;
  const auto ieee = [](DType dtype) { return is_float(dtype) && dtype != DType::BFloat16; };
  if (ieee(a) && ieee(b)) return dtype_bits(a) < dtype_bits(b) ? b : a;
  if (ieee(a) || ieee(b)) return ieee(a) ? a : b;
  if (a == DType::BFloat16 || b == DType::BFloat16) return DType::BFloat16;
  if (a == DType::Bool || b == DType::Bool) return a == DType::Bool ? b : a;
  if (dtype_bits(a) != dtype_bits(b)) return dtype_bits(a) < dtype_bits(b) ? b : a;
  return is_uint(a) ? a : b;
}

}  // namespace

PrimExpr make_expr(DType dtype, PrimExprNode::Kind kind) {
  auto node = std::make_shared<PrimExprNode>();
  node->dtype = dtype;
  node->kind = std::move(kind);
  return node;
}

Stmt make_stmt(StmtNode::Kind kind) {
  auto node = std::make_shared<StmtNode>();
  node->kind = std::move(kind);
  return node;
}

Var make_var(std::string name, DType dtype) {
  auto node = std::make_shared<VarNode>();
  node->name = std::move(name);
  node->dtype = dtype;
  return node;
}

PrimExpr var_expr(const Var& var) { return make_expr(var->dtype, var); }

PrimExpr int_imm(DType dtype, int64_t value) {
  FX_CHECK(!is_float(dtype), "an integer constant needs an integer dtype");
  return make_expr(dtype, IntImm{wrap_integer(dtype, value)});
}

PrimExpr float_imm(DType dtype, double value) {
  FX_CHECK(is_float(dtype), "a float constant needs a float dtype");
  return make_expr(dtype, FloatImm{value});
}

PrimExpr bool_imm(bool value) { return make_expr(DType::Bool, IntImm{value ? 1 : 0}); }

PrimExpr const_of(DType dtype, double value) {
  if (is_float(dtype)) return float_imm(dtype, value);
  return int_imm(dtype, saturating_int64(value));
}

PrimExpr make_binary(BinaryOp op, PrimExpr a, PrimExpr b) {
  FX_CHECK(a && b, "a binary operation needs two operands");
  FX_CHECK(a->dtype == b->dtype, "operands of a binary operation must have one dtype");
  FX_CHECK(!is_logic(op) || a->dtype == DType::Bool, "`and` and `or` take bools");
  const DType dtype = is_comparison(op) || is_logic(op) ? DType::Bool : a->dtype;
  return make_expr(dtype, Binary{op, std::move(a), std::move(b)});
}

PrimExpr binary(BinaryOp op, PrimExpr a, PrimExpr b) {
  FX_CHECK(a && b, "a binary operation needs two operands");
  if (!is_logic(op)) {
    const DType dtype = common_dtype(a->dtype, b->dtype);
    a = cast(dtype, std::move(a));
    b = cast(dtype, std::move(b));
  }
  if (PrimExpr folded = try_fold(op, a, b)) return folded;
  return make_binary(op, std::move(a), std::move(b));
}

PrimExpr logical_not(PrimExpr a) {
  FX_CHECK(a->dtype == DType::Bool, "`not` takes a bool");
  if (const auto value = as_int(a)) return bool_imm(*value == 0);
  return make_expr(DType::Bool, Not{std::move(a)});
}

PrimExpr cast(DType dtype, PrimExpr value) {
  if (value->dtype == dtype) return value;
  if (const auto* imm = std::get_if<IntImm>(&value->kind)) {
    if (is_float(dtype)) return float_imm(dtype, static_cast<double>(imm->value));
    return int_imm(dtype, imm->value);
  }
  if (const auto* imm = std::get_if<FloatImm>(&value->kind)) return const_of(dtype, imm->value);
  return make_expr(dtype, Cast{std::move(value)});
}

PrimExpr select(PrimExpr condition, PrimExpr true_value, PrimExpr false_value) {
  FX_CHECK(condition->dtype == DType::Bool, "the condition of a Select is a bool");
  FX_CHECK(true_value->dtype == false_value->dtype, "both values of a Select have one dtype");
  const DType dtype = true_value->dtype;
  return make_expr(dtype,
                   Select{std::move(condition), std::move(true_value), std::move(false_value)});
}

PrimExpr call(DType dtype, Intrinsic op, std::vector<PrimExpr> args) {
  FX_CHECK(args.size() == static_cast<size_t>(intrinsic_arity(op)),
           "wrong number of arguments of an intrinsic");
  return make_expr(dtype, Call{op, std::move(args)});
}

PrimExpr if_then_else(PrimExpr condition, PrimExpr a, PrimExpr b) {
  FX_CHECK(condition->dtype == DType::Bool, "the condition of if_then_else is a bool");
  const DType dtype = common_dtype(a->dtype, b->dtype);
  a = cast(dtype, std::move(a));
  b = cast(dtype, std::move(b));
  if (const auto value = as_int(condition)) return *value != 0 ? a : b;
  return call(dtype, Intrinsic::IfThenElse, {std::move(condition), std::move(a), std::move(b)});
}

Buffer make_buffer(std::string name, DType dtype, std::vector<PrimExpr> shape) {
  auto node = std::make_shared<BufferNode>();
  node->name = std::move(name);
  node->dtype = dtype;
  node->shape = std::move(shape);
  return node;
}

PrimExpr load(const Buffer& buffer, std::vector<PrimExpr> indices) {
  FX_CHECK(buffer->shape.size() == indices.size(), "a load has one index per dimension");
  return make_expr(buffer->dtype, BufferLoad{buffer, std::move(indices)});
}

Stmt store(const Buffer& buffer, PrimExpr value, std::vector<PrimExpr> indices) {
  FX_CHECK(buffer->shape.size() == indices.size(), "a store has one index per dimension");
  FX_CHECK(buffer->dtype == value->dtype, "a stored value has the buffer's dtype");
  return make_stmt(BufferStore{buffer, std::move(value), std::move(indices)});
}

Stmt seq(std::vector<Stmt> stmts) {
  FX_CHECK(!stmts.empty(), "a sequence needs a statement");
  if (stmts.size() == 1) return stmts[0];
  return make_stmt(SeqStmt{std::move(stmts)});
}

std::optional<int64_t> as_int(const PrimExpr& expr) {
  if (const auto* imm = std::get_if<IntImm>(&expr->kind)) return imm->value;
  return std::nullopt;
}

bool is_zero(const PrimExpr& expr) {
  if (const auto* imm = std::get_if<FloatImm>(&expr->kind)) return imm->value == 0;
  return as_int(expr) == int64_t{0};
}

bool is_one(const PrimExpr& expr) {
  if (const auto* imm = std::get_if<FloatImm>(&expr->kind)) return imm->value == 1;
  return as_int(expr) == int64_t{1};
}

PrimExpr min_value(DType dtype) {
  if (is_float(dtype)) return float_imm(dtype, -std::get<FloatImm>(max_value(dtype)->kind).value);
  if (!is_int(dtype)) return int_imm(dtype, 0);
  if (dtype == DType::Int64) return int_imm(dtype, std::numeric_limits<int64_t>::min());
  return int_imm(dtype, -(int64_t{1} << (dtype_bits(dtype) - 1)));
}

PrimExpr max_value(DType dtype) {
  switch (dtype) {
    case DType::Bool:
      return bool_imm(true);
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
      return int_imm(dtype, (int64_t{1} << (dtype_bits(dtype) - 1)) - 1);
    case DType::Int64:
      return int_imm(dtype, std::numeric_limits<int64_t>::max());
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
      return int_imm(dtype, (int64_t{1} << dtype_bits(dtype)) - 1);
    case DType::UInt64:
      return int_imm(dtype, -1);  // an IntImm holds a uint64 by its bits
    case DType::Float16:
      return float_imm(dtype, 65504.0);
    case DType::BFloat16:  // float32's, as TVM gives it
    case DType::Float32:
      return float_imm(dtype, static_cast<double>(std::numeric_limits<float>::max()));
    case DType::Float64:
      return float_imm(dtype, std::numeric_limits<double>::max());
  }
  FX_CHECK(false, "not a dtype");
}

}  // namespace fx2wasm::tir
