// Images and windows in any layout, brought to three spatial axes (missing ones have extent 1), so
// that one loop nest serves one, two and three dimensions.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "interp/relax_op.h"

namespace fx2wasm::interp {

// Which axis of a tensor each letter of a layout is: "NCHW", "OIW". The two special letters come
// first, the others are spatial in their order.
class AxisOrder {
 public:
  AxisOrder(std::string_view layout, std::string_view special);
  bool known() const { return known_; }  // false for packed layouts ("NCHW4c")
  size_t special(size_t which) const { return special_[which]; }
  const std::vector<size_t>& spatial() const { return spatial_; }

 private:
  bool known_ = true;
  std::array<size_t, 2> special_ = {0, 0};
  std::vector<size_t> spatial_;
};

// A tensor's extents and strides by meaning: N and C (or O and I), then three spatial axes.
struct Spatial3 {
  Spatial3(const Shape& shape, const AxisOrder& order);
  int64_t position(int64_t a, int64_t b, int64_t z, int64_t y, int64_t x) const {
    return a * strides[0] + b * strides[1] + z * strides[2] + y * strides[3] + x * strides[4];
  }
  int64_t first = 1, second = 1;
  std::array<int64_t, 3> extent = {1, 1, 1};
  std::array<int64_t, 5> strides = {0, 0, 0, 0, 0};
};

// How a window moves along one spatial axis.
struct SpatialAxis {
  int64_t in = 1, out = 1, window = 1;
  int64_t stride = 1, dilation = 1;
  int64_t pad_begin = 0, pad_end = 0;
};

// The three axes of a window operator, from its attributes strides, dilation and padding.
std::array<SpatialAxis, 3> spatial_axes(const OpRun& run, const Spatial3& in,
                                        const std::array<int64_t, 3>& window, const Spatial3& out);

}  // namespace fx2wasm::interp
