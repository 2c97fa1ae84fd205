// Scans and orderings: cumsum, sort, topk, bucketize.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable ordering_rules() { return {}; }

}  // namespace fx2wasm::translate
