#include "interp/spatial.h"

#include "support/check.h"

namespace fx2wasm::interp {

AxisOrder::AxisOrder(std::string_view layout, std::string_view special) {
  std::array<bool, 2> seen = {false, false};
  for (size_t axis = 0; axis < layout.size(); ++axis) {
    const char letter = layout[axis];
    known_ = known_ && letter >= 'A' && letter <= 'Z';
    if (letter == special[0] || letter == special[1]) {
      const size_t which = letter == special[0] ? 0 : 1;
      special_[which] = axis;
      seen[which] = true;
    } else {
      spatial_.push_back(axis);
    }
  }
  known_ = known_ && seen[0] && seen[1] && spatial_.size() <= 3;
}

Spatial3::Spatial3(const Shape& shape, const AxisOrder& order) {
  const std::vector<int64_t> own = strides_of(shape);
  FX_CHECK(shape.size() == order.spatial().size() + 2, "a layout of another rank than the tensor");
  first = shape[order.special(0)];
  second = shape[order.special(1)];
  strides[0] = own[order.special(0)];
  strides[1] = own[order.special(1)];
  const size_t missing = 3 - order.spatial().size();
  for (size_t i = 0; i < order.spatial().size(); ++i) {
    extent[missing + i] = shape[order.spatial()[i]];
    strides[2 + missing + i] = own[order.spatial()[i]];
  }
}

std::array<SpatialAxis, 3> spatial_axes(const OpRun& run, const Spatial3& in,
                                        const std::array<int64_t, 3>& window, const Spatial3& out) {
  const std::vector<int64_t> strides = run.integers("strides");
  const std::vector<int64_t> dilation = run.integers("dilation");
  const std::vector<int64_t> padding = run.integers("padding");
  const size_t rank = strides.size();
  FX_CHECK(rank <= 3 && (padding.size() == rank || padding.size() == 2 * rank),
           "paddings that do not fit the strides");
  std::array<SpatialAxis, 3> axes;
  for (size_t i = 0; i < 3; ++i) {
    axes[i].in = in.extent[i];
    axes[i].out = out.extent[i];
    axes[i].window = window[i];
    if (i + rank < 3) continue;
    const size_t own = i + rank - 3;
    axes[i].stride = strides[own];
    axes[i].dilation = dilation.size() == rank ? dilation[own] : dilation[0];
    axes[i].pad_begin = padding[own];
    axes[i].pad_end = padding[padding.size() == rank ? own : own + rank];
  }
  return axes;
}

}  // namespace fx2wasm::interp
