// Padding.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable padding_module_rules() { return {}; }
RuleTable padding_rules() { return {}; }

}  // namespace fx2wasm::translate
