// Functions that write into their argument and nothing else: fill_, zero_, copy_.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable in_place_rules() { return {}; }

}  // namespace fx2wasm::translate
