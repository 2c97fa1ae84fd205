// Reductions, scans and orderings where the conformance cases do not reach: forms of arguments and
// refusals.
#include <gtest/gtest.h>

#include <string>

#include "fx/read_json.h"
#include "print/tvmscript.h"
#include "support/diagnostic_codes.h"
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

std::string function_node(const std::string& target, const std::string& args,
                          const std::string& kwargs) {
  return R"({"op": "call_function", "name": "y", "target": "torch.)" + target + R"(", "args": [)" +
         args + R"(], "kwargs": {)" + kwargs + "}}";
}

Translation translated(const std::string& dtype, const std::string& target, const std::string& args,
                       const std::string& kwargs = "") {
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": [4, 6], "dtype": ")" +
      dtype + R"("}},
)" + function_node(target, args, kwargs) +
      R"(,
{"op": "output", "name": "output", "target": "output", "args": [{"node": "y"}]}],
"modules": {}, "tensors": {}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return from_fx(graph.ok() ? graph.value() : fx::Graph{}, {});
}

std::string reduced_text(const std::string& dtype, const std::string& target,
                         const std::string& args, const std::string& kwargs = "") {
  const Translation translation = translated(dtype, target, args, kwargs);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

// The code of the single refusal, which stands at the node.
std::string refusal_code(const std::string& dtype, const std::string& target,
                         const std::string& args, const std::string& kwargs = "") {
  const Translation translation = translated(dtype, target, args, kwargs);
  if (translation.diagnostics.size() != 1) return "";
  EXPECT_EQ(translation.diagnostics[0].place.fx_node, "y");
  return std::string(translation.diagnostics[0].code);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string kX = R"({"node": "x"})";

TEST(Reduction, IntegersAreSummedAsInt64) {
  EXPECT_TRUE(has(reduced_text("int32", "prod", kX), R"(R.astype(inp_0, dtype="int64"))"));
  EXPECT_TRUE(has(reduced_text("bool", "cumsum", kX + ", 0"), R"(dtype="int64", exclusive=False)"));
}

TEST(Reduction, AnEmptyListOfDimsIsAll) {
  EXPECT_TRUE(has(reduced_text("float32", "sum", kX + ", []"), "axis=None"));
}

TEST(Reduction, NumpysNamesOfTheArguments) {
  const std::string text = reduced_text("float32", "mean", kX, R"("axis": -1, "keepdims": true)");
  EXPECT_TRUE(has(text, "R.mean(inp_0, axis=[-1], keepdims=True)")) << text;
}

TEST(Reduction, TheLargestAlongADimComesWithItsPosition) {
  const std::string text = reduced_text("float32", "max", kX + ", 1, true");
  EXPECT_TRUE(has(text, "R.max(inp_0, axis=[1], keepdims=True)")) << text;
  EXPECT_TRUE(has(text, "R.argmax(inp_0, axis=1, keepdims=True)")) << text;
}

TEST(Reduction, ABoolInTheDimsPlaceIsUnbiased) {
  EXPECT_TRUE(has(reduced_text("float32", "var", kX + ", false"), "R.variance(inp_0, axis=None"));
  EXPECT_TRUE(has(reduced_text("float32", "var", kX + ", true"), "R.multiply("));
}

TEST(Reduction, TheNormReadsItsKeywords) {
  const std::string text =
      reduced_text("float32", "norm", kX, R"("p": 1, "dim": 0, "keepdim": true)");
  EXPECT_TRUE(has(text, "axis=[0], keepdims=True")) << text;
}

TEST(Reduction, RefusesWhatPyTorchRefuses) {
  EXPECT_EQ(refusal_code("int64", "mean", kX), codes::kDtypeMismatch);
  EXPECT_EQ(refusal_code("int64", "std", kX), codes::kDtypeMismatch);
  EXPECT_EQ(refusal_code("int64", "norm", kX), codes::kDtypeMismatch);
  EXPECT_EQ(refusal_code("float32", "sum", kX + ", 2"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "sum", kX + ", [0, -2]"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "sum", kX + ", \"one\""), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "cumsum", kX + ", 5"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "topk", kX + ", 7"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "kthvalue", kX + ", 0"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "argmax", kX + ", [0, 1]"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "sum", kX, R"("out": {"node": "x"})"), codes::kArgument);
  EXPECT_EQ(refusal_code("float32", "unique", kX), codes::kUnsupportedOperator);
}

TEST(Ordering, ScansWithoutARelaxOperatorAreFunctionsOfOurOwn) {
  EXPECT_TRUE(
      has(reduced_text("float32", "cummax", kX + ", 1"), "R.call_tir(cls.cummax, (inp_0,)"));
  EXPECT_TRUE(has(reduced_text("float32", "median", kX), "R.call_tir(cls.median, (lv,)"));
}

}  // namespace
}  // namespace fx2wasm
