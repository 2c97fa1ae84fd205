// The hand-written kernels of library/: their names in R.call_dps_packed and what they take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::wasm {

struct LibraryKernel {
  std::string_view symbol;  // "fx2wasm.dense"
  std::string_view import;  // its name in the module fx2wasm_library
  size_t tensors = 0;       // arguments, the result not counted
  // The sizes that follow the addresses of result and arguments; nothing when the shapes are not
  // what the kernel computes.
  std::optional<std::vector<tir::PrimExpr>> (*sizes)(
      const std::vector<std::vector<tir::PrimExpr>>& args,
      const std::vector<tir::PrimExpr>& result);
  size_t size_count = 0;
};

// Null for an unknown symbol.
const LibraryKernel* find_library_kernel(std::string_view symbol);

}  // namespace fx2wasm::wasm
