#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interp/interp.h"
#include "interp/scalar.h"
#include "interp/test_tensors.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::interp {
namespace {

using namespace interp_test;
using tir::BinaryOp;
using tir::Intrinsic;
using tir::PrimExpr;

// The value of an expression without variables, by way of a PrimFunc that stores it.
std::vector<double> value_of_expr(const PrimExpr& expr) {
  const tir::Buffer out = tir::make_buffer("out", expr->dtype, {i64(1)});
  const auto result = run_prim_func(prim_func({out}, {}, tir::store(out, expr, {i64(0)})), {});
  EXPECT_TRUE(result.ok());
  return result.ok() ? values_of(*result.value()[0]) : std::vector<double>{};
}

double number(const PrimExpr& expr) { return value_of_expr(expr).at(0); }

PrimExpr bin(BinaryOp op, PrimExpr a, PrimExpr b) {
  return tir::make_binary(op, std::move(a), std::move(b));
}

PrimExpr i8(int64_t value) { return tir::int_imm(DType::Int8, value); }
PrimExpr u8(int64_t value) { return tir::int_imm(DType::UInt8, value); }
PrimExpr f16(double value) { return tir::float_imm(DType::Float16, value); }

TEST(TirScalar, IntegersWrapAndDivideBothWays) {
  EXPECT_EQ(number(bin(BinaryOp::Add, i8(100), i8(100))), -56);
  EXPECT_EQ(number(bin(BinaryOp::Sub, u8(3), u8(5))), 254);
  EXPECT_EQ(number(bin(BinaryOp::Mul, i32(65536), i32(65536))), 0);
  EXPECT_EQ(number(bin(BinaryOp::Div, i32(-7), i32(2))), -3);
  EXPECT_EQ(number(bin(BinaryOp::Mod, i32(-7), i32(2))), -1);
  EXPECT_EQ(number(bin(BinaryOp::FloorDiv, i32(-7), i32(2))), -4);
  EXPECT_EQ(number(bin(BinaryOp::FloorMod, i32(-7), i32(2))), 1);
  EXPECT_EQ(number(bin(BinaryOp::FloorDiv, i32(7), i32(-2))), -4);
  EXPECT_EQ(number(bin(BinaryOp::FloorMod, i32(7), i32(-2))), -1);
  EXPECT_EQ(number(bin(BinaryOp::FloorMod, i32(-8), i32(2))), 0);
  EXPECT_EQ(number(bin(BinaryOp::Div, i8(-128), i8(-1))), -128);
  EXPECT_EQ(number(bin(BinaryOp::GT, u8(200), u8(100))), 1);
}

TEST(TirScalar, FloatsRoundOnceAnOperation) {
  // 2^24 + 1 is no float32, 2048 + 1 no float16.
  EXPECT_EQ(number(bin(BinaryOp::Add, f32(16777216), f32(1))), 16777216);
  EXPECT_EQ(number(bin(BinaryOp::Add, f16(2048), f16(1))), 2048);
  EXPECT_EQ(number(bin(BinaryOp::FloorMod, f32(-1.5), f32(1))), 0.5);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const BinaryOp op : {BinaryOp::Min, BinaryOp::Max}) {
    EXPECT_TRUE(std::isnan(number(bin(op, f32(nan), f32(1)))));
    EXPECT_TRUE(std::isnan(number(bin(op, f32(1), f32(nan)))));
  }
  EXPECT_EQ(number(tir::make_expr(DType::Int32, tir::Cast{f32(-2.9)})), -2);
  EXPECT_EQ(number(tir::make_expr(DType::Int8, tir::Cast{f32(1e9)})), 127);
  // Over float64 this would round twice, to 2^53 * 512.
  const int64_t large = (int64_t{1} << 62) + (int64_t{1} << 38) + 1;
  EXPECT_EQ(number(tir::make_expr(DType::Float32, tir::Cast{i64(large)})),
            static_cast<double>(static_cast<float>(large)));
}

TEST(TirScalar, CallsIntrinsics) {
  const auto call = [](Intrinsic op, const std::vector<PrimExpr>& args) {
    return number(tir::call(args[0]->dtype, op, args));
  };
  EXPECT_FLOAT_EQ(static_cast<float>(call(Intrinsic::Exp, {f32(1)})), 2.7182817F);
  EXPECT_EQ(call(Intrinsic::Round, {f32(2.5)}), 2);
  EXPECT_EQ(call(Intrinsic::Nearbyint, {f32(-3.5)}), -4);
  EXPECT_EQ(call(Intrinsic::Trunc, {f32(-3.5)}), -3);
  EXPECT_EQ(call(Intrinsic::ShiftRight, {i32(-8), i32(1)}), -4);
  EXPECT_EQ(call(Intrinsic::ShiftLeft, {i32(1), i32(31)}), -2147483648.0);
  EXPECT_EQ(call(Intrinsic::BitwiseNot, {u8(1)}), 254);
  EXPECT_EQ(call(Intrinsic::Popcount, {i32(-1)}), 32);
  EXPECT_EQ(call(Intrinsic::Clz, {i32(1)}), 31);
  EXPECT_EQ(call(Intrinsic::Abs, {i32(-5)}), 5);
  EXPECT_EQ(number(tir::call(DType::Int32, Intrinsic::Reinterpret, {f32(1)})), 0x3F800000);
  EXPECT_EQ(number(tir::call(DType::Bool, Intrinsic::IsNan, {f32(NAN)})), 1);
}

