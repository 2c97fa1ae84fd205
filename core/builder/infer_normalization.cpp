// The type rules of normalisations and losses.
#include "builder/infer_common.h"

namespace fx2wasm::infer {

Rule normalization_rule(std::string_view) { return nullptr; }

}  // namespace fx2wasm::infer
