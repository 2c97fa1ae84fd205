#include <algorithm>
#include <array>

#include "script/parser.h"
#include "script/parser_internal.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

struct Unsupported {
  std::string_view word;
  std::string_view instead;
};
constexpr std::array<Unsupported, 12> kUnsupported = {{
    {"class", "define functions with def"},
    {"while", "loop with for over a range or a list"},
    {"try", "an error ends the program at its line"},
    {"raise", "use assert condition, \"message\""},
    {"global", "give the value to the function as a parameter"},
    {"nonlocal", "give the value to the function as a parameter"},
    {"del", "leave the name as it is"},
    {"async", "define functions with def"},
    {"await", "call the function"},
    {"yield", "return a list"},
    {"except", "an error ends the program at its line"},
    {"finally", "an error ends the program at its line"},
}};

constexpr std::array<std::pair<std::string_view, Operator>, 12> kAugmented = {{
    {"+=", Operator::Add},
    {"-=", Operator::Sub},
    {"*=", Operator::Mul},
    {"/=", Operator::Div},
    {"//=", Operator::FloorDiv},
    {"%=", Operator::Mod},
    {"**=", Operator::Pow},
    {"@=", Operator::MatMul},
    {"&=", Operator::BitAnd},
    {"|=", Operator::BitOr},
    {"^=", Operator::BitXor},
    {"<<=", Operator::ShiftLeft},
}};

}  // namespace

std::string_view language_summary() {
  return "it has assignments, def, return, lambda, with, if, for, assert, import of tvm's modules, "
         "and expressions over None, booleans, numbers, strings, tuples, lists and dicts";
}

Result<Block> Parser::program() {
  Block out;
  while (!failed() && peek().kind != TokenKind::End) statement(out);
  if (failed()) return *error_;
  return out;
}

Result<ExprRef> Parser::only_expression() {
  ExprRef result = expression_tuple();
  if (!failed() && peek().kind != TokenKind::Newline && peek().kind != TokenKind::End) {
    fail(peek().at, "expected the end of the expression, not " + here());
  }
  if (failed()) return *error_;
  return result;
}

void Parser::add(Block& out, Position at, StmtNode::Kind kind) {
  if (failed()) return;
  auto node = std::make_shared<StmtNode>();
  node->at = at;
  node->kind = std::move(kind);
  out.push_back(std::move(node));
}

bool Parser::refuse_unsupported() {
  const Token& token = peek();
  if (at_symbol("@")) {
    fail(token.at, "this small Python has no decorators; call the function where it is needed",
         std::string(language_summary()));
    return true;
  }
  if (token.kind != TokenKind::Word) return false;
  for (const Unsupported& entry : kUnsupported) {
    if (token.text != entry.word) continue;
    fail(token.at, "this small Python has no '" + token.text + "'; " + std::string(entry.instead),
         std::string(language_summary()));
    return true;
  }
  return false;
}

void Parser::statement(Block& out) {
  if (failed() || refuse_unsupported()) return;
  const Token& token = peek();
  if (token.kind == TokenKind::Indent) {
    fail(token.at, "this line is indented, but no block begins above it");
  } else if (at_word("def")) {
    definition(out);
  } else if (at_word("if")) {
    if_statement(out);
  } else if (at_word("for")) {
    for_statement(out);
  } else if (at_word("with")) {
    with_statement(out);
  } else if (at_word("elif") || at_word("else")) {
    fail(token.at, "'" + token.text + "' belongs to no 'if' above it");
  } else {
    simple_statements(out);
  }
}

void Parser::simple_statements(Block& out) {
  while (!failed()) {
    simple_statement(out);
    if (failed()) return;
    if (take_symbol(";") && peek().kind != TokenKind::Newline) continue;
    if (peek().kind == TokenKind::End || peek().kind == TokenKind::Dedent) return;
    if (peek().kind != TokenKind::Newline) {
      fail(peek().at, "expected the end of the line, not " + here());
      return;
    }
    next();
    return;
  }
}

void Parser::simple_statement(Block& out) {
  if (refuse_unsupported()) return;
  const Position at = peek().at;
  if (take_word("pass")) {
    add(out, at, Pass{});
  } else if (at_word("break") || at_word("continue")) {
    const bool is_break = at_word("break");
    if (loop_depth_ == 0) {
      fail(at, "'" + peek().text + "' stands outside a loop");
      return;
    }
    next();
    if (is_break) {
      add(out, at, Break{});
    } else {
      add(out, at, Continue{});
    }
  } else if (take_word("return")) {
    if (function_depth_ == 0) {
      fail(at, "'return' stands outside a function");
      return;
    }
    ExprRef value;
    if (peek().kind != TokenKind::Newline && !at_symbol(";")) value = expression_tuple();
    add(out, at, Return{value});
  } else if (take_word("assert")) {
    ExprRef condition = expression();
    ExprRef message;
    if (!failed() && take_symbol(",")) message = expression();
    add(out, at, Assert{condition, message});
  } else if (at_word("import")) {
    import_statement(out);
  } else if (at_word("from")) {
    from_statement(out);
  } else {
    expression_statement(out);
  }
}

