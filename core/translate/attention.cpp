// Attention.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable attention_module_rules() { return {}; }
RuleTable attention_rules() { return {}; }

}  // namespace fx2wasm::translate
