// What convolutions and pools refuse, and what of them no recorded case shows.
#include <gtest/gtest.h>

#include "print/tvmscript.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

struct Window {
  std::string type;  // "torch.nn.Conv2d", or a function's name
  std::string settings;
  std::string shape = "[1, 4, 8, 8]";
  std::string dtype = "float32";
  std::string tensors = "{}", data = "{}";
};

// A graph of one input and one module or function over it; a function's settings are its kwargs.
Translation translated(const Window& window) {
  const bool is_module = window.type.rfind("torch.nn.", 0) == 0 && window.type[9] < 'a';
  const std::string call =
      is_module ? R"({"op": "call_module", "name": "it", "target": "it", "args": [{"node": "x"}]})"
                : R"({"op": "call_function", "name": "it", "target": ")" + window.type +
                      R"(", "args": [{"node": "x"}], "kwargs": )" + window.settings + "}";
  const std::string modules = R"({"it": {"type": ")" + window.type + R"(", "attrs": )" +
                              window.settings + R"(, "tensors": )" + window.tensors + "}}";
  const std::string text = R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": )" +
                           window.shape + R"(, "dtype": ")" + window.dtype + R"("}},
)" + call + R"(, {"op": "output", "name": "output", "target": "output", "args": [{"node": "it"}]}],
"modules": )" + (is_module ? modules : "{}") +
                           R"(, "tensors": )" + window.data + "}";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]) << text;
  return from_fx(graph.ok() ? graph.value() : fx::Graph{}, {});
}

