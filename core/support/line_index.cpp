#include "support/line_index.h"

#include <algorithm>

namespace fx2wasm {

LineIndex::LineIndex(std::string_view text) : text_(text), line_starts_{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Place LineIndex::at(size_t byte_offset) const {
  const size_t offset = std::min(byte_offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const size_t start = *(after - 1);
  Place place = place_of(text_.substr(start), offset - start);
  place.line = static_cast<int>(after - line_starts_.begin());
  return place;
}

}  // namespace fx2wasm
