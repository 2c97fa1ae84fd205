#include "ir/well_formed.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ir/op.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"

namespace fx2wasm {
namespace {

using tir::int_imm;

// A module that keeps every rule, in parts that a test can replace before `make`.
struct Program {
  // y[i] = x[i] * 2
  tir::Buffer x = tir::make_buffer("x", DType::Float32, {int_imm(DType::Int64, 4)});
  tir::Buffer y = tir::make_buffer("y", DType::Float32, {int_imm(DType::Int64, 4)});
  tir::Var i = tir::make_var("i", DType::Int64), v_i = tir::make_var("v_i", DType::Int64);
  std::vector<tir::Param> params = {x, y};
  std::vector<tir::PrimExpr> iter_values = {tir::var_expr(i)};
  tir::Stmt block_body = tir::store(y, doubled(), {tir::var_expr(v_i)});
  std::function<tir::Stmt(tir::Stmt)> wrap = [](tir::Stmt loop) { return loop; };

  relax::Type type = relax::tensor_type({int_imm(DType::Int64, 4)}, DType::Float32);
  relax::Var a = relax::make_var("a", type);
  relax::Var lv = relax::make_var("lv", type, true);
  relax::Var lv1 = relax::make_var("lv1", type, true);
  relax::Var gv = relax::make_var("gv", type);
  relax::CallTIR call{{"twice"}, {relax::var_expr(a)}, {}, {type}};
  relax::OpCall op{
      relax::find_op("nn.softmax"), {relax::var_expr(lv)}, {{"axis", AttrValue{int64_t{-1}}}}};
  relax::Type lv1_type = type;
  relax::Expr gv_value = relax::var_expr(lv1);
  relax::Expr result = relax::var_expr(gv);
  std::vector<relax::BindingBlock> more_blocks;
  std::vector<std::pair<std::string, BaseFunc>> more_functions;

  tir::PrimExpr doubled() const {
    return tir::mul(tir::load(x, {tir::var_expr(v_i)}), tir::float_imm(DType::Float32, 2));
  }

  tir::PrimFunc prim_func() const {
    tir::SBlock block;
    block.name_hint = "y";
    block.iter_vars = {{v_i, {int_imm(DType::Int64, 0), int_imm(DType::Int64, 4)}}};
    block.body = block_body;
    tir::For loop;
    loop.loop_var = i;
    loop.min = int_imm(DType::Int64, 0);
    loop.extent = int_imm(DType::Int64, 4);
    loop.body = tir::make_stmt(
        tir::SBlockRealize{iter_values, nullptr, std::make_shared<tir::SBlock>(block)});
    tir::SBlock root;
    root.name_hint = "root";
    root.body = wrap(tir::make_stmt(std::move(loop)));
    auto func = std::make_shared<tir::PrimFuncNode>();
    func->params = params;
    func->body =
        tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::make_shared<tir::SBlock>(root)});
    return func;
  }

  relax::Function function() const {
    auto func = std::make_shared<relax::FunctionNode>();
    func->params = {a};
    relax::BindingBlock block;
    block.bindings = {{lv, relax::make_expr(type, call), {}},
                      {lv1, relax::make_expr(lv1_type, op), {}},
                      {gv, gv_value, {}}};
    func->blocks = {block};
    func->blocks.insert(func->blocks.end(), more_blocks.begin(), more_blocks.end());
    func->body = result;
    func->ret_type = type;
    return func;
  }

  // The numbers of the rules that the module breaks.
  std::vector<std::string> codes() const {
    IRModule module;
    module.functions = {{"twice", prim_func()}, {"main", function()}};
    module.functions.insert(module.functions.end(), more_functions.begin(), more_functions.end());
    std::vector<std::string> result_codes;
    for (const Diagnostic& diagnostic : check_well_formed(module)) {
      EXPECT_FALSE(diagnostic.message.empty());
      result_codes.push_back(diagnostic.code);
    }
    return result_codes;
  }
};

using Codes = std::vector<std::string>;

relax::BindingBlock block_of(relax::Var var, relax::Expr value, bool dataflow) {
  relax::BindingBlock block;
  block.dataflow = dataflow;
  block.bindings = {{std::move(var), std::move(value), {}}};
  return block;
}

TEST(WellFormed, AGoodModuleKeepsAllRules) { EXPECT_EQ(Program().codes(), Codes{}); }

TEST(WellFormed, Rule1BoundOnce) {
  Program p;
  p.more_blocks = {block_of(p.gv, relax::var_expr(p.a), false)};
  EXPECT_EQ(p.codes(), Codes{"FX6001"});
}

TEST(WellFormed, Rule2UsedAfterItsBinding) {
  Program p;
  p.op.args = {relax::var_expr(p.gv)};
  EXPECT_EQ(p.codes(), Codes{"FX6002"});
}

TEST(WellFormed, Rule3DataflowVariableStaysInItsBlock) {
  Program p;
  const relax::Var late = relax::make_var("late", p.type);
  p.more_blocks = {block_of(late, relax::var_expr(p.lv), false)};
  EXPECT_EQ(p.codes(), Codes{"FX6003"});
}

TEST(WellFormed, Rule4ResultIsNoDataflowVariable) {
  Program p;
  p.result = relax::tuple_expr({relax::var_expr(p.gv), relax::var_expr(p.lv1)});
  EXPECT_EQ(p.codes(), Codes{"FX6004"});
}

TEST(WellFormed, Rule5ArgumentsAreNoCalls) {
  Program p;
  p.op.args = {relax::make_expr(
      p.type, relax::OpCall{relax::find_op("nn.relu"), {relax::var_expr(p.lv)}, {}})};
  EXPECT_EQ(p.codes(), Codes{"FX6005"});
}