TEST(TirScalar, LogicStopsWhereItIsDecided) {
  const tir::Buffer x = tir::make_buffer("x", DType::Int32, {i64(1)});
  const tir::Buffer out = tir::make_buffer("out", DType::Bool, {i64(1)});
  const PrimExpr outside = bin(BinaryOp::GT, tir::load(x, {i64(5)}), i32(0));
  const PrimExpr guarded = bin(BinaryOp::And, tir::bool_imm(false), outside);
  const PrimExpr either = bin(BinaryOp::Or, tir::bool_imm(true), outside);
  const PrimExpr chosen = tir::make_expr(
      DType::Bool, tir::Call{Intrinsic::IfThenElse, {tir::bool_imm(false), outside, either}});
  for (const PrimExpr& expr : {guarded, either, chosen}) {
    const auto func = prim_func({x, out}, {}, tir::store(out, expr, {i64(0)}));
    EXPECT_TRUE(run_prim_func(func, {tensor(DType::Int32, {1}, {0})}).ok());
  }
}

// y[i] = sum over k of x[i, k], over a block whose init runs at the first k.
tir::PrimFunc row_sums(const PrimExpr& rows, const PrimExpr& columns, tir::ForKind kind) {
  const tir::Buffer x = tir::make_buffer("x", DType::Float32, {rows, columns});
  const tir::Buffer y = tir::make_buffer("y", DType::Float32, {rows});
  const tir::Var i = tir::make_var("i", DType::Int64);
  const tir::Var k = tir::make_var("k", DType::Int64);
  const tir::Var vi = tir::make_var("vi", DType::Int64);
  const tir::Var vk = tir::make_var("vk", DType::Int64);
  auto block = std::make_shared<tir::SBlock>();
  block->name_hint = "sum";
  block->iter_vars = {{vi, {i64(0), rows}, tir::IterKind::Spatial},
                      {vk, {i64(0), columns}, tir::IterKind::Reduce}};
  const std::vector<PrimExpr> at = {tir::var_expr(vi)};
  block->init = tir::store(y, f32(0), at);
  block->body = tir::store(
      y, tir::add(tir::load(y, at), tir::load(x, {tir::var_expr(vi), tir::var_expr(vk)})), at);
  const tir::Stmt realize = tir::make_stmt(
      tir::SBlockRealize{{tir::var_expr(i), tir::var_expr(k)}, nullptr, std::move(block)});
  return prim_func({x, y}, {}, loop(i, rows, loop(k, columns, realize, kind)));
}

TEST(TirMachine, RunsReductionBlocks) {
  for (const tir::ForKind kind : {tir::ForKind::Serial, tir::ForKind::Unrolled}) {
    const auto result = run_prim_func(row_sums(i64(2), i64(3), kind),
                                      {tensor(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6})});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(values_of(*result.value()[0]), (std::vector<double>{6, 15}));
  }
}

TEST(TirMachine, TakesSymbolicSizesFromTheInputs) {
  const PrimExpr n = tir::var_expr(tir::make_var("n", DType::Int64));
  const tir::PrimFunc func = row_sums(n, n, tir::ForKind::Serial);
  const auto square = run_prim_func(func, {tensor(DType::Float32, {2, 2}, {1, 2, 3, 4})});
  ASSERT_TRUE(square.ok());
  EXPECT_EQ(values_of(*square.value()[0]), (std::vector<double>{3, 7}));
  const auto oblong = run_prim_func(func, {tensor(DType::Float32, {1, 2}, {1, 2})});
  ASSERT_FALSE(oblong.ok());
  EXPECT_EQ(oblong.diagnostics()[0].code, codes::kRunInputs);
}

