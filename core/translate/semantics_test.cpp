// What a translation means where no recorded case shows it: in-place writes and views, dtypes,
// sizes, choices per node, several errors at once, steps.
#include <gtest/gtest.h>

#include "builder/replay.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "print/tvmscript.h"
#include "translate/conformance_cases.h"
#include "translate/promote.h"

namespace fx2wasm {
namespace {

// A graph of one float32 input x of shape (4, 6) and the given nodes.
fx::Graph graph_of(const std::string& nodes, const std::string& modules = "{}") {
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": [4, 6], "dtype": "float32"}},
)" + nodes +
      "], \"modules\": " + modules + ", \"tensors\": {}}";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? graph.value() : fx::Graph{};
}

std::string node(const std::string& op, const std::string& name, const std::string& target,
                 const std::string& args, const std::string& kwargs = "{}") {
  return R"({"op": ")" + op + R"(", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": )" + args + R"(, "kwargs": )" + kwargs + "},\n";
}

std::string output(const std::string& args) {
  return R"({"op": "output", "name": "output", "target": "output", "args": [)" + args + "]}";
}

std::string text_of(const fx::Graph& graph, const TranslateOptions& options = {}) {
  const Translation translation = from_fx(graph, options);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  EXPECT_TRUE(structural_equal(replay(translation.steps), translation.module));
  return print_module(translation.module).text;
}

Diagnostics errors_of(const fx::Graph& graph) { return from_fx(graph, {}).diagnostics; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(InPlace, LaterReadersSeeTheWrite) {
  const std::string text = text_of(
      graph_of(node("call_method", "relu", "relu_", R"([{"node": "x"}])") +
               node("call_function", "add", "operator.add", R"([{"node": "x"}, {"node": "x"}])") +
               output(R"({"node": "add"})")));
  EXPECT_TRUE(contains(text, "= R.add(lv, lv)")) << text;
}

TEST(InPlace, AModuleThatWritesInPlaceIsOne) {
  const std::string text = text_of(graph_of(
      node("call_module", "relu", "relu", R"([{"node": "x"}])") +
          node("call_function", "add", "operator.add", R"([{"node": "x"}, {"node": "relu"}])") +
          output(R"({"node": "add"})"),
      R"({"relu": {"type": "torch.nn.ReLU", "attrs": {"inplace": true}, "tensors": {}}})"));
  EXPECT_TRUE(contains(text, "= R.add(lv, lv)")) << text;
}

TEST(InPlace, ACopyDoesNotSeeTheWrite) {
  const std::string text =
      text_of(graph_of(node("call_method", "copy", "clone", R"([{"node": "x"}])") +
                       node("call_function", "iadd", "operator.iadd", R"([{"node": "x"}, 1])") +
                       output(R"([{"node": "copy"}, {"node": "x"}])")));
  EXPECT_TRUE(contains(text, "= inp_0, lv")) << text;
}

TEST(InPlace, AViewTakenBeforeSeesTheWrite) {
  const std::string text =
      text_of(graph_of(node("call_method", "view", "view", R"([{"node": "x"}, 24])") +
                       node("call_method", "relu", "relu_", R"([{"node": "x"}])") +
                       node("call_function", "add", "operator.add", R"([{"node": "view"}, 1])") +
                       output(R"({"node": "add"})")));
  EXPECT_TRUE(contains(text, "lv2: R.Tensor((24,), dtype=\"float32\") = R.reshape(lv1,")) << text;
  EXPECT_TRUE(contains(text, "R.add(lv2,")) << text;
}

TEST(InPlace, AWriteToAViewReachesItsBase) {
  const std::string text =
      text_of(graph_of(node("call_method", "view", "view", R"([{"node": "x"}, 24])") +
                       node("call_method", "relu", "relu_", R"([{"node": "view"}])") +
                       node("call_function", "add", "operator.add", R"([{"node": "x"}, 1])") +
                       output(R"({"node": "add"})")));
  EXPECT_TRUE(contains(text, "= R.reshape(lv1, R.shape([4, 6]))")) << text;
  EXPECT_TRUE(contains(text, "R.add(lv2,")) << text;
}

TEST(InPlace, WhatIsPerhapsACopyIsRefused) {
  const Diagnostics errors =
      errors_of(graph_of(node("call_method", "turned", "t", R"([{"node": "x"}])") +
                         node("call_method", "flat", "reshape", R"([{"node": "turned"}, 24])") +
                         node("call_method", "relu", "relu_", R"([{"node": "x"}])") +
                         node("call_function", "add", "operator.add", R"([{"node": "flat"}, 1])") +
                         output(R"({"node": "add"})")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].place.fx_node, "add");
  EXPECT_TRUE(contains(errors[0].message, "'flat' is a view of a tensor that 'relu' wrote"));
}

TEST(InPlace, AViewTakenAfterwardsIsFine) {
  const std::string text =
      text_of(graph_of(node("call_method", "relu", "relu_", R"([{"node": "x"}])") +
                       node("call_method", "view", "view", R"([{"node": "x"}, 24])") +
                       output(R"({"node": "view"})")));
  EXPECT_TRUE(contains(text, "R.reshape(lv, R.shape([24]))")) << text;
}

TEST(Promotion, IsPyTorchs) {
  using translate::promote_types;
  EXPECT_EQ(promote_types(DType::Int8, DType::UInt8), DType::Int16);
  EXPECT_EQ(promote_types(DType::Bool, DType::Int32), DType::Int32);
  EXPECT_EQ(promote_types(DType::Int64, DType::Float16), DType::Float16);
  EXPECT_EQ(promote_types(DType::Float16, DType::BFloat16), DType::Float32);
  EXPECT_EQ(promote_types(DType::Float32, DType::Float64), DType::Float64);
}

TEST(Promotion, TensorsDecideOverScalarsOfTheirKind) {
  using translate::Operand;
  const Operand tensor{Operand::Rank::Tensor, DType::Float32};
  const Operand scalar{Operand::Rank::Scalar, DType::Float64};
  const Operand integers{Operand::Rank::Tensor, DType::Int32};
  const Operand number{Operand::Rank::Number, DType::Float32};
  EXPECT_EQ(translate::result_type(tensor, scalar), DType::Float32);
  EXPECT_EQ(translate::result_type(integers, scalar), DType::Float64);
  EXPECT_EQ(translate::result_type(number, integers), DType::Float32);
}

TEST(Sizes, AreWorkedOutWhileTranslating) {
  const std::string text = text_of(
      graph_of(node("call_method", "size", "size", R"([{"node": "x"}, 0])") +
               node("call_method", "columns", "size", R"([{"node": "x"}])", R"({"dim": 1})") +
               node("call_function", "product", "operator.mul",
                    R"([{"node": "size"}, {"node": "columns"}])") +
               node("call_function", "half", "operator.floordiv", R"([{"node": "product"}, 2])") +
               node("call_method", "view", "view", R"([{"node": "x"}, {"node": "half"}, -1])") +
               output(R"({"node": "view"})")));
  EXPECT_TRUE(contains(text, "R.reshape(inp_0, R.shape([12, 2]))")) << text;
}

TEST(Results, ADictIsATupleInItsOrder) {
  const std::string text =
      text_of(graph_of(node("call_method", "relu", "relu", R"([{"node": "x"}])") +
                       output(R"({"dict": {"y": {"node": "relu"}, "x": {"node": "x"}}})")));
  EXPECT_TRUE(contains(text, "= lv, inp_0")) << text;
}

TEST(Emission, IsChosenForSingleNodes) {
  const fx::Graph graph = graph_of(node("call_method", "first", "relu", R"([{"node": "x"}])") +
                                   node("call_method", "second", "relu", R"([{"node": "first"}])") +
                                   output(R"({"node": "second"})"));
  TranslateOptions options;
  options.ops_by_node["second"] = Emission::EmitTe;
  const std::string text = text_of(graph, options);
  EXPECT_TRUE(contains(text, "= R.nn.relu(inp_0)")) << text;
  EXPECT_TRUE(contains(text, "lv1 = R.call_tir(cls.relu, (lv,)")) << text;
}

TEST(Errors, AllUnsupportedOperatorsAtOnce) {
  const Diagnostics errors = errors_of(graph_of(
      node("call_function", "a", "torch.frobnicate", R"([{"node": "x"}])") +
      node("call_method", "b", "rellu", R"([{"node": "a"}])") +
      node("call_method", "c", "backward", R"([{"node": "b"}])") + output(R"({"node": "c"})")));
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0].place.fx_node, "a");
  EXPECT_EQ(errors[0].place.line, 3);
  EXPECT_TRUE(contains(errors[1].message, "did you mean 'relu'?")) << errors[1].message;
  ASSERT_FALSE(errors[2].notes.empty());
  EXPECT_TRUE(contains(errors[2].notes[0], "softmax"));
}

