// Reductions over nothing.
#pragma once

#include "ir/tir.h"

namespace fx2wasm::tir {

// The block that `loop` reduces into: the loop's variable runs over reduce axes only, of the one
// block below it that has an init. Null when there is no such block. Where such a loop has no
// iterations the init runs alone, so that a sum over nothing is 0.
const SBlockRealize* reduced_block(const For& loop);

}  // namespace fx2wasm::tir
