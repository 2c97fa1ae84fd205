// Rules of sums, differences and products.
#include "arith/rules.h"

namespace fx2wasm::arith {

const RuleSet& add_rules() {
  static const RuleSet rules = {
      // What cancels.
      {"x - y + y", "x"},
      {"x + (y - x)", "y"},
      {"x - y + (y - z)", "x - z"},
      {"x - y + (z - x)", "z - y"},
      {"min(x, y - z) + z", "min(x + z, y)"},
      {"min(x - z, y) + z", "min(x, y + z)"},
      {"max(x, y - z) + z", "max(x + z, y)"},
      {"max(x - z, y) + z", "max(x, y + z)"},
      {"min(x, y + z * c1) + z * c2", "min(x + z * c2, y)", "c1 == 0 - c2"},
      {"max(x, y + z * c1) + z * c2", "max(x + z * c2, y)", "c1 == 0 - c2"},
      {"min(y + z * c1, x) + z * c2", "min(x + z * c2, y)", "c1 == 0 - c2"},
      {"max(y + z * c1, x) + z * c2", "max(x + z * c2, y)", "c1 == 0 - c2"},
      {"max(x, y) + min(x, y) | min(x, y) + max(x, y) | max(x, y) + min(y, x) | "
       "min(x, y) + max(y, x)",
       "x + y"},
      {"min(x, y + c1) + c2", "min(x + c2, y)", "c1 == 0 - c2"},
      {"min(x + c1, y) + c2", "min(x, y + c2)", "c1 == 0 - c2"},
      {"max(x, y + c1) + c2", "max(x + c2, y)", "c1 == 0 - c2"},
      {"max(x + c1, y) + c2", "max(x, y + c2)", "c1 == 0 - c2"},
      // What has a common factor.
      {"x + c1 + c2", "x + (c1 + c2)"},
      {"x + x", "x * 2"},
      {"x * y + x | y * x + x | x + y * x | x + x * y", "(y + 1) * x"},
      {"x * y + x * z | y * x + x * z | x * y + z * x | y * x + z * x", "(y + z) * x"},
      // Quotient and remainder make the whole.
      {"div(x, c1) * c1 + mod(x, c1)", "x"},
      {"x // y * y + x % y | y * (x // y) + x % y | x % y + x // y * y | x % y + y * (x // y)",
       "x"},
      {"(x % c2 + c1) // c2 + x // c2", "(x + c1) // c2", "c2 > 0"},
      {"x // 2 + x % 2", "(x + 1) // 2", {}, Then::Again},
      {"(x + c1) % 2 + x % 2", "1", "c1 % 2 == 1"},
      {"x % 2 + (x + c1) % 2", "1", "c1 % 2 == 1"},
      // The usual order: constants last, minima and remainders at their places.
      {"x + (c1 - y) | c1 - y + x", "x - y + c1", {}, Then::Again},
      {"x + c1 + y | x + (c1 + y) | x + (y + c1)", "x + y + c1", {}, Then::Again},
      {"x + max(y, z)", "max(y, z) + x", {}, Then::Again},
      {"x + min(y, z)", "min(y, z) + x", {}, Then::Again},
      {"mod(y, c1) + x * c1", "x * c1 + mod(y, c1)", {}, Then::Again},
      {"y % c1 + x * c1", "x * c1 + y % c1", {}, Then::Again},
  };
  return rules;
}

const RuleSet& sub_rules() {
  static const RuleSet rules = {
      // What cancels.
      {"x + y - y | y + x - y", "x"},
      {"x - (y + x) | x - (x + y)", "0 - y"},
      {"min(x, y) - y | x - max(y, x)", "min(x - y, 0)"},
      {"x - max(x, y) | min(y, x) - y", "min(0, x - y)"},
      {"max(x, y) - y | x - min(y, x)", "max(x - y, 0)"},
      {"x - min(x, y) | max(y, x) - y", "max(0, x - y)"},
      {"x - x", "0"},
      {"x * y - x | y * x - x", "(y - 1) * x"},
      {"x - y * x | x - x * y", "(1 - y) * x"},
      {"x * y - x * z | y * x - x * z | x * y - z * x | y * x - z * x", "(y - z) * x"},
      {"x + c1 - c2", "x + (c1 - c2)"},
      {"c1 - x - (c2 - y)", "y - x + (c1 - c2)"},
      {"x + y - (x + z) | x + y - (z + x) | y + x - (z + x) | y + x - (x + z)", "y - z"},
      {"min(x + y, z) - x | min(y + x, z) - x", "min(y, z - x)"},
      {"min(z, x + y) - x | min(z, y + x) - x", "min(z - x, y)"},
      {"max(x + y, z) - x | max(y + x, z) - x", "max(y, z - x)"},
      {"max(z, x + y) - x | max(z, y + x) - x", "max(z - x, y)"},
      {"x - min(x + y, z) | x - min(y + x, z)", "max(0 - y, x - z)"},
      {"x - min(z, x + y) | x - min(z, y + x)", "max(x - z, 0 - y)"},
      {"x - max(x + y, z) | x - max(y + x, z)", "min(0 - y, x - z)"},
      {"x - max(z, x + y) | x - max(z, y + x)", "min(x - z, 0 - y)"},
      {"min(x, y) - min(y, x)", "0"},
      {"max(x, y) - max(y, x)", "0"},
      {"min(a, b) - min(s, t)", "a - s", "a - s - (b - t) == 0"},
      {"min(a, b) - min(t, s)", "a - s", "a - s - (b - t) == 0"},
      {"max(a, b) - max(s, t)", "a - s", "a - s - (b - t) == 0"},
      {"max(a, b) - max(t, s)", "a - s", "a - s - (b - t) == 0"},
      // A number less its multiple is the remainder.
      {"x - div(x, c1) * c1", "mod(x, c1)", "c1 != 0"},
      {"div(x, c1) * c1 - x", "0 - mod(x, c1)", "c1 != 0"},
      {"x - div(x + y, c1) * c1", "mod(x + y, c1) - y", "c1 != 0"},
      {"div(x + y, c1) * c1 - x", "y - mod(x + y, c1)", "c1 != 0"},
      {"x - div(x - y, c1) * c1", "mod(x - y, c1) + y", "c1 != 0"},
      {"div(x - y, c1) * c1 - x", "0 - mod(x - y, c1) - y", "c1 != 0"},
      {"x - x // c1 * c1", "x % c1", "c1 != 0"},
      {"x // c1 * c1 - x", "0 - x % c1", "c1 != 0"},
      {"x - (x + y) // c1 * c1", "(x + y) % c1 - y", "c1 != 0"},
      {"(x + y) // c1 * c1 - x", "y - (x + y) % c1", "c1 != 0"},
      {"x - (x - y) // c1 * c1", "(x - y) % c1 + y", "c1 != 0"},
      {"(x - y) // c1 * c1 - x", "0 - (x - y) % c1 - y", "c1 != 0"},
      {"(x + c1) // 2 - (x + c2) // 2",
       "x % 2 * (c1 % 2 - c2 % 2) + (c1 // 2 - c2 // 2)",
       {},
       Then::Again},
      {"x // 2 - (x + c2) // 2", "x % 2 * (0 - c2 % 2) - c2 // 2", {}, Then::Again},
      {"(x + c1) // 2 - x // 2", "x % 2 * (c1 % 2) + c1 // 2", {}, Then::Again},
      {"x * c2 - x // c1 * c3", "x % c1 * c2", "c1 != 0 && c3 == c1 * c2"},
      {"x // c1 * c3 - x * c2", "0 - x % c1 * c2", "c1 != 0 && c3 == c1 * c2"},
      {"x * c2 - (x + y) // c1 * c3", "((x + y) % c1 - y) * c2", "c1 != 0 && c3 == c1 * c2"},
      {"(x + y) // c1 * c3 - x * c2", "(y - (x + y) % c1) * c2", "c1 != 0 && c3 == c1 * c2"},
      {"x * c2 - (x - y) // c1 * c3", "((x - y) % c1 + y) * c2", "c1 != 0 && c3 == c1 * c2"},
      {"(x - y) // c1 * c3 - x * c2", "(0 - (x - y) % c1 - y) * c2", "c1 != 0 && c3 == c1 * c2"},
      {"(x + 1) // 2 - x % 2", "x // 2", {}, Then::Again},
      {"(x + c1) // c3 - (x + c2) // c3", "((x + c2 % c3) % c3 + (c1 - c2)) // c3", "c3 > 0"},
      {"(x + c1) // c3 - x // c3", "(x % c3 + c1) // c3", "c3 > 0"},
      // The usual order.
      {"x - c1", "x + (0 - c1)"},
      {"x + c1 - y", "x - y + c1", {}, Then::Again},
      {"x - (y + c1)", "x - y + (0 - c1)", {}, Then::Again},
      {"x - (y - z)", "x + z - y", {}, Then::Again},
      {"x - y * c1", "x + y * (0 - c1)", {}, Then::Again},
  };
  return rules;
}

const RuleSet& mul_rules() {
  static const RuleSet rules = {
      {"(x + c1) * c2", "x * c2 + c1 * c2"},
      {"x * c1 * c2", "x * (c1 * c2)"},
      {"min(x, y) * max(x, y) | max(x, y) * min(x, y)", "x * y"},
      {"(x - x % c2) // c1 * c1", "x - x % c2", "c1 == 0 - c2"},
      {"x * (c1 * y)", "x * y * c1", {}, Then::Again},
      {"c1 * x", "x * c1", {}, Then::Again},
      {"(x - y) * c1", "(y - x) * (0 - c1)", "c1 < 0", Then::Again},
  };
  return rules;
}

const RuleSet& select_sum_rules() {
  static const RuleSet rules = {
      {"select(x, a, b) + select(x, s, t)", "select(x, a + s, b + t)"},
      {"select(x, a, b) - select(x, s, t)", "select(x, a - s, b - t)"},
      {"select(x, y, z) - z", "select(x, y - z, 0)"},
      {"select(x, y, z) - y", "select(x, 0, z - y)"},
      {"min(select(x, y, z), select(x, s, t))", "select(x, min(y, s), min(z, t))"},
      {"max(select(x, y, z), select(x, s, t))", "select(x, max(y, s), max(z, t))"},
  };
  return rules;
}

const RuleSet& float_cancellation_rules() {
  static const RuleSet rules = {
      {"x - x", "0"},           {"x + y - y", "x"},       {"x + y - x", "y"},
      {"x - (y + x)", "0 - y"}, {"x - (x + y)", "0 - y"},
  };
  return rules;
}

}  // namespace fx2wasm::arith
