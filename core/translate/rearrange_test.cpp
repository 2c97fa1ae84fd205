// Joining, splitting, moving axes and padding where no recorded case shows them: what PyTorch does
// and TVM does not, writes to parts, refusals.
#include <gtest/gtest.h>

#include "print/tvmscript.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

// A graph with one input x and the nodes; the last one is the result.
fx::Graph rearranged(const std::string& shape, const std::string& dtype, const std::string& nodes,
                     const std::string& result) {
  const Result<fx::Graph> graph = fx::read_json(
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": )" +
          shape + R"(, "dtype": ")" + dtype + "\"}},\n" + nodes +
          R"({"op": "output", "name": "output", "target": "output", "args": [{"node": ")" + result +
          R"("}]}], "modules": {}, "tensors": {}})",
      "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? graph.value() : fx::Graph{};
}

std::string method(const std::string& name, const std::string& target, const std::string& args,
                   const std::string& kwargs = "{}") {
  return R"({"op": "call_method", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": [{"node": "x"})" + (args.empty() ? "" : ", ") + args + R"(], "kwargs": )" +
         kwargs + "},\n";
}

std::string function(const std::string& name, const std::string& target, const std::string& args,
                     const std::string& kwargs = "{}") {
  return R"({"op": "call_function", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": )" + args + R"(, "kwargs": )" + kwargs + "},\n";
}

std::string rearranged_text(const fx::Graph& graph, Emission ops = Emission::RelaxOperators) {
  TranslateOptions options;
  options.ops = ops;
  const Translation translation = from_fx(graph, options);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

std::string refusal_of(const fx::Graph& graph) {
  const Diagnostics diagnostics = from_fx(graph, {}).diagnostics;
  return diagnostics.size() == 1 ? diagnostics[0].message : "not one error";
}

::testing::AssertionResult holds(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no " << part << " in\n" << text;
}

const std::string kPad = "torch.nn.functional.pad";

TEST(Rearrange, FlipTakesItsAxesInEveryForm) {
  for (const std::string args : {"0, 1", "[0, 1]"}) {
    const std::string text =
        rearranged_text(rearranged("[4, 6]", "float32", method("y", "flip", args), "y"));
    EXPECT_TRUE(holds(text, "R.flip(inp_0, axis=0)"));
    EXPECT_TRUE(holds(text, "R.flip(lv, axis=1)"));
  }
}

TEST(Rearrange, ChunkGivesAsManyPartsAsPyTorch) {
  const std::string text =
      rearranged_text(rearranged("[6]", "float32", method("y", "chunk", "4"), "y"));
  EXPECT_TRUE(holds(text, "indices_or_sections=3"));
}

TEST(Rearrange, OnePartIsATuple) {
  const std::string text =
      rearranged_text(rearranged("[6]", "float32", method("y", "split", "6"), "y"));
  EXPECT_TRUE(holds(text, "-> R.Tuple(R.Tensor((6,), dtype=\"float32\")):"));
}

TEST(Rearrange, PartsMayBeEmpty) {
  const fx::Graph graph = rearranged("[7]", "float32", method("y", "split", "[1, 0, 6]"), "y");
  EXPECT_TRUE(
      holds(rearranged_text(graph, Emission::EmitTe), "T.Buffer((T.int64(0),), \"float32\")"));
}

TEST(Rearrange, InPlaceTrianglesReadTheirKeyword) {
  const std::string text = rearranged_text(
      rearranged("[4, 6]", "float32", method("y", "triu_", "", R"({"diagonal": 1})"), "y"));
  EXPECT_TRUE(holds(text, "R.triu(inp_0, 1)"));
}

TEST(Rearrange, CircularPaddingCropsFirst) {
  const std::string text = rearranged_text(rearranged(
      "[3, 4]", "float32",
      function("y", kPad, R"([{"node": "x"}, [-1, 3]])", R"({"mode": "circular"})"), "y"));
  EXPECT_TRUE(holds(text, R"(pad_width=[0, 0, -1, 0], pad_value=0.0, pad_mode="constant")"));
  EXPECT_TRUE(holds(text, R"(pad_width=[0, 0, 0, 3], pad_value=0.0, pad_mode="circular")"));
}

TEST(Rearrange, BoolsArePaddedWithATruth) {
  const fx::Graph graph = rearranged(
      "[3]", "bool", function("y", kPad, R"([{"node": "x"}, [1, 1]])", R"({"value": 0.3})"), "y");
  EXPECT_TRUE(holds(rearranged_text(graph, Emission::EmitTe), "T.bool(True)"));
}

TEST(Rearrange, CatPromotes) {
  const std::string text = rearranged_text(rearranged(
      "[3]", "int64",
      method("f", "float", "") + function("y", "torch.cat", R"([[{"node": "x"}, {"node": "f"}]])"),
      "y"));
  EXPECT_TRUE(holds(text, "R.concat((lv1, lv), axis=0)"));
}

TEST(Rearrange, CatLeavesLegacyEmptyTensorsOut) {
  const std::string text = rearranged_text(
      rearranged("[0]", "float32",
                 method("m", "new_zeros", "[2, 3]") +
                     function("y", "torch.cat", R"([[{"node": "x"}, {"node": "m"}], 1])"),
                 "y"));
  EXPECT_TRUE(holds(text, "R.concat((lv,), axis=1)"));
}

TEST(Rearrange, AWriteToAPartReachesTheWhole) {
  const std::string text = rearranged_text(rearranged(
      "[4, 6]", "float32",
      method("parts", "split", "3, 1") +
          function("part", "operator.getitem", R"([{"node": "parts"}, 1])") +
          R"({"op": "call_method", "name": "w", "target": "relu_", "args": [{"node": "part"}]},
)" + function("y", "operator.add", R"([{"node": "x"}, 1])"),
      "y"));
  EXPECT_TRUE(holds(text, "R.concat((lv3, lv2), axis=1)"));
  EXPECT_TRUE(holds(text, "R.add(lv4,"));
}

TEST(Rearrange, WhatDoesNotFitIsRefused) {
  const auto refused = [](const std::string& nodes) {
    return refusal_of(rearranged(R"([4, "n"])", "float32", nodes, "y"));
  };
  EXPECT_TRUE(holds(refused(method("y", "split", "2, 1")), "depends on it"));
  EXPECT_TRUE(holds(refused(method("y", "split", "[1, 1]")), "are not all of axis 0"));
  EXPECT_TRUE(holds(refused(method("y", "chunk", "0")), "0 parts"));
  EXPECT_TRUE(holds(refused(method("y", "repeat", "2")), "each axis needs one"));
  EXPECT_TRUE(holds(refused(method("y", "roll", "[1, 2], [0]")), "2 shifts for 1 axes"));
  EXPECT_TRUE(holds(refused(method("y", "expand", "-1, 4, 6")), "axis 0 is new"));
  EXPECT_TRUE(holds(refused(method("y", "flip", "0, 0")), "stands twice"));
  EXPECT_TRUE(holds(refused(function("y", kPad, R"([{"node": "x"}, [1, 2, 3]])")), "odd number"));
}

TEST(Rearrange, AnExpandedTensorIsNotWrittenTo) {
  const std::string message = refusal_of(rearranged(
      "[1, 6]", "float32",
      method("wide", "expand", "4, 6") +
          R"({"op": "call_method", "name": "y", "target": "relu_", "args": [{"node": "wide"}]},
)",
      "y"));
  EXPECT_TRUE(holds(message, "can't write in place into 'wide'"));
}

}  // namespace
}  // namespace fx2wasm
