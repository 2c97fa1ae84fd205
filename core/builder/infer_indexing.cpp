// The type rules of reads and writes at positions.
#include "builder/infer_common.h"

namespace fx2wasm::infer {

Rule indexing_rule(std::string_view) { return nullptr; }

}  // namespace fx2wasm::infer
