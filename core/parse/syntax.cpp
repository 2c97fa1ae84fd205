#include "parse/syntax.h"

#include <optional>
#include <utility>

#include "script/lexer.h"
#include "script/parser.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::parse {
namespace {

using script::Token;
using script::TokenKind;

// Levels of blocks; `elif` counts as one. Reading, printing and freeing recurse once a level.
constexpr int kMaxBlocks = 60;

// The shared lexer and expression parser speak of the small Python, in its codes.
Diagnostic as_text_error(Diagnostic diagnostic) {
  constexpr std::string_view kOther = "this small Python";
  diagnostic.code = codes::kTextSyntax;
  const size_t at = diagnostic.message.find(kOther);
  if (at != std::string::npos) diagnostic.message.replace(at, kOther.size(), "TVMScript");
  diagnostic.notes.clear();
  return diagnostic;
}

Token line_end(Position at) {
  Token token;
  token.kind = TokenKind::Newline;
  token.at = at;
  return token;
}

class StatementReader {
 public:
  explicit StatementReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Body> run() {
    Body body;
    while (!error_ && peek().kind != TokenKind::End) statement(body);
    if (error_) return *error_;
    return body;
  }

 private:
  // ---- tokens ----
  const Token& peek() const { return tokens_[pos_]; }
  const Token& at(size_t index) const { return tokens_[std::min(index, tokens_.size() - 1)]; }
  bool is_symbol(size_t index, std::string_view text) const {
    return at(index).kind == TokenKind::Symbol && at(index).text == text;
  }
  bool is_word(size_t index, std::string_view text) const {
    return at(index).kind == TokenKind::Word && at(index).text == text;
  }
  void fail(Position at, std::string message, std::string_view code = codes::kTextSyntax) {
    if (!error_) error_ = error_at(Place{"", at.line, at.column, ""}, code, std::move(message));
  }
  static std::string shown(const Token& token) {
    switch (token.kind) {
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
        return quote(token.text);
    }
    return "";
  }
  bool expect(std::string_view symbol, std::string_view where) {
    if (error_) return false;
    if (is_symbol(pos_, symbol)) {
      ++pos_;
      return true;
    }
    fail(peek().at,
         "expected '" + std::string(symbol) + "' " + std::string(where) + ", not " + shown(peek()));
    return false;
  }

  // The first token from `from` on that is outside all brackets and is one of the symbols, or ends
  // the line. (The lexer has checked that brackets match.)
  size_t find(size_t from, std::initializer_list<std::string_view> symbols,
              std::string_view word = "") const {
    int depth = 0;
    for (size_t i = from;; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == TokenKind::Newline || token.kind == TokenKind::End) return i;
      if (depth == 0 && !word.empty() && is_word(i, word)) return i;
      if (token.kind != TokenKind::Symbol) continue;
      const std::string& text = token.text;
      if (depth == 0) {
        for (std::string_view symbol : symbols) {
          if (text == symbol) return i;
        }
      }
      if (text == "(" || text == "[" || text == "{") ++depth;
      if (text == ")" || text == "]" || text == "}") --depth;
    }
  }

  // The expression that the tokens up to `end` make up; goes on behind them.
  ExprRef expression(size_t end) {
    if (error_) return nullptr;
    const auto first = tokens_.begin() + static_cast<std::ptrdiff_t>(pos_);
    std::vector<Token> part(first, tokens_.begin() + static_cast<std::ptrdiff_t>(end));
    part.push_back(line_end(tokens_[end].at));
    Token last = line_end(tokens_[end].at);
    last.kind = TokenKind::End;
    part.push_back(std::move(last));
    pos_ = end;
    Result<ExprRef> result = script::parse_expression(std::move(part));
    if (result.ok()) return result.value();
    error_ = as_text_error(result.diagnostics().front());
    return nullptr;
  }

