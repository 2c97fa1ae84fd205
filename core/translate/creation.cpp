// Tensors made from sizes and numbers.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable creation_rules() { return {}; }

}  // namespace fx2wasm::translate
