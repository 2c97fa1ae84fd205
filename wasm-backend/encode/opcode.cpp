#include "encode/opcode.h"

#include <algorithm>
#include <array>

namespace fx2wasm::wasm {
namespace {

// Sorted by number, as the list is.
constexpr std::array kOpcodes = {
#define FX2WASM_ENTRY(name, code, text, immediate) OpcodeInfo{Op::name, text, Immediate::immediate},
    FX2WASM_OPCODES(FX2WASM_ENTRY)
#undef FX2WASM_ENTRY
};

constexpr bool sorted() {
  for (size_t i = 1; i < kOpcodes.size(); ++i) {
    if (kOpcodes[i - 1].op >= kOpcodes[i].op) return false;
  }
  return true;
}
static_assert(sorted());

}  // namespace

const OpcodeInfo* find_opcode(uint32_t number) {
  const auto found = std::lower_bound(
      kOpcodes.begin(), kOpcodes.end(), number,
      [](const OpcodeInfo& info, uint32_t n) { return static_cast<uint32_t>(info.op) < n; });
  if (found == kOpcodes.end() || static_cast<uint32_t>(found->op) != number) return nullptr;
  return &*found;
}

}  // namespace fx2wasm::wasm
