// Sums, means, extremes, norms: one value for each row.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable reduction_rules() { return {}; }

}  // namespace fx2wasm::translate
