#include "builder/block_builder.h"

#include <gtest/gtest.h>

#include "builder/name_supply.h"
#include "builder/relax_ops.h"
#include "builder/replay.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "print/tvmscript.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm {
namespace {

relax::Var tensor(const std::string& name, const std::vector<int64_t>& shape) {
  return relax::make_var(name, relax::tensor_type(shape, DType::Float32));
}

// The diagnostic of a misuse: its code is checked, its message returned.
template <class T>
std::string misuse(const Result<T>& result) {
  if (result.ok()) return "no error";
  EXPECT_EQ(result.diagnostics()[0].code, codes::kBuilderMisuse);
  return result.diagnostics()[0].message;
}

template <class T>
T ok(Result<T> result) {
  EXPECT_TRUE(result.ok()) << format_diagnostic(result.diagnostics()[0]);
  return std::move(result).value();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Result<std::vector<te::Tensor>> add_one(const TeValueList& args) {
  const te::Tensor x = std::get<te::Tensor>(args[0].value);
  te::ComputeOptions options;
  options.name = "plus";
  const auto plus = [&](const std::vector<tir::PrimExpr>& i) {
    return tir::add(te::read(x, i), tir::float_imm(DType::Float32, 1));
  };
  return std::vector<te::Tensor>{te::compute(te::shape_of(x), options, plus)};
}

TEST(NameSupply, CountsBehindTheName) {
  NameSupply names;
  EXPECT_EQ(names.fresh("lv"), "lv");
  EXPECT_EQ(names.fresh("lv1"), "lv1");
  EXPECT_EQ(names.fresh("lv"), "lv2");
  EXPECT_EQ(names.fresh("a.b"), "a_b");
  EXPECT_EQ(names.fresh("a_b"), "a_b1");
}

class Building : public testing::Test {
 protected:
  void begin() {
    ok(bb.begin_function("main", {{x}}));
    ok(bb.begin_dataflow());
  }
  void finish(const relax::Expr& result) {
    ok(bb.end_dataflow());
    ok(bb.emit_func_output(result));
    ok(bb.end_function());
  }

  StepRecorder recorder;
  BlockBuilder bb{&recorder};
  relax::Var x = tensor("x", {2, 3});
};

TEST_F(Building, BindsNestedCallsInEvaluationOrder) {
  begin();
  const relax::Expr nested =
      relax::op::add(relax::op::relu(relax::var_expr(x)), relax::op::relu(relax::var_expr(x)));
  ok(bb.emit(nested));
  finish(ok(bb.emit_output(relax::var_expr(x))));
  const std::string text = print_module(ok(bb.get())).text;
  EXPECT_TRUE(contains(text, "lv: R.Tensor((2, 3), dtype=\"float32\") = R.nn.relu(x)")) << text;
  EXPECT_TRUE(contains(text, "= R.add(lv, lv1)")) << text;
  EXPECT_TRUE(structural_equal(replay(recorder.steps()), bb.peek()));
}

TEST_F(Building, ReusesAnEqualPrimFunc) {
  begin();
  const relax::Expr once = ok(bb.emit_te(add_one, "add_one", {{relax::var_expr(x)}}));
  const relax::Expr twice = ok(bb.emit_te(add_one, "add_one", {{once}}));
  finish(ok(bb.emit_output(twice)));
  const IRModule module = ok(bb.get());
  EXPECT_EQ(module.functions.size(), 2u);
  EXPECT_TRUE(contains(print_module(module).text, "lv1 = R.call_tir(cls.add_one, (lv,)"));
  int reused = 0;
  for (const Event& event : recorder.steps()[0].events) {
    reused += std::holds_alternative<PrimFuncReused>(event) ? 1 : 0;
  }
  EXPECT_EQ(reused, 1);
}

TEST_F(Building, VariablesAndFunctionsShareTheirNames) {
  begin();
  const relax::Expr first = ok(bb.emit(relax::op::relu(relax::var_expr(x)), "add_one"));
  const relax::Expr second = ok(bb.emit_te(add_one, "add_one", {{first}}));
  finish(ok(bb.emit_output(second)));
  EXPECT_NE(find_prim_func(bb.peek(), "add_one1"), nullptr);
}

TEST_F(Building, OutsideOfADataflowBlockVariablesAreVisible) {
  ok(bb.begin_function("main", {{x}}));
  const relax::Expr y = ok(bb.emit(relax::op::relu(relax::var_expr(x))));
  ok(bb.emit_func_output(y));
  ok(bb.end_function());
  EXPECT_TRUE(contains(print_module(ok(bb.get())).text, "gv: R.Tensor"));
}

TEST_F(Building, AShapeThatDoesNotFitIsADiagnostic) {
  begin();
  const relax::Var w = tensor("w", {4, 5});
  const auto result = bb.emit(relax::op::matmul(relax::var_expr(x), relax::var_expr(x)));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics()[0].code, codes::kShapeMismatch);
  EXPECT_TRUE(contains(result.diagnostics()[0].message, "(2, 3) and (2, 3)"));
}

TEST_F(Building, EmitNeedsAFunction) {
  const std::string message = misuse(bb.emit(relax::op::relu(relax::var_expr(x))));
  EXPECT_TRUE(contains(message, "needs an open function")) << message;
}

TEST_F(Building, EmitOutputNeedsADataflowBlock) {
  ok(bb.begin_function("main", {{x}}));
  EXPECT_TRUE(contains(misuse(bb.emit_output(relax::var_expr(x))), "inside a dataflow block"));
}

TEST_F(Building, ADataflowVariableStaysInItsBlock) {
  begin();
  const relax::Expr y = ok(bb.emit(relax::op::relu(relax::var_expr(x))));
  ok(bb.end_dataflow());
  EXPECT_TRUE(contains(misuse(bb.emit_func_output(y)), "emit_output"));
  EXPECT_TRUE(contains(misuse(bb.emit(relax::op::relu(y))), "emit_output"));
}

TEST_F(Building, AFunctionNeedsAnOutputOnce) {
  begin();
  const relax::Expr y = ok(bb.emit_output(relax::var_expr(x)));
  EXPECT_TRUE(contains(misuse(bb.emit_func_output(y)), "end the block first"));
  ok(bb.end_dataflow());
  EXPECT_TRUE(contains(misuse(bb.end_function()), "has no output"));
  EXPECT_TRUE(contains(misuse(bb.get()), "has no output"));
  ok(bb.emit_func_output(y));
  EXPECT_TRUE(contains(misuse(bb.emit_func_output(y)), "called before"));
  EXPECT_TRUE(contains(misuse(bb.get()), "still open"));
  ok(bb.end_function());
  EXPECT_TRUE(bb.get().ok());
}

TEST_F(Building, FunctionsAndBlocksDoNotNest) {
  begin();
  EXPECT_TRUE(contains(misuse(bb.begin_function("other", {{x}})), "still open"));
  EXPECT_TRUE(contains(misuse(bb.begin_dataflow()), "do not nest"));
  ok(bb.end_dataflow());
  EXPECT_TRUE(contains(misuse(bb.end_dataflow()), "no dataflow block"));
}

TEST_F(Building, AnUnknownVariableIsNamed) {
  begin();
  const relax::Var w = tensor("w", {2, 3});
  EXPECT_TRUE(contains(misuse(bb.emit(relax::op::relu(relax::var_expr(w)))), "'w' is neither"));
}

TEST_F(Building, ParametersMayComeWithTheOutput) {
  ok(bb.begin_function("main", std::nullopt));
  const relax::Expr y = ok(bb.emit(relax::op::relu(relax::var_expr(x))));
  EXPECT_TRUE(contains(misuse(bb.emit_func_output(y)), "not among its parameters"));
}

TEST_F(Building, SymbolsThatNoArgumentBindsArePassed) {
  const tir::Var n = tir::make_var("n", DType::Int64);
  const tir::PrimExpr twice = tir::mul(tir::var_expr(n), tir::int_imm(DType::Int64, 2));
  const relax::Var v = relax::make_var("v", relax::tensor_type({twice}, DType::Float32));
  const relax::Var w = relax::make_var("w", relax::tensor_type({tir::var_expr(n)}, DType::Float32));
  ok(bb.begin_function("main", {{v, w}}));
  ok(bb.begin_dataflow());
  const relax::Expr y = ok(bb.emit_te(add_one, "add_one", {{relax::var_expr(v)}}));
  finish(ok(bb.emit_output(y)));
  const std::string text = print_module(ok(bb.get())).text;
  EXPECT_TRUE(contains(text, "R.call_tir(cls.add_one, (v, n), out_ty=R.Tensor((n * 2,)")) << text;
}

}  // namespace
}  // namespace fx2wasm
