// The type rules of reductions, scans, orderings.
#include "builder/infer_common.h"

namespace fx2wasm::infer {

Rule reduction_rule(std::string_view) { return nullptr; }

}  // namespace fx2wasm::infer
