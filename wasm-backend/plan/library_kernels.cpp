#include "plan/library_kernels.h"

#include <array>

#include "ir/structural.h"
#include "ir/tir_build.h"

namespace fx2wasm::wasm {
namespace {

using Extents = std::vector<tir::PrimExpr>;

// x[…, k], w[n, k] → y[…, n]: sizes m, n, k with m the product of the leading extents.
std::optional<Extents> dense_sizes(const std::vector<Extents>& args, const Extents& result) {
  const Extents& x = args[0];
  const Extents& w = args[1];
  const auto equal = [](const tir::PrimExpr& a, const tir::PrimExpr& b) {
    return structural_equal(a, b);
  };
  if (x.empty() || w.size() != 2 || !equal(x.back(), w[1]) || result.size() != x.size()) {
    return std::nullopt;
  }
  if (!equal(result.back(), w[0])) return std::nullopt;
  tir::PrimExpr rows = tir::int_imm(DType::Int64, 1);
  for (size_t i = 0; i + 1 < x.size(); ++i) {
    if (!equal(x[i], result[i])) return std::nullopt;
    rows = tir::mul(rows, x[i]);
  }
  return Extents{rows, w[0], w[1]};
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
