#include "support/tensor_data.h"

#include "support/check.h"

namespace fx2wasm {

int64_t element_count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

TensorDataRef make_tensor_data(DType dtype, std::vector<int64_t> shape,
                               std::vector<std::byte> bytes) {
  FX_CHECK(element_count(shape) * dtype_bytes(dtype) == static_cast<int64_t>(bytes.size()),
           "a tensor's bytes are not what its shape takes");
  if (dtype == DType::Bool) {
    for (std::byte& byte : bytes) byte = byte == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  return std::make_shared<TensorData>(TensorData{dtype, std::move(shape), std::move(bytes)});
}

}  // namespace fx2wasm
