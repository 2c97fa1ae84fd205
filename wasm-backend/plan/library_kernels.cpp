#include "plan/library_kernels.h"

#include <array>

namespace fx2wasm::wasm {
namespace {

using Extents = std::vector<int64_t>;

// x[…, k], w[n, k] → y[…, n]: sizes m, n, k with m the product of the leading extents.
std::optional<std::vector<int32_t>> dense_sizes(const std::vector<Extents>& args,
                                                const Extents& result) {
  const Extents& x = args[0];
  const Extents& w = args[1];
  if (x.empty() || w.size() != 2 || x.back() != w[1] || result.size() != x.size()) {
    return std::nullopt;
  }
  if (result.back() != w[0]) return std::nullopt;
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < x.size(); ++i) {
    if (x[i] != result[i]) return std::nullopt;
    rows *= x[i];
  }
  return std::vector<int32_t>{static_cast<int32_t>(rows), static_cast<int32_t>(w[0]),
                              static_cast<int32_t>(w[1])};
}

constexpr std::array kKernels = {LibraryKernel{"fx2wasm.dense", "dense", 2, dense_sizes, 3}};

}  // namespace

const LibraryKernel* find_library_kernel(std::string_view symbol) {
  for (const LibraryKernel& kernel : kKernels) {
    if (kernel.symbol == symbol) return &kernel;
  }
  return nullptr;
}

}  // namespace fx2wasm::wasm
