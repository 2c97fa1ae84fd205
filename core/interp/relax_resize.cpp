// Resizing images: each axis by itself, as weights of the elements that a place lies between.
#include <algorithm>
#include <cmath>

#include "interp/relax_op.h"
#include "interp/spatial.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

struct Tap {
  int64_t from;
  double weight;
};
using Taps = std::vector<Tap>;  // of one place along one axis

// Where a place of the result lies in the source, by the named convention.
double source_of(const std::string& mode, int64_t at, int64_t in, int64_t out) {
  const auto place = static_cast<double>(at);
  const auto from = static_cast<double>(in);
  const auto to = static_cast<double>(out);
  if (mode == "align_corners") return out == 1 ? 0 : place * (from - 1) / (to - 1);
  if (mode == "asymmetric") return place * from / to;
  return (place + 0.5) * from / to - 0.5;  // half_pixel
}

double round_by(const std::string& method, double x) {
  if (method == "floor") return std::floor(x);
  if (method == "ceil") return std::ceil(x);
  if (method == "round_prefer_floor") return std::ceil(x - 0.5);
  if (method == "round_prefer_ceil") return std::floor(x + 0.5);
  return std::nearbyint(x);
}

std::string rounding_of(const OpRun& run) {
  const std::string given = run.text("rounding_method");
  if (!given.empty()) return given;
  return run.text("coordinate_transformation_mode") == "align_corners" ? "round" : "floor";
}

// The cubic convolution kernel with parameter a, at a distance from the centre.
double cubic(double a, double distance) {
  const double x = std::fabs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

Taps taps_of(const OpRun& run, int64_t at, int64_t in, int64_t out) {
  const std::string method = run.text("method");
  const double x = source_of(run.text("coordinate_transformation_mode"), at, in, out);
  const auto inside = [in](double place) {
    return std::clamp<int64_t>(static_cast<int64_t>(place), 0, in - 1);
  };
  if (in == 1 && out == 1) return {{0, 1}};
  if (method == "nearest_neighbor") return {{inside(round_by(rounding_of(run), x)), 1}};
  const double left = std::floor(x);
  if (method == "linear") return {{inside(left), left + 1 - x}, {inside(left + 1), x - left}};
  Taps taps;
  for (int i = -1; i <= 2; ++i) {
    taps.push_back({inside(left + i), cubic(run.real("cubic_alpha"), x - left - i)});
  }
  return taps;
}

Result<Value> resize(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  const AxisOrder order(run.text("layout"), "NC");
  if (!order.known()) return run.unsupported("a packed layout");
  const std::string mode = run.text("coordinate_transformation_mode");
  if (mode != "half_pixel" && mode != "align_corners" && mode != "asymmetric") {
    return run.unsupported("the coordinates " + mode);
  }
  const Spatial3 in(x.shape, order);
  const Spatial3 to(out.shape, order);
  std::array<std::vector<Taps>, 3> taps;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (int64_t at = 0; at < to.extent[axis]; ++at) {
      taps[axis].push_back(taps_of(run, at, in.extent[axis], to.extent[axis]));
    }
  }
  const Shape places = {to.first, to.second, to.extent[0], to.extent[1], to.extent[2]};
  if (out.count() == 0) return value_of(std::move(out));
  std::vector<int64_t> at(5, 0);
  do {
    double sum = 0;
    for (const Tap& z : taps[0][static_cast<size_t>(at[2])]) {
      for (const Tap& y : taps[1][static_cast<size_t>(at[3])]) {
        for (const Tap& w : taps[2][static_cast<size_t>(at[4])]) {
          sum += z.weight * y.weight * w.weight *
                 x.number(in.position(at[0], at[1], z.from, y.from, w.from));
        }
      }
    }
    out.set_number(to.position(at[0], at[1], at[2], at[3], at[4]), sum);
  } while (next_index(places, at));
  return value_of(std::move(out));
}

// Where a coordinate from -1 to 1 lies among the elements of an axis.
double grid_place(const OpRun& run, double given, int64_t extent) {
  const auto size = static_cast<double>(extent);
  const bool aligned = run.flag("align_corners");
  double x = aligned ? (given + 1) / 2 * (size - 1) : ((given + 1) * size - 1) / 2;
  const std::string padding = run.text("padding_mode");
  if (padding == "zeros") return x;
  if (padding == "reflection") {
    const double low = aligned ? 0 : -0.5, high = aligned ? size - 1 : size - 0.5;
    while (low < high && (x < low || x > high)) x = x < low ? 2 * low - x : 2 * high - x;
  }
  return std::clamp(x, 0.0, size - 1);
}

Result<Value> grid_sample(const OpRun& run) {
  const Tensor& data = run.tensor(0);
  const Tensor& grid = run.tensor(1);
  Tensor out = run.result();
  const size_t axes = data.shape.size() - 2;
  const bool nearest = run.text("method") == "nearest";
  if (!nearest && run.text("method") != "bilinear") return run.unsupported("this method");
  if (out.count() == 0) return value_of(std::move(out));
  const std::vector<int64_t> strides = strides_of(data.shape),
                             grid_strides = strides_of(grid.shape);
  std::vector<int64_t> index(out.shape.size(), 0);
  for (int64_t at = 0; at < out.count(); ++at, next_index(out.shape, index)) {
    std::vector<double> places;
    for (size_t i = 0; i < axes; ++i) {
      int64_t from = index[0] * grid_strides[0] + static_cast<int64_t>(axes - 1 - i);
      for (size_t k = 0; k < axes; ++k) from += index[2 + k] * grid_strides[1 + k];
      if (!std::isfinite(grid.number(from))) return run.unsupported("a place that is not finite");
      places.push_back(grid_place(run, grid.number(from), data.shape[2 + i]));
    }
    double sum = 0;
    const size_t corners = nearest ? 1 : size_t{1} << axes;
    for (size_t corner = 0; corner < corners; ++corner) {
      double weight = 1;
      int64_t from = index[0] * strides[0] + index[1] * strides[1];
      bool inside = true;
      for (size_t i = 0; i < axes; ++i) {
        const double base = nearest ? std::nearbyint(places[i]) : std::floor(places[i]);
        const bool next = (corner >> i & 1) != 0;
        const double part = places[i] - base;
        if (!nearest) weight *= next ? part : 1 - part;
        const double place = base + (next ? 1 : 0);
        inside = inside && place >= 0 && place < static_cast<double>(data.shape[2 + i]);
        if (inside) from += static_cast<int64_t>(place) * strides[2 + i];
      }
      if (inside) sum += weight * data.number(from);
    }
    out.set_number(at, sum);
  }
  return value_of(std::move(out));
}

const EvaluatorEntry kResizeTable[] = {
    {"image.grid_sample", grid_sample},
    {"image.resize2d", resize},
    {"image.resize3d", resize},
};

}  // namespace

Evaluator find_resize(std::string_view name) { return find_entry(kResizeTable, name); }

}  // namespace fx2wasm::interp
