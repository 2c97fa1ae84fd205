#include <gtest/gtest.h>

#include <cmath>

#include "interp/interp.h"
#include "interp/test_tensors.h"
#include "ir/op.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::interp {
namespace {

using namespace interp_test;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

AttrValue list(const std::vector<int64_t>& values) {
  AttrList items;
  for (int64_t value : values) items.push_back(AttrValue{value});
  return AttrValue{items};
}

// A module whose main applies one operator to its parameters and to further arguments.
IRModule module_of(std::string_view op, const std::vector<TensorDataRef>& inputs,
                   const relax::Type& result, Attrs attrs, std::vector<relax::Expr> more = {}) {
  auto function = std::make_shared<relax::FunctionNode>();
  relax::OpCall call;
  call.op = relax::find_op(op);
  FX_CHECK(call.op != nullptr, "no such operator");
  call.attrs = std::move(attrs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto param = relax::make_var("inp_" + std::to_string(i),
                                       relax::tensor_type(inputs[i]->shape, inputs[i]->dtype));
    function->params.push_back(param);
    call.args.push_back(relax::var_expr(param));
  }
  for (relax::Expr& expr : more) call.args.push_back(std::move(expr));
  const relax::Var lv = relax::make_var("lv", result, true);
  function->blocks.push_back({true, {{lv, relax::make_expr(result, std::move(call)), {}}}});
  function->body = relax::var_expr(lv);
  function->ret_type = result;
  IRModule module;
  module.functions.emplace_back("main", BaseFunc(relax::Function(std::move(function))));
  return module;
}

std::vector<double> apply(std::string_view op, const std::vector<TensorDataRef>& inputs,
                          DType dtype, const std::vector<int64_t>& shape, Attrs attrs = {},
                          std::vector<relax::Expr> more = {}) {
  const auto result = run_main(
      module_of(op, inputs, relax::tensor_type(shape, dtype), std::move(attrs), std::move(more)),
      inputs);
  EXPECT_TRUE(result.ok()) << op << ": "
                           << (result.ok() ? "" : format_diagnostic(result.diagnostics()[0]));
  return result.ok() ? values_of(*result.value()[0]) : std::vector<double>{};
}

TensorDataRef floats(std::vector<int64_t> shape, const std::vector<double>& values) {
  return tensor(DType::Float32, std::move(shape), values);
}

void expect_near(const std::vector<double>& got, const std::vector<double>& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isnan(wanted[i])) {
      EXPECT_TRUE(std::isnan(got[i])) << i;
    } else {
      EXPECT_NEAR(got[i], wanted[i], 1e-6 + 1e-6 * std::fabs(wanted[i])) << i;
    }
  }
}

TEST(RelaxElementwise, BroadcastsAndKeepsNan) {
  EXPECT_EQ(
      apply("add", {floats({2, 1}, {1, 2}), floats({3}, {10, 20, 30})}, DType::Float32, {2, 3}),
      (std::vector<double>{11, 21, 31, 12, 22, 32}));
  expect_near(apply("nn.relu", {floats({4}, {-1, 0, 2, kNan})}, DType::Float32, {4}),
              {0, 0, 2, kNan});
  expect_near(
      apply("maximum", {floats({3}, {1, kNan, 3}), floats({3}, {2, 2, kNan})}, DType::Float32, {3}),
      {2, kNan, kNan});
  EXPECT_EQ(apply("less", {floats({2}, {1, kNan}), floats({1}, {2})}, DType::Bool, {2}),
            (std::vector<double>{1, 0}));
}

TEST(RelaxElementwise, IntegersWrapAndDivideAsPython) {
  const auto a = tensor(DType::Int8, {4}, {100, -7, 7, -128});
  const auto b = tensor(DType::Int8, {4}, {100, 2, -2, -1});
  EXPECT_EQ(apply("add", {a, b}, DType::Int8, {4}), (std::vector<double>{-56, -5, 5, 127}));
  EXPECT_EQ(apply("floor_divide", {a, b}, DType::Int8, {4}),
            (std::vector<double>{1, -4, -4, -128}));
  EXPECT_EQ(apply("floor_mod", {a, b}, DType::Int8, {4}), (std::vector<double>{0, 1, -1, 0}));
  const auto zero = tensor(DType::Int8, {1}, {0});
  const auto result =
      run_main(module_of("floor_divide", {a, zero}, relax::tensor_type(a->shape, DType::Int8), {}),
               {a, zero});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics()[0].code, codes::kRunInputs);
}

TEST(RelaxElementwise, ConvertsDtypes) {
  EXPECT_EQ(apply("astype", {floats({4}, {-1.9, 300, kNan, 0.5})}, DType::UInt8, {4}),
            (std::vector<double>{0, 255, 0, 0}));
  EXPECT_EQ(apply("astype", {floats({3}, {0, -0.5, kNan})}, DType::Bool, {3}),
            (std::vector<double>{0, 1, 1}));
}

