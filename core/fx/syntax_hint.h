// Words for texts that are no JSON: what stands there instead, and what to do about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fx2wasm::fx {

struct SyntaxHint {
  std::string message;  // what is wrong, without the place
  std::string note;     // what to do; may be empty
};

// For a whole text that is something else: empty, print(graph), Python code, an archive. Nothing
// when it begins as a JSON object or array does.
std::optional<SyntaxHint> foreign_text_hint(std::string_view text);

// For the place where the JSON grammar broke: Python's literals, NaN, single quotes, comments, a
// comma too many. Nothing when it is none of these.
std::optional<SyntaxHint> token_hint(std::string_view text, size_t offset);

}  // namespace fx2wasm::fx
