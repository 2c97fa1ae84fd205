// The elements of a concrete tensor: weights, inputs, outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/dtype.h"

namespace fx2wasm {

// Row-major, little-endian, densely packed. Shared and immutable once built, so that a module, its
// snapshots and its Wasm image hold the weights once.
struct TensorData {
  DType dtype = DType::Float32;
  std::vector<int64_t> shape;
  std::vector<std::byte> bytes;
};
using TensorDataRef = std::shared_ptr<const TensorData>;

// Number of elements: the product of the dimensions, 1 for a scalar.
int64_t element_count(const std::vector<int64_t>& shape);

// A tensor of these bytes, whose number must be what shape and dtype take. Non-zero bytes of a bool
// become 1, so that equal tensors have equal bytes.
TensorDataRef make_tensor_data(DType dtype, std::vector<int64_t> shape,
                               std::vector<std::byte> bytes);

struct NamedTensor {
  std::string name;
  TensorDataRef data;
};

}  // namespace fx2wasm
