// A module with symbolic sizes keeps what a run needs to know of them in a table of i32 words in
// its memory: the symbols' values, the addresses of tensors and workspaces of symbolic size, and
// the extents of the interface's tensors. `plan(sizes…)` fills it, `main` and the loader read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/program.h"
#include "plan/symbolic_arena.h"

namespace fx2wasm::wasm {

struct SizeTable {
  uint64_t offset = 0;  // of the table in memory
  size_t words = 0;     // symbols first, in the order of Program::symbols
  std::vector<SizeGroup> groups;
  std::vector<SymbolicItem> items;                // the word of item i is symbols + i
  std::vector<std::optional<size_t>> regions;     // item of each region
  std::vector<std::optional<size_t>> workspaces;  // item of each call
  std::vector<std::optional<size_t>> extents;     // word of the first extent, of symbolic ports

  size_t word_of_item(size_t item, const Program& program) const {
    return program.symbols.size() + item;
  }
};

// What the table of this program holds. `workspaces[i]` is the size in
// bytes of what call i needs beyond its static workspace, over the program's symbols, or null.
SizeTable plan_size_table(const Program& program, const std::vector<tir::PrimExpr>& workspaces);

}  // namespace fx2wasm::wasm
