// How long each phase of the compiler takes on the examples, steps and spans recorded: read,
// translate, legalise, print, compile.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <string>

#include "compile.h"
#include "fx/read_json.h"
#include "fx/safetensors.h"
#include "print/tvmscript.h"
#include "support/check.h"
#include "transform/legalize.h"
#include "translate/from_fx.h"

namespace {

using namespace fx2wasm;

std::string read_text(const std::string& path) {
  std::ifstream file(std::string(FX2WASM_SOURCE_DIR "/") + path, std::ios::binary);
  FX_CHECK(file.good(), "a benchmark's input is missing");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Input {
  std::string text;
  fx::Graph graph;
};

// The graph with its weights; `name` is a folder of examples/.
Input load_example(const std::string& name) {
  const std::string stem = "examples/" + name + "/" + name;
  Input input{read_text(stem + ".fx.json"), {}};
  auto graph = fx::read_json(input.text, name);
  FX_CHECK(graph.ok(), "a benchmark's graph is refused");
  input.graph = std::move(graph.value());
  const std::string weights = read_text(stem + ".safetensors");
  const auto tensors =
      fx::read_safetensors(std::as_bytes(std::span(weights.data(), weights.size())), name);
  FX_CHECK(tensors.ok(), "a benchmark's weights are refused");
  FX_CHECK(fx::attach_weights(input.graph, tensors.value(), name).ok(), "weights do not fit");
  return input;
}

IRModule translated(const Input& input, Emission ops) {
  TranslateOptions options;
  options.ops = ops;
  options.params = ParamsMode::Inline;
  Translation translation = from_fx(input.graph, options);
  FX_CHECK(translation.ok(), "a benchmark's graph does not translate");
  return std::move(translation.module);
}

IRModule legalized(const Input& input) {
  auto module = legalize_ops(translated(input, Emission::RelaxOperators));
  FX_CHECK(module.ok(), "a benchmark's module does not legalise");
  return std::move(module.value());
}

void read(benchmark::State& state, const std::string& name) {
  const Input input = load_example(name);
  for (auto _ : state) benchmark::DoNotOptimize(fx::read_json(input.text, name));
}

void translate(benchmark::State& state, const std::string& name, Emission ops) {
  const Input input = load_example(name);
  for (auto _ : state) benchmark::DoNotOptimize(translated(input, ops));
}

void legalize(benchmark::State& state, const std::string& name) {
  const IRModule module = translated(load_example(name), Emission::RelaxOperators);
  for (auto _ : state) benchmark::DoNotOptimize(legalize_ops(module));
}

void print(benchmark::State& state, const std::string& name) {
  const IRModule module = legalized(load_example(name));
  for (auto _ : state) benchmark::DoNotOptimize(print_module(module));
}

void compile(benchmark::State& state, const std::string& name, wasm::Simd simd) {
  const IRModule module = legalized(load_example(name));
  wasm::CompileOptions options;
  options.simd = simd;
  for (auto _ : state) benchmark::DoNotOptimize(wasm::compile(module, options));
}

// A graph of conformance/cases, weights as parameters: what `generate.py --time` does with TVM.
fx::Graph load_case(const std::string& name) {
  auto graph = fx::read_json(read_text("conformance/cases/" + name + "/graph.fx.json"), name);
  FX_CHECK(graph.ok(), "a benchmark's graph is refused");
  return std::move(graph.value());
}

Translation translate_case(const fx::Graph& graph) {
  Translation translation = from_fx(graph, {});
  FX_CHECK(translation.ok(), "a benchmark's graph does not translate");
  return translation;
}

void case_from_fx(benchmark::State& state, const std::string& name) {
  const fx::Graph graph = load_case(name);
  for (auto _ : state) benchmark::DoNotOptimize(translate_case(graph));
}

// from_fx, LegalizeOps, and both modules printed; steps and spans are recorded.
void case_whole(benchmark::State& state, const std::string& name) {
  const fx::Graph graph = load_case(name);
  for (auto _ : state) {
    const Translation translation = translate_case(graph);
    const auto legal = legalize_ops(translation.module);
    FX_CHECK(legal.ok(), "a benchmark's module does not legalise");
    benchmark::DoNotOptimize(print_module(translation.module));
    benchmark::DoNotOptimize(print_module(legal.value()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string name : {"mlp", "cnn"}) {
    const auto add = [&name](const char* phase, auto function) {
      benchmark::RegisterBenchmark((std::string(phase) + "/" + name).c_str(), function)
          ->Unit(benchmark::kMicrosecond);
    };
    using State = benchmark::State;
    add("read", [name](State& s) { read(s, name); });
    add("from_fx, Relax operators",
        [name](State& s) { translate(s, name, Emission::RelaxOperators); });
    add("from_fx, emit_te", [name](State& s) { translate(s, name, Emission::EmitTe); });
    add("legalise", [name](State& s) { legalize(s, name); });
    add("print", [name](State& s) { print(s, name); });
    add("compile simd128", [name](State& s) { compile(s, name, wasm::Simd::Simd128); });
  }
  for (const std::string name : {"vision/resnet18", "vision/mobilenet_v2", "gpt/small"}) {
    benchmark::RegisterBenchmark(("from_fx/" + name).c_str(), case_from_fx, name)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("from_fx, legalise, print/" + name).c_str(), case_whole, name)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
