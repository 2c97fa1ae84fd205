// Running one PrimFunc on tensors, in destination-passing style.
#pragma once

#include <string>
#include <vector>

#include "interp/scalar.h"
#include "ir/tir.h"
#include "support/result.h"
#include "support/tensor_data.h"

namespace fx2wasm::interp {

// The arguments of a call: input tensors for the first buffer parameters, the shapes of the outputs
// for the others (empty: they follow from the inputs' sizes), and values for the scalar parameters.
struct PrimFuncCall {
  std::vector<TensorDataRef> inputs;
  std::vector<std::vector<int64_t>> output_shapes;
  std::vector<Scalar> scalars;
};

// Gives the outputs in parameter order. Fails (FX7001) when an input does not fit its parameter.
Result<std::vector<TensorDataRef>> call_prim_func(const std::string& name,
                                                  const tir::PrimFunc& func,
                                                  const PrimFuncCall& call);

}  // namespace fx2wasm::interp
