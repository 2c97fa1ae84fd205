// Calls of functions that are written as loops (topi/loops.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "builder/block_builder.h"
#include "topi/loops.h"

namespace fx2wasm {

// The function's loops over its parameters.
using LoopWriter = std::function<topi::Loops(const std::vector<tir::Buffer>& inputs,
                                             const std::vector<tir::Buffer>& results)>;

// A call_tir of a PrimFunc with the loops that `write` gives, which is added to the module under
// `name` (or an equal one is found). The arguments are tensors of known shape and dtype; so are the
// results, over the same symbols. Several results make a tuple. Nothing is bound.
relax::Expr call_loops(BlockBuilder& builder, const std::string& name,
                       const std::vector<relax::Expr>& args,
                       const std::vector<relax::TensorType>& results, const LoopWriter& write);

}  // namespace fx2wasm
