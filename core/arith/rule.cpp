#include "arith/rule.h"

#include <cctype>
#include <utility>

#include "arith/deep_equal.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "support/check.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;
using TermPtr = std::shared_ptr<const Term>;

struct Wildcard {
  size_t slot = 0;
  bool constant = false;  // only an integer constant fits
};
struct Literal {
  int64_t value = 0;
};
struct Truth {
  bool value = false;
};
struct Operation {
  BinaryOp op = BinaryOp::Add;
  TermPtr a, b;
};
struct Negation {
  TermPtr a;
};
struct Choice {
  TermPtr condition, a, b;
};

struct Term {
  std::variant<Wildcard, Literal, Truth, Operation, Negation, Choice> kind;
};

namespace {

constexpr std::string_view kExpressionNames = "xyzabst";
constexpr size_t kSlots = 10;  // the seven expressions, then c1, c2, c3
using Bindings = std::array<const PrimExpr*, kSlots>;

// ---- reading the text ----

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<TermPtr> alternatives() {
    std::vector<TermPtr> terms{disjunction()};
    while (take_alternative()) terms.push_back(disjunction());
    FX_CHECK(at_ == text_.size(), "a rewrite rule has text behind its end");
    return terms;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  bool take_alternative() {
    skip_spaces();
    return text_.substr(at_, 2) != "||" && take("|");
  }

  static TermPtr make(BinaryOp op, TermPtr a, TermPtr b) {
    return std::make_shared<Term>(Term{Operation{op, std::move(a), std::move(b)}});
  }

  TermPtr disjunction() {
    TermPtr term = conjunction();
    while (take("||")) term = make(BinaryOp::Or, term, conjunction());
    return term;
  }

  TermPtr conjunction() {
    TermPtr term = comparison();
    while (take("&&")) term = make(BinaryOp::And, term, comparison());
    return term;
  }

  TermPtr comparison() {
    TermPtr term = sum();
    if (take("<=")) return make(BinaryOp::LE, term, sum());
    if (take(">=")) return make(BinaryOp::GE, term, sum());
    if (take("==")) return make(BinaryOp::EQ, term, sum());
    if (take("!=")) return make(BinaryOp::NE, term, sum());
    if (take("<")) return make(BinaryOp::LT, term, sum());
    if (take(">")) return make(BinaryOp::GT, term, sum());
    return term;
  }

  TermPtr sum() {
    TermPtr term = product();
    while (true) {
      if (take("+")) {
        term = make(BinaryOp::Add, term, product());
      } else if (take("-")) {
        term = make(BinaryOp::Sub, term, product());
      } else {
        return term;
      }
    }
  }

  TermPtr product() {
    TermPtr term = primary();
    while (true) {
      if (take("*")) {
        term = make(BinaryOp::Mul, term, primary());
      } else if (take("//")) {
        term = make(BinaryOp::FloorDiv, term, primary());
      } else if (take("%")) {
        term = make(BinaryOp::FloorMod, term, primary());
      } else {
        return term;
      }
    }
  }

  TermPtr primary() {
    skip_spaces();
    if (take("!")) return std::make_shared<Term>(Term{Negation{primary()}});
    if (take("(")) {
      TermPtr term = disjunction();
      FX_CHECK(take(")"), "a rewrite rule lacks a closing parenthesis");
      return term;
    }
    FX_CHECK(at_ < text_.size(), "a rewrite rule ends early");
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    return named();
  }

  TermPtr number() {
    int64_t value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      value = value * 10 + (text_[at_++] - '0');
    }
    return std::make_shared<Term>(Term{Literal{value}});
  }

