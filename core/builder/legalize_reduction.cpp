// Which tensor expressions stand for reductions, scans, orderings.
#include "builder/legalize_family.h"

namespace fx2wasm::legalize {

std::optional<Answer> reduction(const Legalization&) { return std::nullopt; }

}  // namespace fx2wasm::legalize
