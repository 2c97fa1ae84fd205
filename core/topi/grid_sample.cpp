#include "ir/tir_build.h"
#include "topi/common.h"
#include "topi/resize.h"

namespace fx2wasm::topi {
using te::PrimExpr;
namespace {

PrimExpr single(double value) { return tir::float_imm(DType::Float32, value); }
PrimExpr as_single(const PrimExpr& x) { return tir::cast(DType::Float32, x); }
PrimExpr whole_below(const PrimExpr& x) {
  return tir::call(DType::Float32, tir::Intrinsic::Floor, {x});
}
PrimExpr between(const PrimExpr& x, const PrimExpr& low, const PrimExpr& high) {
  return tir::binary(tir::BinaryOp::Max, tir::binary(tir::BinaryOp::Min, x, high), low);
}

// Thrown back from both ends until it lies between them.
PrimExpr reflected(const PrimExpr& x, const PrimExpr& low, const PrimExpr& span) {
  const auto size = [](const PrimExpr& value) {
    return tir::call(DType::Float32, tir::Intrinsic::Fabs, {value});
  };
  const PrimExpr distance = size(tir::sub(x, low));
  const PrimExpr period = tir::mul(span, single(2));
  const PrimExpr turns = whole_below(tir::binary(tir::BinaryOp::Div, distance, period));
  const PrimExpr within = tir::sub(distance, tir::mul(period, turns));
  return tir::add(tir::sub(span, size(tir::sub(within, span))), low);
}

class GridSampler {
 public:
  GridSampler(const te::Tensor& data, const te::Tensor& grid, const GridSampleAttrs& attrs,
              const Indices& indices)
      : data_(data), attrs_(attrs), indices_(indices) {
    const Indices shape = te::shape_of(data);
    const size_t axes = shape.size() - 2;
    for (size_t i = 0; i < axes; ++i) {
      // The grid names the last axis first.
      Indices at = {indices[0]};
      at.insert(at.end(), indices.begin() + 2, indices.end());
      at.push_back(imm_like(indices[0], static_cast<int64_t>(axes - 1 - i)));
      extents_.push_back(shape[2 + i]);
      places_.push_back(place(as_single(te::read(grid, at)), shape[2 + i]));
    }
  }

  // The elements around the place, along this axis and all behind it; `inside` is null while
  // nothing lies outside.
  PrimExpr along(size_t i, const PrimExpr& inside) {
    if (i == places_.size()) {
      const PrimExpr element = as_single(te::read(data_, indices_));
      return inside == nullptr ? element : tir::select(inside, element, single(0));
    }
    const PrimExpr& x = places_[i];
    if (attrs_.method == "nearest") {
      return at(i, tir::call(DType::Float32, tir::Intrinsic::Round, {x}), inside);
    }
    const PrimExpr before = whole_below(x);
    const PrimExpr part = tir::sub(x, before);
    const PrimExpr first = tir::mul(at(i, before, inside), tir::sub(single(1), part));
    return tir::add(first, tir::mul(at(i, tir::add(before, single(1)), inside), part));
  }

 private:
  PrimExpr place(const PrimExpr& given, const PrimExpr& extent) const {
    const PrimExpr size = as_single(extent), last = tir::sub(size, single(1));
    const PrimExpr from_left = tir::add(given, single(1));
    PrimExpr x = attrs_.align_corners
                     ? tir::mul(from_left, tir::mul(last, single(0.5)))
                     : tir::mul(tir::sub(tir::mul(from_left, size), single(1)), single(0.5));
    if (attrs_.padding_mode == "zeros") {
      // What is far outside stays so, but fits an integer.
      return between(x, single(-2), tir::add(size, single(1)));
    }
    if (attrs_.padding_mode == "reflection") {
      if (!attrs_.align_corners) {
        x = reflected(x, single(-0.5), size);
      } else {
        x = tir::is_one(extent) ? single(0) : reflected(x, single(0), last);
      }
    }
    return between(x, single(0), last);
  }

  PrimExpr at(size_t i, const PrimExpr& whole, PrimExpr inside) {
    const PrimExpr last = tir::sub(extents_[i], imm_like(extents_[i], 1));
    const PrimExpr index = tir::cast(DType::Int32, whole);
    if (attrs_.padding_mode == "zeros") {
      const PrimExpr fits =
          tir::binary(tir::BinaryOp::And, tir::binary(tir::BinaryOp::GE, whole, single(0)),
                      tir::binary(tir::BinaryOp::LE, whole, as_single(last)));
      inside = inside == nullptr ? fits : tir::binary(tir::BinaryOp::And, inside, fits);
    }
    indices_[2 + i] = between(index, tir::int_imm(DType::Int32, 0), last);
    return along(i + 1, inside);
  }

  const te::Tensor& data_;
  const GridSampleAttrs& attrs_;
  Indices indices_;
  std::vector<PrimExpr> extents_, places_;
};

}  // namespace

te::Tensor grid_sample(const te::Tensor& data, const te::Tensor& grid,
                       const GridSampleAttrs& attrs) {
  const Indices own = te::shape_of(data), places = te::shape_of(grid);
  Indices shape = {own[0], own[1]};
  shape.insert(shape.end(), places.begin() + 1, places.end() - 1);
  return te::compute(shape, python_style("grid_sample"), [&](const Indices& i) {
    return tir::cast(te::dtype_of(data), GridSampler(data, grid, attrs, i).along(0, nullptr));
  });
}

}  // namespace fx2wasm::topi
