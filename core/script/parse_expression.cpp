#include <algorithm>
#include <array>

#include "script/parser.h"
#include "script/parser_internal.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

// Each level of brackets or operators is a few calls of ours; a person writes ten.
constexpr int kMaxExpressionNesting = 60;
// A chain like a + b + c + … is a tree as deep as it is long.
constexpr int kMaxDepth = 200;
constexpr size_t kMaxParameters = 255;

struct BinaryLevel {
  std::string_view symbol;
  Operator op;
  int level;
};
constexpr int kLastLevel = 5;
constexpr std::array<BinaryLevel, 12> kBinary = {{
    {"|", Operator::BitOr, 0},
    {"^", Operator::BitXor, 1},
    {"&", Operator::BitAnd, 2},
    {"<<", Operator::ShiftLeft, 3},
    {">>", Operator::ShiftRight, 3},
    {"+", Operator::Add, 4},
    {"-", Operator::Sub, 4},
    {"*", Operator::Mul, 5},
    {"/", Operator::Div, 5},
    {"//", Operator::FloorDiv, 5},
    {"%", Operator::Mod, 5},
    {"@", Operator::MatMul, 5},
}};

}  // namespace

ExprRef Parser::make(Position at, ExprNode::Kind kind, std::initializer_list<ExprRef> parts) {
  return make(at, std::move(kind), std::vector<ExprRef>(parts));
}

ExprRef Parser::make(Position at, ExprNode::Kind kind, const std::vector<ExprRef>& parts) {
  if (failed()) return nullptr;
  auto node = std::make_shared<ExprNode>();
  node->at = at;
  for (const ExprRef& part : parts) {
    if (part) node->depth = std::max(node->depth, part->depth + 1);
  }
  if (node->depth > kMaxDepth) {
    fail(at, "this expression is more than " + std::to_string(kMaxDepth) +
                 " operations deep; give its parts names");
    return nullptr;
  }
  node->kind = std::move(kind);
  return node;
}

ExprRef Parser::expression_tuple() {
  const Position at = peek().at;
  ExprRef first = expression();
  if (failed() || !at_symbol(",")) return first;
  std::vector<ExprRef> items = {first};
  while (take_symbol(",")) {
    const Token& token = peek();
    if (token.kind == TokenKind::Newline || token.kind == TokenKind::End || at_symbol(")") ||
        at_symbol("]") || at_symbol("=") || at_symbol(":") || at_symbol(";")) {
      break;
    }
    items.push_back(expression());
    if (failed()) return nullptr;
  }
  return make(at, TupleDisplay{items}, items);
}

ExprRef Parser::target_tuple() {
  const Position at = peek().at;
  ExprRef first = postfix();
  if (failed()) return nullptr;
  if (!at_symbol(",")) return check_target(first) ? first : nullptr;
  std::vector<ExprRef> items = {first};
  while (take_symbol(",")) {
    if (at_word("in") || at_symbol("=")) break;
    items.push_back(postfix());
    if (failed()) return nullptr;
  }
  ExprRef target = make(at, TupleDisplay{items}, items);
  return !failed() && check_target(target) ? target : nullptr;
}

bool Parser::check_target(const ExprRef& target) {
  if (failed()) return false;
  const auto check_all = [this](const std::vector<ExprRef>& items) {
    return std::all_of(items.begin(), items.end(),
                       [this](const ExprRef& item) { return check_target(item); });
  };
  if (std::holds_alternative<Name>(target->kind)) return true;
  if (std::holds_alternative<Subscript>(target->kind)) return true;
  if (const auto* tuple = std::get_if<TupleDisplay>(&target->kind)) return check_all(tuple->items);
  if (const auto* list = std::get_if<ListDisplay>(&target->kind)) return check_all(list->items);
  if (std::holds_alternative<Attribute>(target->kind)) {
    fail(target->at,
         "this small Python assigns to names, tuples of names and items, not to "
         "attributes");
  } else {
    fail(target->at, "this cannot be assigned to; write a name, or names with commas");
  }
  return false;
}

ExprRef Parser::expression() {
  if (failed()) return nullptr;
  if (nesting_ >= kMaxExpressionNesting) {
    fail(peek().at, "expressions are nested more than " + std::to_string(kMaxExpressionNesting) +
                        " levels deep; give their parts names");
    return nullptr;
  }
  ++nesting_;
  ExprRef result;
  if (at_word("lambda")) {
    result = lambda();
  } else {
    const Position at = peek().at;
    result = or_operation();
    if (!failed() && take_word("if")) {
      ExprRef test = or_operation();
      if (!failed() && !take_word("else")) {
        fail(peek().at,
             "expected 'else' after the condition of 'value if condition', not " + here());
      }
      ExprRef other = expression();
      result = make(at, Conditional{test, result, other}, {test, result, other});
    }
  }
  --nesting_;
  if (!failed() && at_symbol(":=")) {
    fail(peek().at, "this small Python has no ':='; assign on a line of its own");
  }
  return failed() ? nullptr : result;
}