void Parser::expression_statement(Block& out) {
  const Position at = peek().at;
  ExprRef value = expression_tuple();
  if (failed()) return;
  if (take_symbol(":")) {  // name: annotation = value; the annotation means nothing here
    if (!check_target(value)) return;
    expression();
    if (failed()) return;
    if (!at_symbol("=")) {
      add(out, at, Pass{});
      return;
    }
  }
  for (const auto& entry : kAugmented) {
    if (!at_symbol(entry.first)) continue;
    const Position operator_at = peek().at;
    if (std::holds_alternative<TupleDisplay>(value->kind)) {
      fail(value->at, "a tuple has no '" + std::string(entry.first) + "'");
    }
    if (!check_target(value)) return;
    next();
    ExprRef right = expression_tuple();
    add(out, operator_at, AugmentedAssign{value, entry.second, right});
    return;
  }
  if (!at_symbol("=")) {
    add(out, at, ExprStmt{value});
    return;
  }
  Assign assign;
  while (!failed() && take_symbol("=")) {
    if (!check_target(value)) return;
    assign.targets.push_back(value);
    value = expression_tuple();
  }
  assign.value = value;
  add(out, at, std::move(assign));
}

Block Parser::block(std::string_view after) {
  Block body;
  if (!expect_symbol(":", after)) return body;
  if (peek().kind != TokenKind::Newline) {
    simple_statements(body);
    return body;
  }
  next();
  if (peek().kind != TokenKind::Indent) {
    fail(peek().at, "expected an indented block " + std::string(after));
    return body;
  }
  next();
  while (!failed() && peek().kind != TokenKind::Dedent && peek().kind != TokenKind::End) {
    statement(body);
  }
  if (!failed() && peek().kind == TokenKind::Dedent) next();
  return body;
}

void Parser::definition(Block& out) {
  Def def;
  const Position at = peek().at;
  next();
  if (peek().kind != TokenKind::Word || word_is_reserved(peek().text)) {
    fail(peek().at, "expected the function's name after 'def', not " + here());
    return;
  }
  def.name = peek().text;
  def.first_line = at.line;
  next();
  if (!expect_symbol("(", "after the function's name")) return;
  def.params = parameters(")", true);
  if (!expect_symbol(")", "after the parameters")) return;
  if (take_symbol("->")) expression();
  const int loops = std::exchange(loop_depth_, 0);
  ++function_depth_;
  def.body = block("after the function's head");
  --function_depth_;
  loop_depth_ = loops;
  // The last token of the body stands before the line ends and dedents that were just read.
  size_t last = pos_;
  while (last > 0 && (tokens_[last - 1].kind == TokenKind::Newline ||
                      tokens_[last - 1].kind == TokenKind::Dedent)) {
    --last;
  }
  def.last_line = last > 0 ? tokens_[last - 1].at.line : at.line;
  add(out, at, std::move(def));
}

void Parser::if_statement(Block& out) {
  If statement;
  const Position at = peek().at;
  do {
    next();
    ExprRef condition = expression();
    Block body = block("after the condition");
    statement.branches.emplace_back(std::move(condition), std::move(body));
  } while (!failed() && at_word("elif"));
  if (!failed() && take_word("else")) statement.otherwise = block("after 'else'");
  add(out, at, std::move(statement));
}

void Parser::for_statement(Block& out) {
  ForLoop loop;
  const Position at = peek().at;
  next();
  loop.target = target_tuple();
  if (!failed() && !take_word("in")) {
    fail(peek().at, "expected 'in' after the loop's names, not " + here());
  }
  loop.iterable = expression_tuple();
  ++loop_depth_;
  loop.body = block("after the loop's head");
  --loop_depth_;
  if (!failed() && at_word("else")) fail(peek().at, "this small Python has no 'else' of a loop");
  add(out, at, std::move(loop));
}

void Parser::with_statement(Block& out) {
  With with;
  const Position at = peek().at;
  next();
  do {
    ExprRef context = expression();
    ExprRef target;
    if (!failed() && take_word("as")) {
      target = postfix();
      if (!failed()) check_target(target);
    }
    with.items.emplace_back(std::move(context), std::move(target));
  } while (!failed() && take_symbol(","));
  with.body = block("after the 'with'");
  add(out, at, std::move(with));
}

std::string Parser::dotted_name() {
  std::string name;
  do {
    if (peek().kind != TokenKind::Word || word_is_reserved(peek().text)) {
      fail(peek().at, "expected a module's name, not " + here());
      return name;
    }
    if (!name.empty()) name += '.';
    name += peek().text;
    next();
  } while (take_symbol("."));
  return name;
}

void Parser::import_statement(Block& out) {
  Import import;
  const Position at = peek().at;
  next();
  do {
    const std::string path = dotted_name();
    if (failed()) return;
    if (take_word("as")) {
      import.names.emplace_back(dotted_name(), path);
    } else {
      // `import tvm.relax` binds tvm, and fails when there is no tvm.relax.
      import.names.emplace_back("", path);
    }
  } while (!failed() && take_symbol(","));
  add(out, at, std::move(import));
}

void Parser::from_statement(Block& out) {
  Import import;
  const Position at = peek().at;
  next();
  const std::string module = dotted_name();
  if (failed()) return;
  if (!take_word("import")) {
    fail(peek().at, "expected 'import' after the module's name, not " + here());
    return;
  }
  if (at_symbol("*")) {
    fail(peek().at, "this small Python has no 'import *'; name what you need");
    return;
  }
  const bool brackets = take_symbol("(");
  do {
    if (brackets && at_symbol(")")) break;
    const std::string name = dotted_name();
    if (failed()) return;
    const std::string bound = take_word("as") ? dotted_name() : name;
    import.names.emplace_back(bound, module + "." + name);
  } while (!failed() && take_symbol(","));
  if (brackets) expect_symbol(")", "to close the bracket");
  add(out, at, std::move(import));
}

Result<Block> parse_program(std::string_view text) {
  FX_TRY(tokens, tokenize(text));
  return Parser(std::move(tokens)).program();
}

Result<ExprRef> parse_expression(std::vector<Token> tokens) {
  return Parser(std::move(tokens)).only_expression();
}

}  // namespace fx2wasm::script
