// Base64 of RFC 4648 (standard alphabet, padded), as the tensors' `data` holds it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace fx2wasm::fx {

struct Base64Error {
  size_t offset = 0;       // of the first letter at fault
  bool bad_letter = true;  // else the length is no multiple of 4
};

// The bytes of a base64 text, or what is wrong with it. Line breaks and spaces are errors, too.
std::variant<std::vector<std::byte>, Base64Error> decode_base64(std::string_view text);

}  // namespace fx2wasm::fx
