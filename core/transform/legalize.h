// LegalizeOps: every Relax operator that has a tensor expression becomes a call_tir to a PrimFunc.
#pragma once

#include "ir/module.h"
#include "support/result.h"

namespace fx2wasm {

// TVM's LegalizeOps: functions get topi's names, equal ones are shared, 0-d constants become
// immediates. Operators without a tensor expression stay. Bindings keep their Origin.
Result<IRModule> legalize_ops(const IRModule& module);

}  // namespace fx2wasm
