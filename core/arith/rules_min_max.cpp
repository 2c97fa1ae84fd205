// Rules of minima and maxima: the same rules, mirrored.
#include "arith/rules.h"

namespace fx2wasm::arith {

const RuleSet& min_rules() {
  static const RuleSet rules = {
      {"min(x, x)", "x"},
      // Shifts of one expression.
      {"min(x + c1, x + c2)", "x + c1", "c1 < c2"},
      {"min(x + c1, x + c2)", "x + c2"},
      {"min(x + c1, x) | min(x, x + c1)", "x + c1", "c1 < 0"},
      {"min(x + c1, x) | min(x, x + c1)", "x"},
      {"min(c1 - x, c2 - x)", "c1 - x", "c1 < c2"},
      {"min(c1 - x, c2 - x)", "c2 - x"},
      // A number and its multiple below or above it.
      {"min((x + c1) // c2 * c2, x) | min(x, (x + c1) // c2 * c2)", "x", "c2 > 0 && c1 + 1 == c2"},
      {"min((x + c1) // c2 * c2, max(x, c2)) | min(max(x, c2), (x + c1) // c2 * c2)", "max(x, c2)",
       "c2 > 0 && c1 + 1 == c2 && x >= 1"},
      {"min(x, x // c2 * c2) | min(x // c2 * c2, x)", "x // c2 * c2", "c2 > 0"},
      // Nested minima and maxima.
      {"min(max(x, y), min(x, y)) | min(max(x, y), min(y, x)) | min(min(x, y), max(x, y)) | "
       "min(min(x, y), max(y, x)) | min(min(x, y), x) | min(min(x, y), y) | min(x, min(x, y)) | "
       "min(y, min(x, y))",
       "min(x, y)"},
      {"min(max(x, y), x) | min(max(y, x), x) | min(x, max(x, y)) | min(x, max(y, x))", "x"},
      {"min(min(min(x, y), z), y)", "min(min(x, y), z)"},
      {"min(min(min(min(x, y), z), s), y)", "min(min(min(x, y), z), s)"},
      {"min(min(min(min(min(x, y), z), s), t), y)", "min(min(min(min(x, y), z), s), t)"},
      {"min(max(x, y), max(x, z)) | min(max(x, y), max(z, x)) | min(max(y, x), max(x, z)) | "
       "min(max(y, x), max(z, x))",
       "max(min(y, z), x)"},
      {"min(min(x, y), min(x, z)) | min(min(x, y), min(z, x)) | min(min(y, x), min(x, z)) | "
       "min(min(y, x), min(z, x))",
       "min(min(y, z), x)"},
      {"min(y + x, z + x) | min(y + x, x + z) | min(x + y, x + z) | min(x + y, z + x)",
       "min(y, z) + x"},
      {"min(y - x, z - x)", "min(y, z) - x"},
      {"min(x - y, x - z)", "x - max(y, z)"},
      {"min(min(x, c1), c2)", "min(x, min(c1, c2))"},
      // Common scales.
      {"min(div(x, c1), div(y, c1))", "div(min(x, y), c1)", "c1 > 0"},
      {"min(div(x, c1), div(y, c1))", "div(max(x, y), c1)"},
      {"min(x // c1, y // c1)", "min(x, y) // c1", "c1 > 0"},
      {"min(x // c1, y // c1)", "max(x, y) // c1"},
      {"min(x * c1, y * c1)", "min(x, y) * c1", "c1 > 0"},
      {"min(x * c1, y * c1)", "max(x, y) * c1"},
      {"min(x * c1, c2)", "min(x, c2 // c1) * c1", "c1 > 0 && c2 % c1 == 0"},
      {"min(x * c1, c2)", "max(x, c2 // c1) * c1", "c1 < 0 && c2 % c1 == 0"},
      // The usual order: the constant last.
      {"min(min(x, c1), y)", "min(min(x, y), c1)", {}, Then::Again},
      {"min(c1 - x, c2)", "c1 - max(x, c1 - c2)", "c2 != 0", Then::Again},
  };
  return rules;
}

const RuleSet& max_rules() {
  static const RuleSet rules = {
      {"max(x, x)", "x"},
      // Shifts of one expression.
      {"max(x + c1, x + c2)", "x + c1", "c1 > c2"},
      {"max(x + c1, x + c2)", "x + c2"},
      {"max(x + c1, x) | max(x, x + c1)", "x + c1", "c1 > 0"},
      {"max(x + c1, x) | max(x, x + c1)", "x"},
      {"max(c1 - x, c2 - x)", "c1 - x", "c1 > c2"},
      {"max(c1 - x, c2 - x)", "c2 - x"},
      // A number and its multiple above or below it.
      {"max((x + c1) // c2 * c2, x) | max(x, (x + c1) // c2 * c2)", "(x + c1) // c2 * c2",
       "c2 > 0 && c1 + 1 == c2"},
      {"max(x, x // c2 * c2) | max(x // c2 * c2, x)", "x", "c2 > 0"},
      // Nested maxima and minima.
      {"max(min(x, y), max(x, y)) | max(min(x, y), max(y, x)) | max(max(x, y), min(x, y)) | "
       "max(max(x, y), min(y, x)) | max(max(x, y), x) | max(max(x, y), y) | max(x, max(x, y)) | "
       "max(y, max(x, y))",
       "max(x, y)"},
      {"max(min(x, y), x) | max(min(y, x), x) | max(x, min(x, y)) | max(x, min(y, x))", "x"},
      {"max(max(max(x, y), z), y)", "max(max(x, y), z)"},
      {"max(max(max(max(x, y), z), s), y)", "max(max(max(x, y), z), s)"},
      {"max(max(max(max(max(x, y), z), s), t), y)", "max(max(max(max(x, y), z), s), t)"},
      {"max(min(x, y), min(x, z)) | max(min(x, y), min(z, x)) | max(min(y, x), min(x, z)) | "
       "max(min(y, x), min(z, x))",
       "min(max(y, z), x)"},
      {"max(max(x, y), max(x, z)) | max(max(x, y), max(z, x)) | max(max(y, x), max(x, z)) | "
       "max(max(y, x), max(z, x))",
       "max(max(y, z), x)"},
      {"max(y + x, z + x) | max(y + x, x + z) | max(x + y, x + z) | max(x + y, z + x)",
       "max(y, z) + x"},
      {"max(y - x, z - x)", "max(y, z) - x"},
      {"max(x - y, x - z)", "x - min(y, z)"},
      {"max(max(x, c1), c2)", "max(x, max(c1, c2))"},
      // Common scales.
      {"max(div(x, c1), div(y, c1))", "div(max(x, y), c1)", "c1 > 0"},
      {"max(div(x, c1), div(y, c1))", "div(min(x, y), c1)"},
      {"max(x // c1, y // c1)", "max(x, y) // c1", "c1 > 0"},
      {"max(x // c1, y // c1)", "min(x, y) // c1"},
      {"max(x * c1, y * c1)", "max(x, y) * c1", "c1 > 0"},
      {"max(x * c1, y * c1)", "min(x, y) * c1"},
      {"max(x * c1, c2)", "max(x, c2 // c1) * c1", "c1 > 0 && c2 % c1 == 0"},
      {"max(x * c1, c2)", "min(x, c2 // c1) * c1", "c1 < 0 && c2 % c1 == 0"},
      // The usual order: the constant last.
      {"max(max(x, c1), y)", "max(max(x, y), c1)", {}, Then::Again},
      {"max(c1 - x, c2)", "c1 - min(x, c1 - c2)", "c2 != 0", Then::Again},
  };
  return rules;
}

}  // namespace fx2wasm::arith
