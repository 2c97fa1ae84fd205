#include "plan/arena.h"

#include <algorithm>
#include <numeric>

namespace fx2wasm::wasm {

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

uint64_t plan_arena(std::vector<ArenaItem>& items, uint64_t alignment) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return items[a].bytes > items[b].bytes; });
  std::vector<size_t> placed;  // sorted by offset
  uint64_t total = 0;
  for (const size_t index : order) {
    ArenaItem& item = items[index];
    item.offset = 0;
    for (const size_t other_index : placed) {
      const ArenaItem& other = items[other_index];
      if (other.last < item.first || item.last < other.first) continue;
      if (item.offset + item.bytes <= other.offset) break;  // fits before it
      item.offset = std::max(item.offset, align_up(other.offset + other.bytes, alignment));
    }
    const auto where =
        std::upper_bound(placed.begin(), placed.end(), index,
                         [&](size_t a, size_t b) { return items[a].offset < items[b].offset; });
    placed.insert(where, index);
    total = std::max(total, item.offset + item.bytes);
  }
  return align_up(total, alignment);
}

}  // namespace fx2wasm::wasm
