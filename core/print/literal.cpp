#include "print/literal.h"

#include <cmath>
#include <cstdio>

namespace fx2wasm::print {

std::string float_literal(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  char buffer[400];  // the largest double has 309 digits before the point
  const char* format = std::nearbyint(value) == value ? "%.1f" : "%.17g";
  const int length = std::snprintf(buffer, sizeof buffer, format, value);
  return std::string(buffer, static_cast<size_t>(length));
}

std::string escaped(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string result;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\r') {
      result += "\\r";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte >= ' ' && byte <= '~') {
      result += c;
    } else {
      result += "\\x";
      result += kHex[byte >> 4];
      result += kHex[byte & 15];
    }
  }
  return result;
}

std::string string_literal(std::string_view text) { return '"' + escaped(text) + '"'; }

std::string dtype_literal(DType dtype) { return '"' + std::string(dtype_name(dtype)) + '"'; }

}  // namespace fx2wasm::print
