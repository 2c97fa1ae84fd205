// The type rules of convolutions and pools of any number of axes.
#include "builder/infer_common.h"

namespace fx2wasm::infer {

Rule window_rule(std::string_view) { return nullptr; }

}  // namespace fx2wasm::infer