TEST(Errors, OfIndependentNodesTogether) {
  const Diagnostics errors =
      errors_of(graph_of(node("call_method", "a", "view", R"([{"node": "x"}, 5])") +
                         node("call_method", "b", "relu", R"([{"node": "a"}])") +
                         node("call_method", "c", "softmax", R"([{"node": "x"}, 7])") +
                         output(R"([{"node": "b"}, {"node": "c"}])")));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].place.fx_node, "a");
  EXPECT_EQ(errors[1].place.fx_node, "c");
}

TEST(Errors, AnUnknownKeyword) {
  const Diagnostics errors = errors_of(graph_of(
      node("call_function", "bad", "torch.flatten", R"([{"node": "x"}])", R"({"start": 1})") +
      output(R"({"node": "bad"})")));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(contains(errors[0].message, "start_dim")) << errors[0].message;
}

TEST(Steps, NameTheRuleAndWhatItDid) {
  const fx::Graph graph = graph_of(node("call_method", "relu", "relu", R"([{"node": "x"}])") +
                                   output(R"({"node": "relu"})"));
  TranslateOptions options;
  options.ops = Emission::EmitTe;
  const Translation translation = from_fx(graph, options);
  // The function's beginning, then one step a node.
  ASSERT_EQ(translation.steps.size(), 4u);
  const Step& step = translation.steps[2];
  EXPECT_EQ(step.fx_node, "relu");
  EXPECT_EQ(step.fx_number, 2);
  const auto* rule = std::get_if<RuleChosen>(&step.events[0]);
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->map, "call_method_map");
  EXPECT_EQ(rule->rule, "map_relu");
  bool computed = false, bound = false;
  for (const Event& event : step.events) {
    if (const auto* compute = std::get_if<ComputeMade>(&event)) {
      computed = compute->text == "compute[i0, i1] = T.max(inp_0[i0, i1], T.float32(0.0))";
    }
    if (const auto* variable = std::get_if<VariableBound>(&event)) {
      bound = variable->binding.origin.fx_nodes == std::vector<int>{2} &&
              variable->binding.origin.step == 2;
    }
  }
  EXPECT_TRUE(computed);
  EXPECT_TRUE(bound);
  // After the first two steps the module has its function, still open and empty.
  const IRModule early = replay(translation.steps, 2);
  ASSERT_EQ(early.functions.size(), 1u);
  EXPECT_EQ(std::get<relax::Function>(early.functions[0].second)->body, nullptr);
}

}  // namespace
}  // namespace fx2wasm
