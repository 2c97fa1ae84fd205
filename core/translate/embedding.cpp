// Embeddings.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable embedding_module_rules() { return {}; }
RuleTable embedding_rules() { return {}; }

}  // namespace fx2wasm::translate
