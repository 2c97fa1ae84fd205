// Tensors with a border of one value.
#pragma once

#include <cstdint>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

// Which of TVM's two pads writes it: the axes' names and what is compared differ.
enum class PadStyle { Python, Cpp };

// `before` and `after` have an entry for each axis; block "pad_temp".
te::Tensor pad(const te::Tensor& x, const std::vector<int64_t>& before,
               const std::vector<int64_t>& after, const te::PrimExpr& value, PadStyle style);

}  // namespace fx2wasm::topi