TEST(RelaxLinear, MultipliesMatricesOfEveryRank) {
  const auto a = floats({2, 2}, {1, 2, 3, 4});
  const auto v = floats({2}, {10, 1});
  EXPECT_EQ(apply("matmul", {a, a}, DType::Float32, {2, 2}), (std::vector<double>{7, 10, 15, 22}));
  EXPECT_EQ(apply("matmul", {a, v}, DType::Float32, {2}), (std::vector<double>{12, 34}));
  EXPECT_EQ(apply("matmul", {v, a}, DType::Float32, {2}), (std::vector<double>{13, 24}));
  EXPECT_EQ(apply("matmul", {v, v}, DType::Float32, {}), (std::vector<double>{101}));
  EXPECT_EQ(apply("matmul", {floats({3, 1, 2}, {1, 0, 0, 1, 1, 1}), a}, DType::Float32, {3, 1, 2}),
            (std::vector<double>{1, 2, 3, 4, 4, 6}));
}

Attrs conv_attrs(std::vector<int64_t> strides, std::vector<int64_t> padding,
                 std::vector<int64_t> dilation, int64_t groups) {
  return {{"strides", list(strides)},
          {"padding", list(padding)},
          {"dilation", list(dilation)},
          {"groups", AttrValue{groups}},
          {"data_layout", AttrValue{std::string("NCHW")}},
          {"kernel_layout", AttrValue{std::string("OIHW")}},
          {"out_layout", AttrValue{std::string("NCHW")}}};
}

