// Where something stands in a text that a user wrote: the end of every error message.
// Example: Place{"mlp.fx.json", 7, 12, "linear0"} is line 7, column 12, at the FX node linear0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx2wasm {

// `line` and `column` are 1-based and count Unicode code points, as editors do; 0 means unknown.
// `file` may be empty (the text has no name) and names `ARCHIVE!record` inside an archive.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string fx_node;  // the FX node that is at fault, or empty
};

// A half-open range of byte offsets in a UTF-8 text.
struct ByteRange {
  size_t begin = 0;
  size_t end = 0;
};

// Line and column (both 1-based, in code points) of a byte offset in UTF-8 text. An offset past the
// end counts as the end. Linear in the offset.
Place place_of(std::string_view text, size_t byte_offset);

}  // namespace fx2wasm
