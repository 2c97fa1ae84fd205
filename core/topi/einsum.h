// The subscripts of einsum, read once for its type, its tensor expression and its messages.
#pragma once

#include <string>
#include <vector>

#include "support/result.h"
#include "te/tensor.h"

namespace fx2wasm::topi {

// The letters of each operand and of the result, one for each axis. An ellipsis stands as the
// digits '0', '1', … of the axes it covers, counted from its right end.
struct Subscripts {
  std::vector<std::string> inputs;
  std::string output;
  bool has_arrow = false;
};

// Refuses (FX4003, with no place) subscripts that do not fit operands with these many axes.
Result<Subscripts> parse_subscripts(const std::string& text, const std::vector<size_t>& ranks);

// Sums of products. Axes of extent 1 are repeated; a letter twice in an operand is its diagonal.
// Block "T_einsum".
te::Tensor einsum(const Subscripts& subscripts, const std::vector<te::Tensor>& operands);

}  // namespace fx2wasm::topi
