#include "fx/read_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/diagnostic_codes.h"
#include "support/limits.h"

namespace fx2wasm::fx {
namespace {

namespace fs = std::filesystem;

fs::path cases_root() { return fs::path(FX2WASM_SOURCE_DIR) / "conformance" / "cases"; }

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string all_text(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += format_diagnostic(diagnostic) + "\n";
  return text;
}

// The fields of an expected.json; its values are plain enough for a search.
std::string text_field(const std::string& json, const std::string& key) {
  const std::string start = "\"" + key + "\": \"";
  const size_t begin = json.find(start);
  if (begin == std::string::npos) return "";
  const size_t from = begin + start.size();
  return json.substr(from, json.find('"', from) - from);
}

std::vector<std::string> mentions(const std::string& json) {
  std::vector<std::string> out;
  size_t at = json.find("\"mention\": [") + 12;
  const size_t end = json.find(']', at);
  while ((at = json.find('"', at)) < end) {
    const size_t close = json.find('"', at + 1);
    out.push_back(json.substr(at + 1, close - at - 1));
    at = close + 1;
  }
  return out;
}

Graph good(const std::string& text) {
  Result<Graph> graph = read_json(text, "g.json");
  EXPECT_TRUE(graph.ok()) << (graph.ok() ? "" : all_text(graph.diagnostics()));
  return graph.ok() ? std::move(graph).value() : Graph{};
}

Diagnostics refused(const std::string& text) {
  const Result<Graph> graph = read_json(text, "g.json");
  EXPECT_FALSE(graph.ok()) << text.substr(0, 200);
  return graph.ok() ? Diagnostics{} : graph.diagnostics();
}

// A graph whose one call has these arguments.
std::string with_args(const std::string& args, const std::string& kwargs = "{}") {
  return R"({"fx_graph": 1, "nodes": [
  {"op": "placeholder", "name": "x", "target": "x",
   "meta": {"shape": [2, "n"], "dtype": "float32"}},
  {"op": "call_function", "name": "f", "target": "torch.f", "args": )" +
         args + R"(, "kwargs": )" + kwargs + R"(},
  {"op": "output", "name": "output", "target": "output", "args": [{"node": "f"}]}]})";
}

TEST(ReadJson, RefusesEveryInvalidCaseWithItsPlace) {
  int refusals = 0;
  for (const auto& entry : fs::directory_iterator(cases_root() / "invalid")) {
    const std::string expected = read_file(entry.path() / "expected.json");
    const std::string stage = text_field(expected, "stage");
    SCOPED_TRACE(entry.path().filename().string());
    const Result<Graph> graph = read_json(read_file(entry.path() / "graph.fx.json"), "g.fx.json");
    if (stage == "translate" || stage == "run") {
      EXPECT_TRUE(graph.ok()) << (graph.ok() ? "" : all_text(graph.diagnostics()));
      continue;
    }
    ++refusals;
    ASSERT_FALSE(graph.ok());
    const std::string text = all_text(graph.diagnostics());
    for (const std::string& mention : mentions(expected)) {
      EXPECT_NE(lower(text).find(lower(mention)), std::string::npos) << mention << " in\n" << text;
    }
    const std::string node = text_field(expected, "node");
    bool names_node = node.empty();
    for (const Diagnostic& diagnostic : graph.diagnostics()) {
      EXPECT_GT(diagnostic.place.line, 0) << text;
      EXPECT_GT(diagnostic.place.column, 0) << text;
      EXPECT_EQ(diagnostic.place.file, "g.fx.json");
      names_node = names_node || diagnostic.place.fx_node == node;
    }
    EXPECT_TRUE(names_node) << text;
    const std::string_view range = stage == "json" ? "FX1" : stage == "schema" ? "FX2" : "FX3";
    EXPECT_EQ(graph.diagnostics().front().code.substr(0, 3), range) << text;
  }
  EXPECT_EQ(refusals, 37);
}