ExprRef Parser::lambda() {
  const Position at = peek().at;
  next();
  std::vector<Parameter> params = parameters(":", false);
  if (!expect_symbol(":", "after the lambda's parameters")) return nullptr;
  ExprRef body = expression();
  return make(at, Lambda{std::move(params), body}, {body});
}

std::vector<Parameter> Parser::parameters(std::string_view end, bool annotated) {
  std::vector<Parameter> params;
  bool star_seen = false;
  bool default_seen = false;
  while (!failed() && !at_symbol(end)) {
    Parameter param;
    if (at_symbol("**")) {
      fail(peek().at, "this small Python has no '**' parameters");
      break;
    }
    const Position at = peek().at;
    param.star = take_symbol("*");
    if (param.star && star_seen) {
      fail(at, "only one parameter can have a '*'");
      break;
    }
    if (peek().kind != TokenKind::Word || word_is_reserved(peek().text)) {
      fail(peek().at, "expected a parameter's name, not " + here());
      break;
    }
    param.name = peek().text;
    for (const Parameter& other : params) {
      if (other.name == param.name) {
        fail(peek().at, "two parameters are called " + quote(param.name));
      }
    }
    next();
    if (annotated && take_symbol(":")) expression();  // an annotation means nothing here
    if (!failed() && take_symbol("=")) {
      if (param.star) fail(peek().at, "a '*' parameter has no default");
      param.default_value = expression();
      default_seen = true;
    } else if (default_seen && !param.star && !star_seen) {
      fail(at, "a parameter without a default follows one with a default");
    }
    star_seen |= param.star;
    params.push_back(std::move(param));
    if (params.size() > kMaxParameters) fail(at, "too many parameters");
    if (!take_symbol(",")) break;
  }
  return params;
}

ExprRef Parser::or_operation() {
  ExprRef left = and_operation();
  while (!failed() && at_word("or")) {
    const Position at = peek().at;
    next();
    ExprRef right = and_operation();
    left = make(at, BoolOperation{false, left, right}, {left, right});
  }
  return left;
}

ExprRef Parser::and_operation() {
  ExprRef left = not_operation();
  while (!failed() && at_word("and")) {
    const Position at = peek().at;
    next();
    ExprRef right = not_operation();
    left = make(at, BoolOperation{true, left, right}, {left, right});
  }
  return left;
}

ExprRef Parser::not_operation() {
  if (failed()) return nullptr;
  std::vector<Position> marks;
  while (at_word("not")) {
    marks.push_back(peek().at);
    next();
  }
  ExprRef operand = comparison();
  for (size_t i = marks.size(); i-- > 0 && !failed();) {
    operand = make(marks[i], Unary{UnaryOperator::Not, operand}, {operand});
  }
  return operand;
}

std::optional<Comparison> Parser::comparison_operator() {
  static constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisons = {{
      {"==", Comparison::EQ},
      {"!=", Comparison::NE},
      {"<", Comparison::LT},
      {"<=", Comparison::LE},
      {">", Comparison::GT},
      {">=", Comparison::GE},
  }};
  for (const auto& entry : kComparisons) {
    if (take_symbol(entry.first)) return entry.second;
  }
  if (take_word("in")) return Comparison::In;
  if (at_word("not") && at_word("in", 1)) {
    next();
    next();
    return Comparison::NotIn;
  }
  if (take_word("is")) return take_word("not") ? Comparison::IsNot : Comparison::Is;
  return std::nullopt;
}

ExprRef Parser::comparison() {
  ExprRef first = binary(0);
  if (failed()) return nullptr;
  Compare compare;
  Position at = peek().at;
  std::vector<ExprRef> parts = {first};
  while (!failed()) {
    const Position operator_at = peek().at;
    const std::optional<Comparison> op = comparison_operator();
    if (!op) break;
    if (compare.rest.empty()) at = operator_at;
    parts.push_back(binary(0));
    compare.rest.emplace_back(*op, parts.back());
  }
  if (failed() || compare.rest.empty()) return first;
  compare.first = first;
  return make(at, std::move(compare), parts);
}

