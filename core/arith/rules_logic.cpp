// Rules of comparisons and of the logic that joins them.
#include "arith/rules.h"

namespace fx2wasm::arith {

const RuleSet& eq_rules() {
  static const RuleSet rules = {
      {"c1 == x", "x == c1"},
      {"x - c1 == c2", "x == c2 + c1"},
      {"c1 - x == c2", "x == c1 - c2"},
      {"x + c1 == c2", "x == c2 - c1"},
      {"x * y == 0", "x == 0 || y == 0", {}, Then::Again},
      {"x == x", "true"},
  };
  return rules;
}

const RuleSet& lt_rules() {
  static const RuleSet rules = {
      // What stands on both sides.
      {"x + y < x + z", "y < z"},
      {"x + y < z + x", "y < z"},
      {"y + x < x + z", "y < z"},
      {"y + x < z + x", "y < z"},
      {"y - x < z - x", "y < z"},
      {"x - y < x - z", "z < y"},
      {"x < x + z", "0 < z"},
      {"x < z + x", "0 < z"},
      {"x < x - z", "z < 0"},
      {"x * c1 < y * c1", "x < y", "c1 > 0"},
      {"x * c1 < y * c1", "y < x", "c1 < 0"},
      // A multiple against a constant.
      {"x * c2 < c1", "x < div(c1 - 1, c2) + 1", "c1 > 0 && c2 > 0"},
      {"x * c2 < c1", "x < div(c1, c2)", "c1 <= 0 && c2 > 0"},
      {"x * c2 < c1", "div(c1 - 1, c2) - 1 < x", "c1 > 0 && c2 < 0"},
      {"x * c2 < c1", "div(c1, c2) < x", "c1 <= 0 && c2 < 0"},
      {"c1 < x * c2", "div(c1 + 1, c2) - 1 < x", "c1 < 0 && c2 > 0"},
      {"c1 < x * c2", "div(c1, c2) < x", "c1 >= 0 && c2 > 0"},
      {"c1 < x * c2", "x < div(c1 + 1, c2) + 1", "c1 < 0 && c2 < 0"},
      {"c1 < x * c2", "x < div(c1, c2)", "c1 >= 0 && c2 < 0"},
      // A quotient against a constant.
      {"div(x, c1) < c2", "x < c1 * c2", "c1 > 0 && c2 > 0"},
      {"div(x, c1) < c2", "x < c1 * (c2 - 1) + 1", "c1 > 0 && c2 <= 0"},
      {"c1 < div(x, c2)", "(c1 + 1) * c2 - 1 < x", "c1 >= 0 && c2 > 0"},
      {"c1 < div(x, c2)", "c1 * c2 < x", "c1 < 0 && c2 > 0"},
      {"div(x, c1) * c1 < x", "0 < mod(x, c1)", "c1 > 0"},
      {"div(x, c1) * c1 < x + y", "0 < mod(x, c1) + y", "c1 > 0"},
      {"div(x, c1) * c1 < x - y", "y < mod(x, c1)", "c1 > 0"},
      {"div(x + c2, c1) * c1 < x", "c2 < mod(x + c2, c1)", "c1 > 0"},
      {"div(x + c2, c1) * c1 < x + y", "c2 < mod(x + c2, c1) + y", "c1 > 0"},
      {"div(x + c2, c1) * c1 < x - y", "y < mod(x + c2, c1) + (0 - c2)", "c1 > 0"},
      {"x // c1 < c2", "x < c1 * c2", "c1 > 0"},
      {"c1 < x // c2", "(c1 + 1) * c2 - 1 < x", "c2 > 0"},
      {"x // c1 * c1 < x", "0 < x % c1", "c1 > 0"},
      {"x // c1 * c1 < x + y", "0 < x % c1 + y", "c1 > 0"},
      {"x // c1 * c1 < x - y", "y < x % c1", "c1 > 0"},
      {"(x + c2) // c1 * c1 < x", "c2 < (x + c2) % c1", "c1 > 0"},
      {"(x + c2) // c1 * c1 < x + y", "c2 < (x + c2) % c1 + y", "c1 > 0"},
      {"(x + c2) // c1 * c1 < x - y", "y < (x + c2) % c1 + (0 - c2)", "c1 > 0"},
      // A minimum or maximum is two comparisons.
      {"min(x, y) < z", "x < z || y < z", {}, Then::Again},
      {"max(x, y) < z", "x < z && y < z", {}, Then::Again},
      {"z < min(x, y)", "z < x && z < y", {}, Then::Again},
      {"z < max(x, y)", "z < x || z < y", {}, Then::Again},
      // The constant alone on its side.
      {"c1 < x + c2 | c1 - x < c2", "c1 - c2 < x", {}, Then::Again},
      {"c1 < c2 - x | x + c1 < c2", "x < c2 - c1", {}, Then::Again},
      {"c1 < x - c2", "c1 + c2 < x", {}, Then::Again},
      {"x - c2 < c1", "x < c1 + c2", {}, Then::Again},
      {"x < c1 - y", "x + y < c1", {}, Then::Again},
      {"c1 - y < x", "c1 < x + y", {}, Then::Again},
      {"x < c1 + y", "x - y < c1", {}, Then::Again},
      {"c1 + y < x", "c1 < x - y", {}, Then::Again},
  };
  return rules;
}

const RuleSet& not_rules() {
  static const RuleSet rules = {
      {"!(!x)", "x"},
      {"!(x <= y)", "y < x"},
      {"!(x >= y)", "x < y"},
      {"!(x < y)", "y <= x"},
      {"!(x > y)", "x <= y"},
      {"!(x == y)", "x != y"},
      {"!(x != y)", "x == y"},
      {"!(x || y)", "!x && !y", {}, Then::Again},
      {"!(x && y)", "!x || !y", {}, Then::Again},
  };
  return rules;
}

const RuleSet& and_rules() {
  static const RuleSet rules = {
      // Contradictions.
      {"x == y && x != y", "false"},
      {"x != y && x == y", "false"},
      {"x && !x", "false"},
      {"x <= y && y < x", "false"},
      {"y < x && x <= y", "false"},
      {"x < c1 && c2 < x", "false", "c2 + 1 >= c1"},
      {"c2 < x && x < c1", "false", "c2 + 1 >= c1"},
      {"(x < c1 && c2 <= x) | (c2 <= x && x < c1) | (x <= c1 && c2 < x) | (c2 < x && x <= c1)",
       "false", "c2 >= c1"},
      {"(x <= c1 && c2 <= x) | (c2 <= x && x <= c1)", "false", "c2 > c1"},
      {"x == c1 && x == c2", "x == c1 && c1 == c2"},
      {"(x == c1 && x != c2) | (x != c2 && x == c1)", "x == c1 && c1 != c2"},
      // Quotient and remainder together.
      {"(x // c2 == c1 && x % c2 == c3) | (x % c2 == c3 && x // c2 == c1)",
       "x == c1 * c2 + c3",
       {},
       Then::Again},
      {"(0 <= x - y * c1 && x - y * c1 < c1) | (x - y * c1 < c1 && 0 <= x - y * c1)",
       "y == x // c1", "c1 > 0", Then::Again},
      {"(c1 < x - y * c1 && x - y * c1 <= 0) | (x - y * c1 < c1 && 0 <= x - y * c1)",
       "y == x // c1",
       {},
       Then::Again},
      {"(0 <= x + y * c2 && x + y * c2 < c1) | (x + y * c2 < c1 && 0 <= x + y * c2)",
       "y == x // c1", "c2 == 0 - c1", Then::Again},
      {"x < c1 && x % c2 < c3", "x < c1 - c2 + c3 && x % c2 < c3", "c1 % c2 == 0", Then::Again},
      {"x < c1 && x % c2 < c3", "x < c1 - c1 % c2 + c3 && x % c2 < c3", "c1 % c2 > c3",
       Then::Again},
      {"x <= c1 && x % c2 < c3", "x < c1 + 1 - c2 + c3 && x % c2 < c3", "(c1 + 1) % c2 == 0",
       Then::Again},
      {"x <= c1 && x % c2 < c3", "x < c1 + 1 - c1 % c2 + c3 && x % c2 < c3", "(c1 + 1) % c2 > c3",
       Then::Again},
      {"(x // c2 == c1 && x % c2 < c3) | (x % c2 < c3 && x // c2 == c1)",
       "c1 * c2 <= x && x < c1 * c2 + c3",
       {},
       Then::Again},
      {"(x // c2 == c1 && x % c2 <= c3) | (x % c2 <= c3 && x // c2 == c1)",
       "c1 * c2 <= x && x <= c1 * c2 + c3",
       {},
       Then::Again},
      {"(x // c2 == c1 && c3 <= x % c2) | (c3 <= x % c2 && x // c2 == c1)",
       "c1 * c2 + c3 <= x && x < (c1 + 1) * c2",
       {},
       Then::Again},
      {"(x // c2 == c1 && c3 < x % c2) | (c3 < x % c2 && x // c2 == c1)",
       "c1 * c2 + c3 < x && x < (c1 + 1) * c2",
       {},
       Then::Again},
      {"x && (y && z)", "x && y && z", {}, Then::Again},
  };
  return rules;
}

const RuleSet& or_rules() {
  static const RuleSet rules = {
      // What always holds.
      {"x == y || x != y", "true"},
      {"x != y || x == y", "true"},
      {"x || !x", "true"},
      {"x <= y || y < x", "true"},
      {"y < x || x <= y", "true"},
      {"x < y || y < x", "x != y"},
      {"x < c1 || c2 < x", "true", "c2 < c1"},
      {"c2 < x || x < c1", "true", "c2 < c1"},
      {"x <= c1 || c2 < x", "true", "c2 <= c1"},
      {"c2 < x || x <= c1", "true", "c2 <= c1"},
      {"x < c1 || c2 <= x", "true", "c2 <= c1"},
      {"c2 <= x || x < c1", "true", "c2 <= c1"},
      {"x <= c1 || c2 <= x", "true", "c2 <= c1 + 1"},
      {"c2 <= x || x <= c1", "true", "c2 <= c1 + 1"},
      {"x != c1 || x != c2", "x != c1 || c1 != c2"},
      {"x != c1 || x == c2", "x != c1 || c1 == c2"},
      {"x == c2 || x != c1", "x != c1 || c1 == c2"},
      {"x < y || x == y", "x <= y", {}, Then::Again},
      {"x < y || y == x", "x <= y", {}, Then::Again},
      {"x == y || x < y", "x <= y", {}, Then::Again},
      {"y == x || x < y", "x <= y", {}, Then::Again},
      {"x || (y || z)", "x || y || z", {}, Then::Again},
  };
  return rules;
}

}  // namespace fx2wasm::arith