TEST(ReadJson, AcceptsEveryOtherCase) {
  int accepted = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cases_root())) {
    const fs::path& path = entry.path();
    if (path.filename() != "graph.fx.json") continue;
    if (path.parent_path().parent_path().filename() == "invalid") continue;
    const Result<Graph> graph = read_json(read_file(path), path.string());
    EXPECT_TRUE(graph.ok()) << all_text(graph.ok() ? Diagnostics{} : graph.diagnostics());
    ++accepted;
  }
  EXPECT_GT(accepted, 0);
}

TEST(ReadJson, ReadsEveryArgumentForm) {
  const Graph graph = good(with_args(
      R"([null, true, 1, 1.0, 1e3, "s", [1, [2, {"node": "x"}]], {"node": "x"},
      {"slice": [null, 3, {"node": "x"}]}, {"ellipsis": true}, {"dtype": "bfloat16"},
      {"device": "cuda:0"}, {"memory_format": "channels_last"}, {"layout": "strided"},
      {"float": "inf"}, {"float": "-inf"}, {"float": "nan"}, {"dict": {"b": 1, "a": {"node": "x"}}},
      -9223372036854775808, 9223372036854775807])",
      R"({"alpha": 2})"));
  ASSERT_EQ(graph.nodes.size(), 3U);
  const Node& call = graph.nodes[1];
  std::string printed;
  for (const Argument& argument : call.args) printed += print_argument(argument) + "|";
  EXPECT_EQ(
      printed,
      "None|True|1|1.0|1000.0|s|(1, (2, %x))|%x|slice(None, 3, x)|Ellipsis|torch.bfloat16|cuda:0|"
      "torch.channels_last|torch.strided|inf|-inf|nan|{b: 1, a: %x}|-9223372036854775808|"
      "9223372036854775807|");
  EXPECT_TRUE(std::holds_alternative<int64_t>(call.args[2].value));
  EXPECT_TRUE(std::holds_alternative<double>(call.args[3].value));
  ASSERT_EQ(call.kwargs.size(), 1U);
  EXPECT_EQ(call.kwargs[0].first, "alpha");
  const ByteRange range = call.args[3].range;
  EXPECT_EQ(graph.text.substr(range.begin, range.end - range.begin), "1.0");
}

TEST(ReadJson, KeepsSymbolicSizesAndPlaces) {
  const Graph graph = good(with_args(R"([{"node": "x"}])"));
  const Node* x = find_node(graph, "x");
  ASSERT_TRUE(x != nullptr && x->meta.has_value());
  EXPECT_EQ(std::get<int64_t>(x->meta->shape[0]), 2);
  EXPECT_EQ(std::get<std::string>(x->meta->shape[1]), "n");
  EXPECT_EQ(x->number, 1);
  const Node* call = find_node(graph, "f");
  const Place place = place_in(graph, call->args[0].range, call->name);
  EXPECT_EQ(place.line, 4);
  EXPECT_EQ(place.column, 70);
  EXPECT_EQ(place.fx_node, "f");
}

