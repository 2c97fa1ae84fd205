// Reads and writes at positions that tensors hold.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable indexing_rules() { return {}; }

}  // namespace fx2wasm::translate