ExprRef Parser::binary(int level) {
  if (level > kLastLevel) return unary();
  ExprRef left = binary(level + 1);
  while (!failed() && peek().kind == TokenKind::Symbol) {
    const auto* entry =
        std::find_if(kBinary.begin(), kBinary.end(), [&](const BinaryLevel& candidate) {
          return candidate.level == level && candidate.symbol == peek().text;
        });
    if (entry == kBinary.end()) break;
    const Position at = peek().at;
    next();
    ExprRef right = binary(level + 1);
    left = make(at, Binary{entry->op, left, right}, {left, right});
  }
  return left;
}

ExprRef Parser::unary() {
  if (failed()) return nullptr;
  std::vector<std::pair<Position, UnaryOperator>> marks;
  while (true) {
    const Position at = peek().at;
    if (take_symbol("-")) {
      marks.emplace_back(at, UnaryOperator::Minus);
    } else if (take_symbol("+")) {
      marks.emplace_back(at, UnaryOperator::Plus);
    } else if (take_symbol("~")) {
      marks.emplace_back(at, UnaryOperator::Invert);
    } else {
      break;
    }
  }
  ExprRef operand = power();
  for (size_t i = marks.size(); i-- > 0 && !failed();) {
    operand = make(marks[i].first, Unary{marks[i].second, operand}, {operand});
  }
  return operand;
}

ExprRef Parser::power() {
  ExprRef base = postfix();
  if (failed() || !at_symbol("**")) return base;
  const Position at = peek().at;
  next();
  if (++nesting_ > kMaxExpressionNesting) fail(at, "powers are nested too deep");
  ExprRef exponent = unary();
  --nesting_;
  return make(at, Binary{Operator::Pow, base, exponent}, {base, exponent});
}

ExprRef Parser::postfix() {
  ExprRef value = atom();
  while (!failed()) {
    if (take_symbol(".")) {
      if (peek().kind != TokenKind::Word) {
        fail(peek().at, "expected a name after '.', not " + here());
        return nullptr;
      }
      const Token name = peek();
      next();
      const Position at = value->at;
      value = make(at, Attribute{value, name.text, name.at}, {value});
    } else if (at_symbol("(")) {
      value = call(value);
    } else if (at_symbol("[")) {
      const Position at = value->at;
      next();
      ExprRef index = subscript_index();
      expect_symbol("]", "after the index");
      value = make(at, Subscript{value, index}, {value, index});
    } else {
      break;
    }
  }
  return failed() ? nullptr : value;
}

ExprRef Parser::subscript_index() {
  const Position at = peek().at;
  std::vector<ExprRef> items;
  bool comma = false;
  while (!failed() && !at_symbol("]")) {
    const Position item_at = peek().at;
    ExprRef start = at_symbol(":") ? nullptr : expression();
    if (!failed() && take_symbol(":")) {
      ExprRef stop = at_symbol(":") || at_symbol("]") || at_symbol(",") ? nullptr : expression();
      ExprRef step;
      if (!failed() && take_symbol(":") && !at_symbol("]") && !at_symbol(",")) step = expression();
      start = make(item_at, SliceIndex{start, stop, step}, {start, stop, step});
    }
    items.push_back(start);
    comma = take_symbol(",");
    if (!comma) break;
  }
  if (failed()) return nullptr;
  if (items.empty()) {
    fail(at, "an index is missing between '[' and ']'");
    return nullptr;
  }
  if (items.size() == 1 && !comma) return items.front();
  return make(at, TupleDisplay{items}, items);
}

ExprRef Parser::call(ExprRef callee) {
  const Position at = callee->at;
  next();
  Call result;
  std::vector<ExprRef> parts = {callee};
  bool keyword_seen = false;
  while (!failed() && !at_symbol(")")) {
    CallArgument argument;
    const Position argument_at = peek().at;
    if (at_symbol("**")) {
      fail(argument_at, "this small Python has no '**' in calls");
      break;
    }
    if (take_symbol("*")) {
      argument.star = true;
    } else if (peek().kind == TokenKind::Word && at_symbol("=", 1)) {
      argument.name = peek().text;
      for (const CallArgument& other : result.args) {
        if (other.name == argument.name) {
          fail(argument_at, "the argument " + quote(argument.name) + " is given twice");
        }
      }
      next();
      next();
      keyword_seen = true;
    } else if (keyword_seen) {
      fail(argument_at, "an argument without a name follows one with a name");
      break;
    }
    argument.value = expression();
    if (!failed() && at_word("for")) {
      fail(peek().at, "this small Python has list comprehensions [… for …], no generators");
    }
    parts.push_back(argument.value);
    result.args.push_back(std::move(argument));
    if (!take_symbol(",")) break;
  }
  expect_symbol(")", "after the arguments");
  result.callee = std::move(callee);
  return make(at, std::move(result), parts);
}

