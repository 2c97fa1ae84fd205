// The conformance cases that the translation has to refuse, and how.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

// Not among them: faults that only the rule of an operator without one could see.
const std::string kCases[] = {
    "add_shapes",         "argument_type",    "attr_missing",       "control_flow",
    "conv_channels",      "conv_groups",      "custom_module",      "conv_kernel_too_big",
    "flatten_order",      "float_index",      "linear_features",    "data_dependent_shape",
    "matmul_shapes",      "meta_disagrees",   "missing_argument",   "reshape_count",
    "softmax_axis",       "two_unknown_dims", "unsupported_method", "unsupported_function",
    "unsupported_module", "weight_shape"};

class Invalid : public testing::TestWithParam<std::string> {};

TEST_P(Invalid, IsRefusedAtItsNode) {
  const std::string folder = conformance::folder() + "/cases/invalid/" + GetParam();
  const auto text = conformance::read_file(folder + "/graph.fx.json");
  const auto expected_text = conformance::read_file(folder + "/expected.json");
  ASSERT_TRUE(text && expected_text);
  const nlohmann::json expected = nlohmann::json::parse(*expected_text);
  const Result<fx::Graph> graph = fx::read_json(*text, "graph.fx.json");
  ASSERT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  const Translation translation = from_fx(graph.value(), {});
  ASSERT_FALSE(translation.ok());
  const Diagnostic& diagnostic = translation.diagnostics[0];
  EXPECT_EQ(diagnostic.place.fx_node, expected.at("node").get<std::string>());
  EXPECT_GT(diagnostic.place.line, 1);
  EXPECT_EQ(diagnostic.code.substr(0, 3), "FX4");
  const std::string message = format_diagnostic(diagnostic);
  for (const nlohmann::json& mention : expected.at("mention")) {
    EXPECT_NE(message.find(mention.get<std::string>()), std::string::npos)
        << mention << " in: " << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Invalid, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace fx2wasm
