// FX JSON → Relax → TensorIR → Wasm, in both ways of translating: every text gives a module or
// diagnostics. An internal error, a crash or ten seconds of work is a finding.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "compile.h"
#include "fuzz/words.h"
#include "fx/read_json.h"
#include "fx/safetensors.h"
#include "print/tvmscript.h"
#include "support/check.h"
#include "transform/legalize.h"
#include "translate/from_fx.h"

namespace {

using namespace fx2wasm;

void compile_as(const fx::Graph& graph, Emission ops) {
  TranslateOptions options;
  options.ops = ops;
  options.emit_te = LegalizeMode::Complete;
  // As the command line does, which refuses to inline weights that it has not.
  const bool has_weights = fx::missing_weights(graph).empty();
  options.params = has_weights ? ParamsMode::Inline : ParamsMode::Inputs;
  const Translation translation = from_fx(graph, options);
  if (!translation.ok()) return;
  FX_CHECK(!print_module(translation.module).text.empty(), "a module prints as nothing");
  const Result<IRModule> legalized = legalize_to_compile(translation.module);
  if (!legalized.ok()) return;
  const Result<wasm::CompiledModule> compiled = wasm::compile(legalized.value(), {});
  FX_CHECK(!compiled.ok() || !compiled.value().binary.empty(), "a compiled module has no bytes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Result<fx::Graph> graph = fx::read_json(std::string(data, data + size), "fuzzed.fx.json");
  if (!graph.ok()) return 0;
  compile_as(graph.value(), Emission::RelaxOperators);
  compile_as(graph.value(), Emission::EmitTe);
  return 0;
}
