// Writes at positions and searches, for legalize_{indexing,reduction}.cpp. Private to builder/.
#pragma once

#include "builder/legalize_family.h"

namespace fx2wasm::legalize {

// Null (the operator stays) where a symbol of the shapes is bound by no argument.
Answer scatter_elements_loops(const Legalization& l);
Answer index_put_loops(const Legalization& l);
Answer searchsorted_loops(const Legalization& l);  // of R.bucketize

}  // namespace fx2wasm::legalize