TEST(WellFormed, Rule6GlobalVarNamesAPrimFunc) {
  Program p;
  p.call.func.name = "thrice";
  EXPECT_EQ(p.codes(), Codes{"FX6006"});
  p.call.func.name = "main";
  EXPECT_EQ(p.codes(), Codes{"FX6006"});
}

TEST(WellFormed, Rule7NumberOfArguments) {
  Program p;
  p.call.args.push_back(relax::var_expr(p.a));
  EXPECT_EQ(p.codes(), Codes{"FX6007"});
}

TEST(WellFormed, Rule8ShapesAndDtypesOfTheBuffers) {
  Program p;
  const relax::Type other = relax::tensor_type({int_imm(DType::Int64, 5)}, DType::Float32);
  p.a = relax::make_var("a", other);
  p.call.args = {relax::var_expr(p.a)};
  EXPECT_EQ(p.codes(), Codes{"FX6008"});

  Program q;
  q.call.out_types = {relax::tensor_type({int_imm(DType::Int64, 4)}, DType::Int32)};
  EXPECT_EQ(q.codes(), Codes{"FX6008"});

  // A symbol of the PrimFunc stands for one extent only.
  Program r;
  const tir::PrimExpr n = tir::var_expr(tir::make_var("n", DType::Int64));
  r.x = tir::make_buffer("x", DType::Float32, {n});
  r.y = tir::make_buffer("y", DType::Float32, {n});
  r.params = {r.x, r.y};
  r.block_body = tir::store(r.y, r.doubled(), {tir::var_expr(r.v_i)});
  const tir::PrimExpr m = tir::var_expr(tir::make_var("m", DType::Int64));
  const tir::PrimExpr k = tir::var_expr(tir::make_var("k", DType::Int64));
  r.a = relax::make_var("a", relax::tensor_type({m}, DType::Float32));
  r.call.args = {relax::var_expr(r.a)};
  r.call.out_types = {relax::tensor_type({m}, DType::Float32)};
  EXPECT_EQ(r.codes(), Codes{});
  r.call.out_types = {relax::tensor_type({k}, DType::Float32)};
  EXPECT_EQ(r.codes(), Codes{"FX6008"});
}

TEST(WellFormed, Rule9ArgumentsAndAttributesOfOperators) {
  Program p;
  p.op.attrs.clear();
  EXPECT_EQ(p.codes(), Codes{"FX6009"});
  Program q;
  q.op.args.push_back(relax::var_expr(q.a));
  EXPECT_EQ(q.codes(), Codes{"FX6009"});
}

TEST(WellFormed, Rule10EveryExpressionHasAType) {
  Program p;
  p.lv1_type = nullptr;
  EXPECT_EQ(p.codes(), Codes{"FX6010"});
}

TEST(WellFormed, Rule11NamesOfFunctionsAreUnique) {
  Program p;
  p.more_functions = {{"twice", Program().prim_func()}};
  EXPECT_EQ(p.codes(), Codes{"FX6011"});
}

TEST(WellFormed, Rule12TensorIRVariables) {
  Program p;
  p.iter_values = {tir::var_expr(tir::make_var("j", DType::Int64))};
  EXPECT_EQ(p.codes(), Codes{"FX6012"});
  Program q;
  q.wrap = [&](tir::Stmt loop) {
    tir::For outer = std::get<tir::For>(loop->kind);
    outer.body = std::move(loop);
    return tir::make_stmt(std::move(outer));
  };
  EXPECT_EQ(q.codes(), Codes{"FX6012"});
}

TEST(WellFormed, Rule13BuffersAreParametersOrAllocated) {
  Program p;
  const tir::Buffer z = tir::make_buffer("z", DType::Float32, {int_imm(DType::Int64, 4)});
  p.block_body = tir::store(z, p.doubled(), {tir::var_expr(p.v_i)});
  EXPECT_EQ(p.codes(), Codes{"FX6013"});
}

TEST(WellFormed, Rule14OneIndexPerDimension) {
  Program p;
  p.block_body = tir::make_stmt(tir::BufferStore{p.y, p.doubled(), {}});
  EXPECT_EQ(p.codes(), Codes{"FX6014"});
}

TEST(WellFormed, Rule15Dtypes) {
  Program p;
  p.block_body =
      tir::make_stmt(tir::BufferStore{p.y, int_imm(DType::Int32, 1), {tir::var_expr(p.v_i)}});
  EXPECT_EQ(p.codes(), Codes{"FX6015"});
  Program q;
  const tir::PrimExpr mixed = tir::make_expr(
      DType::Float32, tir::Binary{tir::BinaryOp::Add, q.doubled(), int_imm(DType::Int32, 1)});
  q.block_body = tir::store(q.y, mixed, {tir::var_expr(q.v_i)});
  EXPECT_EQ(q.codes(), Codes{"FX6015"});
}

TEST(WellFormed, Rule16OneValuePerAxis) {
  Program p;
  p.iter_values.clear();
  EXPECT_EQ(p.codes(), Codes{"FX6016"});
}

TEST(WellFormed, Rule17NoTensorExpressionsInPrimFuncs) {
  Program p;
  const tir::PrimExpr read =
      tir::make_expr(DType::Float32, tir::ProducerLoad{nullptr, 0, {tir::var_expr(p.v_i)}});
  p.block_body = tir::store(p.y, read, {tir::var_expr(p.v_i)});
  EXPECT_EQ(p.codes(), Codes{"FX6017"});
}

TEST(WellFormed, AllBrokenRulesAreReported) {
  Program p;
  p.iter_values.clear();
  p.op.attrs.clear();
  EXPECT_EQ(p.codes(), (Codes{"FX6016", "FX6009"}));
}

}  // namespace
}  // namespace fx2wasm