TEST(ReadJson, ReadsModulesTensorsAndTies) {
  const Graph graph = good(R"({"fx_graph": 1, "name": "M", "weights": "m.safetensors", "nodes": [
    {"op": "placeholder", "name": "k", "target": "k", "args": [3]},
    {"op": "get_attr", "name": "tied", "target": "head.weight", "tensor": "embed.weight"},
    {"op": "call_module", "name": "l", "target": "l", "args": [{"node": "tied"}]},
    {"op": "output", "name": "output", "target": "output", "args": [[{"node": "l"}]]}],
    "modules": {"l": {"type": "torch.nn.Linear", "attrs": {"in_features": 2, "p": 0.5},
                      "tensors": {"weight": "embed.weight", "mask": "m"}}},
    "tensors": {"embed.weight": {"shape": [1, 2], "dtype": "float32", "data": "AACAPwAAAMA="},
                "m": {"shape": [3], "dtype": "bool", "kind": "buffer", "data": "AAEC"},
                "c": {"shape": [0, 4], "dtype": "int64", "kind": "constant", "data": ""},
                "s": {"shape": [], "dtype": "float16"}}})");
  ASSERT_EQ(graph.tensors.size(), 4U);
  EXPECT_EQ(graph.weights, "m.safetensors");
  EXPECT_EQ(find_node(graph, "tied")->tensor, "embed.weight");
  const Module* module = find_module(graph, "l");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->tensors[0].second, "embed.weight");
  const Tensor* weight = find_tensor(graph, "embed.weight");
  float values[2];
  std::memcpy(values, weight->data->bytes.data(), sizeof values);
  EXPECT_EQ(values[0], 1.0F);
  EXPECT_EQ(values[1], -2.0F);
  EXPECT_EQ(find_tensor(graph, "m")->kind, TensorKind::Buffer);
  EXPECT_EQ(find_tensor(graph, "m")->data->bytes[2], std::byte{1});
  EXPECT_EQ(find_tensor(graph, "c")->kind, TensorKind::Constant);
  EXPECT_EQ(find_tensor(graph, "s")->data, nullptr);
}

TEST(ReadJson, ReportsAllErrorsAtOnceInOrder) {
  const Diagnostics problems = refused(R"({"fx_graph": 1, "nodes": [
 {"op": "placeholder", "name": "x", "target": "x", "meta": {"shape": [1.5], "dtype": "flot32"}},
 {"op": "call_module", "name": "l", "target": "linear", "args": [{"node": "y"}]},
 {"op": "call_function", "name": "f", "target": "torch.f", "arg": []},
 {"op": "output", "name": "output", "target": "output", "args": [{"node": "l"}]}]})");
  ASSERT_EQ(problems.size(), 5U) << all_text(problems);
  EXPECT_EQ(problems[0].code, codes::kSchemaDimension);
  EXPECT_EQ(problems[1].code, codes::kSchemaDtype);
  EXPECT_EQ(problems[2].code, codes::kGraphModuleMissing);
  EXPECT_EQ(problems[3].code, codes::kGraphUnknownNode);
  EXPECT_EQ(problems[4].code, codes::kSchemaUnknownField);
  EXPECT_NE(problems[4].message.find("did you mean 'args'"), std::string::npos);
}

TEST(ReadJson, CountsColumnsInCodePoints) {
  const Diagnostics problems =
      refused("{\"fx_graph\": 1, \"nodes\": [],\n \"näme€😀\": 1, \"x\": 1 1}");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].place.line, 2);
  EXPECT_EQ(problems[0].place.column, 22);
}

TEST(ReadJson, SuggestsTheNodeThatWasMeant) {
  const Diagnostics problems = refused(R"({"fx_graph": 1, "nodes": [
 {"op": "placeholder", "name": "linear0", "target": "x", "meta": {"shape": [1], "dtype": "int8"}},
 {"op": "output", "name": "output", "target": "output", "args": [{"node": "liner0"}]}]})");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].message.find("did you mean 'linear0'?"), std::string::npos);
}

struct Refusal {
  std::string text;
  std::string_view code;
  std::string mention;
};

