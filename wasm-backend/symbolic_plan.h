// The code of a module with symbolic sizes that works on its table of sizes (plan/size_table.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "encode/module.h"
#include "lower/emitter.h"
#include "plan/program.h"
#include "plan/size_table.h"

namespace fx2wasm::wasm {

// (i32 sizes…) → i32: fills the table, makes the memory large enough, and gives the bytes that the
// model uses; 0 when a size is negative or the memory can't be had. `begin` is where symbolic
// tensors start.
Function write_symbolic_plan(const Program& program, const SizeTable& table, uint64_t begin,
                             MathFunctions& math, const LowerOptions& options);

// Reads the program's symbols from the table into locals, so that the emitter can use them.
void load_symbols(Emitter& emitter, const Program& program, const SizeTable& table);

// Pushes the address of an item.
void push_item_address(Code& code, const Program& program, const SizeTable& table, size_t item);

}  // namespace fx2wasm::wasm
