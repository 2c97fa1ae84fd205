#include "plan/arena.h"

#include <gtest/gtest.h>

namespace fx2wasm::wasm {
namespace {

TEST(Arena, ChainOfEqualTensorsTakesTwoPlaces) {
  std::vector<ArenaItem> items;
  for (int i = 0; i < 10; ++i) items.push_back({1024, i, i + 1, 0});
  EXPECT_EQ(plan_arena(items), 2048U);
}

TEST(Arena, LivingTensorsNeverOverlap) {
  std::vector<ArenaItem> items;
  for (int i = 0; i < 40; ++i) {
    items.push_back(
        {static_cast<uint64_t>(i * 37 % 11 * 100 + 4), i * 7 % 20, i * 7 % 20 + i % 5, 0});
  }
  const uint64_t total = plan_arena(items);
  for (size_t a = 0; a < items.size(); ++a) {
    EXPECT_EQ(items[a].offset % kTensorAlignment, 0U);
    EXPECT_LE(items[a].offset + items[a].bytes, total);
    for (size_t b = 0; b < a; ++b) {
      const bool together = items[a].first <= items[b].last && items[b].first <= items[a].last;
      const bool apart = items[a].offset + items[a].bytes <= items[b].offset ||
                         items[b].offset + items[b].bytes <= items[a].offset;
      EXPECT_TRUE(!together || apart) << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace fx2wasm::wasm
