// What normalisations, losses and embeddings refuse, and what no recorded case shows.
#include <gtest/gtest.h>

#include "print/tvmscript.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

// A graph of the inputs x (2, 6, 4, 4) and targets (2,), one tensor w of six ones, and a node.
fx::Graph norm_graph(const std::string& target, const std::string& arguments) {
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x",
 "meta": {"shape": [2, 6, 4, 4], "dtype": "float32"}},
{"op": "placeholder", "name": "i", "target": "i", "meta": {"shape": [2, 4], "dtype": "int64"}},
{"op": "get_attr", "name": "w", "target": "w"},
{"op": "call_function", "name": "y", "target": "torch.nn.functional.)" +
      target + R"(", )" + arguments + R"(},
{"op": "output", "name": "output", "target": "output", "args": [{"node": "y"}]}],
"modules": {}, "tensors": {"w": {"shape": [6], "dtype": "float32", "kind": "buffer",
"data": "AACAPwAAgD8AAIA/AACAPwAAgD8AAIA/"}}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? graph.value() : fx::Graph{};
}

std::string norm_text(const std::string& target, const std::string& arguments) {
  const Translation translation = from_fx(norm_graph(target, arguments), {});
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

std::string norm_error(const std::string& target, const std::string& arguments) {
  const Translation translation = from_fx(norm_graph(target, arguments), {});
  EXPECT_EQ(translation.diagnostics.size(), 1U);
  return translation.diagnostics.empty() ? "" : format_diagnostic(translation.diagnostics[0]);
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kX = R"("args": [{"node": "x"})";

TEST(BatchNormRule, UsesRunningStatisticsUnlessTraining) {
  const std::string text = norm_text(
      "batch_norm", std::string(kX) + R"(, {"node": "w"}, {"node": "w"}], "kwargs": {"eps": 0.5})");
  EXPECT_TRUE(mentions(text, "epsilon=0.5, ")) << text;
  EXPECT_TRUE(mentions(text, "training=False")) << text;
}

TEST(BatchNormRule, RefusesToChangeStatistics) {
  const std::string error = norm_error(
      "batch_norm",
      std::string(kX) + R"(, {"node": "w"}, {"node": "w"}], "kwargs": {"training": true})");
  EXPECT_TRUE(mentions(error, "error[FX4003]")) << error;
  EXPECT_TRUE(mentions(error, "changes these in place")) << error;
}

TEST(GroupNormRule, RefusesGroupsThatDoNotDivide) {
  for (const char* groups : {"4", "0", "-1"}) {
    const std::string error = norm_error("group_norm", std::string(kX) + ", " + groups + "]");
    EXPECT_TRUE(mentions(error, "group")) << error;
  }
}

TEST(LayerNormRule, RefusesOtherSizes) {
  for (const char* shape : {"[5]", "[]", "[2, 2, 6, 4, 4]", "\"4\"", "[{\"float\": \"nan\"}]"}) {
    const std::string error = norm_error("layer_norm", std::string(kX) + ", " + shape + "]");
    EXPECT_TRUE(mentions(error, "'y' (torch.nn.functional.layer_norm)")) << error;
  }
}

TEST(LayerNormRule, RefusesAnEpsilonThatIsNoNumber) {
  const std::string error =
      norm_error("layer_norm", std::string(kX) + R"(, [4]], "kwargs": {"eps": {"float": "nan"}})");
  EXPECT_TRUE(mentions(error, "'eps' is a number")) << error;
}

TEST(LossRule, RefusesOtherReductions) {
  const std::string error = norm_error(
      "mse_loss", std::string(kX) + R"(, {"node": "x"}], "kwargs": {"reduction": "average"})");
  EXPECT_TRUE(mentions(error, "'none', 'mean' or 'sum', not 'average'")) << error;
}

TEST(EmbeddingRule, RefusesTablesAndPositionsOfOtherKinds) {
  EXPECT_TRUE(mentions(norm_error("embedding", R"("args": [{"node": "i"}, {"node": "w"}])"),
                       "two dimensions"));
  EXPECT_TRUE(mentions(norm_error("embedding", R"("args": [{"node": "x"}, {"node": "w"}])"),
                       "error[FX4005]"));
}

}  // namespace
}  // namespace fx2wasm
