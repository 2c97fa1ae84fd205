// IRModule → one WebAssembly module: memory plan, weights, a function per PrimFunc, main
// (docs/abi.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module.h"
#include "lower/options.h"
#include "print/tvmscript.h"
#include "support/result.h"

namespace fx2wasm::wasm {

struct CompileOptions {
  Simd simd = Simd::Simd128;
  bool schedule = true;             // off: the loops as they print
  bool keep_intermediates = false;  // every Relax binding's tensor stays readable after main
  bool weights_inside = true;  // off: weights are left to a side file (CompiledModule::weights)
};

struct CompiledFunction {
  std::string name;
  size_t code_begin = 0;  // byte range of the function's body in the binary
  size_t code_end = 0;
  std::vector<int> fx_nodes;
  std::string library;  // the kernel's global symbol when the call goes to library.wasm
};

// Where the code of a TensorIR block begins: `offset` counts bytes of the binary.
struct CodeLabel {
  size_t offset = 0;
  std::string block;
  std::vector<int> fx_nodes;
};

struct CompiledModule {
  std::vector<std::byte> binary;
  std::vector<NamedTensor> weights;  // when they are outside: what the side file must hold
  std::vector<CompiledFunction> functions;
  bool needs_library = false;
  size_t weight_bytes = 0, arena_bytes = 0, total_bytes = 0;
  std::vector<CodeLabel> labels;
};

// The module must be legalised: every binding of main is a call_tir, a call_dps_packed, a tuple, a
// projection or an alias. What cannot be compiled is FX7003 at its FX node's name.
Result<CompiledModule> compile(const IRModule& module, const CompileOptions& options);

// Replaces operators of the named FX nodes by library kernels where one exists
// (`R.call_dps_packed("fx2wasm.dense", …)`), before legalisation; the others stay.
Result<IRModule> dispatch_to_library(const IRModule& module, const std::vector<int>& fx_nodes);

// A module of one PrimFunc alone (a tensor-expression program). compile() makes its parameters the
// interface: `input.N` or, when it is written, `output.N` with N its position.
Result<IRModule> module_of(const tir::PrimFunc& func);

// Our own listing of a function's code with byte offsets, spans marking its instructions' origin;
// an empty name lists the whole module.
PrintedText disassemble(const CompiledModule& compiled, std::string_view function_name);

}  // namespace fx2wasm::wasm
