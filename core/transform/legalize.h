// LegalizeOps: every Relax operator that has a tensor expression becomes a call_tir to a PrimFunc.
#pragma once

#include "builder/block_builder.h"
#include "ir/module.h"
#include "support/result.h"

namespace fx2wasm {

// TVM's LegalizeOps: functions get topi's names, equal ones are shared, 0-d constants become
// immediates. Operators without a tensor expression stay. Bindings keep their Origin.
// What is going to run takes Numerics::Exact.
Result<IRModule> legalize_ops(const IRModule& module, Numerics numerics = Numerics::Tvm);

}  // namespace fx2wasm
