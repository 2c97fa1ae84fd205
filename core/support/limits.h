// What we refuse to take in, and why: every limit that a user can meet, in one place. A limit is
// there so that a hostile or broken input gives an error message, never a crash or a hang.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fx2wasm::limits {

// The page's Wasm has 4 GiB; reading holds the text, its values and the decoded tensors at once,
// together about four times the text.
inline constexpr size_t kMaxTextBytes = size_t{512} << 20;

// FX nests arguments a few levels deep; our readers recurse once a level, on Wasm's small stack.
inline constexpr int kMaxJsonDepth = 100;

// A JSON value takes 64 bytes here: a text of nothing but `[1,1,1,…]` would take 32 times its size.
// The largest graph allowed (kMaxNodes) has about 30 values a node.
inline constexpr size_t kMaxJsonValues = 4'000'000;

// The largest models that FX traces have some ten thousand nodes; the page draws each of them.
inline constexpr size_t kMaxNodes = 100'000;

// PyTorch's own limit for the dimensions of a tensor.
inline constexpr size_t kMaxRank = 64;

// Past this many errors nobody reads on; a generated text can hold millions.
inline constexpr size_t kMaxDiagnostics = 1000;

// The limit that huggingface/safetensors sets for the JSON header.
inline constexpr size_t kMaxSafetensorsHeaderBytes = 100'000'000;

// A piece of the user's text inside a message: enough to recognise it.
inline constexpr size_t kMaxQuotedBytes = 80;

}  // namespace fx2wasm::limits
