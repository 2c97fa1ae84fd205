// Binary operators, casts, creation and in-place writes where no recorded case shows what they do:
// refusals, dtypes, writes through views.
#include <gtest/gtest.h>

#include "print/tvmscript.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

fx::Graph graph_of(const std::string& nodes, const std::string& dtype = "float32") {
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": [4, 6], "dtype": ")" +
      dtype + "\"}},\n" + nodes +
      R"({"op": "output", "name": "output", "target": "output", "args": [{"node": "y"}]}],
"modules": {}, "tensors": {}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? graph.value() : fx::Graph{};
}

std::string call(const std::string& name, const std::string& target, const std::string& args,
                 const std::string& kwargs = "{}") {
  const std::string op = target.find('.') == std::string::npos ? "call_method" : "call_function";
  return R"({"op": ")" + op + R"(", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": )" + args + R"(, "kwargs": )" + kwargs + "},\n";
}

std::string text_of(const std::string& nodes, const std::string& dtype = "float32") {
  const Translation translation = from_fx(graph_of(nodes, dtype), {});
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

// The code of the only error.
std::string refusal_of(const std::string& nodes, const std::string& dtype = "float32") {
  const Diagnostics errors = from_fx(graph_of(nodes, dtype), {}).diagnostics;
  EXPECT_EQ(errors.size(), 1u);
  return errors.empty() ? "" : std::string(errors[0].code);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kX = R"([{"node": "x"}])";

TEST(Binary, BitsAreOfIntegers) {
  EXPECT_EQ(refusal_of(call("y", "operator.and_", R"([{"node": "x"}, 1])")), "FX4005");
  EXPECT_EQ(refusal_of(call("y", "operator.invert", kX)), "FX4005");
}

TEST(Binary, BoolsAreNotSubtracted) {
  EXPECT_EQ(refusal_of(call("y", "operator.sub", R"([{"node": "x"}, 1])"), "bool"), "FX4005");
  EXPECT_TRUE(contains(text_of(call("y", "operator.add", R"([{"node": "x"}, true])"), "bool"),
                       "R.logical_or"));
}

TEST(Binary, IntegersHaveNoNegativePowers) {
  EXPECT_EQ(refusal_of(call("y", "operator.pow", R"([{"node": "x"}, -2])"), "int64"), "FX4003");
}

TEST(Binary, LargePowersAreSquares) {
  const std::string text = text_of(call("y", "operator.pow", R"([{"node": "x"}, 100])"), "int64");
  EXPECT_TRUE(contains(text, "lv49")) << text;
  EXPECT_FALSE(contains(text, "lv50")) << text;
}

TEST(Binary, MaskedFillNeedsBoolsAndFiniteIntegers) {
  EXPECT_EQ(refusal_of(call("y", "masked_fill", R"([{"node": "x"}, {"node": "x"}, 1])")), "FX4003");
  EXPECT_EQ(refusal_of(
                call("m", "operator.gt", R"([{"node": "x"}, 0])") +
                    call("y", "masked_fill", R"([{"node": "x"}, {"node": "m"}, {"float": "inf"}])"),
                "int64"),
            "FX4003");
}

TEST(Binary, WhereOfAConditionAloneDependsOnTheData) {
  EXPECT_EQ(refusal_of(call("m", "operator.gt", R"([{"node": "x"}, 0])") +
                       call("y", "torch.where", R"([{"node": "m"}])")),
            "FX4001");
}

TEST(Binary, RoundingModes) {
  EXPECT_EQ(
      refusal_of(call("y", "torch.div", R"([{"node": "x"}, 2])", R"({"rounding_mode": "up"})")),
      "FX4003");
}

TEST(Binary, KnownValuesAreCompared) {
  const std::string text =
      text_of(call("size", "size", R"([{"node": "x"}, 0])") +
              call("test", "operator.lt", R"([{"node": "size"}, 5])") +
              call("y", "operator.mul", R"([{"node": "x"}, {"node": "test"}])"));
  EXPECT_TRUE(contains(text, R"(R.const(1.0, "float32"))")) << text;
}

TEST(Creation, NeedsNumbers) {
  EXPECT_EQ(refusal_of(call("y", "torch.arange", "[]")), "FX4003");
  EXPECT_EQ(refusal_of(call("y", "torch.tensor", "[[[1], [2, 3]]]")), "FX4003");
  EXPECT_EQ(refusal_of(call("y", "torch.full", R"([[2], "a"])")), "FX4003");
  EXPECT_EQ(refusal_of(call("y", "torch.linspace", R"([0, 1, -1])")), "FX4003");
}

TEST(Creation, RandomNumbersAreRefusedWithAReason) {
  const Diagnostics errors = from_fx(graph_of(call("y", "torch.rand_like", kX)), {}).diagnostics;
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(contains(errors[0].message, "random numbers")) << errors[0].message;
}

TEST(Cast, APythonConversionIsNoCast) {
  EXPECT_EQ(refusal_of(call("y", "builtins.float", kX)), "FX4001");
}

TEST(Cast, ItemOfManyElements) { EXPECT_EQ(refusal_of(call("y", "item", kX)), "FX4003"); }

TEST(WrittenInPlace, KeepsDtypeAndShape) {
  EXPECT_EQ(refusal_of(call("y", "add_", R"([{"node": "x"}, 0.5])"), "int64"), "FX4005");
  EXPECT_TRUE(contains(text_of(call("y", "lt_", R"([{"node": "x"}, 1])")),
                       R"(R.astype(lv, dtype="float32"))"));
}

TEST(WrittenInPlace, ACastToTheSameDtypeIsTheTensor) {
  const std::string text =
      text_of(call("v", "float", kX) + call("w", "add_", R"([{"node": "v"}, 1])") +
              call("y", "operator.mul", R"([{"node": "x"}, 2])"));
  EXPECT_TRUE(contains(text, "R.multiply(lv1,")) << text;
}

}  // namespace
}  // namespace fx2wasm
