// The parser's two halves share this class: parse_expression.cpp and parse_statement.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "script/lexer.h"

namespace fx2wasm::script {

// Recursive descent over the tokens. The first error is kept in `error_`, and every function gives
// null from then on, so that callers need to look only once.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  Result<Block> program();
  Result<ExprRef> only_expression();

 private:
  // ---- tokens ----
  const Token& peek(size_t ahead = 0) const;
  bool at_symbol(std::string_view text, size_t ahead = 0) const;
  bool at_word(std::string_view text, size_t ahead = 0) const;
  bool take_symbol(std::string_view text);
  bool take_word(std::string_view text);
  bool expect_symbol(std::string_view text, std::string_view after);
  void next();
  bool failed() const { return error_.has_value(); }
  void fail(Position at, std::string message, std::string note = "");
  // What stands here, for messages: "the end of the line", "'+'".
  std::string here() const;

  // ---- parse_expression.cpp ----
  ExprRef expression();        // conditional or lambda
  ExprRef expression_tuple();  // a, b
  ExprRef target_tuple();      // a, (b, c), d[i]: what `for` and `with` assign to
  ExprRef or_operation();
  ExprRef and_operation();
  ExprRef not_operation();
  ExprRef comparison();
  ExprRef binary(int level);
  ExprRef unary();
  ExprRef power();
  ExprRef postfix();
  ExprRef atom();
  ExprRef lambda();
  ExprRef parenthesised();
  ExprRef list_display();
  ExprRef dict_display();
  ExprRef subscript_index();
  ExprRef call(ExprRef callee);
  std::optional<Comparison> comparison_operator();
  std::vector<Parameter> parameters(std::string_view end, bool annotated);
  ExprRef make(Position at, ExprNode::Kind kind, std::initializer_list<ExprRef> parts);
  ExprRef make(Position at, ExprNode::Kind kind, const std::vector<ExprRef>& parts);
  bool check_target(const ExprRef& target);
  bool word_is_reserved(std::string_view word) const;

  // ---- parse_statement.cpp ----
  void statement(Block& out);
  void simple_statements(Block& out);
  void simple_statement(Block& out);
  void expression_statement(Block& out);
  void definition(Block& out);
  void if_statement(Block& out);
  void for_statement(Block& out);
  void with_statement(Block& out);
  void import_statement(Block& out);
  void from_statement(Block& out);
  std::string dotted_name();
  Block block(std::string_view after);
  bool refuse_unsupported();
  void add(Block& out, Position at, StmtNode::Kind kind);

  std::vector<Token> tokens_;
  size_t pos_ = 0;
  int nesting_ = 0;
  int function_depth_ = 0;
  int loop_depth_ = 0;
  std::optional<Diagnostic> error_;
};

}  // namespace fx2wasm::script
