#include "translate/resample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

// ---- PyTorch's places along one axis of known extents; it computes them in float32 ----

struct Line {
  int64_t from = 0, to = 0;
  std::optional<double> scale;

  float step() const {
    return scale ? static_cast<float>(1 / *scale)
                 : static_cast<float>(from) / static_cast<float>(to);
  }
  int64_t inside(float place) const {
    return std::clamp<int64_t>(static_cast<int64_t>(place), 0, from - 1);
  }
};

std::optional<Line> line_of(const ResampleAxis& axis) {
  const std::optional<int64_t> from = tir::as_int(axis.from), to = tir::as_int(axis.to);
  if (!from || !to || *from <= 0) return std::nullopt;
  return Line{*from, *to, axis.scale};
}

std::vector<int64_t> nearest_elements(const Line& line, bool exact) {
  std::vector<int64_t> elements;
  for (int64_t i = 0; i < line.to; ++i) {
    const auto at = static_cast<float>(i);
    const float place =
        exact ? std::max(line.step() * (at + 0.5F) - 0.5F, 0.0F) + 0.5F : line.step() * at;
    elements.push_back(line.inside(std::floor(place)));
  }
  return elements;
}

// The elements around each place, and what each counts; as many of them for every place.
struct Taps {
  std::vector<std::vector<int64_t>> elements;
  std::vector<std::vector<float>> weights;
};

Taps linear_taps(const Line& line) {
  Taps taps{{2, std::vector<int64_t>()}, {2, std::vector<float>()}};
  for (int64_t i = 0; i < line.to; ++i) {
    const float place = std::max(line.step() * (static_cast<float>(i) + 0.5F) - 0.5F, 0.0F);
    const float before = std::floor(place);
    taps.elements[0].push_back(line.inside(before));
    taps.elements[1].push_back(line.inside(before + 1));
    taps.weights[0].push_back(1 - (place - before));
    taps.weights[1].push_back(place - before);
  }
  return taps;
}

