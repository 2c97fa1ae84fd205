// Our own disassembly: a module's functions as text, with the offset of every instruction.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fx2wasm::wasm {

struct ListedLine {
  size_t begin = 0, end = 0;  // byte range in Listing::text, without the line break
  size_t code_offset = 0;     // of the instruction, in the binary
  std::string function;
};

struct Listing {
  std::string text;
  std::vector<ListedLine> lines;  // of instructions, in order
};

// The functions of that name, or all when it is empty. Only modules that encode() wrote are read;
// a byte that is none of its instructions ends that function's listing with a line that says so.
Listing list_module(std::span<const std::byte> binary, std::string_view function_name);

}  // namespace fx2wasm::wasm