TEST(TirMachine, SkipsBlocksWhosePredicateFails) {
  const tir::Buffer x = tir::make_buffer("x", DType::Int32, {i64(3)});
  const tir::Buffer y = tir::make_buffer("y", DType::Int32, {i64(3)});
  const tir::Var i = tir::make_var("i", DType::Int64);
  const tir::Var v = tir::make_var("v", DType::Int64);
  auto block = std::make_shared<tir::SBlock>();
  block->iter_vars = {{v, {i64(0), i64(3)}, tir::IterKind::Spatial}};
  block->body = tir::store(y, tir::load(x, {tir::var_expr(v)}), {tir::var_expr(v)});
  const PrimExpr inside = bin(BinaryOp::LT, tir::var_expr(i), i64(3));
  const tir::Stmt realize =
      tir::make_stmt(tir::SBlockRealize{{tir::var_expr(i)}, inside, std::move(block)});
  const auto result =
      run_prim_func(prim_func({x, y}, {}, loop(i, i64(4), realize, tir::ForKind::Vectorized)),
                    {tensor(DType::Int32, {3}, {7, 8, 9})});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(values_of(*result.value()[0]), (std::vector<double>{7, 8, 9}));
}

// n = 10; while n > 3: n -= 2; out = let m = n in m * m; with n in an allocated buffer.
TEST(TirMachine, RunsWhileBranchAndLet) {
  const tir::Buffer n = tir::make_buffer("n", DType::Int32, {i64(1)});
  const tir::Buffer out = tir::make_buffer("out", DType::Int32, {i64(2)});
  const tir::Var m = tir::make_var("m", DType::Int32);
  const PrimExpr now = tir::load(n, {i64(0)});
  const PrimExpr twice = tir::mul(tir::var_expr(m), tir::var_expr(m));
  const tir::Stmt body = tir::seq(
      {tir::store(n, i32(10), {i64(0)}),
       tir::make_stmt(tir::While{bin(BinaryOp::GT, now, i32(3)),
                                 tir::store(n, bin(BinaryOp::Sub, now, i32(2)), {i64(0)})}),
       tir::make_stmt(tir::LetStmt{m, now, tir::store(out, twice, {i64(0)})}),
       tir::make_stmt(tir::IfThenElse{bin(BinaryOp::EQ, now, i32(0)),
                                      tir::store(out, i32(1), {i64(1)}),
                                      tir::store(out, i32(2), {i64(1)})})});
  const auto result = run_prim_func(prim_func({out}, {n}, body), {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(values_of(*result.value()[0]), (std::vector<double>{4, 2}));
}

// docs/semantics.md: a negative position counts from the end, one outside reads the nearest.
TEST(TirMachine, ReadsAtPositionsFromData) {
  const tir::Buffer x = tir::make_buffer("x", DType::Int32, {i64(2)});
  const tir::Buffer y = tir::make_buffer("y", DType::Int32, {i64(1)});
  const PrimExpr picked =
      tir::load(x, {tir::make_expr(DType::Int64, tir::Cast{tir::load(x, {i64(0)})})});
  const auto func = prim_func({x, y}, {}, tir::store(y, picked, {i64(0)}));
  for (const auto& [position, element] : {std::pair{1, 7}, {-1, 7}, {-2, -2}, {9, 7}, {-9, -9}}) {
    const auto result = run_prim_func(func, {tensor(DType::Int32, {2}, {double(position), 7})});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(values_of(*result.value()[0]), (std::vector<double>{double(element)}));
  }
}

TEST(TirMachine, FailsWithAReason) {
  const tir::Buffer x = tir::make_buffer("x", DType::Int32, {i64(2)});
  const tir::Buffer y = tir::make_buffer("y", DType::Int32, {i64(1)});
  const auto outside =
      run_prim_func(prim_func({x, y}, {}, tir::store(y, tir::load(x, {i64(9)}), {i64(0)})),
                    {tensor(DType::Int32, {2}, {9, 0})});
  ASSERT_FALSE(outside.ok());
  EXPECT_NE(outside.diagnostics()[0].message.find("index 9 is outside axis 0 of buffer 'x'"),
            std::string::npos);
  const PrimExpr ratio = bin(BinaryOp::FloorDiv, i32(1), tir::load(x, {i64(1)}));
  const auto zero = run_prim_func(prim_func({x, y}, {}, tir::store(y, ratio, {i64(0)})),
                                  {tensor(DType::Int32, {2}, {9, 0})});
  ASSERT_FALSE(zero.ok());
  EXPECT_NE(zero.diagnostics()[0].message.find("divided by zero"), std::string::npos);
  const auto func = prim_func({x, y}, {}, tir::store(y, tir::load(x, {i64(0)}), {i64(0)}));
  EXPECT_FALSE(run_prim_func(func, {}).ok());
  EXPECT_FALSE(run_prim_func(func, {tensor(DType::Float32, {2}, {9, 0})}).ok());
  EXPECT_FALSE(run_prim_func(func, {tensor(DType::Int32, {3}, {9, 0, 0})}).ok());
}

}  // namespace
}  // namespace fx2wasm::interp
