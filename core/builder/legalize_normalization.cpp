// Which tensor expressions stand for normalisations and losses.
#include "builder/legalize_family.h"

namespace fx2wasm::legalize {

std::optional<Answer> normalization(const Legalization&) { return std::nullopt; }

}  // namespace fx2wasm::legalize
