// Attention as one function of several stages.
#pragma once

#include <optional>
#include <string>

#include "te/tensor.h"

namespace fx2wasm::topi {

struct AttentionAttrs {
  std::optional<double> scale;  // absent: one over the root of the width
  // Which keys a query sees: "" all; "TopLeft" those not behind it; "BottomRight" the same, counted
  // from the last query and the last key (the lengths are known then).
  std::string causal_mask;
};
// softmax(q kᵀ · scale + bias) v of tensors (batch, places, heads, width). The bias broadcasts to
// (batch, heads, queries, keys).
te::Tensor attention(const te::Tensor& query, const te::Tensor& key, const te::Tensor& value,
                     const std::optional<te::Tensor>& bias, const AttentionAttrs& attrs);

}  // namespace fx2wasm::topi
