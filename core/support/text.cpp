#include "support/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "support/limits.h"

namespace fx2wasm {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string quote(std::string_view text) {
  size_t end = text.size();
  if (end > limits::kMaxQuotedBytes) {
    end = limits::kMaxQuotedBytes;
    while (end > 0 && is_continuation(text[end])) --end;
  }
  std::string out = "'";
  for (char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(byte));
      out += escaped;
    } else {
      out += c;
    }
  }
  if (end < text.size()) out += "…";
  return out + "'";
}

std::optional<std::string> closest_name(std::string_view name,
                                        const std::vector<std::string_view>& candidates) {
  // A long name is compared with names of similar length only, which bounds the work.
  if (name.size() > limits::kMaxQuotedBytes) return std::nullopt;
  const size_t allowed = std::max<size_t>(1, name.size() / 3);
  size_t best = allowed + 1;
  std::optional<std::string> found;
  for (std::string_view candidate : candidates) {
    const size_t longer = std::max(candidate.size(), name.size());
    if (longer - std::min(candidate.size(), name.size()) > allowed) continue;
    const size_t distance = edit_distance(name, candidate);
    if (distance > 0 && distance < best) {
      best = distance;
      found = std::string(candidate);
    }
  }
  return found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::optional<std::string> near = closest_name(name, candidates);
  return near ? " (did you mean " + quote(*near) + "?)" : "";
}

std::string join_words(const std::vector<std::string_view>& words, std::string_view last) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && i + 1 == words.size()) {
      out += ' ';
      out += last;
      out += ' ';
    } else if (i > 0) {
      out += ", ";
    }
    out += words[i];
  }
  return out;
}

std::string python_float(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[40];
  int digits = 1;
  for (; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*e", digits - 1, value);
    if (std::strtod(buffer, nullptr) == value) break;
  }
  const int exponent =
      std::atoi(std::string(buffer).substr(std::string(buffer).find('e') + 1).c_str());
  if (exponent < -4 || exponent >= 16) {
    const std::string text = buffer;  // `d.ddde±XX`: Python's form already
    return text;
  }
  std::snprintf(buffer, sizeof buffer, "%.*f", std::max(digits - 1 - exponent, 1), value);
  return buffer;
}

bool is_identifier(std::string_view text) {
  if (text.empty()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                        static_cast<unsigned char>(c) >= 0x80;
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !(digit && i > 0)) return false;
  }
  return true;
}

}  // namespace fx2wasm