ExprRef Parser::parenthesised() {
  const Position at = peek().at;
  next();
  if (take_symbol(")")) return make(at, TupleDisplay{}, {});
  if (at_symbol("*")) {
    fail(peek().at, "this small Python has '*' only in calls and parameters");
    return nullptr;
  }
  ExprRef inner = expression();
  if (failed()) return nullptr;
  if (at_word("for")) {
    fail(peek().at, "this small Python has list comprehensions [… for …], no generators");
    return nullptr;
  }
  if (!at_symbol(",")) {
    expect_symbol(")", "to close the bracket");
    return failed() ? nullptr : inner;
  }
  std::vector<ExprRef> items = {inner};
  while (!failed() && take_symbol(",") && !at_symbol(")")) items.push_back(expression());
  expect_symbol(")", "to close the tuple");
  return make(at, TupleDisplay{items}, items);
}

ExprRef Parser::list_display() {
  const Position at = peek().at;
  next();
  std::vector<ExprRef> items;
  while (!failed() && !at_symbol("]")) {
    if (at_symbol("*")) {
      fail(peek().at, "this small Python has '*' only in calls and parameters");
      break;
    }
    items.push_back(expression());
    if (!failed() && items.size() == 1 && take_word("for")) {
      ListComprehension comprehension;
      comprehension.item = items.front();
      comprehension.target = target_tuple();
      if (!failed() && !take_word("in")) fail(peek().at, "expected 'in', not " + here());
      comprehension.iterable = or_operation();
      while (!failed() && take_word("if")) comprehension.conditions.push_back(or_operation());
      if (!failed() && at_word("for")) {
        fail(peek().at, "a list comprehension has one 'for' in this small Python");
      }
      expect_symbol("]", "to close the list");
      std::vector<ExprRef> parts = {comprehension.item, comprehension.target,
                                    comprehension.iterable};
      parts.insert(parts.end(), comprehension.conditions.begin(), comprehension.conditions.end());
      return make(at, std::move(comprehension), parts);
    }
    if (!take_symbol(",")) break;
  }
  expect_symbol("]", "to close the list");
  return make(at, ListDisplay{items}, items);
}

ExprRef Parser::dict_display() {
  const Position at = peek().at;
  next();
  DictDisplay dict;
  std::vector<ExprRef> parts;
  while (!failed() && !at_symbol("}")) {
    ExprRef key = expression();
    if (failed()) break;
    if (!at_symbol(":")) {
      fail(peek().at, "expected ':' after a dict's key, not " + here() +
                          " (this small Python has dicts, no sets)");
      break;
    }
    next();
    ExprRef value = expression();
    parts.push_back(key);
    parts.push_back(value);
    dict.items.emplace_back(std::move(key), std::move(value));
    if (!failed() && at_word("for")) {
      fail(peek().at, "this small Python has list comprehensions, no dict comprehensions");
    }
    if (!take_symbol(",")) break;
  }
  expect_symbol("}", "to close the dict");
  return make(at, std::move(dict), parts);
}

ExprRef Parser::atom() {
  if (failed()) return nullptr;
  const Token token = peek();
  switch (token.kind) {
    case TokenKind::Integer:
      next();
      return make(token.at, token.integer, {});
    case TokenKind::Float:
      next();
      return make(token.at, token.real, {});
    case TokenKind::String: {
      std::string text;
      for (; peek().kind == TokenKind::String; next()) text += peek().text;
      return make(token.at, std::move(text), {});
    }
    case TokenKind::Word: {
      if (token.text == "None" || token.text == "True" || token.text == "False") {
        next();
        if (token.text == "None") return make(token.at, NoneLiteral{}, {});
        return make(token.at, token.text == "True", {});
      }
      if (token.text == "await" || token.text == "yield") {
        fail(token.at, "this small Python has no '" + token.text + "'",
             std::string(language_summary()));
        return nullptr;
      }
      if (word_is_reserved(token.text)) break;
      next();
      return make(token.at, Name{token.text}, {});
    }
    case TokenKind::Symbol:
      if (token.text == "(") return parenthesised();
      if (token.text == "[") return list_display();
      if (token.text == "{") return dict_display();
      if (token.text == "...") {
        fail(token.at, "this small Python has no '...'");
        return nullptr;
      }
      break;
    case TokenKind::Newline:
    case TokenKind::Indent:
    case TokenKind::Dedent:
    case TokenKind::End:
      break;
  }
  fail(token.at, "expected a value, not " + here());
  return nullptr;
}

}  // namespace fx2wasm::script