TEST(ReadJson, RefusesWhatJsonOrTheFormatForbids) {
  const std::vector<Refusal> refusals = {
      {R"({"fx_graph": 1, "fx_graph": 1})", codes::kJsonDuplicateKey, "'fx_graph' stands twice"},
      {with_args("[9223372036854775808]"), codes::kJsonNumberRange, "'9223372036854775808'"},
      {with_args("[-9223372036854775809]"), codes::kJsonNumberRange, "64 bits"},
      {with_args("[-Infinity]"), codes::kJsonSyntax, "JSON has no -Infinity"},
      {with_args("[None]"), codes::kJsonSyntax, "JSON writes null"},
      {with_args("['s']"), codes::kJsonSyntax, "single quotes"},
      {with_args("[1,]"), codes::kJsonSyntax, "behind a comma"},
      {with_args("[01]"), codes::kJsonSyntax, "line 4, column 70"},
      {with_args("[1 // one\n]"), codes::kJsonSyntax, "no comments"},
      {with_args("[\"a\nb\"]"), codes::kJsonSyntax, "control character"},
      {with_args("[\"\xC3(\"]"), codes::kJsonSyntax, "UTF-8"},
      {with_args("[\"\\ud800\"]"), codes::kJsonSyntax, "surrogate"},
      {with_args(std::string("[\0]", 3)), codes::kJsonSyntax, "NUL"},
      {"class M(torch.nn.Module):", codes::kNotFxJson, "Python"},
      {"PK\x03\x04", codes::kNotFxJson, "archive"},
      {"\"{}\"", codes::kNotFxJson, "begins with '{'"},
      {"{}", codes::kSchemaMissingField, "fx_graph"},
      {R"({"fx_graph": 1.0, "nodes": []})", codes::kSchemaVersion, "1.0"},
      {with_args("{}"), codes::kSchemaFieldType, "array"},
      {with_args("[{}]"), codes::kSchemaArgument, "one key"},
      {with_args(R"([{"slice": [1, 2]}])"), codes::kSchemaArgument, "start, stop and step"},
      {with_args(R"([{"slice": [1, 2, 1.5]}])"), codes::kSchemaArgument, "float 1.5"},
      {with_args(R"([{"ellipsis": false}])"), codes::kSchemaArgument, "true"},
      {with_args(R"([{"float": "1.5"}])"), codes::kSchemaArgument, "nan"},
      {with_args(R"([{"dtype": "complex64"}])"), codes::kSchemaDtype, "complex"},
      {with_args(R"([{"memory_format": "chanels_last"}])"), codes::kSchemaArgument,
       "mean 'channels"},
      {with_args(R"([{"dict": [1]}])"), codes::kSchemaArgument, "object"},
      {with_args(R"([{"dict": {"a": {"node": "gone"}}}])"), codes::kGraphUnknownNode, "gone"},
  };
  for (const Refusal& refusal : refusals) {
    SCOPED_TRACE(refusal.text);
    const Diagnostics problems = refused(refusal.text);
    ASSERT_FALSE(problems.empty());
    EXPECT_EQ(problems[0].code, refusal.code) << all_text(problems);
    EXPECT_NE(all_text(problems).find(refusal.mention), std::string::npos) << all_text(problems);
  }
}

TEST(ReadJson, EndsTheListOfErrors) {
  std::string args = "[";
  for (int i = 0; i < 5000; ++i) args += "{\"node\": \"gone\"},";
  const Diagnostics problems = refused(with_args(args + "1]"));
  EXPECT_EQ(problems.size(), limits::kMaxDiagnostics);
}

TEST(ReadJson, ReadsTextsOfFiftyMegabytes) {
  constexpr size_t kGroups = 12'000'000;  // of four letters
  std::string text = R"({"fx_graph": 1, "nodes": [
    {"op": "output", "name": "output", "target": "output", "args": [null]}], "tensors": {"w": {
    "shape": [9000000], "dtype": "float32", "data": ")";
  text.reserve(text.size() + kGroups * 4 + 2'100'000);
  for (size_t i = 0; i < kGroups; ++i) text += "AACA";
  text += "\"}}";
  text.append(2'000'000, '\n');
  text += "}";
  ASSERT_GE(text.size(), 50'000'000U);
  const Graph graph = good(text);
  ASSERT_EQ(graph.tensors.size(), 1U);
  ASSERT_NE(graph.tensors[0].data, nullptr);
  EXPECT_EQ(graph.tensors[0].data->bytes.size(), kGroups * 3);
  EXPECT_EQ(graph.tensors[0].data->bytes.back(), std::byte{0x80});
}

}  // namespace
}  // namespace fx2wasm::fx