TEST(RelaxLinear, Convolves) {
  const auto x = floats({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  // Each of two groups sums its one channel's 2x2 window; padding of one on the top and left.
  EXPECT_EQ(apply("nn.conv2d", {x, floats({2, 1, 2, 2}, std::vector<double>(8, 1))}, DType::Float32,
                  {1, 2, 2, 2}, conv_attrs({1, 1}, {1, 1, 0, 0}, {1, 1}, 2)),
            (std::vector<double>{1, 3, 4, 10, 5, 11, 12, 26}));
  // Stride 2 over both channels with a kernel of one element.
  EXPECT_EQ(apply("nn.conv2d", {x, floats({1, 2, 1, 1}, {1, 10})}, DType::Float32, {1, 1, 1, 1},
                  conv_attrs({2, 2}, {0, 0, 0, 0}, {1, 1}, 1)),
            (std::vector<double>{51}));
}

TEST(RelaxWindow, PoolsWithPaddingAndNan) {
  Attrs attrs = {{"pool_size", list({2, 2})},
                 {"strides", list({2, 2})},
                 {"dilation", list({1, 1})},
                 {"padding", list({1, 1, 1, 1})},
                 {"ceil_mode", AttrValue{false}},
                 {"count_include_pad", AttrValue{false}},
                 {"layout", AttrValue{std::string("NCHW")}},
                 {"out_layout", AttrValue{std::string("NCHW")}}};
  const auto x = floats({1, 1, 2, 2}, {-1, -2, kNan, -4});
  expect_near(apply("nn.max_pool2d", {x}, DType::Float32, {1, 1, 2, 2}, attrs), {-1, -2, kNan, -4});
  const auto y = floats({1, 1, 2, 2}, {4, 8, 12, 16});
  EXPECT_EQ(apply("nn.avg_pool2d", {y}, DType::Float32, {1, 1, 2, 2}, attrs),
            (std::vector<double>{4, 8, 12, 16}));
  attrs[5].second = AttrValue{true};
  EXPECT_EQ(apply("nn.avg_pool2d", {y}, DType::Float32, {1, 1, 2, 2}, attrs),
            (std::vector<double>{1, 2, 3, 4}));
}

TEST(RelaxNormalization, SoftmaxStandsLargeNumbers) {
  const Attrs last = {{"axis", AttrValue{int64_t{-1}}}};
  const Attrs first = {{"axis", AttrValue{int64_t{0}}}};
  expect_near(apply("nn.softmax", {floats({2}, {1000, 1000})}, DType::Float32, {2}, last),
              {0.5, 0.5});
  expect_near(apply("nn.log_softmax", {floats({2}, {0, 1000})}, DType::Float32, {2}, last),
              {-1000, 0});
  expect_near(
      apply("nn.softmax", {floats({2, 2}, {0, 5, 0, -kInf})}, DType::Float32, {2, 2}, first),
      {0.5, 1, 0.5, 0});
}

TEST(RelaxShape, MovesElements) {
  const auto x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(apply("permute_dims", {x}, DType::Float32, {3, 2}, {{"axes", AttrValue{AttrNone{}}}}),
            (std::vector<double>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(
      apply("reshape", {x}, DType::Float32, {3, 2}, {}, {relax::shape_expr({i64(3), i64(2)})}),
      (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(apply("flip", {x}, DType::Float32, {2, 3}, {{"axis", AttrValue{int64_t{1}}}}),
            (std::vector<double>{3, 2, 1, 6, 5, 4}));
  const auto sizes = [](int64_t value) {
    return relax::tuple_expr({relax::prim_value(i64(value))});
  };
  EXPECT_EQ(apply("strided_slice", {x}, DType::Float32, {2, 2},
                  {{"assume_inbound", AttrValue{false}}}, {sizes(1), sizes(0), sizes(3), sizes(2)}),
            (std::vector<double>{1, 3, 4, 6}));
}

TEST(RelaxReduction, PrefersNan) {
  const auto x = floats({2, 3}, {1, kNan, 3, 4, 6, 6});
  const Attrs rows = {{"axis", list({1})}, {"keepdims", AttrValue{false}}};
  const Attrs one = {{"axis", AttrValue{int64_t{1}}}, {"keepdims", AttrValue{false}}};
  expect_near(apply("max", {x}, DType::Float32, {2}, rows), {kNan, 6});
  EXPECT_EQ(apply("argmax", {x}, DType::Int64, {2}, one), (std::vector<double>{1, 1}));
  EXPECT_EQ(apply("argmin", {x}, DType::Int64, {2}, one), (std::vector<double>{1, 0}));
  expect_near(apply("mean", {x}, DType::Float32, {2}, rows), {kNan, 16.0 / 3});
}

TEST(RelaxMain, ChecksItsInputs) {
  const auto x = floats({2}, {1, 2});
  const IRModule module =
      module_of("nn.relu", {x}, relax::tensor_type(x->shape, DType::Float32), {});
  EXPECT_FALSE(run_main(module, {}).ok());
  const auto wrong = run_main(module, {floats({3}, {1, 2, 3})});
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.diagnostics()[0].message.find("'inp_0' takes (2,)"), std::string::npos);
  EXPECT_FALSE(run_main(module, {tensor(DType::Float64, {2}, {1, 2})}).ok());
  EXPECT_FALSE(run_main(IRModule{}, {}).ok());
}

TEST(RelaxMain, BroadcastsWhereTheShapeIsNotKnownBefore) {
  const auto x = floats({2, 1}, {1, 2});
  const auto y = floats({2}, {10, 20});
  relax::TensorType unknown;
  unknown.ndim = 2;
  unknown.dtype = DType::Float32;
  const auto sum = run_main(module_of("add", {x, y}, relax::make_type(unknown), {}), {x, y});
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(sum.value()[0]->shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(values_of(*sum.value()[0]), (std::vector<double>{11, 21, 12, 22}));
  const auto z = floats({3}, {1, 2, 3});
  EXPECT_FALSE(run_main(module_of("add", {y, z}, relax::make_type(unknown), {}), {y, z}).ok());
}

TEST(RelaxMain, AsksForWeightsThatAreNotThere) {
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->name = "linear0.weight";
  constant->shape = {2};
  const auto x = floats({2}, {1, 2});
  const relax::Type type = relax::tensor_type(x->shape, DType::Float32);
  const IRModule module = module_of("add", {x}, type, {}, {relax::constant_expr(constant)});
  const auto result = run_main(module, {x});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.diagnostics()[0].message.find("linear0.weight"), std::string::npos);
  auto known = std::make_shared<relax::ConstantNode>(*constant);
  known->data = floats({2}, {10, 20});
  EXPECT_EQ(values_of(*run_main(module_of("add", {x}, type, {}, {relax::constant_expr(known)}), {x})
                           .value()[0]),
            (std::vector<double>{11, 22}));
}

// out[i] = x[i] * 2, called on a symbolic size, its two results as a tuple with a shape beside.
TEST(RelaxMain, CallsPrimFuncsAndFlattensTuples) {
  const auto n = tir::make_var("n", DType::Int64);
  const tir::PrimExpr size = tir::var_expr(n);
  const tir::Buffer x = tir::make_buffer("x", DType::Float32, {size});
  const tir::Buffer y = tir::make_buffer("y", DType::Float32, {size});
  const tir::Var i = tir::make_var("i", DType::Int64);
  const std::vector<tir::PrimExpr> at = {tir::var_expr(i)};
  const tir::Stmt body = tir::store(y, tir::mul(tir::load(x, at), f32(2)), at);

  const auto m = tir::make_var("m", DType::Int64);
  const relax::Type type =
      relax::tensor_type(std::vector<tir::PrimExpr>{tir::var_expr(m)}, DType::Float32);
  auto main = std::make_shared<relax::FunctionNode>();
  const relax::Var param = relax::make_var("inp_0", type);
  const relax::Var lv = relax::make_var("lv", type, true);
  main->params = {param};
  relax::CallTIR call{{"double"}, {relax::var_expr(param)}, {}, {type}};
  main->blocks = {{true, {{lv, relax::make_expr(type, std::move(call)), {}}}}};
  main->body = relax::tuple_expr({relax::var_expr(lv), relax::shape_expr({tir::var_expr(m)}),
                                  relax::tuple_expr({relax::var_expr(param)})});
  main->ret_type = main->body->type;
  IRModule module;
  module.functions.emplace_back("double", BaseFunc(prim_func({x, y}, {}, loop(i, size, body))));
  module.functions.emplace_back("main", BaseFunc(relax::Function(std::move(main))));
  const auto result = run_main(module, {floats({3}, {1, 2, 3})});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result.value().size(), 2U);
  EXPECT_EQ(values_of(*result.value()[0]), (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(values_of(*result.value()[1]), (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace fx2wasm::interp
