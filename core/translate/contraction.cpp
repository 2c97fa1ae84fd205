// addmm, baddbmm, outer, einsum.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable contraction_rules() { return {}; }

}  // namespace fx2wasm::translate
