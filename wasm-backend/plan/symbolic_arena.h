// Places for tensors whose sizes are known only when the model runs. Sizes that are multiples of
// one product of symbols (all activations of a model with a symbolic batch) are laid out together:
// the plan is made when the module is compiled, in units of that product, and running it is a
// multiplication. Groups follow each other.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::wasm {

struct SymbolicItem {
  std::vector<tir::PrimExpr> extents;  // elements: their product
  uint64_t element_bytes = 1;
  int first = 0, last = 0;  // steps, inclusive, at which it must be there
  // The answer: its address is the group's begin + units · the group's unit in bytes.
  size_t group = 0;
  uint64_t units = 0;
};

struct SizeGroup {
  std::vector<tir::PrimExpr> factors;  // no constants
  uint64_t bytes = 1;                  // the unit: bytes · Π factors, …
  bool rounded = false;                // … rounded up to kTensorAlignment
  uint64_t units = 0;                  // that the group needs
};

// Sets group and units of every item.
std::vector<SizeGroup> plan_symbolic_arena(std::vector<SymbolicItem>& items);

}  // namespace fx2wasm::wasm
