// Products, attention and resizing: what is refused, and what no recorded case shows.
#include <gtest/gtest.h>

#include "fx/read_json.h"
#include "print/tvmscript.h"
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

struct GraphInput {
  std::string name, shape, dtype = "float32";
};

fx::Graph product_graph(const std::vector<GraphInput>& inputs, const std::string& target,
                        const std::string& args, const std::string& kwargs = "{}") {
  std::string text = R"({"fx_graph": 1, "nodes": [)";
  for (const GraphInput& input : inputs) {
    text += R"({"op": "placeholder", "name": ")" + input.name + R"(", "target": ")" + input.name +
            R"(", "meta": {"shape": )" + input.shape + R"(, "dtype": ")" + input.dtype + "\"}},\n";
  }
  text += R"({"op": "call_function", "name": "y", "target": ")" + target + R"(", "args": )" + args +
          R"(, "kwargs": )" + kwargs + R"(},
{"op": "output", "name": "output", "target": "output", "args": [{"node": "y"}]}],
"modules": {}, "tensors": {}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? graph.value() : fx::Graph{};
}

std::string text_of_graph(const fx::Graph& graph) {
  const Translation translation = from_fx(graph, {});
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

// The only error, at the node.
std::string refusal_of(const fx::Graph& graph) {
  const Diagnostics errors = from_fx(graph, {}).diagnostics;
  EXPECT_EQ(errors.size(), 1u);
  if (errors.size() != 1) return "";
  EXPECT_EQ(errors[0].place.fx_node, "y");
  return errors[0].message;
}

constexpr const char* kAll = R"([{"node": "a"}, {"node": "b"}, {"node": "c"}])";

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Products, AnAddendThatDoesNotBroadcastIsRefused) {
  const std::string why = refusal_of(
      product_graph({{"a", "[3]"}, {"b", "[2, 3]"}, {"c", "[3, 4]"}}, "torch.addmm", kAll));
  EXPECT_TRUE(has_part(why, "does not broadcast to the product's (2, 4)")) << why;
}

TEST(Products, AFactorOfZeroLeavesItsTermOut) {
  const std::string text =
      text_of_graph(product_graph({{"a", "[4]"}, {"b", "[2, 3]"}, {"c", "[3, 4]"}}, "torch.addmm",
                                  kAll, R"({"alpha": 0, "beta": 2})"));
  EXPECT_FALSE(has_part(text, "R.matmul")) << text;
  EXPECT_TRUE(has_part(text, "R.broadcast_to(lv, R.shape([2, 4]))")) << text;
}

TEST(Products, SubscriptsThatDoNotFitAreRefused) {
  const auto refused = [](const std::string& subscripts) {
    return refusal_of(product_graph({{"a", "[2, 3]"}, {"b", "[3, 4]"}}, "torch.einsum",
                                    "[\"" + subscripts + R"(", {"node": "a"}, {"node": "b"}])"));
  };
  EXPECT_TRUE(has_part(refused("ij->ij"), "name 1 operands, 2 are given"));
  EXPECT_TRUE(has_part(refused("ijk,jk->ik"), "give operand 0 3 axes, it has 2"));
  EXPECT_TRUE(has_part(refused("ij,jk->iq"), "'q', which no operand has"));
  EXPECT_TRUE(has_part(refused("ij,jk->ii"), "which stands twice"));
  EXPECT_TRUE(has_part(refused("i1,1k"), "'1', which is no letter"));
  EXPECT_TRUE(has_part(refused("ij,ij->ij"), "has two extents: (2, 3)"));
}

TEST(Attention, MasksAndShapesAreChecked) {
  const std::string shape = "[1, 2, 3, 4]";
  const auto refused = [&](const std::string& kwargs) {
    return refusal_of(product_graph({{"a", shape}, {"b", shape}, {"c", shape}},
                                    "torch.nn.functional.scaled_dot_product_attention", kAll,
                                    kwargs));
  };
  EXPECT_TRUE(has_part(refused(R"({"dropout_p": 0.5})"), "dropout_p is 0 in inference"));
  EXPECT_TRUE(has_part(refused(R"({"attn_mask": {"node": "a"}, "is_causal": true})"),
                       "either attn_mask or is_causal=True"));
  EXPECT_TRUE(has_part(refused(R"({"attn_mask": {"node": "a"}})"), "does not broadcast"));
  EXPECT_TRUE(has_part(refused(R"({"scale": "a"})"), "scale is a number"));
}

TEST(Resizing, SettingsAreChecked) {
  const auto refused = [](const std::string& kwargs) {
    return refusal_of(product_graph({{"a", "[1, 2, 4, 5]"}}, "torch.nn.functional.interpolate",
                                    R"([{"node": "a"}])", kwargs));
  };
  EXPECT_TRUE(has_part(refused("{}"), "either size or scale_factor"));
  EXPECT_TRUE(has_part(refused(R"({"size": 3, "scale_factor": 2})"), "either size"));
  EXPECT_TRUE(has_part(refused(R"({"size": [3, 3, 3]})"), "the 2 spatial axes"));
  EXPECT_TRUE(has_part(refused(R"({"size": 0})"), "a size is at least 1"));
  EXPECT_TRUE(has_part(refused(R"({"scale_factor": -1})"), "a number above 0"));
  EXPECT_TRUE(has_part(refused(R"({"scale_factor": 0.1})"), "leaves nothing of 4 elements"));
  EXPECT_TRUE(has_part(refused(R"({"size": 3, "mode": "linear"})"), "takes data with 3 axes"));
  EXPECT_TRUE(has_part(refused(R"({"size": 3, "mode": "lanczos"})"), "not 'lanczos'"));
  EXPECT_TRUE(
      has_part(refused(R"({"size": 3, "align_corners": true})"), "align_corners goes with"));
  EXPECT_TRUE(has_part(refused(R"({"size": 3, "mode": "bilinear", "antialias": true})"),
                       "antialias=True is not supported"));
}

TEST(Resizing, AnOddFactorReadsEachAxisByItself) {
  const std::string text = text_of_graph(
      product_graph({{"a", "[1, 2, 4, 5]"}}, "torch.nn.functional.interpolate",
                    R"([{"node": "a"}])", R"({"scale_factor": 1.9, "mode": "bilinear"})"));
  EXPECT_FALSE(has_part(text, "R.image.resize2d")) << text;
  EXPECT_TRUE(has_part(text, "R.take(")) << text;
}

}  // namespace
}  // namespace fx2wasm
