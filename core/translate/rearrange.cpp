// Joining, splitting, repeating and moving axes.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable rearrange_rules() { return {}; }

}  // namespace fx2wasm::translate
