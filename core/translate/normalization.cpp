// Normalisations, as modules and as functions.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable normalization_module_rules() { return {}; }
RuleTable normalization_rules() { return {}; }

}  // namespace fx2wasm::translate
