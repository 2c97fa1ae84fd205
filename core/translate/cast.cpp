// Changes of dtype: astype, type_as, to, the named casts.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable cast_rules() { return {}; }

}  // namespace fx2wasm::translate
