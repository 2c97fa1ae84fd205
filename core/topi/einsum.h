// The subscripts of einsum, read once for its type, its tensor expression and its messages; and the
// outer product.
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
};

// Refuses (FX4003, with no place) subscripts that do not fit operands with these many axes.
Result<Subscripts> parse_subscripts(const std::string& text, const std::vector<size_t>& ranks);

// What a letter that has the extents `a` and `b` in two places has in common: the one that is not
// 1, a symbol before a number. Null when they can't be the same.
te::PrimExpr joined_extent(const te::PrimExpr& a, const te::PrimExpr& b);

// Sums of products. Axes of extent 1 are repeated; a letter twice in an operand is its diagonal.
// Block "T_einsum".
te::Tensor einsum(const Subscripts& subscripts, const std::vector<te::Tensor>& operands);

// Of two vectors. Block "outer".
te::Tensor outer(const te::Tensor& a, const te::Tensor& b);

}  // namespace fx2wasm::topi
