// Functions of one element and activations where no recorded case shows them: dtypes, forms in
// place, bounds, refusals.
#include <gtest/gtest.h>

#include "print/tvmscript.h"
#include "translate/conformance_cases.h"
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

// One call with the inputs x, y (4, 6) of a dtype, and its result.
fx::Graph element_graph(const std::string& call, const std::string& dtype = "float32",
                        const std::string& modules = "{}") {
  std::string inputs;
  for (const std::string name : {"x", "y"}) {
    inputs += R"({"op": "placeholder", "name": ")" + name + R"(", "target": ")" + name +
              R"(", "meta": {"shape": [4, 6], "dtype": ")" + dtype + "\"}},\n";
  }
  const std::string text =
      R"({"fx_graph": 1, "nodes": [)" + inputs + call +
      R"(, {"op": "output", "name": "output", "target": "output", "args": [[{"node": "x"}, )"
      R"({"node": "call"}]]}], "modules": )" +
      modules + R"(, "tensors": {}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? graph.value() : fx::Graph{};
}

std::string element_call(const std::string& target, const std::string& args = "",
                         const std::string& op = "call_function") {
  return R"({"op": ")" + op + R"(", "name": "call", "target": ")" + target +
         R"(", "args": [{"node": "x"})" + (args.empty() ? "" : ", " + args) + "]}";
}

std::string element_text(const fx::Graph& graph) {
  const Translation translation = from_fx(graph, {});
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

std::string element_error(const fx::Graph& graph) {
  const Diagnostics diagnostics = from_fx(graph, {}).diagnostics;
  return diagnostics.empty() ? "" : diagnostics[0].code + ": " + diagnostics[0].message;
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Unary, IntegersBecomeFloats) {
  const std::string text = element_text(element_graph(element_call("torch.erf"), "int64"));
  EXPECT_HAS(text, "R.erf(lv)");
  EXPECT_HAS(text, "R.astype(inp_0, dtype=\"float32\")");
}

TEST(Unary, EveryFormInPlaceIsSeenByLaterReaders) {
  for (const std::string name : {"abs_", "ceil_", "erf_", "exp2_", "neg_", "round_", "square_"}) {
    const std::string text = element_text(element_graph(element_call(name, "", "call_method")));
    EXPECT_EQ(text.find("= inp_0, lv"), std::string::npos) << name << '\n' << text;
  }
}

TEST(Unary, FloatsAreNotWrittenIntoIntegers) {
  const std::string error =
      element_error(element_graph(element_call("sqrt_", "", "call_method"), "int64"));
  EXPECT_HAS(error, "FX4005");
}

TEST(Unary, BoolsHaveNoAbsoluteValue) {
  EXPECT_HAS(element_error(element_graph(element_call("torch.abs"), "bool")), "FX4005");
  EXPECT_HAS(element_error(element_graph(element_call("operator.neg"), "bool")), "FX4005");
}

TEST(Unary, SpecialFunctionsHaveTheirPlainNames) {
  EXPECT_HAS(element_text(element_graph(element_call("torch._C._special.special_erf"))), "R.erf(");
}

TEST(Bounds, AFloatMakesIntegersFloats) {
  const std::string text = element_text(element_graph(element_call("torch.clamp", "0.5"), "int64"));
  EXPECT_HAS(text, "R.clip(lv, T.float64(0.5), T.float64(\"inf\"))");
}

TEST(Bounds, TheUpperOneWins) {
  EXPECT_HAS(element_text(element_graph(element_call("torch.clamp", "2, 1"))),
             "R.clip(inp_0, 1, 1)");
}

TEST(Bounds, ANumberActsBeforeATensorAbove) {
  const std::string text =
      element_text(element_graph(element_call("torch.clamp", R"(0.5, {"node": "y"})")));
  EXPECT_HAS(text, "R.clip(inp_0, T.float64(0.5), T.float64(\"inf\"))");
  EXPECT_HAS(text, "R.minimum(lv, lv1)");
}

TEST(Bounds, AtLeastOneIsNeeded) {
  EXPECT_HAS(element_error(element_graph(element_call("torch.clamp"))), "FX4003");
}

TEST(Activation, IntegersAreRefused) {
  for (const std::string name : {"elu", "gelu", "hardswish", "mish", "silu", "softplus"}) {
    EXPECT_HAS(element_error(element_graph(element_call("torch.nn.functional." + name), "int32")),
               "FX4005");
  }
}

TEST(Activation, WrongSettingsOfModulesAreNamed) {
  const std::string error = element_error(element_graph(
      element_call("layer", "", "call_module"), "float32",
      R"({"layer": {"type": "torch.nn.ELU", "attrs": {"alpha": "a"}, "tensors": {}}})"));
  EXPECT_HAS(error, "FX4004");
  EXPECT_HAS(error, "'alpha' is a number, not 'a'");
}

TEST(Activation, NegativeAlphaOfCelu) {
  EXPECT_HAS(element_text(element_graph(element_call("torch.celu", "-2.0"))), "R.where(");
  EXPECT_HAS(element_error(element_graph(element_call("torch.celu", "0.0"))), "FX4003");
}

TEST(Activation, SlopesWithoutChannels) {
  const std::string error =
      element_error(element_graph(element_call("torch.nn.functional.prelu", R"({"node": "y"})")));
  EXPECT_HAS(error, "FX4002");
}

TEST(Activation, HalvesOfAnOddAxis) {
  EXPECT_HAS(element_error(element_graph(element_call("torch.nn.functional.glu", "7"))), "FX4003");
}

}  // namespace
}  // namespace fx2wasm
