// x[key] of a tensor and setitem.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable getitem_rules() { return {}; }

}  // namespace fx2wasm::translate
