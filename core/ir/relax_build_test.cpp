#include "ir/relax_build.h"

#include <gtest/gtest.h>

#include "ir/module.h"
#include "ir/op.h"
#include "ir/tir_build.h"

namespace fx2wasm::relax {
namespace {

const Type kPair = tensor_type(std::vector<int64_t>{2, 3}, DType::Float32);

TEST(RelaxBuild, TypesOfTheMakers) {
  const Expr x = var_expr(make_var("x", kPair));
  EXPECT_EQ(as_tensor(x)->ndim, 2);
  EXPECT_EQ(static_shape(*as_tensor(x)), (std::vector<int64_t>{2, 3}));
  const Expr tuple = tuple_expr({x, shape_expr({tir::int_imm(DType::Int64, 4)})});
  ASSERT_NE(as_tuple(tuple->type), nullptr);
  EXPECT_EQ(tuple_get_item(tuple, 0)->type, kPair);
  EXPECT_EQ(as_tensor(tuple), nullptr);
  const Type symbolic =
      tensor_type({tir::var_expr(tir::make_var("n", DType::Int64))}, DType::Float32);
  EXPECT_EQ(static_shape(*as_tensor(symbolic)), std::nullopt);
}

TEST(RelaxBuild, MapChildrenSharesWhatDidNotChange) {
  const Expr x = var_expr(make_var("x", kPair)), y = var_expr(make_var("y", kPair));
  const Expr call = make_expr(kPair, OpCall{find_op("add"), {x, x}, {}});
  EXPECT_EQ(map_children(call, [](const Expr& e) { return e; }), call);
  const Expr changed = map_children(call, [&](const Expr&) { return y; });
  EXPECT_EQ(children(changed), (std::vector<Expr>{y, y}));
  EXPECT_EQ(children(call), (std::vector<Expr>{x, x}));
}

TEST(Module, Lookup) {
  IRModule module;
  auto function = std::make_shared<FunctionNode>();
  module.functions = {{"f", tir::PrimFunc(std::make_shared<tir::PrimFuncNode>())},
                      {"only", Function(function)}};
  EXPECT_NE(find_prim_func(module, "f"), nullptr);
  EXPECT_EQ(find_prim_func(module, "only"), nullptr);
  EXPECT_EQ(find_function(module, "g"), nullptr);
  ASSERT_NE(main_function(module), nullptr);
  EXPECT_EQ(*main_function(module), function);
  module.functions.push_back({"another", Function(std::make_shared<FunctionNode>())});
  EXPECT_EQ(main_function(module), nullptr);
}

}  // namespace
}  // namespace fx2wasm::relax
