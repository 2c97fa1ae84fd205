// Mutations by words, for inputs that are texts: most changes of single bytes end in the lexer. A
// target that includes this defines libFuzzer's two hooks with it.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// libFuzzer's own mutations of bytes and by dictionary.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace fx2wasm::fuzz {

struct Piece {
  size_t begin = 0, size = 0;
};

// Words, numbers and runs of spaces as one piece each, other bytes alone.
inline std::vector<Piece> pieces_of(std::string_view text) {
  const auto kind = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '_' || c == '.' || c == '-') return 1;
    return c == ' ' ? 2 : 0;
  };
  std::vector<Piece> pieces;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (kind(text[i]) != 0 && end < text.size() && kind(text[end]) == kind(text[i])) ++end;
    pieces.push_back({i, end - i});
    i = end;
  }
  return pieces;
}

// Some pieces of `text` become others: of `donor`, numbers at the edges, nothing, or twice.
inline std::string mutate_words(std::string text, std::string_view donor, uint32_t seed) {
  static constexpr std::string_view kEdges[] = {
      "0",   "1",   "-1", "2",     "3",    "65",  "-2147483649", "2147483648",
      "0.5", "1e9", "[]", "false", "true", "[1]", "4294967296",  "9223372036854775807"};
  std::minstd_rand random(seed);
  const auto below = [&random](size_t count) { return static_cast<size_t>(random()) % count; };
  for (size_t edits = 1 + below(3); edits > 0; --edits) {
    const std::vector<Piece> pieces = pieces_of(text), donors = pieces_of(donor);
    if (pieces.empty() || donors.empty()) break;
    const Piece at = pieces[below(pieces.size())];
    // Several pieces in a row carry a whole argument, binding or line over.
    const size_t first = below(donors.size());
    const size_t last = below(3) == 0 ? std::min(donors.size() - 1, first + below(24)) : first;
    const size_t end = donors[last].begin + donors[last].size;
    const std::string given(donor.substr(donors[first].begin, end - donors[first].begin));
    switch (below(6)) {
      case 0:
        text.erase(at.begin, at.size);
        break;
      case 1:
        text.insert(at.begin, text.substr(at.begin, at.size));
        break;
      case 2:
        text.insert(at.begin, given);
        break;
      case 3:
        text.replace(at.begin, at.size, kEdges[below(std::size(kEdges))]);
        break;
      default:
        text.replace(at.begin, at.size, given);
    }
  }
  return text;
}

inline size_t put(const std::string& text, uint8_t* out, size_t max_size) {
  const size_t size = std::min(text.size(), max_size);
  std::memcpy(out, text.data(), size);
  return size;
}

}  // namespace fx2wasm::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned seed) {
  if (size == 0 || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string text(data, data + size);
  return fx2wasm::fuzz::put(fx2wasm::fuzz::mutate_words(text, text, seed), data, max_size);
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                            const uint8_t* data2, size_t size2, uint8_t* out,
                                            size_t max_size, unsigned seed) {
  const std::string text(data1, data1 + size1), donor(data2, data2 + size2);
  return fx2wasm::fuzz::put(fx2wasm::fuzz::mutate_words(text, donor, seed), out, max_size);
}
