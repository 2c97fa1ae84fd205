// One te.compute as TensorIR: its loops, its blocks, what they read and write.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "arith/analyzer.h"
#include "ir/tir.h"
#include "te/name_supply.h"
#include "te/tensor.h"

namespace fx2wasm::te {

// What the stages of one function share.
struct StageContext {
  arith::Analyzer& analyzer;
  std::map<std::pair<const OperationNode*, int>, tir::Buffer> buffers;
  NameSupply block_names;
};

// The nest of loops and blocks that computes all outputs of `op`. The buffers of its inputs and
// outputs are in the context. Axes whose extent depends on another axis get a nest of their own
// inside a block of that one.
tir::Stmt compute_nest(const Operation& op, StageContext& context);

}  // namespace fx2wasm::te
