// What the recurrent layers give, and what they refuse.
#include <gtest/gtest.h>

#include <string>

#include "fx/read_json.h"
#include "print/tvmscript.h"
#include "translate/from_fx.h"

namespace fx2wasm {
namespace {

// A layer of two inputs and a state of one, so that all weights have four rows at most.
struct RecurrentGraph {
  std::string type = "LSTM";
  std::string shape = "[3, 5, 2]";
  std::string settings =
      R"("num_layers": 1, "bias": true, "batch_first": false, "bidirectional": false)";
  std::string gates = "4";
  std::string state;  // `, {"node": "h"}`
  std::string state_shape = "[1, 5, 1]";
  std::string result = R"({"node": "y"})";
};

Translation recurrent(const RecurrentGraph& graph) {
  const auto tensor = [](const std::string& name, const std::string& shape) {
    return "\"" + name + R"(": {"shape": )" + shape + R"(, "dtype": "float32"})";
  };
  std::string names, tensors;
  for (const std::string direction : {"", "_reverse"}) {
    const std::string end = "_l0" + direction;
    for (const std::string name : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}) {
      const std::string comma = names.empty() ? "" : ", ";
      const std::string columns =
          name == "weight_ih" ? ", 2]" : (name == "weight_hh" ? ", 1]" : "]");
      names += comma + "\"" + name + end + "\": \"" + name + end + "\"";
      tensors += comma + tensor(name + end, "[" + graph.gates + columns);
    }
  }
  const std::string text =
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": )" +
      graph.shape + R"(, "dtype": "float32"}},
{"op": "placeholder", "name": "h", "target": "h", "meta": {"shape": )" +
      graph.state_shape + R"(, "dtype": "float32"}},
{"op": "call_module", "name": "y", "target": "m", "args": [{"node": "x"})" +
      graph.state + R"(]},
{"op": "output", "name": "output", "target": "output", "args": [)" +
      graph.result + R"(]}],
"modules": {"m": {"type": "torch.nn.)" +
      graph.type + R"(", "attrs": {"input_size": 2, "hidden_size": 1, )" + graph.settings +
      R"(}, "tensors": {)" + names + R"(}}}, "tensors": {)" + tensors + "}}";
  const Result<fx::Graph> read = fx::read_json(text, "test.fx.json");
  EXPECT_TRUE(read.ok()) << format_diagnostic(read.diagnostics()[0]);
  return from_fx(read.ok() ? read.value() : fx::Graph{}, {});
}

std::string recurrent_text(const RecurrentGraph& graph) {
  const Translation translation = recurrent(graph);
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  return print_module(translation.module).text;
}

std::string recurrent_error(const RecurrentGraph& graph) {
  const Translation translation = recurrent(graph);
  EXPECT_EQ(translation.diagnostics.size(), 1U);
  return translation.diagnostics.empty() ? "" : format_diagnostic(translation.diagnostics[0]);
}

bool includes(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

const std::string kBothDirections =
    R"("num_layers": 1, "bias": true, "batch_first": false, "bidirectional": true)";
constexpr const char* kPlain = R"("num_layers": 1, "nonlinearity": "tanh")";

TEST(Recurrent, AnLstmGivesItsOutputAndTwoStates) {
  const std::string text = recurrent_text({});
  EXPECT_TRUE(includes(text,
                       "-> R.Tuple(R.Tensor((3, 5, 1), dtype=\"float32\"), "
                       "R.Tuple(R.Tensor((1, 5, 1), dtype=\"float32\"), "
                       "R.Tensor((1, 5, 1), dtype=\"float32\"))):"))
      << text;
  EXPECT_EQ(count_of(text, "R.sigmoid("), 9U);  // three gates, three steps
  EXPECT_EQ(count_of(text, "R.tanh("), 6U);
  EXPECT_EQ(count_of(text, "R.zeros("), 1U);
}

TEST(Recurrent, TwoDirectionsLieBesideEachOther) {
  RecurrentGraph graph;
  graph.settings = kBothDirections;
  const std::string text = recurrent_text(graph);
  EXPECT_TRUE(includes(text,
                       "-> R.Tuple(R.Tensor((3, 5, 2), dtype=\"float32\"), "
                       "R.Tuple(R.Tensor((2, 5, 1), dtype=\"float32\"), "))
      << text;
}

TEST(Recurrent, ABatchMayBeSymbolicAndMayBeMissing) {
  RecurrentGraph graph;
  graph.shape = R"([3, "n", 2])";
  EXPECT_TRUE(includes(recurrent_text(graph), "R.Tuple(R.Tensor((3, n, 1), dtype=\"float32\")"));
  graph.shape = "[3, 2]";
  EXPECT_TRUE(includes(recurrent_text(graph), "R.Tuple(R.Tensor((3, 1), dtype=\"float32\")"));
}

TEST(Recurrent, ManyStepsAreCutAndJoinedInRounds) {
  RecurrentGraph graph;
  graph.shape = "[40, 5, 2]";
  const std::string text = recurrent_text(graph);
  EXPECT_TRUE(includes(text, "indices_or_sections=[16, 32], axis=0")) << text;
  EXPECT_EQ(count_of(text, "R.concat("), 4U);
}

TEST(Recurrent, RefusesASequenceOfUnknownLength) {
  RecurrentGraph graph;
  graph.shape = R"(["t", 5, 2])";
  const std::string error = recurrent_error(graph);
  EXPECT_TRUE(includes(error, "error[FX4002]: 'y' (torch.nn.LSTM): the length of the sequence"))
      << error;
}

TEST(Recurrent, RefusesLengthsThatCannotStandInAFunction) {
  RecurrentGraph graph;
  graph.shape = "[0, 5, 2]";
  EXPECT_TRUE(includes(recurrent_error(graph), "a sequence has a step at least"));
  graph.shape = "[1025, 5, 2]";
  graph.settings = kBothDirections;
  EXPECT_TRUE(includes(recurrent_error(graph), "more than 2048 steps"));
  graph.settings = R"("num_layers": 2147483648)";
  EXPECT_TRUE(includes(recurrent_error(graph), "more than 2048 steps"));
}

TEST(Recurrent, RefusesInputsOfOtherShapes) {
  RecurrentGraph graph;
  for (const char* shape : {"[2]", "[]", "[3, 5, 3]", R"([3, 5, "k"])", "[1, 3, 5, 2]"}) {
    graph.shape = shape;
    const std::string error = recurrent_error(graph);
    EXPECT_TRUE(includes(error, "the last of input_size=2, not the shape")) << error;
  }
}

TEST(Recurrent, RefusesStatesThatDoNotFit) {
  RecurrentGraph graph;
  graph.state = R"(, {"node": "h"})";
  EXPECT_TRUE(includes(recurrent_error(graph), "an LSTM's state is two tensors, (h_0, c_0)"));
  graph.state = R"(, [{"node": "h"}, null])";
  EXPECT_TRUE(includes(recurrent_error(graph), "the state c_0 has the shape"));
  graph.state = R"(, [{"node": "h"}, {"node": "h"}])";
  graph.state_shape = "[1, 4, 1]";
  EXPECT_TRUE(includes(recurrent_error(graph), "the state h_0 has the shape (1, 5, 1) here"));
}

TEST(Recurrent, RefusesSettingsThatItsClassDoesNotHave) {
  RecurrentGraph graph;
  for (const char* layers : {"0", "-1", "1.5", "4611686018427387904"}) {
    graph.settings = std::string(R"("num_layers": )") + layers;
    EXPECT_TRUE(includes(recurrent_error(graph), "error[FX4004]"));
  }
  graph.settings = R"("num_layers": 1, "proj_size": 1)";
  EXPECT_TRUE(includes(recurrent_error(graph), "proj_size=1 is not supported"));
  graph.type = "RNN", graph.gates = "1";
  graph.settings = R"("num_layers": 1, "nonlinearity": "gelu")";
  EXPECT_TRUE(includes(recurrent_error(graph), "nonlinearity is 'tanh' or 'relu'"));
}

TEST(Recurrent, RefusesWeightsThatAreMissingOrOfOtherShapes) {
  RecurrentGraph graph;
  graph.settings = R"("num_layers": 2)";
  EXPECT_TRUE(includes(recurrent_error(graph), "the module's tensor 'weight_ih_l1' is missing"));
  graph.type = "RNN", graph.settings = kPlain;
  const std::string error = recurrent_error(graph);
  EXPECT_TRUE(includes(error, "the tensor 'weight_ih_l0' has shape (4, 2)")) << error;
  graph.type = "GRUCell";
  EXPECT_TRUE(includes(recurrent_error(graph), "'input' has 2 axes") ||
              includes(recurrent_error(graph), "the input has 2 axes"));
}

TEST(Recurrent, RefusesPackedSequences) {
  const Result<fx::Graph> graph = fx::read_json(
      R"({"fx_graph": 1, "nodes": [
{"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": [3, 5, 2], "dtype": "float32"}},
{"op": "call_function", "name": "p", "target": "torch.nn.utils.rnn.pack_padded_sequence",
 "args": [{"node": "x"}, [3, 2, 2, 1, 1]]},
{"op": "output", "name": "output", "target": "output", "args": [{"node": "p"}]}],
"modules": {}, "tensors": {}})",
      "test.fx.json");
  ASSERT_TRUE(graph.ok());
  const Translation translation = from_fx(graph.value(), {});
  ASSERT_EQ(translation.diagnostics.size(), 1U);
  EXPECT_TRUE(includes(format_diagnostic(translation.diagnostics[0]), "pass the padded tensor"));
}

}  // namespace
}  // namespace fx2wasm
