// One PrimFunc → one WebAssembly function.
//
// Its parameters: for each parameter of the PrimFunc, in order, the address of a buffer (i32) or a
// scalar's value; then the symbols that only shapes use, each an i32; then, when the function needs
// workspace, its address. Addresses are multiples of 16. Nothing is returned.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "encode/module.h"
#include "ir/tir.h"
#include "lower/math.h"
#include "lower/options.h"
#include "support/result.h"

namespace fx2wasm::wasm {

struct LoweredFunction {
  uint32_t index = 0;             // in the function index space
  std::vector<tir::Var> symbols;  // the extra parameters, in order
  uint64_t workspace_bytes = 0;   // for buffers that the function allocates
  // What those of symbolic shape need behind them, over `symbols` and the integer parameters; or
  // null.
  tir::PrimExpr symbolic_bytes;
};

// Adds the function to the module (after any helper it calls). Fails with FX7003 on what cannot be
// lowered: a buffer too large for a 32-bit memory, or whose shape is not one of sizes.
Result<LoweredFunction> lower_prim_func(Module& module, MathFunctions& math,
                                        const std::string& name, const tir::PrimFunc& func,
                                        const LowerOptions& options);

}  // namespace fx2wasm::wasm
