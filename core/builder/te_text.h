// Tensor expressions in words, for the steps.
#pragma once

#include <string>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm {

// `A = te.placeholder((1, 784), "float32")`
std::string describe_placeholder(const te::Tensor& tensor);

// One line per result: `relu[i0, i1] = T.max(A[i0, i1], T.float32(0.0))`,
// `matmul[i, j] = sum over k of A[i, k] * B[k, j]`.
std::string describe_compute(const te::Operation& op);

// The computed operations that these tensors need, those first on which others build.
std::vector<te::Operation> computes_of(const std::vector<te::Tensor>& outputs);

}  // namespace fx2wasm
