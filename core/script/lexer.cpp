#include "script/lexer.h"

#include <array>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

constexpr size_t kMaxIndentLevels = 50;
constexpr size_t kMaxBracketLevels = 100;
constexpr size_t kTabWidth = 8;                                         // Python's
constexpr std::string_view kSmallestMagnitude = "9223372036854775808";  // 2^63

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_word(char c) { return is_word_start(c) || is_digit(c); }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto byte = [&out](uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | (code >> 6U));
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3FU));
    byte(0x80U | ((code >> 6U) & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

// Longer ones first, so that the first that fits is the right one.
constexpr std::array<std::string_view, 47> kSymbols = {
    "**=", "//=", "<<=", ">>=", "...", "!=", "==", "<=", ">=", "->", ":=", "+=",
    "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "@=", "**", "//", "<<", ">>",
    "+",   "-",   "*",   "/",   "%",   "@",  "&",  "|",  "^",  "~",  "<",  ">",
    "(",   ")",   "[",   "]",   "{",   "}",  ",",  ":",  ".",  "=",  ";"};

class Lexer {
 public:
  Lexer(std::string_view text, HexEscape hex) : text_(text), hex_(hex) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") text_.remove_prefix(3);  // byte order mark
  }

  Result<std::vector<Token>> run() {
    while (pos_ < text_.size()) {
      if (at_line_start_ && brackets_.empty()) {
        if (auto error = indentation()) return *error;
        if (pos_ >= text_.size()) break;
      }
      if (auto error = token()) return *error;
    }
    if (!brackets_.empty()) {
      return fail(brackets_.back().at, "'" + brackets_.back().text + "' is never closed");
    }
    if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline) add(TokenKind::Newline);
    while (indents_.size() > 1) {
      indents_.pop_back();
      add(TokenKind::Dedent);
    }
    add(TokenKind::End);
    return std::move(tokens_);
  }

 private:
  using Error = std::optional<Diagnostic>;

  static Diagnostic fail(Position at, std::string message,
                         std::string_view code = codes::kScriptSyntax) {
    return error_at(Place{"", at.line, at.column, ""}, code, std::move(message));
  }

  char peek(size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }

  void advance() {
    const auto byte = static_cast<unsigned char>(text_[pos_++]);
    if (byte == '\n') {
      ++here_.line;
      here_.column = 1;
    } else if (pos_ >= text_.size() || (static_cast<unsigned char>(text_[pos_]) & 0xC0U) != 0x80U) {
      ++here_.column;  // counted at the last byte of a code point
    }
  }

  void add(TokenKind kind, std::string text = "") {
    Token token;
    token.kind = kind;
    token.text = std::move(text);
    token.at = here_;
    tokens_.push_back(std::move(token));
  }

  void skip_comment() {
    while (pos_ < text_.size() && peek() != '\n') advance();
  }

  // Measures the indentation of a line that has something on it.
  Error indentation() {
    size_t width = 0;
    while (true) {
      const char c = peek();
      if (c == ' ') {
        ++width;
      } else if (c == '\t') {
        width = (width / kTabWidth + 1) * kTabWidth;
      } else if (c == '\r' || c == '\f') {
        // no width
      } else if (c == '\n') {
        width = 0;
        advance();
        continue;
      } else if (c == '#') {
        skip_comment();
        continue;
      } else {
        break;
      }
      if (pos_ >= text_.size()) return std::nullopt;
      advance();
    }
    at_line_start_ = false;
    if (pos_ >= text_.size()) return std::nullopt;
    if (width > indents_.back()) {
      if (indents_.size() > kMaxIndentLevels) {
        return fail(here_, "blocks are nested more than " + std::to_string(kMaxIndentLevels) +
                               " levels deep");
      }
      indents_.push_back(width);
      add(TokenKind::Indent);
      return std::nullopt;
    }
    while (width < indents_.back()) {
      indents_.pop_back();
      add(TokenKind::Dedent);
    }
    if (width != indents_.back()) {
      return fail(here_, "this line's indentation fits no line above it");
    }
    return std::nullopt;
  }

  Error token() {
    const char c = peek();
    if (c == '\n') {
      if (brackets_.empty()) {
        if (!tokens_.empty() && tokens_.back().kind != TokenKind::Newline) {
          add(TokenKind::Newline);
        }
        at_line_start_ = true;
      }
      advance();
      return std::nullopt;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      advance();
      return std::nullopt;
    }
    if (c == '#') {
      skip_comment();
      return std::nullopt;
    }
    if (c == '\\') {
      const Position at = here_;
      advance();
      if (peek() == '\r') advance();
      if (peek() != '\n') {
        return fail(at, "a '\\' outside a string must be the last character of its line");
      }
      advance();
      return std::nullopt;
    }
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return string(false);
    if (is_word_start(c)) return word();
    return symbol();
  }

  Error word() {
    const Position at = here_;
    const size_t begin = pos_;
    while (pos_ < text_.size() && is_word(peek())) advance();
    std::string text(text_.substr(begin, pos_ - begin));
    if ((peek() == '"' || peek() == '\'') && text.size() <= 2) {
      if (text == "r" || text == "R") return string(true);
      if (text == "u") return string(false);
      if (text.find_first_of("fF") != std::string::npos) {
        return fail(at, "this small Python has no f-strings; join texts with +");
      }
      if (text.find_first_of("bB") != std::string::npos) {
        return fail(at, "this small Python has no byte strings");
      }
    }
    add(TokenKind::Word, std::move(text));
    tokens_.back().at = at;
    return std::nullopt;
  }

  // Digits of a base with single underscores between them.
  std::string digits(int base) {
    std::string out;
    while (true) {
      const char c = peek();
      const int value = hex_value(c);
      if (value >= 0 && value < base) {
        out += c;
      } else if (c != '_' || out.empty() || hex_value(peek(1)) < 0) {
        return out;
      }
      advance();
    }
  }

  // True for a `-` that no operand stands before: -2^63 is in range where 2^63 is not.
  bool minus_is_a_sign() const {
    const auto is_symbol = [](const Token& token) { return token.kind == TokenKind::Symbol; };
    if (tokens_.empty() || !is_symbol(tokens_.back()) || tokens_.back().text != "-") return false;
    if (tokens_.size() == 1) return true;
    const Token& before = tokens_[tokens_.size() - 2];
    return is_symbol(before) ? before.text != ")" && before.text != "]" && before.text != "}"
                             : before.kind == TokenKind::Newline;
  }

  Error number() {
    const Position at = here_;
    Token token;
    token.kind = TokenKind::Integer;
    token.at = at;
    const char second = static_cast<char>(peek(1) | 0x20);
    int base = 10;
    if (peek() == '0' && (second == 'x' || second == 'o' || second == 'b')) {
      base = second == 'x' ? 16 : second == 'o' ? 8 : 2;
      advance();
      advance();
    }
    std::string text = digits(base);
    bool real = false;
    if (base == 10) {
      if (peek() == '.') {
        real = true;
        text += '.';
        advance();
        text += digits(10);
      }
      const char sign = peek(1);
      if ((peek() == 'e' || peek() == 'E') &&
          (is_digit(sign) || ((sign == '+' || sign == '-') && is_digit(peek(2))))) {
        real = true;
        text += 'e';
        advance();
        if (!is_digit(peek())) {
          text += peek();
          advance();
        }
        text += digits(10);
      }
    }
    if (is_word_start(peek())) {
      if (peek() == 'j' || peek() == 'J') {
        return fail(at, "this small Python has no complex numbers");
      }
      return fail(at, "a number cannot be followed by a letter");
    }
    if (real) {
      token.kind = TokenKind::Float;
      token.real = std::strtod(text.c_str(), nullptr);
    } else {
      if (text.empty()) return fail(at, "a number has no digits");
      if (base == 10 && text.size() > 1 && text[0] == '0' &&
          text.find_first_not_of('0') != std::string::npos) {
        return fail(at, "an integer cannot begin with 0");
      }
      if (text == kSmallestMagnitude && minus_is_a_sign()) {
        token.at = tokens_.back().at;
        token.integer = std::numeric_limits<int64_t>::min();
        token.text = "-" + text;
        tokens_.back() = std::move(token);
        return std::nullopt;
      }
      for (char c : text) {
        if (__builtin_mul_overflow(token.integer, base, &token.integer) ||
            __builtin_add_overflow(token.integer, hex_value(c), &token.integer)) {
          return fail(at, "the integer " + text + " does not fit in 64 bits", codes::kScriptValue);
        }
      }
    }
    token.text = std::move(text);
    tokens_.push_back(std::move(token));
    return std::nullopt;
  }

  Error string(bool raw) {
    const Position at = here_;
    const char quote_mark = peek();
    const bool triple = peek(1) == quote_mark && peek(2) == quote_mark;
    for (int i = 0; i < (triple ? 3 : 1); ++i) advance();
    std::string out;
    while (true) {
      if (pos_ >= text_.size() || (!triple && peek() == '\n')) {
        return fail(at, "this string is never closed");
      }
      const char c = peek();
      if (c == quote_mark && (!triple || (peek(1) == quote_mark && peek(2) == quote_mark))) break;
      if (c != '\\') {
        out += c;
        advance();
      } else if (raw) {
        out += c;
        advance();
        if (pos_ < text_.size() && (triple || peek() != '\n')) {
          out += peek();
          advance();
        }
      } else if (auto error = escape(out)) {
        return error;
      }
    }
    for (int i = 0; i < (triple ? 3 : 1); ++i) advance();
    add(TokenKind::String, std::move(out));
    tokens_.back().at = at;
    return std::nullopt;
  }

  Error escape(std::string& out) {
    const Position at = here_;
    advance();
    if (pos_ >= text_.size()) return std::nullopt;  // reported as a string that is never closed
    const char c = peek();
    advance();
    int hex_digits = 0;
    switch (c) {
      case 'n':
        out += '\n';
        return std::nullopt;
      case 't':
        out += '\t';
        return std::nullopt;
      case 'r':
        out += '\r';
        return std::nullopt;
      case 'a':
        out += '\a';
        return std::nullopt;
      case 'b':
        out += '\b';
        return std::nullopt;
      case 'f':
        out += '\f';
        return std::nullopt;
      case 'v':
        out += '\v';
        return std::nullopt;
      case '0':
        out += '\0';
        return std::nullopt;
      case '\\':
      case '\'':
      case '"':
        out += c;
        return std::nullopt;
      case '\n':
        return std::nullopt;
      case 'x':
        hex_digits = 2;
        break;
      case 'u':
        hex_digits = 4;
        break;
      case 'U':
        hex_digits = 8;
        break;
      default:
        break;
    }
    if (hex_digits == 0) {
      return fail(at, "a string has no escape " + quote(std::string("\\") + c) +
                          "; write \\\\ for a backslash");
    }
    uint32_t code = 0;
    for (int i = 0; i < hex_digits; ++i) {
      const int value = hex_value(peek());
      if (value < 0 || code > 0x10FFFFU) return fail(at, "an escape needs hexadecimal digits");
      code = code * 16 + static_cast<uint32_t>(value);
      advance();
    }
    if (code > 0x10FFFFU || (code >= 0xD800U && code < 0xE000U)) {
      return fail(at, "an escape names no character");
    }
    if (hex_digits == 2 && hex_ == HexEscape::Byte) {
      out += static_cast<char>(code);
    } else {
      append_utf8(out, code);
    }
    return std::nullopt;
  }

  Error symbol() {
    const Position at = here_;
    for (std::string_view symbol : kSymbols) {
      if (text_.substr(pos_, symbol.size()) != symbol) continue;
      if (symbol == "(" || symbol == "[" || symbol == "{") {
        if (brackets_.size() >= kMaxBracketLevels) {
          return fail(at, "brackets are nested more than " + std::to_string(kMaxBracketLevels) +
                              " levels deep");
        }
        brackets_.push_back({std::string(symbol), at});
      } else if (symbol == ")" || symbol == "]" || symbol == "}") {
        if (auto error = close(symbol, at)) return error;
      }
      add(TokenKind::Symbol, std::string(symbol));
      for (size_t i = 0; i < symbol.size(); ++i) advance();
      return std::nullopt;
    }
    return fail(at, "unexpected character " + quote(text_.substr(pos_, 1)));
  }

  Error close(std::string_view symbol, Position at) {
    const std::string_view opening = symbol == ")" ? "(" : symbol == "]" ? "[" : "{";
    if (brackets_.empty()) {
      return fail(at, "'" + std::string(symbol) + "' closes nothing");
    }
    if (brackets_.back().text != opening) {
      return fail(at, "'" + std::string(symbol) + "' does not close the '" + brackets_.back().text +
                          "' of line " + std::to_string(brackets_.back().at.line));
    }
    brackets_.pop_back();
    return std::nullopt;
  }

  struct Bracket {
    std::string text;
    Position at;
  };

  std::string_view text_;
  HexEscape hex_;
  size_t pos_ = 0;
  Position here_{1, 1};
  bool at_line_start_ = true;
  std::vector<size_t> indents_ = {0};
  std::vector<Bracket> brackets_;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view text, HexEscape hex) {
  return Lexer(text, hex).run();
}

}  // namespace fx2wasm::script
