// Tensor expressions over one, two and three spatial axes, and of attention.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topi/topi.h"

namespace fx2wasm::topi {

// One entry for each spatial axis; padding has all widths before the data, then all behind it.
struct ConvAttrs {
  std::vector<int64_t> strides, padding, dilation;
  int64_t groups = 1;
};
// Blocks "conv1d_ncw", "conv2d_nchw", "conv3d_ncdhw", with groups "group_conv…".
Tensor convolution(const Tensor& data, const Tensor& weight, const ConvAttrs& attrs);
Tensor transposed_convolution(const Tensor& data, const Tensor& weight, const ConvAttrs& attrs,
                              const std::vector<int64_t>& output_padding);

struct PoolAttrs {
  std::vector<int64_t> kernel, strides, dilation, padding;
  bool ceil_mode = false;
};
Tensor max_pool(const Tensor& x, const PoolAttrs& attrs);
// Divided by the elements of each window, with or without those of the padding.
Tensor avg_pool(const Tensor& x, const PoolAttrs& attrs, bool counts_padding);
Tensor adaptive_avg_pool(const Tensor& x, const std::vector<int64_t>& output_size);

struct ResizeAttrs {
  std::string layout, method, coordinates, rounding;
  double cubic_alpha = -0.75;
};
// Block "resize"; `size` is of the spatial axes.
Tensor resize(const Tensor& x, const std::vector<PrimExpr>& size, const ResizeAttrs& attrs);

Tensor pixel_shuffle(const Tensor& x, int64_t factor);
Tensor outer(const Tensor& a, const Tensor& b);

struct AttentionAttrs {
  std::optional<double> scale;
  std::string causal_mask;  // "", "TopLeft" or "BottomRight"
};
// (batch, places, heads, width); the bias is added to the scores.
Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value,
                 const std::optional<Tensor>& bias, const AttentionAttrs& attrs);

}  // namespace fx2wasm::topi