  std::string name(std::string_view what) {
    if (error_) return "";
    if (peek().kind != TokenKind::Word) {
      fail(peek().at, "expected " + std::string(what) + ", not " + shown(peek()));
      return "";
    }
    return tokens_[pos_++].text;
  }

  // ---- statements ----
  void statement(Body& out) {
    if (peek().kind == TokenKind::Indent) {
      return fail(peek().at, "this line is indented, but no block begins above it");
    }
    if (is_symbol(pos_, "@")) return decorated(out);
    const Position here = peek().at;
    if (is_word(pos_, "class")) return class_block(out, {});
    if (is_word(pos_, "def")) return definition(out, {});
    if (is_word(pos_, "for")) return for_block(out);
    if (is_word(pos_, "while")) {
      ++pos_;
      WhileBlock loop;
      loop.condition = expression(find(pos_, {":"}));
      loop.body = block();
      return add(out, here, std::move(loop));
    }
    if (is_word(pos_, "if")) return if_block(out);
    if (is_word(pos_, "with")) {
      ++pos_;
      WithBlock with;
      with.context = expression(find(pos_, {":"}));
      with.body = block();
      return add(out, here, std::move(with));
    }
    simple_statements(out);
  }

  void add(Body& out, Position at, Statement::Kind kind) {
    if (!error_) out.push_back({at, std::move(kind)});
  }

  void decorated(Body& out) {
    std::vector<ExprRef> decorators;
    while (!error_ && is_symbol(pos_, "@")) {
      ++pos_;
      decorators.push_back(expression(find(pos_, {})));
      if (!error_ && peek().kind == TokenKind::Newline) ++pos_;
    }
    if (error_) return;
    if (is_word(pos_, "class")) return class_block(out, std::move(decorators));
    if (is_word(pos_, "def")) return definition(out, std::move(decorators));
    fail(peek().at, "expected 'class' or 'def' after a decorator, not " + shown(peek()));
  }

  void class_block(Body& out, std::vector<ExprRef> decorators) {
    const Position here = tokens_[pos_++].at;
    ClassBlock result;
    result.decorators = std::move(decorators);
    result.name = name("the module's name after 'class'");
    result.body = block();
    add(out, here, std::move(result));
  }

  void definition(Body& out, std::vector<ExprRef> decorators) {
    const Position here = tokens_[pos_++].at;
    Definition result;
    result.decorators = std::move(decorators);
    result.name = name("the function's name after 'def'");
    if (!expect("(", "after the function's name")) return;
    while (!error_ && !is_symbol(pos_, ")")) {
      Parameter param;
      param.at = peek().at;
      param.name = name("a parameter's name");
      for (const Parameter& other : result.params) {
        if (other.name != param.name) continue;
        fail(param.at, "two parameters are named " + quote(param.name), codes::kTextName);
      }
      if (!error_ && is_symbol(pos_, ":")) {
        ++pos_;
        param.annotation = expression(find(pos_, {",", ")"}));
      }
      result.params.push_back(std::move(param));
      if (error_ || !is_symbol(pos_, ",")) break;
      ++pos_;
    }
    if (!expect(")", "after the parameters")) return;
    if (is_symbol(pos_, "->")) {
      ++pos_;
      result.returns = expression(find(pos_, {":"}));
    }
    result.body = block();
    add(out, here, std::move(result));
  }

  void for_block(Body& out) {
    const Position here = tokens_[pos_++].at;
    ForBlock loop;
    const size_t in = find(pos_, {":"}, "in");
    if (!is_word(in, "in")) {
      return fail(at(in).at, "expected 'in' after the loop's names, not " + shown(at(in)));
    }
    loop.target = expression(in);
    ++pos_;
    loop.iterable = expression(find(pos_, {":"}));
    loop.body = block();
    add(out, here, std::move(loop));
  }

  void if_block(Body& out) {
    const Position here = tokens_[pos_++].at;
    IfBlock result;
    result.condition = expression(find(pos_, {":"}));
    result.then_body = block();
    if (!error_ && is_word(pos_, "elif")) {
      if (++depth_ > kMaxBlocks) return too_deep();
      if_block(result.else_body);
      --depth_;
    } else if (!error_ && is_word(pos_, "else")) {
      ++pos_;
      result.else_body = block();
    }
    add(out, here, std::move(result));
  }

