// Pools of one to three axes.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable pooling_module_rules() { return {}; }
RuleTable pooling_rules() { return {}; }

}  // namespace fx2wasm::translate
