// Comparisons, bit operations, logic, powers, remainders and rounded divisions.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable binary_rules() { return {}; }

}  // namespace fx2wasm::translate
