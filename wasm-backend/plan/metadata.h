// The custom section "fx2wasm" of a module (docs/abi.md): what a loader must know, as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/program.h"
#include "plan/size_table.h"

namespace fx2wasm::wasm {

inline constexpr int kAbiVersion = 1;
inline constexpr int kSymbolicAbiVersion = 2;  // of modules with symbolic sizes

// The reserved beginning of memory: nothing below kLibraryBase, so that a null address is never a
// tensor's; then the library's data and stack (library/CMakeLists.txt has the same numbers).
inline constexpr uint64_t kLibraryBase = 1024;
inline constexpr uint64_t kTensorBase = 65536;

struct MemoryLayout {
  uint64_t weight_bytes = 0;
  uint64_t arena_begin = 0, arena_bytes = 0;
  uint64_t total_bytes = 0;
};

struct FunctionInfo {
  std::string name;
  std::vector<int> fx_nodes;
  std::string library;  // empty: generated
};

std::string write_metadata(const Program& program, const MemoryLayout& layout,
                           const SizeTable& table, const std::vector<FunctionInfo>& functions,
                           std::string_view simd, bool needs_library, bool weights_inside);

}  // namespace fx2wasm::wasm
