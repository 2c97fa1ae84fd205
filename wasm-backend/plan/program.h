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
  std::vector<int64_t> shape;
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
  std::vector<size_t> regions;   // one per buffer parameter, in order; library: result,
                                 // then arguments
  std::vector<int64_t> scalars;  // values of the PrimFunc's scalar parameters, in order
  std::vector<int64_t> sizes;    // of the symbols, or the library kernel's
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

struct Program {
  std::vector<Region> regions;
  std::vector<KernelCall> calls;
  std::vector<Port> inputs, outputs, intermediates;
};

// Fails with FX7003 on what is not legalised or symbolic, and names every constant whose weight is
// missing.
Result<Program> read_program(const IRModule& module, bool keep_intermediates);

}  // namespace fx2wasm::wasm
