// Writes at positions, for legalize_indexing.cpp. Private to builder/.
#pragma once

#include "builder/legalize_family.h"

namespace fx2wasm::legalize {

// Null (the operator stays) where a symbol of the shapes is bound by no argument.
Answer scatter_elements_loops(const Legalization& l);
Answer index_put_loops(const Legalization& l);

}  // namespace fx2wasm::legalize
