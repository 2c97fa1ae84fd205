#include "topi/resize.h"

#include <algorithm>

#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"

namespace fx2wasm::topi {
using te::PrimExpr;
namespace {

PrimExpr real(double value) { return tir::float_imm(DType::Float32, value); }
PrimExpr to_int(const PrimExpr& x) { return tir::cast(DType::Int32, x); }
PrimExpr to_float(const PrimExpr& x) { return tir::cast(DType::Float32, x); }
PrimExpr floor_of(const PrimExpr& x) {
  return tir::call(DType::Float32, tir::Intrinsic::Floor, {x});
}
PrimExpr divided(const PrimExpr& a, const PrimExpr& b) {
  return tir::binary(tir::BinaryOp::Div, a, b);
}

PrimExpr nearest_index(const PrimExpr& x, const std::string& rounding) {
  const auto rounded = [](tir::Intrinsic by, const PrimExpr& value) {
    return to_int(tir::call(DType::Float32, by, {value}));
  };
  if (rounding == "round") return rounded(tir::Intrinsic::Round, x);
  if (rounding == "round_prefer_floor") {
    return rounded(tir::Intrinsic::Ceil, tir::sub(x, real(0.5)));
  }
  if (rounding == "round_prefer_ceil") {
    return rounded(tir::Intrinsic::Floor, tir::add(x, real(0.5)));
  }
  // A bit more and less, so that what is an integer but for its rounding stays that integer.
  if (rounding == "ceil") return rounded(tir::Intrinsic::Ceil, tir::sub(x, real(1e-5)));
  return rounded(tir::Intrinsic::Floor, tir::add(x, real(1e-5)));
}

// One spatial axis: where its elements lie in the data.
struct ResizeAxis {
  size_t axis;
  PrimExpr from, to, index;

  PrimExpr source(const std::string& coordinates) const {
    if (coordinates == "align_corners") {
      if (tir::is_one(to)) return real(0);  // a single element lies on the first
      const PrimExpr last = tir::sub(from, imm_like(from, 1));
      return tir::mul(divided(to_float(last), tir::sub(to, imm_like(to, 1))), index);
    }
    const PrimExpr scale = divided(to_float(from), to_float(to));
    if (coordinates == "asymmetric") return tir::mul(scale, index);
    return tir::sub(tir::mul(tir::add(index, real(0.5)), scale), real(0.5));
  }

  // By how many times each element is repeated, when that is an integer and the axis not so long
  // that a product would be more exact.
  std::optional<int64_t> repeats() const {
    const std::optional<int64_t> in = tir::as_int(from), out = tir::as_int(to);
    if (!in || !out || *in <= 0 || *out % *in != 0) return std::nullopt;
    const int64_t times = *out / *in;
    const double limit = 1 / (1e-5 * static_cast<double>(*in) + 1e-5);
    if (static_cast<double>(times) > limit) return std::nullopt;
    return times;
  }

  PrimExpr nearest(const ResizeAttrs& attrs) const {
    const bool plain = attrs.rounding.empty() || attrs.rounding == "floor";
    const bool image = attrs.layout.size() == 4;
    if (image && plain && attrs.coordinates == "asymmetric") {
      if (const auto times = repeats()) return divided(index, imm_like(index, *times));
    }
    const bool round = attrs.rounding.empty() && attrs.coordinates == "align_corners";
    return nearest_index(source(attrs.coordinates), round ? "round" : attrs.rounding);
  }

  PrimExpr clamped(const PrimExpr& place) const {
    const PrimExpr last = tir::sub(from, imm_like(from, 1));
    return tir::binary(tir::BinaryOp::Max, tir::binary(tir::BinaryOp::Min, place, last),
                       tir::int_imm(DType::Int32, 0));
  }
};

// What each of four neighbours counts, for a place that lies `t` behind the second.
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
  Resizer(const te::Tensor& x, const std::vector<PrimExpr>& size, const ResizeAttrs& attrs,
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
    for (const ResizeAxis& axis : axes_) indices_[axis.axis] = axis.clamped(axis.nearest(attrs_));
    return element();
  }

  PrimExpr element() const { return to_float(te::read(x_, indices_)); }

  // Interpolated along this axis and all behind it.
  PrimExpr along(size_t i) {
    if (i == axes_.size()) return element();
    const ResizeAxis& axis = axes_[i];
    const PrimExpr source = axis.source(attrs_.coordinates);
    const PrimExpr before = to_int(floor_of(source));
    const auto neighbour = [&](int64_t offset) {
      indices_[axis.axis] = axis.clamped(tir::add(before, imm_like(before, offset)));
      return along(i + 1);
    };
    if (attrs_.method == "linear") {
      const PrimExpr t = tir::sub(source, before);
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

  const te::Tensor& x_;
  const ResizeAttrs& attrs_;
  Indices indices_;
  std::vector<ResizeAxis> axes_;
};

}  // namespace

te::Tensor resize(const te::Tensor& x, const std::vector<PrimExpr>& size,
                  const ResizeAttrs& attrs) {
  Indices shape = te::shape_of(x);
  const size_t first = attrs.layout.back() == 'C' ? 1 : 2;
  for (size_t i = 0; i < size.size(); ++i) shape[first + i] = size[i];
  const DType dtype = te::dtype_of(x);
  return te::compute(shape, python_style("resize"), [&](const Indices& i) {
    return tir::cast(dtype, Resizer(x, size, attrs, i).value());
  });
}

te::Tensor pixel_shuffle(const te::Tensor& x, int64_t factor) {
  const Indices own = te::shape_of(x);
  const size_t rank = own.size();
  FX_CHECK(rank >= 3, "a pixel shuffle has channels and two spatial axes");
  const auto constant = [&](int64_t value) { return tir::int_imm(DType::Int64, value); };
  Indices shape = own;
  shape[rank - 3] = tir::floordiv(own[rank - 3], constant(factor * factor));
  for (size_t i = rank - 2; i < rank; ++i) shape[i] = tir::mul(own[i], constant(factor));
  return te::compute(shape, python_style("pixel_shuffle"), [&](const Indices& i) {
    const PrimExpr& row = i[rank - 2];
    const PrimExpr& column = i[rank - 1];
    const PrimExpr by = imm_like(row, factor), by_columns = imm_like(column, factor);
    Indices at = i;
    at[rank - 3] = tir::add(tir::add(tir::mul(i[rank - 3], imm_like(i[rank - 3], factor * factor)),
                                     tir::mul(tir::floormod(row, by), by)),
                            tir::floormod(column, by_columns));
    at[rank - 2] = tir::floordiv(row, by);
    at[rank - 1] = tir::floordiv(column, by_columns);
    return te::read(x, at);
  });
}

}  // namespace fx2wasm::topi
