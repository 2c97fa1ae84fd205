// A resize once its sizes are known: which operators give PyTorch's elements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "translate/call.h"

namespace fx2wasm::translate {

struct ResampleAxis {
  size_t axis = 0;
  tir::PrimExpr from, to;       // extents
  std::optional<double> scale;  // what places are divided by; absent: by the extents' quotient
};
struct Resample {
  relax::Expr x;     // of three to five axes, known extents
  size_t first = 2;  // the first spatial axis
  std::vector<ResampleAxis> axes;
  std::string mode;  // PyTorch's
  bool align_corners = false;
};

// image.resize2d or resize3d where these find the same elements; else each axis by itself, with the
// elements and weights computed here. Refuses (FX4002) what needs extents that are not known.
Result<relax::Expr> emit_resample(Call& call, const Resample& resample);

// The places (N, …, axes) that matrices `theta` (N, axes, axes + 1) make of a regular grid with
// these spatial extents, as grid_sample takes them.
Result<relax::Expr> emit_affine_grid(Call& call, const relax::Expr& theta,
                                     const std::vector<int64_t>& extents, bool align_corners);

}  // namespace fx2wasm::translate
