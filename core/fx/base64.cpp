#include "fx/base64.h"

#include <array>
#include <cstdint>

namespace fx2wasm::fx {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kInvalid = 255;

constexpr std::array<uint8_t, 256> make_values() {
  std::array<uint8_t, 256> values{};
  for (uint8_t& value : values) value = kInvalid;
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<uint8_t>(i);
  }
  return values;
}

constexpr std::array<uint8_t, 256> kValues = make_values();

}  // namespace

std::variant<std::vector<std::byte>, Base64Error> decode_base64(std::string_view text) {
  size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const size_t letters = text.size() - padding;
  std::vector<std::byte> bytes;
  bytes.reserve(letters / 4 * 3 + 3);
  uint32_t group = 0;
  for (size_t i = 0; i < letters; ++i) {
    const uint8_t value = kValues[static_cast<unsigned char>(text[i])];
    if (value == kInvalid) return Base64Error{i, true};
    group = group << 6 | value;
    if (i % 4 == 3) {
      bytes.push_back(static_cast<std::byte>(group >> 16 & 0xFF));
      bytes.push_back(static_cast<std::byte>(group >> 8 & 0xFF));
      bytes.push_back(static_cast<std::byte>(group & 0xFF));
      group = 0;
    }
  }
  if (text.size() % 4 != 0) return Base64Error{letters, false};
  if (padding > 0) {
    group <<= 6 * padding;
    bytes.push_back(static_cast<std::byte>(group >> 16 & 0xFF));
    if (padding == 1) bytes.push_back(static_cast<std::byte>(group >> 8 & 0xFF));
  }
  return bytes;
}

}  // namespace fx2wasm::fx
