// Resizing of images and volumes, and what moves elements between channels and places.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

struct ResizeAttrs {
  std::string layout;  // "NCHW", "NHWC", "NCDHW", "NDHWC"
  std::string method;  // "nearest_neighbor", "linear", "cubic"
  // Where a place of the result lies in the data: "half_pixel", "align_corners", "asymmetric".
  std::string coordinates;
  // "round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil"; empty: "round" with
  // aligned corners, else "floor".
  std::string rounding;
  double cubic_alpha = -0.75;
};
// `size` is of the two or three spatial axes; computed in float32, cast to the dtype of `x`. Block
// "resize".
te::Tensor resize(const te::Tensor& x, const std::vector<te::PrimExpr>& size,
                  const ResizeAttrs& attrs);

struct GridSampleAttrs {
  std::string method;        // "bilinear" (of volumes too), "nearest"
  std::string padding_mode;  // "zeros", "border", "reflection"
  bool align_corners = false;
};
// Data (N, C, H, W) at the places of a grid (N, h, w, 2), which names columns before rows from -1
// to 1; (N, C, D, H, W) with a grid (N, d, h, w, 3). Block "grid_sample".
te::Tensor grid_sample(const te::Tensor& data, const te::Tensor& grid,
                       const GridSampleAttrs& attrs);

// (…, C·r², H, W) to (…, C, H·r, W·r). Block "pixel_shuffle", an operator that TVM does not
// legalise.
te::Tensor pixel_shuffle(const te::Tensor& x, int64_t factor);

}  // namespace fx2wasm::topi