// Keys' cubic kernel with a = -0.75, of the distance x from a place.
float keys_kernel(float x) {
  constexpr float a = -0.75F;
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

Taps cubic_taps(const Line& line) {
  Taps taps{{4, std::vector<int64_t>()}, {4, std::vector<float>()}};
  for (int64_t i = 0; i < line.to; ++i) {
    const float place = line.step() * (static_cast<float>(i) + 0.5F) - 0.5F;
    const float before = std::floor(place);
    for (size_t k = 0; k < 4; ++k) {
      const float offset = static_cast<float>(k) - 1;
      taps.elements[k].push_back(line.inside(before + offset));
      taps.weights[k].push_back(keys_kernel(std::fabs(place - before - offset)));
    }
  }
  return taps;
}

// ---- one operator for all axes ----

struct Convention {
  const char* coordinates;
  const char* rounding;  // of images; "" where the method is not the nearest
};
constexpr Convention kFloor{"asymmetric", "floor"};
constexpr Convention kHalfPixel{"half_pixel", "round_prefer_ceil"};

// Whether the operator's formula, exact and as float32 computes it, finds these elements.
bool finds(const Convention& convention, const Line& line, const std::vector<int64_t>& elements) {
  const float step = static_cast<float>(line.from) / static_cast<float>(line.to);
  const bool half = &convention == &kHalfPixel ||
                    std::string_view(convention.coordinates) == kHalfPixel.coordinates;
  for (int64_t i = 0; i < line.to; ++i) {
    const auto at = static_cast<float>(i);
    const int64_t exact = half ? (2 * i + 1) * line.from / (2 * line.to) : i * line.from / line.to;
    const float place = half ? ((at + 0.5F) * step - 0.5F) + 0.5F : step * at + 1e-5F;
    const int64_t wanted = elements[static_cast<size_t>(i)];
    if (std::min(exact, line.from - 1) != wanted) return false;
    if (line.inside(std::floor(place)) != wanted) return false;
  }
  return true;
}

std::optional<Convention> nearest_convention(const Resample& resample) {
  const bool exact = resample.mode == "nearest-exact";
  for (const Convention& convention : {kFloor, kHalfPixel}) {
    const bool right =
        std::all_of(resample.axes.begin(), resample.axes.end(), [&](const ResampleAxis& axis) {
          const std::optional<Line> line = line_of(axis);
          // Of unknown extents the plain rule is taken, as far as it is the same one.
          if (!line) return exact == (std::string_view(convention.rounding) != "floor");
          return finds(convention, *line, nearest_elements(*line, exact));
        });
    if (right) return convention;
  }
  return std::nullopt;
}

// The operator's scale is the quotient of the extents.
bool has_quotient_scale(const ResampleAxis& axis, bool copies_equal_extents) {
  const std::optional<Line> line = line_of(axis);
  if (!line || !line->scale) return true;
  if (copies_equal_extents && line->from == line->to) return true;
  const float quotient = static_cast<float>(line->from) / static_cast<float>(line->to);
  return std::fabs(line->step() - quotient) <= 1e-7F * quotient;
}

Result<relax::Expr> emit_resize(Call& call, const Resample& resample, const std::string& method,
                                const Convention& convention) {
  std::vector<tir::PrimExpr> size;
  for (const ResampleAxis& axis : resample.axes) size.push_back(axis.to);
  relax::Expr x = resample.x;
  const bool is_line = size.size() == 1;
  if (is_line) {
    // A line is an image of one row.
    FX_TRY(image, call.builder.emit(
                      relax::op::call("expand_dims", {x}, {{"axis", relax::op::int_list({2})}})));
    x = image;
    size.insert(size.begin(), tir::int_imm(DType::Int64, 1));
  }
  const bool channels_last = resample.first == 1;
  const bool volume = size.size() == 3;
  const std::string layout =
      volume ? (channels_last ? "NDHWC" : "NCDHW") : (channels_last ? "NHWC" : "NCHW");
  // TVM's defaults, which are "round" for images and the plain rule for volumes.
  std::string rounding = convention.rounding;
  if (rounding.empty() && !volume) rounding = "round";
  if (volume && rounding == kFloor.rounding) rounding.clear();
  const AttrList region(2 * size.size(), AttrValue{AttrFloat32{0}});
  FX_TRY(result, call.builder.emit(relax::op::call(
                     volume ? "image.resize3d" : "image.resize2d", {x, relax::shape_expr(size)},
                     {{"roi", {region}},
                      {"layout", {layout}},
                      {"method", {method}},
                      {"coordinate_transformation_mode", {std::string(convention.coordinates)}},
                      {"rounding_method", {rounding}},
                      {"cubic_alpha", {-0.75}},
                      {"cubic_exclude", {int64_t{0}}},
                      {"extrapolation_value", {0.0}},
                      {"out_dtype", {AttrNone{}}}})));
  if (!is_line) return result;
  return call.builder.emit(
      relax::op::call("squeeze", {result}, {{"axis", relax::op::int_list({2})}}));
}

// ---- each axis by itself ----

template <class T>
relax::Expr constant_of(DType dtype, std::vector<int64_t> shape, const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  auto data = std::make_shared<TensorData>();
  data->dtype = dtype;
  data->shape = shape;
  data->bytes = std::move(bytes);
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->dtype = dtype;
  constant->shape = std::move(shape);
  constant->data = std::move(data);
  return relax::constant_expr(constant);
}

Result<relax::Expr> take(Call& call, const relax::Expr& x, size_t axis,
                         const std::vector<int64_t>& elements) {
  const auto count = static_cast<int64_t>(elements.size());
  return call.builder.emit(
      relax::op::call("take", {x, constant_of(DType::Int64, {count}, elements)},
                      {{"axis", {static_cast<int64_t>(axis)}}, {"mode", {std::string("fast")}}}));
}

Result<relax::Expr> weighted(Call& call, relax::Expr x, size_t axis, const Taps& taps) {
  const auto rank = static_cast<size_t>(relax::as_tensor(x)->ndim);
  std::vector<int64_t> shape(rank - axis, 1);
  shape[0] = static_cast<int64_t>(taps.elements[0].size());
  relax::Expr sum;
  for (size_t k = 0; k < taps.elements.size(); ++k) {
    FX_TRY(part, take(call, x, axis, taps.elements[k]));
    const relax::Expr weights = constant_of(DType::Float32, shape, taps.weights[k]);
    FX_TRY(scaled, call.builder.emit(relax::op::multiply(part, weights)));
    if (sum == nullptr) {
      sum = scaled;
      continue;
    }
    FX_TRY(added, call.builder.emit(relax::op::add(sum, scaled)));
    sum = added;
  }
  return sum;
}

Result<relax::Expr> along_each_axis(Call& call, const Resample& resample) {
  const DType dtype = *relax::as_tensor(resample.x)->dtype;
  const bool nearest = resample.mode == "nearest" || resample.mode == "nearest-exact";
  relax::Expr x = resample.x;
  if (!nearest) {
    FX_TRY(real, cast_to(call, x, DType::Float32));
    x = real;
  }
  for (const ResampleAxis& axis : resample.axes) {
    const std::optional<Line> line = line_of(axis);
    if (!line) {
      return call.error(
          codes::kShapeMismatch,
          "a resize of this kind needs extents that are known, not " + describe_type({resample.x}));
    }
    if (nearest) {
      FX_TRY(taken,
             take(call, x, axis.axis, nearest_elements(*line, resample.mode == "nearest-exact")));
      x = taken;
      continue;
    }
    if (line->from == line->to && resample.mode != "bicubic") continue;  // copied
    FX_TRY(sum, weighted(call, x, axis.axis,
                         resample.mode == "bicubic" ? cubic_taps(*line) : linear_taps(*line)));
    x = sum;
  }
  return cast_to(call, x, dtype);
}

// The mean over windows: adaptive pooling.
Result<relax::Expr> emit_area(Call& call, const Resample& resample) {
  std::vector<int64_t> size;
  for (const ResampleAxis& axis : resample.axes) {
    const std::optional<int64_t> to = tir::as_int(axis.to);
    if (!to) return call.error(codes::kShapeMismatch, "mode='area' needs sizes that are known");
    size.push_back(*to);
  }
  constexpr std::array<std::string_view, 3> kOps = {
      "nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d"};
  constexpr std::array<const char*, 3> kFirst = {"NCW", "NCHW", "NCDHW"};
  constexpr std::array<const char*, 3> kLast = {"NWC", "NHWC", "NDHWC"};
  const size_t which = size.size() - 1;
  const std::string layout = resample.first == 1 ? kLast[which] : kFirst[which];
  return call.builder.emit(relax::op::call(kOps[which], {resample.x},
                                           {{"output_size", relax::op::int_list(size)},
                                            {"layout", {layout}},
                                            {"out_layout", {layout}}}));
}

}  // namespace

