#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/spatial.h"

namespace fx2wasm::topi {
namespace {

PrimExpr real(double value) { return tir::float_imm(DType::Float32, value); }
PrimExpr integer_of(const PrimExpr& x) { return tir::cast(DType::Int32, x); }
PrimExpr floor_of(const PrimExpr& x) {
  return tir::call(DType::Float32, tir::Intrinsic::Floor, {x});
}

// One spatial axis: where its elements lie in the data.
struct ResizeAxis {
  size_t axis;
  PrimExpr from, to, index;

  PrimExpr size(const PrimExpr& extent) const { return tir::cast(DType::Float32, extent); }

  // The place of the result's element, in elements of the data.
  PrimExpr source(const std::string& coordinates) const {
    const PrimExpr x = tir::cast(DType::Float32, index);
    const auto divided = [](const PrimExpr& a, const PrimExpr& b) {
      return tir::binary(tir::BinaryOp::Div, a, b);
    };
    if (coordinates == "align_corners") {
      // A single element lies on the first.
      if (tir::is_one(to)) return real(0);
      const PrimExpr last = tir::sub(from, imm_like(from, 1));
      return tir::mul(divided(size(last), size(tir::sub(to, imm_like(to, 1)))), x);
    }
    const PrimExpr scale = divided(size(from), size(to));
    if (coordinates == "asymmetric") return tir::mul(scale, x);
    return tir::sub(tir::mul(tir::add(x, real(0.5)), scale), real(0.5));
  }

  PrimExpr clamped(const PrimExpr& place) const {
    const PrimExpr last = tir::sub(from, imm_like(from, 1));
    return tir::binary(tir::BinaryOp::Max,
                       tir::binary(tir::BinaryOp::Min, tir::cast(from->dtype, place), last),
                       imm_like(from, 0));
  }
};

PrimExpr nearest(const PrimExpr& x, const std::string& rounding) {
  const auto rounded = [](tir::Intrinsic by, const PrimExpr& value) {
    return integer_of(tir::call(DType::Float32, by, {value}));
  };
  if (rounding == "round") return rounded(tir::Intrinsic::Round, x);
  if (rounding == "round_prefer_floor") {
    return rounded(tir::Intrinsic::Ceil, tir::sub(x, real(0.5)));
  }
  if (rounding == "round_prefer_ceil") {
    return rounded(tir::Intrinsic::Floor, tir::add(x, real(0.5)));
  }
  if (rounding == "ceil") return rounded(tir::Intrinsic::Ceil, tir::sub(x, real(1e-5)));
  return rounded(tir::Intrinsic::Floor, tir::add(x, real(1e-5)));
}

// What each neighbour along an axis counts, for a place that lies `t` behind the second of four.
std::vector<PrimExpr> cubic_weights(const PrimExpr& t, double alpha) {
  const PrimExpr square = tir::mul(t, t), cube = tir::mul(tir::mul(t, t), t);
  const auto times = [](double factor, const PrimExpr& x) { return tir::mul(real(factor), x); };
  return {
      times(alpha, tir::add(tir::sub(cube, times(2, square)), t)),
      tir::add(tir::sub(times(alpha + 2, cube), times(3 + alpha, square)), real(1)),
      tir::sub(tir::add(times(-(alpha + 2), cube), times(3 + 2 * alpha, square)), times(alpha, t)),
      tir::add(times(-alpha, cube), times(alpha, square))};
}

class Resizer {
 public:
  Resizer(const Tensor& x, const std::vector<PrimExpr>& size, const ResizeAttrs& attrs,
          const Indices& indices)
      : x_(x), attrs_(attrs), indices_(indices) {
    const size_t first = attrs.layout.back() == 'C' ? 1 : 2;
    const Indices own = te::shape_of(x);
    for (size_t i = 0; i < size.size(); ++i) {
      axes_.push_back({first + i, own[first + i], size[i], indices[first + i]});
    }
  }

  PrimExpr value() { return attrs_.method == "nearest_neighbor" ? nearest_value() : along(0); }

 private:
  PrimExpr nearest_value() {
    for (const ResizeAxis& axis : axes_) {
      std::string rounding = attrs_.rounding;
      if (rounding.empty() && attrs_.coordinates == "align_corners") rounding = "round";
      indices_[axis.axis] = axis.clamped(nearest(axis.source(attrs_.coordinates), rounding));
    }
    return tir::cast(DType::Float32, te::read(x_, indices_));
  }

  // Interpolated along this axis and all behind it.
  PrimExpr along(size_t i) {
    if (i == axes_.size()) return tir::cast(DType::Float32, te::read(x_, indices_));
    const ResizeAxis& axis = axes_[i];
    const PrimExpr source = axis.source(attrs_.coordinates);
    const PrimExpr before = integer_of(floor_of(source));
    const auto neighbour = [&](int64_t offset) {
      const PrimExpr place =
          offset < 0 ? tir::sub(before, imm_like(before, -offset))
                     : (offset == 0 ? before : tir::add(before, imm_like(before, offset)));
      indices_[axis.axis] = axis.clamped(place);
      return along(i + 1);
    };
    if (attrs_.method == "linear") {
      const PrimExpr t = tir::sub(source, tir::cast(DType::Float32, before));
      const PrimExpr first = tir::mul(neighbour(0), tir::sub(real(1), t));
      return tir::add(first, tir::mul(neighbour(1), t));
    }
    const std::vector<PrimExpr> weights =
        cubic_weights(tir::sub(source, floor_of(source)), attrs_.cubic_alpha);
    PrimExpr sum;
    for (int64_t k = 0; k < 4; ++k) {
      const PrimExpr part = tir::mul(neighbour(k - 1), weights[static_cast<size_t>(k)]);
      sum = sum ? tir::add(sum, part) : part;
    }
    return sum;
  }

  const Tensor& x_;
  const ResizeAttrs& attrs_;
  Indices indices_;
  std::vector<ResizeAxis> axes_;
};

}  // namespace

Tensor resize(const Tensor& x, const std::vector<PrimExpr>& size, const ResizeAttrs& attrs) {
  Indices shape = te::shape_of(x);
  const size_t first = attrs.layout.back() == 'C' ? 1 : 2;
  for (size_t i = 0; i < size.size(); ++i) shape[first + i] = size[i];
  const DType dtype = te::dtype_of(x);
  FX_CHECK(is_float(dtype), "a resize is of floats");
  return te::compute(shape, python_style("resize"), [&](const Indices& i) {
    return tir::cast(dtype, Resizer(x, size, attrs, i).value());
  });
}

}  // namespace fx2wasm::topi
