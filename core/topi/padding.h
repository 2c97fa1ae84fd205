// Tensors with a border of one value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

// Which of TVM's two pads writes it: the axes' names and what is compared differ.
enum class PadStyle { Python, Cpp };

// `before` and `after` have an entry for each axis, negative ones cut elements off; block `name`.
te::Tensor pad(const te::Tensor& x, const std::vector<te::PrimExpr>& before,
               const std::vector<te::PrimExpr>& after, const te::PrimExpr& value, PadStyle style,
               std::string name = "pad_temp");
te::Tensor pad(const te::Tensor& x, const std::vector<int64_t>& before,
               const std::vector<int64_t>& after, const te::PrimExpr& value, PadStyle style);

}  // namespace fx2wasm::topi
