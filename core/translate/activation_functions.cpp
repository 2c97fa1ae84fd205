// Activations beside ReLU and the softmaxes.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable activation_function_module_rules() { return {}; }
RuleTable activation_function_rules() { return {}; }

}  // namespace fx2wasm::translate
