// The parser's hands: looking at tokens, taking them, and the first error.
#include <algorithm>
#include <array>

#include "script/parser_internal.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

constexpr std::array<std::string_view, 35> kReserved = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

}  // namespace

bool Parser::word_is_reserved(std::string_view word) const {
  return std::find(kReserved.begin(), kReserved.end(), word) != kReserved.end();
}

const Token& Parser::peek(size_t ahead) const {
  return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)];
}
bool Parser::at_symbol(std::string_view text, size_t ahead) const {
  return peek(ahead).kind == TokenKind::Symbol && peek(ahead).text == text;
}
bool Parser::at_word(std::string_view text, size_t ahead) const {
  return peek(ahead).kind == TokenKind::Word && peek(ahead).text == text;
}
void Parser::next() {
  if (pos_ + 1 < tokens_.size()) ++pos_;
}
bool Parser::take_symbol(std::string_view text) {
  if (!at_symbol(text)) return false;
  next();
  return true;
}
bool Parser::take_word(std::string_view text) {
  if (!at_word(text)) return false;
  next();
  return true;
}
bool Parser::expect_symbol(std::string_view text, std::string_view after) {
  if (failed()) return false;
  if (take_symbol(text)) return true;
  fail(peek().at, "expected '" + std::string(text) + "' " + std::string(after) + ", not " + here());
  return false;
}

void Parser::fail(Position at, std::string message, std::string note) {
  if (failed()) return;
  error_ = error_at(Place{"", at.line, at.column, ""}, codes::kScriptSyntax, std::move(message));
  if (!note.empty()) error_->notes.push_back(std::move(note));
}

std::string Parser::here() const {
  switch (peek().kind) {
    case TokenKind::Newline:
      return "the end of the line";
    case TokenKind::Indent:
      return "an indented line";
    case TokenKind::Dedent:
      return "the end of the block";
    case TokenKind::End:
      return "the end of the text";
    case TokenKind::String:
      return "a string";
    case TokenKind::Word:
    case TokenKind::Integer:
    case TokenKind::Float:
    case TokenKind::Symbol:
      return quote(peek().text);
  }
  return "";
}

}  // namespace fx2wasm::script
