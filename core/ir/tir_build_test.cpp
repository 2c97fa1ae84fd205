#include "ir/tir_build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/structural.h"
#include "ir/tir_fold.h"
#include "ir/tir_visit.h"

namespace fx2wasm::tir {
namespace {

const PrimExpr kX = var_expr(make_var("x", DType::Int32));
const PrimExpr kY = var_expr(make_var("y", DType::Int32));
const PrimExpr kF = var_expr(make_var("f", DType::Float32));

PrimExpr i32(int64_t value) { return int_imm(DType::Int32, value); }
PrimExpr f32(double value) { return float_imm(DType::Float32, value); }

double float_of(const PrimExpr& expr) { return std::get<FloatImm>(expr->kind).value; }
BinaryOp op_of(const PrimExpr& expr) { return std::get<Binary>(expr->kind).op; }

TEST(Fold, IntegersWrap) {
  EXPECT_EQ(as_int(add(i32(2147483647), i32(1))), -2147483648);
  EXPECT_EQ(as_int(mul(int_imm(DType::UInt8, 200), int_imm(DType::UInt8, 2))), 144);
  EXPECT_EQ(as_int(sub(int_imm(DType::Int64, INT64_MIN), int_imm(DType::Int64, 1))), INT64_MAX);
}

TEST(Fold, DivisionsRoundAsTheyShould) {
  EXPECT_EQ(as_int(floordiv(i32(-7), i32(2))), -4);
  EXPECT_EQ(as_int(floormod(i32(-7), i32(2))), 1);
  EXPECT_EQ(as_int(floormod(i32(7), i32(-2))), -1);
  EXPECT_EQ(as_int(binary(BinaryOp::Div, i32(-7), i32(2))), -3);
  EXPECT_EQ(as_int(binary(BinaryOp::Mod, i32(-7), i32(2))), -1);
  EXPECT_EQ(as_int(floordiv(int_imm(DType::Int64, INT64_MIN), int_imm(DType::Int64, -1))),
            INT64_MIN);
}

TEST(Fold, DivisionByZeroStays) {
  EXPECT_EQ(op_of(floordiv(i32(7), i32(0))), BinaryOp::FloorDiv);
  EXPECT_EQ(op_of(floormod(kX, i32(0))), BinaryOp::FloorMod);
  EXPECT_EQ(op_of(binary(BinaryOp::Div, f32(1), f32(0))), BinaryOp::Div);
}

TEST(Fold, NeutralElementsDisappear) {
  EXPECT_EQ(add(kX, i32(0)), kX);
  EXPECT_EQ(add(i32(0), kX), kX);
  EXPECT_EQ(sub(kX, i32(0)), kX);
  EXPECT_EQ(mul(i32(1), kX), kX);
  EXPECT_EQ(as_int(mul(kX, i32(0))), 0);
  EXPECT_EQ(floordiv(kX, i32(1)), kX);
  EXPECT_EQ(as_int(floormod(kX, i32(1))), 0);
  EXPECT_EQ(add(kF, f32(0)), kF);
  EXPECT_EQ(mul(kF, f32(1)), kF);
  EXPECT_EQ(binary(BinaryOp::Max, kX, kX), kX);
}

TEST(Fold, FloatsRoundToTheirDtype) {
  EXPECT_EQ(float_of(add(f32(0.1), f32(0.2))), static_cast<double>(0.1F + 0.2F));
  EXPECT_EQ(float_of(add(float_imm(DType::Float64, 0.1), float_imm(DType::Float64, 0.2))),
            0.1 + 0.2);
  EXPECT_EQ(op_of(add(float_imm(DType::Float16, 1), float_imm(DType::Float16, 2))), BinaryOp::Add);
  EXPECT_TRUE(std::isnan(float_of(binary(BinaryOp::Max, f32(NAN), f32(1)))));
  EXPECT_TRUE(std::isnan(float_of(binary(BinaryOp::Min, f32(1), f32(NAN)))));
}

TEST(Fold, Logic) {
  const PrimExpr less = binary(BinaryOp::LT, kX, kY);
  EXPECT_EQ(binary(BinaryOp::And, bool_imm(true), less), less);
  EXPECT_EQ(as_int(binary(BinaryOp::And, less, bool_imm(false))), 0);
  EXPECT_EQ(binary(BinaryOp::Or, less, bool_imm(false)), less);
  EXPECT_EQ(as_int(binary(BinaryOp::Or, bool_imm(true), less)), 1);
  EXPECT_EQ(as_int(logical_not(bool_imm(true))), 0);
  EXPECT_EQ(as_int(binary(BinaryOp::LE, i32(3), i32(3))), 1);
}

TEST(Build, DtypesAreMatched) {
  const auto common = [](DType a, DType b) {
    return add(var_expr(make_var("a", a)), var_expr(make_var("b", b)))->dtype;
  };
  EXPECT_EQ(common(DType::Int32, DType::Int64), DType::Int64);
  EXPECT_EQ(common(DType::Int64, DType::Float32), DType::Float32);
  EXPECT_EQ(common(DType::Float16, DType::Float32), DType::Float32);
  EXPECT_EQ(common(DType::Bool, DType::Int8), DType::Int8);
  EXPECT_EQ(common(DType::Int32, DType::UInt32), DType::UInt32);
  EXPECT_EQ(common(DType::UInt8, DType::Int32), DType::Int32);
  EXPECT_EQ(common(DType::BFloat16, DType::Int32), DType::BFloat16);
  // A constant is converted, not cast.
  const PrimExpr sum = add(var_expr(make_var("n", DType::Int64)), i32(3));
  EXPECT_EQ(as_int(std::get<Binary>(sum->kind).b), 3);
  EXPECT_EQ(binary(BinaryOp::LT, kX, int_imm(DType::Int64, 4))->dtype, DType::Bool);
}

TEST(Build, Casts) {
  EXPECT_EQ(cast(DType::Int32, kX), kX);
  EXPECT_EQ(float_of(cast(DType::Float32, i32(3))), 3);
  EXPECT_EQ(as_int(cast(DType::Int32, f32(-2.75))), -2);
  EXPECT_EQ(as_int(cast(DType::Bool, i32(2))), 1);
  EXPECT_TRUE(std::holds_alternative<Cast>(cast(DType::Int64, kX)->kind));
}

TEST(Build, Limits) {
  EXPECT_EQ(as_int(min_value(DType::Int32)), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(as_int(max_value(DType::Int64)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(as_int(max_value(DType::UInt8)), 255);
  EXPECT_EQ(as_int(min_value(DType::UInt32)), 0);
  EXPECT_EQ(float_of(min_value(DType::Float32)), -3.4028234663852886e38);
  EXPECT_EQ(float_of(max_value(DType::Float16)), 65504);
}

TEST(Build, IfThenElseKeepsOnlyTheChosen) {
  EXPECT_EQ(if_then_else(bool_imm(true), kX, kY), kX);
  EXPECT_EQ(if_then_else(bool_imm(false), kX, kY), kY);
  EXPECT_EQ(if_then_else(binary(BinaryOp::LT, kX, kY), kX, kF)->dtype, DType::Float32);
}

TEST(Visit, RewriteSharesWhatDidNotChange) {
  const PrimExpr expr = add(mul(kX, i32(2)), kY);
  EXPECT_EQ(rewrite(expr, [](const PrimExpr& e) { return e; }), expr);
  const Var x = std::get<Var>(kX->kind);
  const PrimExpr changed = substitute(expr, {{x, i32(5)}});
  EXPECT_TRUE(structural_equal(changed, add(make_binary(BinaryOp::Mul, i32(5), i32(2)), kY)));
  EXPECT_EQ(std::get<Binary>(changed->kind).b, kY);
}

TEST(Visit, FreeVariables) {
  const Var bound = make_var("t", DType::Int32);
  const PrimExpr let = make_expr(DType::Int32, Let{bound, kY, add(var_expr(bound), kX)});
  const std::vector<Var> vars = free_vars(add(let, kY));
  ASSERT_EQ(vars.size(), 2u);
  EXPECT_EQ(vars[0]->name, "y");
  EXPECT_EQ(vars[1]->name, "x");
}

TEST(Visit, StatementsAreWalkedAndRewritten) {
  const Buffer a = make_buffer("A", DType::Int32, {i32(4)});
  const Stmt stmt = seq({store(a, kX, {i32(0)}), store(a, add(kX, kY), {i32(1)})});
  int stores = 0, variables = 0;
  walk(
      stmt, [&](const Stmt& s) { stores += std::holds_alternative<BufferStore>(s->kind); },
      [&](const PrimExpr& e) { variables += std::holds_alternative<Var>(e->kind); });
  EXPECT_EQ(stores, 2);
  EXPECT_EQ(variables, 3);
  EXPECT_EQ(substitute(stmt, {{make_var("other", DType::Int32), i32(1)}}), stmt);
  const Stmt changed = substitute(stmt, {{std::get<Var>(kY->kind), i32(7)}});
  EXPECT_NE(changed, stmt);
  EXPECT_EQ(std::get<SeqStmt>(changed->kind).seq[0], std::get<SeqStmt>(stmt->kind).seq[0]);
}

}  // namespace
}  // namespace fx2wasm::tir
