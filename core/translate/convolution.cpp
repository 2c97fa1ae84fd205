// Convolutions of one to three axes, transposed ones too.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable convolution_module_rules() { return {}; }
RuleTable convolution_rules() { return {}; }

}  // namespace fx2wasm::translate
