// Tensors with a border: of one value, or of the tensor's own elements.
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
               const std::vector<int64_t>& after, const te::PrimExpr& value, PadStyle style,
               std::string name = "pad_temp");

// Where the border's elements come from: the tensor mirrored at its edges (without the edge
// itself), its nearest element, or the tensor itself, as if it were repeated.
enum class BorderMode { Reflect, Replicate, Circular };

// Block "ReflectPadInput", "ReplicatePadInput" or "CircularPadInput". A mirrored border is narrower
// than the tensor, a repeated one at most as wide.
te::Tensor pad_with_own(const te::Tensor& x, const std::vector<int64_t>& before,
                        const std::vector<int64_t>& after, BorderMode mode);

}  // namespace fx2wasm::topi
