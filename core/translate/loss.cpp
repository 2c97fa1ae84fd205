// Losses.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable loss_module_rules() { return {}; }
RuleTable loss_rules() { return {}; }

}  // namespace fx2wasm::translate
