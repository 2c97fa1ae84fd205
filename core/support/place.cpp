#include "support/place.h"

namespace fx2wasm {

Place place_of(std::string_view text, size_t byte_offset) {
  Place place;
  place.line = 1;
  place.column = 1;
  const size_t end = byte_offset < text.size() ? byte_offset : text.size();
  for (size_t i = 0; i < end; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((byte & 0xC0U) != 0x80U) {  // continuation bytes belong to the code point before
      ++place.column;
    }
  }
  return place;
}

}  // namespace fx2wasm
