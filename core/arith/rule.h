// Rewrite rules of the analyzer, written as text so that a table of them can be read:
//
//   {"(x * c1 + y) // c2", "x * (c1 // c2) + y // c2", "c2 > 0 && c1 % c2 == 0"}
//
// x y z a b s t stand for any expression (the same letter for equal ones), c1 c2 c3 for integer
// constants, numbers for themselves. `//` and `%` round down; div(…) and mod(…) truncate; min, max
// and select are functions. Alternatives of a pattern are separated by `|`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::arith {

enum class Then : uint8_t { Done, Again };  // Again: the result is simplified once more

struct RuleText {
  std::string_view pattern, result;
  // What must hold. A comparison of constants is computed, one with an expression is proved.
  std::string_view condition = {};
  Then then = Then::Done;
};

// What a condition may ask about an expression.
class Prover {
 public:
  virtual bool proves_at_least(const tir::PrimExpr& expr, int64_t bound) = 0;
  virtual bool proves_less(const tir::PrimExpr& expr, int64_t bound) = 0;
  virtual bool proves_equal(const tir::PrimExpr& expr, int64_t value) = 0;

 protected:
  ~Prover() = default;
};

struct Term;  // a parsed pattern, result or condition

struct Rule {
  std::vector<std::shared_ptr<const Term>> patterns;
  std::shared_ptr<const Term> result, condition;  // condition null: none
  Then then = Then::Done;
};

// Rules in the order in which they are tried.
class RuleSet {
 public:
  RuleSet(std::initializer_list<RuleText> rules);

  struct Hit {
    tir::PrimExpr result;
    Then then = Then::Done;
  };
  // The result of the first rule that matches `expr` as a whole.
  std::optional<Hit> apply(const tir::PrimExpr& expr, Prover& prover) const;

 private:
  std::vector<Rule> rules_;
};

}  // namespace fx2wasm::arith
