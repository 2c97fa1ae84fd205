// Tensor expressions that join, split, repeat and mirror tensors. Names of blocks and axes are
// TVM's; shapes and axes are trusted, as type inference has refused what does not fit.
#pragma once

#include <cstdint>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

// The parts one after the other along an axis, 0 … rank-1; block "T_concat".
te::Tensor concatenate(const std::vector<te::Tensor>& parts, size_t axis);

// The parts, all of one shape, along a new axis; block "T_stack".
te::Tensor stack(const std::vector<te::Tensor>& parts, size_t axis);

// One tensor for each part: part i begins at begins[i] (the first at 0) and ends where the next
// begins, the last at the end of the axis. Block `name`: TVM calls it "T_split" where the positions
// were given, "T_split_sections" where only their number was.
std::vector<te::Tensor> split(const te::Tensor& x, const std::vector<te::PrimExpr>& begins,
                              size_t axis, const std::string& name);

// The whole repeated along each axis; `repeats` belong to the last axes, or add axes in front.
// Block "T_tile".
te::Tensor tile(const te::Tensor& x, const std::vector<int64_t>& repeats);

// In reverse order along an axis; block "T_reverse_sequence".
te::Tensor flip(const te::Tensor& x, size_t axis);

// The upper or lower triangle of the last two axes, zeros elsewhere. `diagonal` is counted upwards
// from the main one. Block "trilu".
te::Tensor triangle(const te::Tensor& x, const te::PrimExpr& diagonal, bool upper);

}  // namespace fx2wasm::topi