  TermPtr named() {
    const size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "true" || name == "false") {
      return std::make_shared<Term>(Term{Truth{name == "true"}});
    }
    if (name.size() == 1 && kExpressionNames.find(name[0]) != std::string_view::npos) {
      return std::make_shared<Term>(Term{Wildcard{kExpressionNames.find(name[0]), false}});
    }
    if (name.size() == 2 && name[0] == 'c') {
      const auto slot = kExpressionNames.size() + static_cast<size_t>(name[1] - '1');
      return std::make_shared<Term>(Term{Wildcard{slot, true}});
    }
    return function(name);
  }

  TermPtr function(std::string_view name) {
    FX_CHECK(take("("), "a rewrite rule names something unknown");
    TermPtr a = disjunction();
    FX_CHECK(take(","), "a function of a rewrite rule has two or three arguments");
    TermPtr b = disjunction();
    TermPtr result;
    if (name == "min") result = make(BinaryOp::Min, a, b);
    if (name == "max") result = make(BinaryOp::Max, a, b);
    if (name == "div") result = make(BinaryOp::Div, a, b);
    if (name == "mod") result = make(BinaryOp::Mod, a, b);
    if (name == "select" && take(",")) {
      result = std::make_shared<Term>(Term{Choice{a, b, disjunction()}});
    }
    FX_CHECK(result && take(")"), "a rewrite rule calls something unknown");
    return result;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// ---- matching ----

bool bind(const Wildcard& wildcard, const PrimExpr& expr, Bindings& bindings) {
  if (wildcard.constant && !tir::as_int(expr)) return false;
  const PrimExpr*& bound = bindings[wildcard.slot];
  if (bound != nullptr) {
    return wildcard.constant ? tir::as_int(*bound) == tir::as_int(expr) : deep_equal(*bound, expr);
  }
  bound = &expr;
  return true;
}

bool fits(const Term& term, const PrimExpr& expr, Bindings& bindings) {
  return match(
      term.kind, [&](const Wildcard& wildcard) { return bind(wildcard, expr, bindings); },
      [&](const Literal& literal) { return tir::as_int(expr) == literal.value; },
      [&](const Truth& truth) { return tir::as_int(expr) == (truth.value ? 1 : 0); },
      [&](const Operation& operation) {
        const auto* node = std::get_if<tir::Binary>(&expr->kind);
        return node != nullptr && node->op == operation.op &&
               fits(*operation.a, node->a, bindings) && fits(*operation.b, node->b, bindings);
      },
      [&](const Negation& negation) {
        const auto* node = std::get_if<tir::Not>(&expr->kind);
        return node != nullptr && fits(*negation.a, node->a, bindings);
      },
      [&](const Choice& choice) {
        const auto* node = std::get_if<tir::Select>(&expr->kind);
        return node != nullptr && fits(*choice.condition, node->condition, bindings) &&
               fits(*choice.a, node->true_value, bindings) &&
               fits(*choice.b, node->false_value, bindings);
      });
}

// ---- building ----

// A number takes the dtype of what it stands beside; `like` is that of the whole.
PrimExpr build(const Term& term, const Bindings& bindings, DType like) {
  return match(
      term.kind, [&](const Wildcard& wildcard) { return *bindings[wildcard.slot]; },
      [&](const Literal& literal) { return tir::int_imm(like, literal.value); },
      [&](const Truth& truth) { return tir::bool_imm(truth.value); },
      [&](const Operation& operation) {
        if (std::holds_alternative<Literal>(operation.a->kind)) {
          const PrimExpr b = build(*operation.b, bindings, like);
          return tir::binary(operation.op, build(*operation.a, bindings, b->dtype), b);
        }
        const PrimExpr a = build(*operation.a, bindings, like);
        return tir::binary(operation.op, a, build(*operation.b, bindings, a->dtype));
      },
      [&](const Negation& negation) {
        return tir::logical_not(build(*negation.a, bindings, like));
      },
      [&](const Choice& choice) {
        return tir::select(build(*choice.condition, bindings, DType::Bool),
                           build(*choice.a, bindings, like), build(*choice.b, bindings, like));
      });
}

// ---- conditions ----

// The value of a term of constants, or nothing. A division by zero has none.
std::optional<int64_t> constant(const Term& term, const Bindings& bindings) {
  if (const auto* wildcard = std::get_if<Wildcard>(&term.kind)) {
    return wildcard->constant ? tir::as_int(*bindings[wildcard->slot]) : std::nullopt;
  }
  if (const auto* literal = std::get_if<Literal>(&term.kind)) return literal->value;
  const auto* operation = std::get_if<Operation>(&term.kind);
  if (operation == nullptr) return std::nullopt;
  const auto a = constant(*operation->a, bindings), b = constant(*operation->b, bindings);
  if (!a || !b) return std::nullopt;
  const PrimExpr folded =
      tir::try_fold(operation->op, tir::int_imm(DType::Int64, *a), tir::int_imm(DType::Int64, *b));
  return folded ? tir::as_int(folded) : std::nullopt;
}

bool has_expression(const Term& term) {
  if (const auto* wildcard = std::get_if<Wildcard>(&term.kind)) return !wildcard->constant;
  const auto* operation = std::get_if<Operation>(&term.kind);
  return operation && (has_expression(*operation->a) || has_expression(*operation->b));
}

bool holds(const Term& term, const Bindings& bindings, Prover& prover) {
  const auto* comparison = std::get_if<Operation>(&term.kind);
  FX_CHECK(comparison, "the condition of a rewrite rule is not a comparison");
  if (comparison->op == BinaryOp::And) {
    return holds(*comparison->a, bindings, prover) && holds(*comparison->b, bindings, prover);
  }
  if (comparison->op == BinaryOp::Or) {
    return holds(*comparison->a, bindings, prover) || holds(*comparison->b, bindings, prover);
  }
  if (!has_expression(*comparison->a)) return constant(term, bindings).value_or(0) != 0;
  const auto right = constant(*comparison->b, bindings);
  if (!right) return false;
  const PrimExpr left = build(*comparison->a, bindings, DType::Int64);
  if (comparison->op == BinaryOp::GE) return prover.proves_at_least(left, *right);
  if (comparison->op == BinaryOp::LT) return prover.proves_less(left, *right);
  FX_CHECK(comparison->op == BinaryOp::EQ, "a rewrite rule asks what cannot be proved");
  return prover.proves_equal(left, *right);
}

}  // namespace

RuleSet::RuleSet(std::initializer_list<RuleText> rules) {
  for (const RuleText& text : rules) {
    Rule rule{Parser(text.pattern).alternatives(), Parser(text.result).alternatives()[0], nullptr,
              text.then};
    if (!text.condition.empty()) rule.condition = Parser(text.condition).alternatives()[0];
    rules_.push_back(std::move(rule));
  }
}

std::optional<RuleSet::Hit> RuleSet::apply(const PrimExpr& expr, Prover& prover) const {
  for (const Rule& rule : rules_) {
    for (const TermPtr& pattern : rule.patterns) {
      Bindings bindings{};
      if (!fits(*pattern, expr, bindings)) continue;
      if (rule.condition && !holds(*rule.condition, bindings, prover)) continue;
      return Hit{build(*rule.result, bindings, expr->dtype), rule.then};
    }
  }
  return std::nullopt;
}

}  // namespace fx2wasm::arith
