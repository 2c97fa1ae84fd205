// Operators that move elements or make tensors, without arithmetic on the elements.
#include <algorithm>

#include "interp/relax_op.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

// reshape, flatten, squeeze, expand_dims: the same elements in the same order.
Result<Value> keep_elements(const OpRun& run) {
  Tensor out = run.tensor(0);
  const Shape& shape = run.results[0].shape;
  if (element_count(shape) != out.count()) {
    return run.wrong_input("the new shape holds another number of elements");
  }
  out.shape = shape;
  return value_of(std::move(out));
}

// Copies x into the result, reading it under `strides` from `start`, one stride per result axis.
Result<Value> strided_copy(const OpRun& run, const Tensor& x, int64_t start,
                           const std::vector<int64_t>& strides) {
  Tensor out = run.result();
  if (out.count() == 0) return value_of(std::move(out));
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t at = 0;
  do {
    const int64_t from = start + offset_of(index, strides);
    if (from < 0 || from >= x.count()) return run.wrong_input("an element outside the tensor");
    out.set(at++, x.at(from));
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

Result<Value> permute_dims(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const std::vector<int64_t> own = strides_of(x.shape);
  std::vector<int64_t> axes = run.axes("axes", x.rank());
  if (!run.has("axes")) std::reverse(axes.begin(), axes.end());
  std::vector<int64_t> strides;
  for (int64_t axis : axes) strides.push_back(own[static_cast<size_t>(axis)]);
  return strided_copy(run, x, 0, strides);
}

Result<Value> broadcast_to(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto strides = broadcast_strides(x.shape, run.results[0].shape);
  if (!strides) return run.wrong_input("the tensor does not broadcast to the shape");
  return strided_copy(run, x, 0, *strides);
}

Result<Value> strided_slice(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Shape axes = run.shape(1);
  const Shape begin = run.shape(2);
  const Shape steps = run.has_argument(4) ? run.shape(4) : Shape(axes.size(), 1);
  const std::vector<int64_t> own = strides_of(x.shape);
  std::vector<int64_t> strides = own;
  int64_t start = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<size_t>(axes[i] < 0 ? axes[i] + x.rank() : axes[i]);
    const int64_t extent = x.shape[axis];
    const int64_t last = steps[i] < 0 ? extent - 1 : extent;
    const int64_t first = begin[i] < 0 ? begin[i] + extent : begin[i];
    start += std::clamp<int64_t>(first, 0, std::max<int64_t>(last, 0)) * own[axis];
    strides[axis] = own[axis] * steps[i];
  }
  return strided_copy(run, x, start, strides);
}

Result<Value> flip(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  std::vector<int64_t> strides = strides_of(x.shape);
  int64_t start = 0;
  for (int64_t flipped : run.axes("axis", x.rank())) {
    const auto axis = static_cast<size_t>(flipped);
    start += (x.shape[axis] - 1) * strides[axis];
    strides[axis] = -strides[axis];
  }
  return strided_copy(run, x, start, strides);
}

Result<Value> tile(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  if (out.count() == 0) return value_of(std::move(out));
  const size_t lead = out.shape.size() - x.shape.size();
  const std::vector<int64_t> strides = strides_of(x.shape);
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t at = 0;
  do {
    int64_t from = 0;
    for (size_t axis = 0; axis < x.shape.size(); ++axis) {
      from += index[lead + axis] % x.shape[axis] * strides[axis];
    }
    out.set(at++, x.at(from));
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

// Copies a part into the whole along one axis from `offset` on, or the other way round.
struct AxisWindow {
  int64_t outer, inner, whole;  // elements before, behind, and along the axis
  AxisWindow(const Shape& shape, size_t axis) : outer(1), inner(1), whole(shape[axis]) {
    for (size_t i = 0; i < axis; ++i) outer *= shape[i];
    for (size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  }
  int64_t position(int64_t before, int64_t along, int64_t behind) const {
    return (before * whole + along) * inner + behind;
  }
};

void copy_part(const AxisWindow& window, int64_t offset, int64_t extent, const Tensor& from,
               Tensor& to, bool into_whole) {
  for (int64_t before = 0; before < window.outer; ++before) {
    for (int64_t along = 0; along < extent; ++along) {
      for (int64_t behind = 0; behind < window.inner; ++behind) {
        const int64_t whole = window.position(before, offset + along, behind);
        const int64_t part = (before * extent + along) * window.inner + behind;
        to.set(into_whole ? whole : part, from.at(into_whole ? part : whole));
      }
    }
  }
}

Result<Value> concat(const OpRun& run) {
  const std::vector<TensorRef> parts = run.tensor_tuple(0);
  Tensor out = run.result();
  const auto axis = static_cast<size_t>(run.axes("axis", out.rank()).front());
  const AxisWindow window(out.shape, axis);
  int64_t offset = 0;
  for (const TensorRef& part : parts) {
    copy_part(window, offset, part->shape[axis], *part, out, true);
    offset += part->shape[axis];
  }
  return value_of(std::move(out));
}

Result<Value> stack(const OpRun& run) {
  const std::vector<TensorRef> parts = run.tensor_tuple(0);
  Tensor out = run.result();
  const int64_t axis = run.has("axis") ? run.axes("axis", out.rank()).front() : 0;
  const AxisWindow window(out.shape, static_cast<size_t>(axis));
  for (size_t i = 0; i < parts.size(); ++i) {
    copy_part(window, static_cast<int64_t>(i), 1, *parts[i], out, true);
  }
  return value_of(std::move(out));
}

// The declared shapes say where the parts begin.
Result<Value> split(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const AxisWindow window(x.shape, axis);
  std::vector<Tensor> parts;
  int64_t offset = 0;
  for (size_t i = 0; i < run.results.size(); ++i) {
    Tensor part = run.result(i);
    copy_part(window, offset, part.shape[axis], x, part, false);
    offset += part.shape[axis];
    parts.push_back(std::move(part));
  }
  return tuple_of(std::move(parts));
}

Tensor filled(const OpRun& run, const Scalar& value) {
  Tensor out = run.result();
  for (int64_t at = 0; at < out.count(); ++at) out.set(at, value);
  return out;
}

Result<Value> full(const OpRun& run) { return value_of(filled(run, run.scalar(1))); }
Result<Value> zeros(const OpRun& run) { return value_of(run.result()); }
Result<Value> ones(const OpRun& run) {
  return value_of(filled(run, integer_scalar(DType::Int64, 1)));
}

Result<Value> arange(const OpRun& run) {
  const Scalar start = run.scalar(0);
  const Scalar step = run.scalar(2);
  Tensor out = run.result();
  const bool real = is_float(start.dtype) || is_float(step.dtype);
  const double first = cast_scalar(DType::Float64, start).f;
  const double stride = cast_scalar(DType::Float64, step).f;
  for (int64_t at = 0; at < out.count(); ++at) {
    if (real) {
      out.set_number(at, first + stride * static_cast<double>(at));
    } else {
      out.set(at, integer_scalar(DType::Int64, start.i + step.i * at));
    }
  }
  return value_of(std::move(out));
}

Result<Value> eye(const OpRun& run) {
  const int64_t diagonal = run.scalar(2).i;
  Tensor out = run.result();
  for (int64_t row = 0; row < out.extent(0); ++row) {
    const int64_t column = row + diagonal;
    if (column >= 0 && column < out.extent(1)) out.set_number(row * out.extent(1) + column, 1);
  }
  return value_of(std::move(out));
}

Result<Value> triangle(const OpRun& run) {
  const bool upper = run.name() == "triu";
  const int64_t k = run.has_argument(1) ? run.scalar(1).i : 0;
  Tensor out = run.tensor(0);
  const int64_t columns = out.shape.back();
  const int64_t rows = out.shape[out.shape.size() - 2];
  for (int64_t at = 0; at < out.count(); ++at) {
    const int64_t below = at % columns - at / columns % rows - k;  // the column behind the diagonal
    if (upper ? below < 0 : below > 0) out.set_number(at, 0);
  }
  return value_of(std::move(out));
}

Result<Value> meshgrid(const OpRun& run) {
  const std::vector<TensorRef> lines = run.tensor_tuple(0);
  const bool swapped = run.has("indexing") && run.text("indexing") == "xy" && lines.size() > 1;
  // The axis of the grids that a line runs along. The extents come from the lines: TVM declares the
  // unswapped ones for "xy".
  const auto axis_of = [&](size_t line) { return swapped && line < 2 ? 1 - line : line; };
  Shape shape(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) shape[axis_of(i)] = lines[i]->count();
  std::vector<Tensor> grids;
  for (const TensorRef& line : lines) {
    Tensor grid(line->dtype, shape);
    const size_t axis = axis_of(grids.size());
    const int64_t inner = strides_of(shape)[axis];
    for (int64_t at = 0; at < grid.count(); ++at) {
      grid.set(at, line->at(at / inner % shape[axis]));
    }
    grids.push_back(std::move(grid));
  }
  return tuple_of(std::move(grids));
}

Result<Value> pixel_shuffle(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const int64_t factor = run.integer("upscale_factor");
  Tensor out = run.result();
  const size_t rank = out.shape.size();
  const int64_t width = out.shape[rank - 1];
  const int64_t height = out.shape[rank - 2];
  const int64_t from_width = width / factor;
  const int64_t from_height = height / factor;
  for (int64_t at = 0; at < out.count(); ++at) {
    const int64_t column = at % width;
    const int64_t row = at / width % height;
    const int64_t channel = at / width / height;  // leading axes and the channel together
    const int64_t from_channel = (channel * factor + row % factor) * factor + column % factor;
    out.set(at, x.at((from_channel * from_height + row / factor) * from_width + column / factor));
  }
  return value_of(std::move(out));
}

const EvaluatorEntry kShapeTable[] = {
    {"reshape", keep_elements},
    {"flatten", keep_elements},
    {"squeeze", keep_elements},
    {"expand_dims", keep_elements},
    {"nn.batch_flatten", keep_elements},
    {"permute_dims", permute_dims},
    {"broadcast_to", broadcast_to},
    {"strided_slice", strided_slice},
    {"flip", flip},
    {"tile", tile},
    {"concat", concat},
    {"stack", stack},
    {"split", split},
    {"full", full},
    {"full_like", full},
    {"zeros", zeros},
    {"zeros_like", zeros},
    {"ones", ones},
    {"ones_like", ones},
    {"arange", arange},
    {"eye", eye},
    {"tril", triangle},
    {"triu", triangle},
    {"meshgrid", meshgrid},
    {"nn.pixel_shuffle", pixel_shuffle},
};

}  // namespace

Evaluator find_shape_op(std::string_view name) { return find_entry(kShapeTable, name); }

}  // namespace fx2wasm::interp