Result<relax::Expr> emit_affine_grid(Call& call, const relax::Expr& theta,
                                     const std::vector<int64_t>& extents, bool align_corners) {
  const size_t axes = extents.size();
  int64_t places = 1;
  for (int64_t extent : extents) places *= extent;
  // Homogeneous coordinates of each place: the last axis first, and a one.
  std::vector<float> base;
  for (int64_t at = 0; at < places; ++at) {
    int64_t rest = at;
    for (size_t i = 0; i < axes; ++i) {
      const int64_t extent = extents[axes - 1 - i];
      const auto size = static_cast<double>(extent);
      const auto index = static_cast<double>(rest % extent);
      rest /= extent;
      double place = extent == 1 ? 0 : (2 * index + 1) / size - 1;
      if (align_corners && extent > 1) place = 2 * index / (size - 1) - 1;
      base.push_back(static_cast<float>(place));
    }
    base.push_back(1);
  }
  const DType dtype = *relax::as_tensor(theta)->dtype;
  FX_TRY(points,
         cast_to(call, constant_of(DType::Float32, {places, static_cast<int64_t>(axes) + 1}, base),
                 dtype));
  FX_TRY(turned, call.builder.emit(relax::op::permute_dims(theta, std::vector<int64_t>{0, 2, 1})));
  FX_TRY(moved, call.builder.emit(relax::op::matmul(points, turned, dtype)));
  std::vector<tir::PrimExpr> shape = {(*relax::as_tensor(theta)->shape)[0]};
  for (int64_t extent : extents) shape.push_back(tir::int_imm(DType::Int64, extent));
  shape.push_back(tir::int_imm(DType::Int64, static_cast<int64_t>(axes)));
  return call.builder.emit(relax::op::reshape(moved, std::move(shape)));
}

Result<relax::Expr> emit_resample(Call& call, const Resample& resample) {
  if (resample.mode == "area") return emit_area(call, resample);
  const bool real = is_float(*relax::as_tensor(resample.x)->dtype);
  if (resample.mode == "nearest" || resample.mode == "nearest-exact") {
    // The operator goes through float32, which does not hold all integers.
    const std::optional<Convention> convention = real ? nearest_convention(resample) : std::nullopt;
    if (convention) return emit_resize(call, resample, "nearest_neighbor", *convention);
    return along_each_axis(call, resample);
  }
  const bool cubic = resample.mode == "bicubic";
  const bool quotient =
      std::all_of(resample.axes.begin(), resample.axes.end(),
                  [&](const ResampleAxis& axis) { return has_quotient_scale(axis, !cubic); });
  if (resample.align_corners || quotient) {
    const Convention convention{resample.align_corners ? "align_corners" : "half_pixel", ""};
    return emit_resize(call, resample, cubic ? "cubic" : "linear", convention);
  }
  return along_each_axis(call, resample);
}

}  // namespace fx2wasm::translate
