#include "cli/commands.h"

#include <cstdio>

#include "cli/files.h"
#include "cli/input.h"
#include "fx/safetensors.h"
#include "interp/interp.h"
#include "ir/match.h"
#include "print/tvmscript.h"
#include "report/report.h"
#include "support/diagnostic_codes.h"
#include "transform/legalize.h"

namespace fx2wasm::cli {
namespace {

void print_line(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

Result<Unit> translate(const Options& options) {
  FX_TRY(loaded, load(options));
  print_line(loaded.func ? print_prim_func(loaded.func).text : print_module(loaded.module).text);
  return Unit{};
}

Result<Unit> steps(const Options& options) {
  const LoadedSteps loaded = load_steps(options);
  for (const Step& step : loaded.steps) print_line(report::step_line(step));
  if (has_errors(loaded.diagnostics)) return loaded.diagnostics;
  return Unit{};
}

// The numbers of the FX nodes that --library names.
Result<std::vector<int>> library_numbers(const fx::Graph& graph, const Options& options) {
  std::vector<int> numbers;
  for (const std::string& name : options.library_nodes) {
    const fx::Node* node = fx::find_node(graph, name);
    if (!node) {
      return error_at({graph.file, 0, 0, name}, codes::kUsage,
                      "--library names " + name + ", which is no node of the graph");
    }
    numbers.push_back(node->number);
  }
  return numbers;
}

Result<IRModule> module_to_compile(const Loaded& loaded, const Options& options) {
  if (loaded.func) return wasm::module_of(loaded.func);
  IRModule module = loaded.module;
  if (loaded.graph && !options.library_nodes.empty()) {
    FX_TRY(numbers, library_numbers(*loaded.graph, options));
    FX_TRY(dispatched, wasm::dispatch_to_library(module, numbers));
    module = std::move(dispatched);
  }
  return legalize_to_compile(module);
}

Result<Unit> compile(const Options& options) {
  FX_TRY(loaded, load(options));
  FX_TRY(module, module_to_compile(loaded, options));
  wasm::CompileOptions how = options.compile;
  how.weights_inside = options.weights_out.empty();
  if (options.print == "tensorir") print_line(print_module(module).text);
  FX_TRY(compiled, wasm::compile(module, how));
  if (options.print == "wat") print_line(wasm::disassemble(compiled, "").text);
  FX_TRY(written, write_file(options.output, compiled.binary));
  (void)written;
  if (!options.weights_out.empty()) {
    return write_file(options.weights_out, fx::write_safetensors(compiled.weights));
  }
  return Unit{};
}

// input.0, input.1, … in order; the first gap ends them.
std::vector<TensorDataRef> numbered(const std::vector<NamedTensor>& tensors,
                                    const std::string& prefix) {
  std::vector<TensorDataRef> found;
  for (size_t i = 0;; ++i) {
    const std::string name = prefix + std::to_string(i);
    TensorDataRef data;
    for (const NamedTensor& tensor : tensors) {
      if (tensor.name == name) data = tensor.data;
    }
    if (!data) return found;
    found.push_back(std::move(data));
  }
}

Result<Unit> run(const Options& options) {
  FX_TRY(loaded, load(options));
  FX_TRY(bytes, read_file(options.inputs));
  FX_TRY(tensors, fx::read_safetensors(as_bytes(bytes), options.inputs));
  const std::vector<TensorDataRef> inputs = numbered(tensors, "input.");
  FX_TRY(outputs, loaded.func ? interp::run_prim_func(loaded.func, inputs)
                              : interp::run_main(loaded.module, inputs));
  std::vector<NamedTensor> named;
  // A PrimFunc's tensors are numbered by their parameters, outputs behind the inputs.
  const size_t first = loaded.func ? inputs.size() : 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    named.push_back({"output." + std::to_string(first + i), outputs[i]});
  }
  return write_file(options.outputs, fx::write_safetensors(named));
}

}  // namespace

Result<Unit> execute(const Options& options) {
  switch (options.command) {
    case Command::Translate:
    case Command::Te:
      return translate(options);
    case Command::Steps:
      return steps(options);
    case Command::Compile:
      return compile(options);
    case Command::Run:
      return run(options);
    case Command::Help:
      print_line(usage());
      return Unit{};
    case Command::Version:
      print_line("fx2wasm 0.1.0");
      return Unit{};
  }
  return Unit{};
}

}  // namespace fx2wasm::cli
