#include "support/tensor_data.h"

namespace fx2wasm {

int64_t element_count(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

}  // namespace fx2wasm
