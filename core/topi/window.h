// TVM's convolutions and pools of one to three spatial axes, in any layout without packed axes. As
// in topi.h: names of blocks, axes and buffers are TVM's, and shapes are trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

// Which axes of a tensor the letters of a layout ("NCHW", "OIW") are.
struct WindowLayout {
  size_t first = 0, second = 1;  // batch and channels, or outputs and inputs
  std::vector<size_t> spatial;   // in their order
};
// `special` holds the letters of the first two ("NC", "OI"). Nothing for a packed layout
// ("NCHW4c") or one that lacks a letter.
std::optional<WindowLayout> parse_layout(std::string_view layout, std::string_view special);

// Entries for each spatial axis; `padding` has those before the data, then those after it.
struct ConvAttrs {
  std::vector<int64_t> strides, padding, dilation;
  int64_t groups = 1;
  DType out_dtype = DType::Float32;  // of the products and their sum
  std::string data_layout = "NCHW", kernel_layout = "OIHW";
  std::vector<int64_t> output_padding;  // of transposed convolutions: more room after the result
};
// Blocks "pad_temp" and "conv2d_nchw", "group_conv1d_ncw", ….
te::Tensor conv(const te::Tensor& data, const te::Tensor& weight, const ConvAttrs& attrs);
// A convolution of the data spread out by the strides with the turned kernel (I, O / groups, …);
// layouts are NC… and IO…. Blocks "data_dilate", "data_pad", "kernel_transform", "compute".
te::Tensor conv_transpose(const te::Tensor& data, const te::Tensor& weight, const ConvAttrs& attrs);

struct PoolAttrs {
  std::vector<int64_t> kernel, strides, dilation, padding;
  bool ceil_mode = false;
  std::vector<size_t> axes;  // the spatial ones
  bool count_include_pad = true;
  std::optional<int64_t> divisor;  // of an average: instead of the number of elements
};
// Blocks "pad_temp" where there is padding, and "pool_max".
te::Tensor max_pool(const te::Tensor& x, const PoolAttrs& attrs);
// Blocks "pad_temp" where there is padding, "pool_sum" and "pool_avg". Integers are divided towards
// zero.
te::Tensor avg_pool(const te::Tensor& x, const PoolAttrs& attrs);
// The largest elements and their positions (int64) in the flattened spatial axes, as PyTorch counts
// them: the first of equal ones, the last NaN. Blocks "pool_max_v0", "pool_max_v1".
std::vector<te::Tensor> max_pool_with_indices(const te::Tensor& x, const PoolAttrs& attrs);

// A window of about extent / size elements for each of `sizes` results along `axes`. Blocks
// "adaptive_pool_sum" and "adaptive_pool_avg".
te::Tensor adaptive_avg_pool(const te::Tensor& x, const std::vector<te::PrimExpr>& sizes,
                             const std::vector<size_t>& axes);
// Block "adaptive_pool_max".
te::Tensor adaptive_max_pool(const te::Tensor& x, const std::vector<te::PrimExpr>& sizes,
                             const std::vector<size_t>& axes);
// As max_pool_with_indices; blocks "adaptive_pool_max_v0", "adaptive_pool_max_v1".
std::vector<te::Tensor> adaptive_max_pool_with_indices(const te::Tensor& x,
                                                       const std::vector<te::PrimExpr>& sizes,
                                                       const std::vector<size_t>& axes);

// How many windows there are along one axis of `extent` elements; `after` includes what rounding up
// adds.
te::PrimExpr window_count(const te::PrimExpr& extent, int64_t kernel, int64_t stride,
                          int64_t dilation, int64_t before, int64_t after, bool ceil_mode);

// How the windows of unfold and fold lie in an image; entries for rows and columns.
struct UnfoldAttrs {
  std::vector<int64_t> kernel, dilation, padding, strides;
};
// (N, C, H, W) as columns (N, C * window, number of windows), zeros in the padding. Block "unfold".
te::Tensor unfold(const te::Tensor& x, const UnfoldAttrs& attrs);
// The sum of such columns in an image of `size` rows and columns. Block "fold".
te::Tensor fold(const te::Tensor& columns, const std::vector<int64_t>& size,
                const UnfoldAttrs& attrs);
// Tensor.unfold: pieces of `size` elements along an axis, `step` apart, in a new last axis. Block
// "sliding_windows".
te::Tensor sliding_windows(const te::Tensor& x, size_t axis, int64_t size, int64_t step);

}  // namespace fx2wasm::topi
