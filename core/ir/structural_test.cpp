#include "ir/structural.h"

#include <gtest/gtest.h>

#include "ir/op.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"

namespace fx2wasm {
namespace {

using tir::PrimExpr;

// out[v] = a[v] + value, with every name made from `suffix`.
tir::PrimFunc shifted(const std::string& suffix, double value, const std::string& block_name = "b",
                      bool symbolic = false) {
  const PrimExpr n = symbolic ? tir::var_expr(tir::make_var("n" + suffix, DType::Int64))
                              : tir::int_imm(DType::Int64, 4);
  const tir::Buffer a = tir::make_buffer("a" + suffix, DType::Float32, {n});
  const tir::Buffer out = tir::make_buffer("o" + suffix, DType::Float32, {n});
  const tir::Var i = tir::make_var("i" + suffix, DType::Int64);
  const tir::Var v = tir::make_var("v" + suffix, DType::Int64);
  tir::SBlock block;
  block.name_hint = block_name;
  block.iter_vars = {{v, {tir::int_imm(DType::Int64, 0), n}}};
  block.body = tir::store(
      out, tir::add(tir::load(a, {tir::var_expr(v)}), tir::float_imm(DType::Float32, value)),
      {tir::var_expr(v)});
  tir::For loop;
  loop.loop_var = i;
  loop.min = tir::int_imm(DType::Int64, 0);
  loop.extent = n;
  loop.body = tir::make_stmt(tir::SBlockRealize{
      {tir::var_expr(i)}, nullptr, std::make_shared<tir::SBlock>(std::move(block))});
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->params = {a, out};
  func->attrs = {{"tirx.noalias", AttrValue{true}}};
  func->body = tir::make_stmt(std::move(loop));
  return func;
}

TEST(StructuralPrimFunc, NamesDoNotCount) {
  EXPECT_TRUE(structural_equal(shifted("", 1), shifted("_x", 1)));
  EXPECT_EQ(structural_hash(shifted("", 1)), structural_hash(shifted("_x", 1)));
  // Nor does a block's: TVM takes `x / 1` for the `x * 1` that it has already.
  EXPECT_TRUE(structural_equal(shifted("", 1), shifted("", 1, "c")));
  EXPECT_EQ(structural_hash(shifted("", 1)), structural_hash(shifted("", 1, "c")));
  EXPECT_TRUE(structural_equal(shifted("", 1, "b", true), shifted("_x", 1, "b", true)));
}

TEST(StructuralPrimFunc, ConstantsAndShapesDo) {
  EXPECT_FALSE(structural_equal(shifted("", 1), shifted("", 2)));
  EXPECT_NE(structural_hash(shifted("", 1)), structural_hash(shifted("", 2)));
  EXPECT_FALSE(structural_equal(shifted("", 1), shifted("", 1, "b", true)));
}

TEST(StructuralExpr, FreeVariablesAreTheSameObject) {
  const PrimExpr x = tir::var_expr(tir::make_var("x", DType::Int64));
  const PrimExpr y = tir::var_expr(tir::make_var("x", DType::Int64));
  const auto sum = [](const PrimExpr& a, const PrimExpr& b) { return tir::add(a, b); };
  EXPECT_TRUE(structural_equal(sum(x, x), sum(x, x)));
  EXPECT_FALSE(structural_equal(sum(x, x), sum(y, y)));
  EXPECT_TRUE(structural_equal(sum(x, x), sum(y, y), true));
  EXPECT_FALSE(structural_equal(sum(x, x), sum(x, y), true));
  EXPECT_FALSE(structural_equal(sum(x, y), sum(x, x), true));
}

TEST(StructuralExpr, DtypesCount) {
  EXPECT_FALSE(structural_equal(tir::int_imm(DType::Int32, 1), tir::int_imm(DType::Int64, 1)));
}

relax::Function chain(const std::string& op, int length, const std::string& suffix = "") {
  const relax::Type type = relax::tensor_type({tir::int_imm(DType::Int64, 4)}, DType::Float32);
  auto func = std::make_shared<relax::FunctionNode>();
  func->params = {relax::make_var("x" + suffix, type)};
  relax::BindingBlock block;
  relax::Expr last = relax::var_expr(func->params[0]);
  for (int i = 0; i < length; ++i) {
    const std::string name = i + 1 == length ? op : "nn.relu";
    const relax::Var var = relax::make_var("lv" + suffix, type, i + 1 < length);
    block.bindings.push_back(
        {var,
         relax::make_expr(type, relax::OpCall{relax::find_op(name), {last}, {}}),
         {{i}, i, suffix}});
    last = relax::var_expr(var);
  }
  func->blocks = {block};
  func->body = last;
  func->ret_type = type;
  return func;
}

IRModule module_of(relax::Function main) {
  IRModule module;
  module.functions = {{"main", std::move(main)}, {"f", shifted("", 1)}};
  return module;
}

TEST(StructuralFunction, NamesAndOriginsDoNotCount) {
  EXPECT_TRUE(structural_equal(chain("exp", 3), chain("exp", 3, "_other")));
  EXPECT_EQ(structural_hash(chain("exp", 3)), structural_hash(chain("exp", 3, "_other")));
}

TEST(StructuralFunction, TenThousandBindings) {
  const relax::Function a = chain("exp", 10000), b = chain("exp", 10000, "_b");
  EXPECT_TRUE(structural_equal(a, b));
  EXPECT_EQ(structural_hash(a), structural_hash(b));
  EXPECT_FALSE(structural_equal(a, chain("log", 10000)));
}

TEST(StructuralFunction, ConstantsByContent) {
  const auto constant = [](std::byte value, bool known = true) {
    auto data = std::make_shared<TensorData>();
    data->shape = {1};
    data->bytes = {value};
    auto node = std::make_shared<relax::ConstantNode>();
    node->dtype = DType::Bool;
    node->shape = {1};
    if (known) node->data = data;
    return relax::Constant(node);
  };
  const auto returning = [](const relax::Constant& value) {
    auto func = std::make_shared<relax::FunctionNode>();
    func->body = relax::constant_expr(value);
    func->ret_type = func->body->type;
    return relax::Function(func);
  };
  const auto one = constant(std::byte{1}), late = constant(std::byte{1}, false);
  EXPECT_TRUE(structural_equal(returning(one), returning(constant(std::byte{1}))));
  EXPECT_FALSE(structural_equal(returning(one), returning(constant(std::byte{0}))));
  EXPECT_TRUE(structural_equal(returning(late), returning(late)));
  EXPECT_FALSE(structural_equal(returning(late), returning(constant(std::byte{1}, false))));
}

TEST(StructuralModule, OrderDoesNotCount) {
  const IRModule a = module_of(chain("exp", 2));
  IRModule b = a;
  std::swap(b.functions[0], b.functions[1]);
  EXPECT_TRUE(structural_equal(a, b));
  EXPECT_EQ(structural_hash(a), structural_hash(b));
}

TEST(StructuralModule, FirstDifference) {
  const IRModule a = module_of(chain("exp", 3));
  EXPECT_EQ(first_difference(a, a), std::nullopt);
  EXPECT_EQ(first_difference(a, module_of(chain("log", 3))),
            "main, binding 2: R.exp against R.log");
  EXPECT_EQ(first_difference(a, module_of(chain("exp", 2))),
            "main, binding 1: R.nn.relu against R.exp");
  IRModule less = a;
  less.functions.pop_back();
  EXPECT_EQ(first_difference(a, less), "f: only in the first module");
  EXPECT_EQ(first_difference(less, a), "f: only in the second module");
}

}  // namespace
}  // namespace fx2wasm
