// Pooling and padding.
#include <algorithm>
#include <cmath>

#include "interp/relax_op.h"
#include "interp/spatial.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

// The elements of one window, along one axis: positions in [begin, end) by steps.
struct Span {
  int64_t begin, end, step;
};

Span clip_span(const SpatialAxis& axis, int64_t out) {
  const int64_t start = out * axis.stride - axis.pad_begin;
  Span span{start, std::min(start + (axis.window - 1) * axis.dilation + 1, axis.in), axis.dilation};
  while (span.begin < 0) span.begin += axis.dilation;
  return span;
}

// How many places of a window lie inside the tensor and its padding: what an average that counts
// the padding divides by.
int64_t padded_length(const SpatialAxis& axis, int64_t out) {
  const int64_t start = out * axis.stride - axis.pad_begin;
  return std::min(start + axis.window, axis.in + axis.pad_end) - start;
}

struct Window {
  std::array<Span, 3> spans;
  int64_t n, channel;
  template <class Visit>
  void visit(const Spatial3& in, Visit use) const {
    for (int64_t z = spans[0].begin; z < spans[0].end; z += spans[0].step) {
      for (int64_t y = spans[1].begin; y < spans[1].end; y += spans[1].step) {
        for (int64_t x = spans[2].begin; x < spans[2].end; x += spans[2].step) {
          use(in.position(n, channel, z, y, x));
        }
      }
    }
  }
};

// Calls `use(window, place in the result)` for each element of the result.
template <class SpanOf, class Use>
void for_each_window(const Spatial3& out, SpanOf span_of, Use use) {
  for (int64_t n = 0; n < out.first; ++n) {
    for (int64_t c = 0; c < out.second; ++c) {
      for (int64_t z = 0; z < out.extent[0]; ++z) {
        for (int64_t y = 0; y < out.extent[1]; ++y) {
          for (int64_t x = 0; x < out.extent[2]; ++x) {
            const Window window{{span_of(0, z), span_of(1, y), span_of(2, x)}, n, c};
            use(window, std::array<int64_t, 3>{z, y, x}, out.position(n, c, z, y, x));
          }
        }
      }
    }
  }
}

Result<Value> pool(const OpRun& run) {
  const bool average = run.name().substr(0, 6) == "nn.avg";
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  const AxisOrder order(run.text("layout"), "NC");
  const AxisOrder out_order(run.text("out_layout"), "NC");
  if (!order.known() || !out_order.known()) return run.unsupported("a packed layout");
  const Spatial3 in(x.shape, order);
  const Spatial3 to(out.shape, out_order);
  std::array<int64_t, 3> size = {1, 1, 1};
  const std::vector<int64_t> pool_size = run.integers("pool_size");
  std::copy(pool_size.begin(), pool_size.end(),
            size.begin() + static_cast<std::ptrdiff_t>(3 - pool_size.size()));
  const auto axes = spatial_axes(run, in, size, to);
  const bool counts_padding = run.flag("count_include_pad");
  const auto span_of = [&](size_t axis, int64_t at) { return clip_span(axes[axis], at); };
  for_each_window(to, span_of, [&](const Window& window, std::array<int64_t, 3> at, int64_t place) {
    double sum = 0;
    int64_t count = 0;
    std::optional<Scalar> largest;
    window.visit(in, [&](int64_t from) {
      sum += x.number(from);
      ++count;
      const Scalar value = x.at(from);
      const bool nan = x.real() && std::isnan(value.f);
      const bool more = !largest || (x.real() ? value.f > largest->f : value.i > largest->i);
      if (more || nan) largest = value;
    });
    if (!average) {
      // A window that lies in the padding alone has no largest element.
      out.set(place, largest.value_or(float_scalar(DType::Float64, -HUGE_VAL)));
      return;
    }
    if (counts_padding) {
      count = 1;
      for (size_t axis = 0; axis < 3; ++axis) count *= padded_length(axes[axis], at[axis]);
    }
    out.set_number(place, sum / static_cast<double>(count));
  });
  return value_of(std::move(out));
}

Result<Value> adaptive_average(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  const AxisOrder order(run.text("layout"), "NC");
  const AxisOrder out_order(run.text("out_layout"), "NC");
  if (!order.known() || !out_order.known()) return run.unsupported("a packed layout");
  const Spatial3 in(x.shape, order);
  const Spatial3 to(out.shape, out_order);
  const auto span_of = [&](size_t axis, int64_t at) {
    const int64_t from = in.extent[axis];
    const int64_t size = to.extent[axis];
    return Span{at * from / size, ((at + 1) * from + size - 1) / size, 1};
  };
  for_each_window(to, span_of, [&](const Window& window, std::array<int64_t, 3>, int64_t place) {
    double sum = 0;
    int64_t count = 0;
    window.visit(in, [&](int64_t from) {
      sum += x.number(from);
      ++count;
    });
    out.set_number(place, sum / static_cast<double>(count));
  });
  return value_of(std::move(out));
}

// The element that stands at a place outside the tensor; nothing: the pad value.
std::optional<int64_t> mirrored(const std::string& mode, int64_t at, int64_t extent) {
  if (at >= 0 && at < extent) return at;
  if (mode == "reflect") return at < 0 ? -at : 2 * (extent - 1) - at;
  if (mode == "replicate") return at < 0 ? 0 : extent - 1;
  if (mode == "circular") return (at % extent + extent) % extent;
  return std::nullopt;
}

Result<Value> pad(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const std::vector<int64_t> widths = run.integers("pad_width");
  const std::string mode = run.text("pad_mode");
  const double fill = run.real("pad_value");
  Tensor out = run.result();
  if (widths.size() != 2 * x.shape.size()) return run.wrong_input("pad_width of another rank");
  if (out.count() == 0) return value_of(std::move(out));
  const std::vector<int64_t> strides = strides_of(x.shape);
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t place = 0;
  do {
    std::optional<int64_t> from = 0;
    for (size_t axis = 0; axis < index.size() && from; ++axis) {
      const auto at = mirrored(mode, index[axis] - widths[2 * axis], x.shape[axis]);
      if (at && (*at < 0 || *at >= x.shape[axis])) return run.wrong_input("a padding is too wide");
      from = at ? std::optional<int64_t>(*from + *at * strides[axis]) : std::nullopt;
    }
    if (from) {
      out.set(place, x.at(*from));
    } else {
      out.set_number(place, fill);
    }
    ++place;
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

const EvaluatorEntry kWindowTable[] = {
    {"nn.max_pool1d", pool},
    {"nn.max_pool2d", pool},
    {"nn.max_pool3d", pool},
    {"nn.avg_pool1d", pool},
    {"nn.avg_pool2d", pool},
    {"nn.avg_pool3d", pool},
    {"nn.adaptive_avg_pool1d", adaptive_average},
    {"nn.adaptive_avg_pool2d", adaptive_average},
    {"nn.adaptive_avg_pool3d", adaptive_average},
    {"nn.pad", pad},
};

}  // namespace

Evaluator find_window_op(std::string_view name) { return find_entry(kWindowTable, name); }

}  // namespace fx2wasm::interp