  void too_deep() {
    fail(peek().at, "blocks are nested more than " + std::to_string(kMaxBlocks) + " levels deep",
         codes::kTextLimit);
  }

  Body block() {
    Body body;
    if (!expect(":", "before the block")) return body;
    if (peek().kind != TokenKind::Newline) {
      simple_statements(body);
      return body;
    }
    ++pos_;
    if (peek().kind != TokenKind::Indent) {
      fail(peek().at, "expected an indented block, not " + shown(peek()));
      return body;
    }
    ++pos_;
    if (++depth_ > kMaxBlocks) too_deep();
    while (!error_ && peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
      statement(body);
    }
    --depth_;
    if (!error_ && peek().kind == TokenKind::Dedent) ++pos_;
    return body;
  }

  void simple_statements(Body& out) {
    while (!error_) {
      simple_statement(out);
      if (error_) return;
      if (is_symbol(pos_, ";")) {
        ++pos_;
        if (peek().kind != TokenKind::Newline) continue;
      }
      if (peek().kind == TokenKind::Newline) {
        ++pos_;
      } else if (peek().kind != TokenKind::End && peek().kind != TokenKind::Dedent) {
        fail(peek().at, "expected the end of the line, not " + shown(peek()));
      }
      return;
    }
  }

  void simple_statement(Body& out) {
    const Position here = peek().at;
    const size_t end = find(pos_, {";"});
    if (is_word(pos_, "pass")) {
      ++pos_;
      add(out, here, PassLine{});
    } else if (is_word(pos_, "import") || is_word(pos_, "from")) {
      pos_ = end;
    } else if (is_word(pos_, "return")) {
      ++pos_;
      ReturnLine result;
      if (pos_ != end) result.value = expression(end);
      add(out, here, std::move(result));
    } else {
      assignment(out, here, end);
    }
  }

  void assignment(Body& out, Position here, size_t end) {
    const size_t mark = find(pos_, {"=", ":", ";"});
    ExprRef first = expression(mark);
    if (error_) return;
    if (mark == end) return add(out, here, ExprLine{std::move(first)});
    AssignLine result;
    result.target = std::move(first);
    if (is_symbol(mark, ":")) {
      ++pos_;
      const size_t equals = find(pos_, {"=", ";"});
      result.annotation = expression(equals);
      if (!error_ && !is_symbol(equals, "=")) {
        return fail(at(equals).at, "a value is missing: `name: type = value`");
      }
    }
    if (!expect("=", "before the value")) return;
    result.value = expression(end);
    add(out, here, std::move(result));
  }

  std::vector<Token> tokens_;
  size_t pos_ = 0;
  int depth_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace

Result<Body> parse_statements(std::string_view text) {
  Result<std::vector<Token>> tokens = script::tokenize(text, script::HexEscape::Byte);
  if (!tokens.ok()) return as_text_error(tokens.diagnostics().front());
  return StatementReader(std::move(tokens).value()).run();
}

Result<ExprRef> parse_quoted(std::string_view text, Position at) {
  const auto moved = [at](Diagnostic diagnostic) {
    diagnostic.place.line = at.line;
    diagnostic.place.column += at.column;
    return as_text_error(std::move(diagnostic));
  };
  Result<std::vector<Token>> tokens = script::tokenize(text, script::HexEscape::Byte);
  if (!tokens.ok()) return moved(tokens.diagnostics().front());
  for (Token& token : tokens.value()) {
    token.at.line = at.line;
    token.at.column += at.column;
  }
  Result<ExprRef> result = script::parse_expression(std::move(tokens).value());
  if (!result.ok()) return as_text_error(result.diagnostics().front());
  return result;
}

}  // namespace fx2wasm::parse
