// LegalizeOps: every Relax operator that has a tensor expression becomes a call_tir to a PrimFunc.
#pragma once

#include "builder/block_builder.h"
#include "ir/module.h"
#include "support/result.h"

namespace fx2wasm {

// TVM's LegalizeOps: functions get topi's names, equal ones are shared, 0-d constants become
// immediates. Operators without a tensor expression stay. Bindings keep their Origin.
Result<IRModule> legalize_ops(const IRModule& module);

// What is compiled: the same, and functions of our own for the operators that TVM leaves to a
// library (argsort, topk, cumsum, cumprod), or whose function does not keep to PyTorch in corners
// that the text of TVM fixes (the largest of elements that are all -inf, NaN among boundaries).
Result<IRModule> legalize_to_compile(const IRModule& module);

}  // namespace fx2wasm
