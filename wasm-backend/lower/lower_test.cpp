// The structure of what is lowered; its results are tested in Node (tests/).
#include "lower/lower.h"

#include <gtest/gtest.h>

#include "encode/listing.h"
#include "ir/tir_build.h"
#include "lower/bounds.h"
#include "lower/nest.h"

namespace fx2wasm::wasm {
namespace {

using tir::PrimExpr;

PrimExpr i64(int64_t value) { return tir::int_imm(DType::Int64, value); }

// C[m, n] = Σ A[m, k] · B[k, n], as create_prim_func gives it; with a maximum of 0 after it.
struct MatmulFunc {
  tir::Buffer a, b, c;
  tir::PrimFunc func;
};

MatmulFunc matmul(int64_t m, int64_t n, int64_t k) {
  MatmulFunc made;
  made.a = tir::make_buffer("A", DType::Float32, {i64(m), i64(k)});
  made.b = tir::make_buffer("B", DType::Float32, {i64(k), i64(n)});
  made.c = tir::make_buffer("C", DType::Float32, {i64(m), i64(n)});
  std::vector<tir::Var> loops, axes;
  for (const char* name : {"i0", "i1", "k"}) loops.push_back(tir::make_var(name, DType::Int64));
  for (const char* name : {"v_i0", "v_i1", "v_k"}) {
    axes.push_back(tir::make_var(name, DType::Int64));
  }
  const auto v = [&](size_t i) { return tir::var_expr(axes[i]); };
  auto block = std::make_shared<tir::SBlock>();
  block->name_hint = "matmul";
  const std::vector<int64_t> extents = {m, n, k};
  tir::SBlockRealize realize;
  for (size_t i = 0; i < 3; ++i) {
    const auto kind = i == 2 ? tir::IterKind::Reduce : tir::IterKind::Spatial;
    block->iter_vars.push_back({axes[i], {i64(0), i64(extents[i])}, kind});
    realize.iter_values.push_back(tir::var_expr(loops[i]));
  }
  block->init = tir::store(made.c, tir::float_imm(DType::Float32, 0), {v(0), v(1)});
  block->body = tir::store(
      made.c,
      tir::add(tir::load(made.c, {v(0), v(1)}),
               tir::mul(tir::load(made.a, {v(0), v(2)}), tir::load(made.b, {v(2), v(1)}))),
      {v(0), v(1)});
  realize.block = block;
  tir::Stmt stmt = tir::make_stmt(realize);
  for (size_t i = 3; i-- > 0;) {
    tir::For loop;
    loop.loop_var = loops[i];
    loop.min = i64(0);
    loop.extent = i64(extents[i]);
    loop.body = stmt;
    stmt = tir::make_stmt(loop);
  }
  auto root = std::make_shared<tir::SBlock>();
  root->name_hint = "root";
  root->body = stmt;
  tir::SBlockRealize root_realize;
  root_realize.block = root;
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->params = {made.a, made.b, made.c};
  func->body = tir::make_stmt(root_realize);
  made.func = func;
  return made;
}

std::string listing(const tir::PrimFunc& func, LowerOptions options) {
  Module module;
  MathFunctions math(module);
  const auto lowered = lower_prim_func(module, math, "f", func, options);
  EXPECT_TRUE(lowered.ok());
  return list_module(encode(module).binary, "f").text;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// One row of 32 columns: eight accumulators, which stay in locals until the loop is done.
TEST(Lower, MatmulUsesVectorsInRegisters) {
  const std::string text = listing(matmul(1, 32, 100).func, {Simd::Simd128, true});
  EXPECT_EQ(count(text, "f32x4.mul"), 8U) << text;
  EXPECT_EQ(count(text, "v128.store"), 8U);
  EXPECT_EQ(count(text, "v128.load32_splat"), 1U) << "A[0, k] is loaded once for all columns";
  EXPECT_EQ(count(text, "loop"), 1U);
  EXPECT_EQ(count(text, "f32.load"), 0U);
}

TEST(Lower, RelaxedUsesFusedMultiplyAdd) {
  const std::string text = listing(matmul(1, 32, 100).func, {Simd::Relaxed, true});
  EXPECT_EQ(count(text, "f32x4.relaxed_madd"), 8U) << text;
  EXPECT_EQ(count(text, "f32x4.mul"), 0U);
}

TEST(Lower, OffHasNoVectors) {
  EXPECT_EQ(count(listing(matmul(3, 5, 7).func, {Simd::Off, true}), "v128"), 0U);
}

// The loops as they print, but the sum in a register.
TEST(Lower, UnscheduledIsTheProgramsLoops) {
  const std::string text = listing(matmul(3, 5, 7).func, {Simd::Simd128, false});
  EXPECT_EQ(count(text, "loop"), 3U) << text;
  EXPECT_EQ(count(text, "f32.store"), 1U);
  EXPECT_EQ(count(text, "v128"), 0U);
}

// Sums of more than 256 terms are added up in rounds.
TEST(Lower, LongSumsAreBlocked) {
  const std::string text = listing(matmul(3, 5, 1000).func, {Simd::Simd128, false});
  EXPECT_EQ(count(text, "loop"), 4U) << text;
}

TEST(Nest, RecognisesAReduction) {
  const MatmulFunc made = matmul(1, 32, 100);
  const auto& root = std::get<tir::SBlockRealize>(made.func->body->kind);
  const auto nest = match_nest(root.block->body);
  ASSERT_TRUE(nest);
  EXPECT_EQ(nest->spatial.size(), 1U) << "loops of one iteration are no loops";
  EXPECT_EQ(nest->reduce.size(), 1U);
  EXPECT_TRUE(nest->associative);
  EXPECT_EQ(nest->op, tir::BinaryOp::Add);
}

TEST(Nest, NothingReducedGivesTheInitialValue) {
  const MatmulFunc made = matmul(2, 3, 0);
  const auto& root = std::get<tir::SBlockRealize>(made.func->body->kind);
  const auto nest = match_nest(root.block->body);
  ASSERT_TRUE(nest);
  EXPECT_FALSE(nest->empty);
  EXPECT_EQ(nest->accumulator, nullptr);
}

TEST(Bounds, ProvesThatIndicesFit32Bits) {
  Bounds bounds;
  const tir::Var i = tir::make_var("i", DType::Int64);
  const PrimExpr product = tir::mul(tir::var_expr(i), i64(1000));
  EXPECT_FALSE(bounds.fits_int32(product));
  bounds.bind(i, Interval{0, 999});
  EXPECT_TRUE(bounds.fits_int32(product));
  EXPECT_EQ(bounds.of(product).max, 999000);
  EXPECT_EQ(bounds.of(tir::floormod(product, i64(7))).max, 6);
  EXPECT_EQ(bounds.of(tir::floordiv(product, i64(-7))).min, -142715);
}

}  // namespace
}  // namespace fx2wasm::wasm
