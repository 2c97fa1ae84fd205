// Functions of one element: roundings, powers, trigonometry, tests of a value.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable unary_rules() { return {}; }

}  // namespace fx2wasm::translate
