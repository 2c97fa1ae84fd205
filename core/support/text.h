// Small helpers for the words of messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx2wasm {

// The user's text in single quotes, cut to limits::kMaxQuotedBytes (at a code point) and with
// control characters as \xNN, so that a message stays one readable line.
std::string quote(std::string_view text);

// The candidate that a misspelt name most likely means: the smallest edit distance, at most a third
// of the name's length; nothing when none is near. The first one wins a tie.
std::optional<std::string> closest_name(std::string_view name,
                                        const std::vector<std::string_view>& candidates);

// ` (did you mean 'x'?)`, or nothing when no candidate is near: to be appended to a message.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

// `a, b and c`.
std::string join_words(const std::vector<std::string_view>& words, std::string_view last = "and");

// A float as Python's repr shows it: the shortest digits that read back as the same double, `1.0`,
// `1e-05`, `inf`, `nan`.
std::string python_float(double value);

// True for one identifier: a letter or `_`, then letters, digits and `_`. Bytes of non-ASCII code
// points count as letters, as Python takes most of them.
bool is_identifier(std::string_view text);

}  // namespace fx2wasm
