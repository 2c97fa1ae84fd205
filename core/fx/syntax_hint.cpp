#include "fx/syntax_hint.h"

#include <array>
#include <utility>

#include "support/text.h"

namespace fx2wasm::fx {
namespace {

constexpr std::string_view kHowToExport =
    "export the model as FX graph JSON: python -m fx2wasm model.py:Model --input 1,784 "
    "-o model.fx.json";

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view skip_space(std::string_view text) {
  if (starts_with(text, "\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view word_at(std::string_view text, size_t offset) {
  size_t end = offset;
  while (end < text.size() && is_identifier(text.substr(offset, end + 1 - offset))) ++end;
  return text.substr(offset, end - offset);
}

// What Python writes where JSON writes something else.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPythonLiterals = {
    {{"False", "false"}, {"True", "true"}, {"None", "null"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kFloats = {
    {{"NaN", "nan"},
     {"nan", "nan"},
     {"Infinity", "inf"},
     {"inf", "inf"},
     {"Inf", "inf"},
     {"infinity", "inf"}}};

std::optional<SyntaxHint> float_hint(std::string_view text, size_t offset) {
  const bool negative = offset < text.size() && text[offset] == '-';
  const std::string_view word = word_at(text, negative ? offset + 1 : offset);
  for (const auto& [written, meant] : kFloats) {
    if (word != written) continue;
    const std::string sign = negative ? "-" : "";
    return SyntaxHint{"JSON has no " + sign + std::string(word),
                      "write {\"float\": \"" + sign + std::string(meant) + "\"}"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<SyntaxHint> foreign_text_hint(std::string_view text) {
  const std::string how(kHowToExport);
  const std::string_view start = skip_space(text);
  if (start.empty()) return SyntaxHint{"the text is empty: it should be FX graph JSON", how};
  if (start.front() == '{' || start.front() == '[') return std::nullopt;
  if (starts_with(start, "graph(")) {
    return SyntaxHint{"this is what print(graph) shows, not FX graph JSON", how};
  }
  if (starts_with(start, "opcode")) {
    return SyntaxHint{"this is what graph.print_tabular() shows, not FX graph JSON", how};
  }
  if (starts_with(start, "GraphModule(") || starts_with(start, "class ") ||
      starts_with(start, "def ") || starts_with(start, "import ") || starts_with(start, "from ")) {
    return SyntaxHint{"this is Python, not FX graph JSON", how};
  }
  if (starts_with(start, "PK\x03\x04")) {
    return SyntaxHint{"this is a ZIP archive (of torch.save or torch.export), not FX graph JSON",
                      how};
  }
  if (start.front() == '<') return SyntaxHint{"this is HTML or XML, not FX graph JSON", how};
  return SyntaxHint{"this is not FX graph JSON, which begins with '{'", how};
}

std::optional<SyntaxHint> token_hint(std::string_view text, size_t offset) {
  if (offset >= text.size()) return std::nullopt;
  if (std::optional<SyntaxHint> hint = float_hint(text, offset)) return hint;
  const std::string_view word = word_at(text, offset);
  for (const auto& [python, json] : kPythonLiterals) {
    if (word == python) {
      return SyntaxHint{quote(word) + " is Python; JSON writes " + std::string(json),
                        "let json.dump write the text: it knows the difference"};
    }
  }
  const char c = text[offset];
  if (c == '\'') return SyntaxHint{"a string stands in single quotes", "JSON's are double: \"…\""};
  if (c == '#' || c == '/') return SyntaxHint{"JSON has no comments", "delete it"};
  if (c == ',') return SyntaxHint{"unexpected ',': a comma too many, or a value is missing", ""};
  if (c == '}' || c == ']') {
    size_t before = offset;
    while (before > 0 && is_space(text[before - 1])) --before;
    if (before > 0 && text[before - 1] == ',') {
      return SyntaxHint{std::string("unexpected '") + c + "' behind a comma",
                        "JSON allows no comma behind the last element"};
    }
  }
  if (!word.empty()) {
    return SyntaxHint{"unexpected " + quote(word),
                      "strings and keys stand in double quotes: \"…\""};
  }
  return std::nullopt;
}

}  // namespace fx2wasm::fx
