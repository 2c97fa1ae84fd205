// Names of arguments that Call::bind takes, and values that are known while translating.
#include <gtest/gtest.h>

#include <string>

#include "fx/read_json.h"
#include "print/tvmscript.h"
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

// The nodes between x, y (2, 3, 4) and the result `r`.
Translation sized(const std::string& nodes) {
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x",
 "meta": {"shape": ["n", 3, 4], "dtype": "float32"}},
{"op": "placeholder", "name": "y", "target": "y",
 "meta": {"shape": ["n", 3, 4], "dtype": "float32"}},
)" + nodes +
      R"(
{"op": "output", "name": "output", "target": "output", "args": [{"node": "r"}]}],
"modules": {}, "tensors": {}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return from_fx(graph.ok() ? graph.value() : fx::Graph{}, {});
}

std::string sized_text(const std::string& nodes) {
  const Translation translation = sized(nodes);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

std::string sized_error(const std::string& nodes) {
  const Translation translation = sized(nodes);
  EXPECT_EQ(translation.diagnostics.size(), 1U);
  return translation.diagnostics.empty() ? "" : format_diagnostic(translation.diagnostics[0]);
}

bool shows(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string named_call(const std::string& target, const std::string& kwargs) {
  return R"({"op": "call_function", "name": "r", "target": ")" + target + R"(", "kwargs": {)" +
         kwargs + "}},";
}

// x.shape, and what is done to it.
std::string of_shape(const std::string& target, const std::string& rest, const std::string& name) {
  return R"({"op": "call_function", "name": "s", "target": "builtins.getattr",
 "args": [{"node": "x"}, "shape"]},
{"op": "call_function", "name": ")" +
         name + R"(", "target": ")" + target + R"(", "args": [{"node": "s"})" + rest + "]},";
}

std::string viewed_as(const std::string& slice) {
  return sized_text(of_shape("operator.getitem", R"(, {"slice": )" + slice + "}", "t") +
                    R"({"op": "call_function", "name": "r", "target": "torch.zeros",
 "args": [{"node": "t"}]},)");
}

TEST(ArgumentNames, NumpysAreTakenByTorchsOwnFunctions) {
  const std::string x = R"("input": {"node": "x"}, )";
  EXPECT_TRUE(shows(sized_text(named_call("torch.sum", x + R"("axis": 1, "keepdims": true)")),
                    "R.sum(inp_0, axis=[1], keepdims=True)"));
  EXPECT_TRUE(shows(sized_text(named_call("torch.softmax", x + R"("axis": 1)")),
                    "R.nn.softmax(inp_0, axis=1)"));
  EXPECT_TRUE(shows(sized_text(named_call("torch.unsqueeze", x + R"("axis": 0)")),
                    "R.expand_dims(inp_0, axis=[0])"));
  EXPECT_TRUE(shows(sized_text(named_call("torch.abs", R"("x": {"node": "y"})")), "R.abs(inp_1)"));
  EXPECT_TRUE(shows(sized_text(named_call("torch.add", R"("x1": {"node": "x"},
 "x2": {"node": "y"})")),
                    "R.add(inp_0, inp_1)"));
  EXPECT_TRUE(shows(sized_text(R"({"op": "call_method", "name": "r", "target": "argmax",
 "args": [{"node": "x"}], "kwargs": {"axis": 2}},)"),
                    "R.argmax(inp_0, axis=2, keepdims=False)"));
}

TEST(ArgumentNames, NumpysAreNotTakenTwiceNorByPythonsFunctions) {
  const std::string x = R"("input": {"node": "x"}, )";
  EXPECT_TRUE(shows(sized_error(named_call("torch.sum", x + R"("dim": 1, "axis": 1)")),
                    "the argument 'axis' is given twice"));
  EXPECT_TRUE(shows(sized_error(named_call("torch.nn.functional.softmax", x + R"("axis": 1)")),
                    "has no argument 'axis'"));
}

TEST(KnownSizes, ListsAreSliced) {
  EXPECT_TRUE(shows(viewed_as("[1, null, null]"), "-> R.Tensor((3, 4), "));
  EXPECT_TRUE(shows(viewed_as("[null, -1, null]"), "-> R.Tensor((n, 3), "));
  EXPECT_TRUE(shows(viewed_as("[null, null, -1]"), "-> R.Tensor((4, 3, n), "));
  EXPECT_TRUE(shows(viewed_as("[-9, 9, 2]"), "-> R.Tensor((n, 4), "));
  EXPECT_TRUE(shows(viewed_as("[2, 1, null]"), "-> R.Tensor((), "));
  EXPECT_TRUE(
      shows(viewed_as("[0, 9223372036854775807, 9223372036854775807]"), "-> R.Tensor((n,), "));
}

TEST(KnownSizes, ASliceOfAListIsOfIntegers) {
  EXPECT_TRUE(shows(sized_error(of_shape("operator.getitem", R"(, {"slice": [0, 1, 0]})", "r")),
                    "a slice's step is not zero"));
  EXPECT_TRUE(
      shows(sized_error(of_shape("operator.getitem", R"(, {"slice": [{"node": "x"}, 1, 1]})", "r")),
            "a list is sliced by integers"));
}

TEST(KnownSizes, TheLengthAndTheProductOfAList) {
  const std::string rank = sized_text(of_shape("builtins.len", "", "r"));
  EXPECT_TRUE(shows(rank, "gv: T.int64 = 3")) << rank;
  const std::string count = sized_text(R"({"op": "call_method", "name": "s", "target": "size",
 "args": [{"node": "x"}]},
{"op": "call_method", "name": "r", "target": "numel", "args": [{"node": "s"}]},)");
  EXPECT_TRUE(shows(count, "gv: T.int64 = n * 12")) << count;
}

}  // namespace
}  // namespace fx2wasm
