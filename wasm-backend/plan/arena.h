// Places tensors that live for a while in one piece of memory, so that those whose lives do not
// meet share it.
#pragma once

#include <cstdint>
#include <vector>

namespace fx2wasm::wasm {

inline constexpr uint64_t kTensorAlignment = 64;  // a cache line; v128 needs 16

inline constexpr uint64_t kPageBytes = 65536;
// V8 and others refuse more than 65536 pages; addresses are 32 bits.
inline constexpr uint64_t kLargestMemory = uint64_t{65535} * kPageBytes;

struct ArenaItem {
  uint64_t bytes = 0;
  int first = 0, last = 0;  // steps, inclusive, at which it must be there
  uint64_t offset = 0;      // the answer, a multiple of the alignment
};

// Sets every offset; gives the size of the arena. Largest first, each at the lowest place that is
// free during its life.
uint64_t plan_arena(std::vector<ArenaItem>& items, uint64_t alignment = kTensorAlignment);

uint64_t align_up(uint64_t value, uint64_t alignment);

}  // namespace fx2wasm::wasm
