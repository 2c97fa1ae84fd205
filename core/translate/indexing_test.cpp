// What is read from and written to positions where no recorded case shows it, and what is refused.
#include <gtest/gtest.h>

#include "fx/read_json.h"
#include "print/tvmscript.h"
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

// A graph of the float32 inputs x (4, 6), the positions i (3,), and a mask m (4, 6).
Translation translate_graph(const std::string& nodes) {
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": [4, 6], "dtype": "float32"}},
{"op": "placeholder", "name": "i", "target": "i", "meta": {"shape": [3], "dtype": "int64"}},
{"op": "placeholder", "name": "m", "target": "m", "meta": {"shape": [4, 6], "dtype": "bool"}},
)" + nodes +
      R"({"op": "output", "name": "output", "target": "output", "args": [{"node": "y"}]}],
"modules": {}, "tensors": {}})";
  const Result<fx::Graph> graph = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(graph.ok()) << format_diagnostic(graph.diagnostics()[0]);
  return graph.ok() ? from_fx(graph.value(), {}) : Translation{};
}

std::string function_node(const std::string& target, const std::string& args,
                          const std::string& name = "y") {
  return R"({"op": "call_function", "name": ")" + name + R"(", "target": ")" + target +
         R"(", "args": )" + args + "},\n";
}

std::string indexed_text(const std::string& nodes) {
  const Translation translation = translate_graph(nodes);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

// The code and the message of the only error.
std::string indexing_error(const std::string& target, const std::string& args) {
  const Translation translation = translate_graph(function_node(target, args));
  EXPECT_EQ(translation.diagnostics.size(), 1u);
  if (translation.diagnostics.empty()) return "";
  return translation.diagnostics[0].code + " " + translation.diagnostics[0].message;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Getitem, IntegersDropTheirAxis) {
  const std::string text = indexed_text(
      function_node("operator.getitem", R"([{"node": "x"}, [-1, {"slice": [1, null, 2]}]])"));
  EXPECT_TRUE(holds(text, "(3, 1), (4, 6), (1, 2)")) << text;
  EXPECT_TRUE(holds(text, "R.shape([3])")) << text;
}

TEST(Getitem, SeveralPositionsAreReadTogether) {
  const std::string text = indexed_text(
      function_node("operator.getitem", R"([{"node": "x"}, [{"node": "i"}, {"node": "i"}]])"));
  EXPECT_TRUE(holds(text, "R.index_tensor(inp_0, (inp_1, inp_1))")) << text;
}

TEST(Getitem, RefusesWhatIsOutside) {
  EXPECT_TRUE(holds(indexing_error("operator.getitem", R"([{"node": "x"}, 4])"),
                    "FX4003 'y' (operator.getitem): index 4 is out of bounds"));
  EXPECT_TRUE(holds(indexing_error("operator.getitem", R"([{"node": "x"}, [0, 0, 0]])"),
                    "too many indices"));
  EXPECT_TRUE(
      holds(indexing_error("operator.getitem", R"([{"node": "x"}, {"slice": [null, null, -1]}])"),
            "greater than zero"));
  EXPECT_TRUE(holds(indexing_error("operator.getitem",
                                   R"([{"node": "x"}, [{"ellipsis": true}, {"ellipsis": true}]])"),
                    "once at most"));
  EXPECT_TRUE(holds(indexing_error("operator.getitem", R"([{"node": "x"}, 1.5])"), "FX4003"));
  EXPECT_TRUE(holds(indexing_error("operator.getitem", R"([{"node": "x"}, {"node": "x"}])"),
                    "tensors of float32 can't be indices"));
}

TEST(Getitem, RefusesAMaskWhoseSizeIsNotKnown) {
  const std::string error = indexing_error("operator.getitem", R"([{"node": "x"}, {"node": "m"}])");
  EXPECT_TRUE(holds(error, "FX4001")) << error;
  EXPECT_TRUE(holds(error, "depends on the data")) << error;
}

TEST(Setitem, IsSeenByLaterReaders) {
  const std::string text =
      indexed_text(function_node("operator.setitem", R"([{"node": "x"}, 1, 2.5])", "written") +
                   function_node("operator.add", R"([{"node": "x"}, 1.0])"));
  EXPECT_TRUE(holds(text, "R.slice_scatter(inp_0, ")) << text;
  EXPECT_FALSE(holds(text, "R.add(inp_0")) << text;
}

TEST(Setitem, OfAMaskIsAChoice) {
  const std::string text = indexed_text(
      function_node("operator.setitem", R"([{"node": "x"}, {"node": "m"}, 0])", "written") +
      function_node("operator.add", R"([{"node": "x"}, 1.0])"));
  EXPECT_TRUE(holds(text, "R.where(inp_2, ")) << text;
}

TEST(Setitem, RefusesAValueThatDoesNotFit) {
  const std::string error =
      indexing_error("operator.setitem", R"([{"node": "x"}, 1, {"node": "x"}])");
  EXPECT_TRUE(holds(error, "FX4002")) << error;
}

TEST(Indexing, RefusesWhatPyTorchRefuses) {
  EXPECT_TRUE(holds(indexing_error("torch.select", R"([{"node": "x"}, 0, 4])"), "out of bounds"));
  EXPECT_TRUE(holds(indexing_error("torch.select", R"([{"node": "x"}, 2, 0])"), "dim=2"));
  EXPECT_TRUE(
      holds(indexing_error("torch.narrow", R"([{"node": "x"}, 1, 4, 3])"), "reach outside"));
  EXPECT_TRUE(holds(indexing_error("torch.nn.functional.one_hot", R"([{"node": "i"}])"),
                    "depends on the data"));
  EXPECT_TRUE(
      holds(indexing_error("torch.gather", R"([{"node": "x"}, 1, {"node": "i"}])"), "FX4002"));
  EXPECT_TRUE(holds(indexing_error("torch.gather", R"([{"node": "x"}, 1, {"node": "x"}])"),
                    "positions are integers"));
  EXPECT_TRUE(holds(indexing_error("torch.meshgrid", R"([{"node": "x"}])"), "takes vectors"));
}

}  // namespace
}  // namespace fx2wasm
