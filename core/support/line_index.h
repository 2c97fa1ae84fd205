// Lines and columns of many offsets in one text: built once, then a binary search each.
#pragma once

#include <string_view>
#include <vector>

#include "support/place.h"

namespace fx2wasm {

// The text must outlive the index.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  // 1-based line and column in code points; an offset past the end counts as the end.
  Place at(size_t byte_offset) const;

 private:
  std::string_view text_;
  std::vector<size_t> line_starts_;
};

}  // namespace fx2wasm
