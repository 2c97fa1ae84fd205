// What main does, as a list of calls on regions of memory: read from the Relax function (or one
// PrimFunc alone), then laid out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module.h"
#include "plan/library_kernels.h"
#include "support/result.h"

namespace fx2wasm::wasm {

enum class RegionKind { Input, Weight, Packed, Arena };  // Packed: computed once, by init

// The memory of one tensor.
struct Region {
  std::string name;
  DType dtype = DType::Float32;
  std::vector<tir::PrimExpr> extents;  // over Program::symbols
  std::vector<int64_t> shape;          // the same as numbers; empty when one is symbolic
  bool symbolic = false;               // then `bytes` and `offset` are known to plan() only
  RegionKind kind = RegionKind::Arena;
  TensorDataRef data;       // of a weight
  int first = 0, last = 0;  // steps at which the tensor must be there (Arena)
  uint64_t bytes = 0;
  uint64_t offset = 0;  // address, once laid out
  std::vector<int> fx_nodes;
};

struct KernelCall {
  std::string name;    // of the PrimFunc, or the library symbol
  tir::PrimFunc func;  // null for a library kernel
  const LibraryKernel* kernel = nullptr;
  std::vector<size_t> regions;         // one per buffer parameter, in order; library: result,
                                       // then arguments
  std::vector<tir::PrimExpr> scalars;  // values of the PrimFunc's scalar parameters, in order
  std::vector<tir::PrimExpr> sizes;    // of the symbols, or the library kernel's
  std::vector<int> fx_nodes;
  bool in_init = false;  // depends on no input: done once
  // Scalars that are inputs: (position among the function's scalars, region).
  std::vector<std::pair<size_t, size_t>> scalar_inputs;
};

// A tensor of the interface: `key` is its name in safetensors files, "input.0".
struct Port {
  std::string key;
  std::string name;
  size_t region = 0;
};

// A size that is known when the model runs: the extent of an input along an axis.
struct SizeSymbol {
  tir::Var var;
  size_t input = 0;  // position in Program::inputs
  size_t axis = 0;
};

struct Program {
  std::vector<SizeSymbol> symbols;
  std::vector<Region> regions;
  std::vector<KernelCall> calls;
  std::vector<Port> inputs, outputs, intermediates;
};

// Fails with FX7003 on what is not legalised, on a shape that the inputs' extents don't give, and
// names every constant whose weight is missing.
Result<Program> read_program(const IRModule& module, bool keep_intermediates);

}  // namespace fx2wasm::wasm