std::string text_of(const Window& window) {
  const Translation translation = translated(window);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

// The message of the only error.
std::string error_of(const Window& window) {
  const Translation translation = translated(window);
  EXPECT_EQ(translation.diagnostics.size(), 1U) << window.type << window.settings;
  return translation.diagnostics.empty() ? "" : translation.diagnostics[0].message;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (text)

Window conv2d(const std::string& more) {
  return {"torch.nn.Conv2d",
          R"({"in_channels": 4, "out_channels": 6, "kernel_size": [3, 3])" + more + "}",
          "[1, 4, 8, 8]",
          "float32",
          R"({"weight": "it.weight"})",
          R"({"it.weight": {"shape": [6, 4, 3, 3], "dtype": "float32"}})"};
}

TEST(Convolution, SettingsThatPyTorchRefuses) {
  EXPECT_HAS(error_of(conv2d(R"(, "groups": 4)")), "groups=4 do not divide out_channels=6");
  EXPECT_HAS(error_of(conv2d(R"(, "groups": 0)")), "groups is at least 1");
  EXPECT_HAS(error_of(conv2d(R"(, "stride": 0)")), "stride is at least 1");
  EXPECT_HAS(error_of(conv2d(R"(, "padding": -1)")), "padding is at least 0");
  EXPECT_HAS(error_of(conv2d(R"(, "padding": "same", "stride": 2)")), "stride 1 only");
  EXPECT_HAS(error_of(conv2d(R"(, "padding": "full")")), "'valid', 'same' or integers");
  EXPECT_HAS(error_of(conv2d(R"(, "padding_mode": "wrap")")), "'wrap'");
  EXPECT_HAS(error_of(conv2d(R"(, "padding": 9, "padding_mode": "circular")")), "an axis of 8");
  Window flat = conv2d("");
  flat.shape = "[8, 8]";
  EXPECT_HAS(error_of(flat), "4 axes, or of 3 without the batch, not of the shape (8, 8)");
  Window half = conv2d("");
  half.dtype = "float16";
  EXPECT_HAS(error_of(half), "float16 and float32");
}

TEST(Convolution, OutputPaddingIsSmallerThanStrideOrDilation) {
  Window window = conv2d(R"(, "stride": 2, "output_padding": 2)");
  window.type = "torch.nn.ConvTranspose2d";
  window.data = R"({"it.weight": {"shape": [4, 6, 3, 3], "dtype": "float32"}})";
  EXPECT_HAS(error_of(window), "smaller than the stride or the dilation");
}

TEST(Convolution, OutputPaddingBelowTheDilation) {
  Window window = conv2d(R"(, "dilation": 3, "output_padding": 2)");
  window.type = "torch.nn.ConvTranspose2d";
  window.data = R"({"it.weight": {"shape": [4, 6, 3, 3], "dtype": "float32"}})";
  EXPECT_HAS(text_of(window), "R.Tensor((1, 6, 16, 16), dtype=\"float32\")");
}

TEST(Convolution, HalvesAreSummedAsFloats) {
  Window window = conv2d("");
  window.dtype = "float16";
  window.data = R"({"it.weight": {"shape": [6, 4, 3, 3], "dtype": "float16"}})";
  const std::string text = text_of(window);
  EXPECT_HAS(text, "out_dtype=\"float32\"");
  EXPECT_HAS(text, "R.Tensor((1, 6, 6, 6), dtype=\"float16\") = R.astype(lv, dtype=\"float16\")");
}

TEST(Convolution, WithoutABatch) {
  Window window = conv2d(R"(, "padding": "same")");
  window.shape = "[4, 8, 8]";
  EXPECT_HAS(text_of(window), "gv: R.Tensor((6, 8, 8), dtype=\"float32\") = R.squeeze(lv1");
}

TEST(Pooling, SettingsThatPyTorchRefuses) {
  const auto pool = [](const std::string& settings) {
    return error_of({"torch.nn.functional.max_pool2d", settings});
  };
  EXPECT_HAS(pool(R"({"kernel_size": 3, "padding": 2})"),
             "at most half of the kernel: 2 against 3");
  EXPECT_HAS(pool(R"({"kernel_size": 0})"), "kernel_size is at least 1");
  EXPECT_HAS(pool(R"({"kernel_size": 9})"), "does not fit into the data of shape (1, 4, 8, 8)");
  EXPECT_HAS(pool(R"({"kernel_size": [1, 2, 3]})"), "an integer or 2 of them");
  EXPECT_HAS(
      error_of({"torch.nn.functional.avg_pool2d", R"({"kernel_size": 2, "divisor_override": 0})"}),
      "other than 0");
  EXPECT_HAS(error_of({"torch.nn.functional.adaptive_avg_pool2d", R"({"output_size": [2, -1]})"}),
             "output_size is None, a size or 2 of them");
  EXPECT_HAS(error_of({"torch.nn.functional.adaptive_avg_pool2d", R"({"output_size": 2})",
                       "[1, 4, 8, 8]", "int64"}),
             "takes floats, not int64");
  EXPECT_HAS(
      error_of({"torch.nn.functional.max_pool2d", R"({"kernel_size": 2})", "[1, 4, 8, 8]", "bool"}),
      "not bools");
}

TEST(Pooling, WhatIsLeftOutSaysWhy) {
  EXPECT_HAS(error_of({"torch.nn.MaxUnpool2d", R"({"kernel_size": 2})"}), "indices");
  EXPECT_HAS(error_of({"torch.nn.FractionalMaxPool2d", R"({"kernel_size": 2})"}), "at random");
}

TEST(Pooling, IndicesComeWithTheValues) {
  const std::string text =
      text_of({"torch.nn.functional.max_pool2d", R"({"kernel_size": 2, "return_indices": true})"});
  EXPECT_HAS(text, "R.Tensor((1, 4, 4, 4), dtype=\"int64\")");
}

TEST(Pooling, PowersAreAnAverage) {
  const std::string text =
      text_of({"torch.nn.functional.lp_pool2d", R"({"norm_type": 2, "kernel_size": 2})"});
  EXPECT_HAS(text, "R.power(inp_0, R.const(2.0, \"float32\"))");
  EXPECT_HAS(text, "R.const(4.0, \"float32\")");
  EXPECT_HAS(text, "R.const(0.5, \"float32\")");
}

TEST(Unfold, ColumnsThatDoNotFit) {
  EXPECT_HAS(error_of({"torch.nn.functional.unfold", R"({"kernel_size": 9})"}),
             "no window fits into the image");
  EXPECT_HAS(error_of({"torch.nn.functional.fold", R"({"output_size": [4, 4], "kernel_size": 2})",
                       "[1, 8, 4]"}),
             "9 columns of a multiple of 4 elements");
}

}  // namespace
}  // namespace fx2wasm
