// The reference interpreter: slow, obvious, and right. Two oracles that share no operator code:
// Relax operators directly (in double and int64, rounded once to the tensor's dtype), and TensorIR
// statement by statement.
#pragma once

#include <vector>

#include "ir/module.h"
#include "support/result.h"
#include "support/tensor_data.h"

namespace fx2wasm::interp {

// Runs the module's main function on its inputs, in parameter order. Tuples in the result are
// flattened in order; results that are no tensor are left out. Fails (FX7001) when an input's
// number, shape or dtype does not fit, when a constant has no data, or (FX7002) on an operator that
// has no evaluator.
Result<std::vector<TensorDataRef>> run_main(const IRModule& module,
                                            const std::vector<TensorDataRef>& inputs);

// Runs one PrimFunc: `args` are its input tensors in parameter order, outputs left out (parameters
// that are written are outputs). Gives the outputs.
Result<std::vector<TensorDataRef>> run_prim_func(const tir::PrimFunc& func,
                                                 const std::vector<TensorDataRef>& inputs);

}  // namespace fx2wasm::interp
