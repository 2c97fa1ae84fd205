// Operators that read or write elements at places that other tensors name, and sorting.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "interp/relax_op.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

// An index as PyTorch takes it, negative ones from the end; nothing when it is outside.
std::optional<int64_t> position_of(const Tensor& indices, int64_t at, int64_t extent) {
  const int64_t index =
      indices.real() ? static_cast<int64_t>(indices.number(at)) : indices.at(at).i;
  const int64_t position = index < 0 ? index + extent : index;
  if (position < 0 || position >= extent) return std::nullopt;
  return position;
}

Diagnostic outside(const OpRun& run, const Tensor& indices, int64_t at, int64_t extent) {
  return run.wrong_input("index " + std::to_string(indices.at(at).i) + " is outside " +
                         std::to_string(extent) + " elements");
}

Result<Value> take(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Tensor& indices = run.tensor(1);
  Tensor out = run.result();
  int64_t inner = 1;
  int64_t extent = x.count();
  if (run.has("axis")) {
    const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
    inner = strides_of(x.shape)[axis];
    extent = x.shape[axis];
  }
  const int64_t picked = indices.count();
  for (int64_t at = 0; at < out.count(); ++at) {
    const int64_t which = at / inner % picked;
    const std::optional<int64_t> position = position_of(indices, which, extent);
    if (!position) return outside(run, indices, which, extent);
    out.set(at, x.at((at / inner / picked * extent + *position) * inner + at % inner));
  }
  return value_of(std::move(out));
}

// Where an element of `indices` points to in a tensor of x's shape.
struct Pointed {
  std::vector<int64_t> strides;  // of x
  size_t axis;
  int64_t extent;
  Pointed(const Tensor& x, size_t along)
      : strides(strides_of(x.shape)), axis(along), extent(x.shape[along]) {}
  int64_t offset(std::vector<int64_t> index, int64_t position) const {
    index[axis] = position;
    return offset_of(index, strides);
  }
};

Result<Value> gather_elements(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Tensor& indices = run.tensor(1);
  Tensor out = run.result();
  if (out.count() == 0) return value_of(std::move(out));
  const Pointed pointed(x, static_cast<size_t>(run.axes("axis", x.rank()).front()));
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t at = 0;
  do {
    const std::optional<int64_t> position = position_of(indices, at, pointed.extent);
    if (!position) return outside(run, indices, at, pointed.extent);
    out.set(at++, x.at(pointed.offset(index, *position)));
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

// The larger or smaller of two numbers; NaN when one is NaN.
double extreme(bool largest, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  return largest ? std::max(a, b) : std::min(a, b);
}

double combine(const std::string& reduction, double old, double update) {
  if (reduction == "add") return old + update;
  if (reduction == "mul") return old * update;
  if (reduction == "max" || reduction == "min") return extreme(reduction == "max", old, update);
  return update;
}

// Integers wrap.
int64_t combine(const std::string& reduction, int64_t old, int64_t update) {
  const auto a = static_cast<uint64_t>(old), b = static_cast<uint64_t>(update);
  if (reduction == "add") return static_cast<int64_t>(a + b);
  if (reduction == "mul") return static_cast<int64_t>(a * b);
  if (reduction == "max") return std::max(old, update);
  if (reduction == "min") return std::min(old, update);
  return update;
}

// Element `to` combined with a value of the same dtype.
void combine_into(Tensor& out, int64_t to, const std::string& reduction, const Scalar& update) {
  if (reduction == "update") return out.set(to, update);
  if (out.real()) {
    out.set_number(to, combine(reduction, out.number(to), cast_scalar(DType::Float64, update).f));
  } else {
    out.set(to, integer_scalar(out.dtype, combine(reduction, out.at(to).i, update.i)));
  }
}

Result<Value> scatter_elements(const OpRun& run) {
  Tensor out = run.tensor(0);
  const Tensor& indices = run.tensor(1);
  const Tensor& updates = run.tensor(2);
  const std::string reduction = run.text("reduction");
  if (indices.count() == 0) return value_of(std::move(out));
  const Pointed pointed(out, static_cast<size_t>(run.axes("axis", out.rank()).front()));
  const std::vector<int64_t> update_strides = strides_of(updates.shape);
  std::vector<int64_t> index(indices.shape.size(), 0);
  int64_t at = 0;
  do {
    const std::optional<int64_t> position = position_of(indices, at, pointed.extent);
    if (!position) return outside(run, indices, at, pointed.extent);
    const int64_t to = pointed.offset(index, *position);
    const Scalar update = updates.at(offset_of(index, update_strides));
    combine_into(out, to, reduction, update);
    ++at;
  } while (next_index(indices.shape, index));
  return value_of(std::move(out));
}

// What several positions broadcast to.
Shape broadcast_shape(const std::vector<TensorRef>& indices) {
  Shape lead;
  for (const TensorRef& index : indices) {
    if (index->shape.size() > lead.size()) {
      lead.insert(lead.begin(), index->shape.size() - lead.size(), 1);
    }
    for (size_t i = 0; i < index->shape.size(); ++i) {
      int64_t& extent = lead[lead.size() - 1 - i];
      if (extent == 1) extent = index->shape[index->shape.size() - 1 - i];
    }
  }
  return lead;
}

Result<Value> index_tensor(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const std::vector<TensorRef> indices = run.tensor_tuple(1);
  Tensor out = run.result();
  if (out.count() == 0) return value_of(std::move(out));
  const Shape lead = broadcast_shape(indices);
  const std::vector<int64_t> strides = strides_of(x.shape);
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t at = 0;
  do {
    const std::vector<int64_t> picked(index.begin(),
                                      index.begin() + static_cast<std::ptrdiff_t>(lead.size()));
    int64_t from = 0;
    for (size_t axis = 0; axis < indices.size(); ++axis) {
      const auto index_strides = broadcast_strides(indices[axis]->shape, lead);
      if (!index_strides) return run.wrong_input("the indices do not broadcast");
      const int64_t which = offset_of(picked, *index_strides);
      const std::optional<int64_t> position = position_of(*indices[axis], which, x.shape[axis]);
      if (!position) return outside(run, *indices[axis], which, x.shape[axis]);
      from += *position * strides[axis];
    }
    for (size_t axis = lead.size(); axis < index.size(); ++axis) {
      from += index[axis] * strides[indices.size() + axis - lead.size()];
    }
    out.set(at++, x.at(from));
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

Result<Value> index_put(const OpRun& run) {
  Tensor out = run.tensor(0);
  const std::vector<TensorRef> indices = run.tensor_tuple(1);
  const Tensor& values = run.tensor(2);
  const bool accumulate = run.flag("accumulate");
  for (const TensorRef& index : indices) {
    if (index->real() || index->dtype == DType::Bool) return run.unsupported("a mask as an index");
  }
  const Shape lead = broadcast_shape(indices);
  const Shape rest(out.shape.begin() + static_cast<std::ptrdiff_t>(indices.size()),
                   out.shape.end());
  Shape whole = lead;
  whole.insert(whole.end(), rest.begin(), rest.end());
  const auto value_strides = broadcast_strides(values.shape, whole);
  if (!value_strides) return run.wrong_input("the values do not fit the indexed part");
  const std::vector<int64_t> strides = strides_of(out.shape);
  std::vector<int64_t> index(whole.size(), 0);
  if (element_count(whole) == 0) return value_of(std::move(out));
  do {
    int64_t to = 0;
    const std::vector<int64_t> picked(index.begin(),
                                      index.begin() + static_cast<std::ptrdiff_t>(lead.size()));
    for (size_t axis = 0; axis < indices.size(); ++axis) {
      const auto index_strides = broadcast_strides(indices[axis]->shape, lead);
      if (!index_strides) return run.wrong_input("the indices do not broadcast");
      const int64_t at = offset_of(picked, *index_strides);
      const std::optional<int64_t> position = position_of(*indices[axis], at, out.shape[axis]);
      if (!position) return outside(run, *indices[axis], at, out.shape[axis]);
      to += *position * strides[axis];
    }
    for (size_t axis = 0; axis < rest.size(); ++axis) {
      to += index[lead.size() + axis] * strides[indices.size() + axis];
    }
    const Scalar value = values.at(offset_of(index, *value_strides));
    combine_into(out, to, accumulate ? "add" : "update", value);
  } while (next_index(whole, index));
  return value_of(std::move(out));
}

Result<Value> one_hot(const OpRun& run) {
  const Tensor& indices = run.tensor(0);
  const Scalar on = run.scalar(1);
  const Scalar off = run.scalar(2);
  const int64_t depth = run.integer("depth");
  Tensor out = run.result();
  const auto axis = static_cast<size_t>(run.axes("axis", out.rank()).front());
  const int64_t inner = strides_of(out.shape)[axis];
  for (int64_t at = 0; at < out.count(); ++at) {
    const int64_t which = at / inner / depth * inner + at % inner;
    out.set(at, indices.at(which).i == at / inner % depth ? on : off);
  }
  return value_of(std::move(out));
}

Result<Value> bucketize(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Tensor& boundaries = run.tensor(1);
  const bool right = run.flag("right");
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    const double value = x.number(at);
    // By halves, as PyTorch: that decides what boundaries that are not sorted give.
    int64_t bucket = 0;
    for (int64_t end = boundaries.count(); bucket < end;) {
      const int64_t middle = bucket + (end - bucket) / 2;
      const double boundary = boundaries.number(middle);
      if (right ? !(boundary > value) : !(boundary >= value)) {
        bucket = middle + 1;
      } else {
        end = middle;
      }
    }
    out.set(at, integer_scalar(DType::Int64, bucket));
  }
  return value_of(std::move(out));
}

Result<Value> slice_scatter(const OpRun& run) {
  Tensor out = run.tensor(0);
  const Tensor& source = run.tensor(1);
  const auto axis = static_cast<size_t>(run.axes("axis", out.rank()).front());
  const int64_t begin = run.scalar(2).i;
  const int64_t step = run.scalar(4).i;
  const int64_t first = begin < 0 ? begin + out.shape[axis] : begin;
  if (source.count() == 0) return value_of(std::move(out));
  const std::vector<int64_t> strides = strides_of(out.shape);
  std::vector<int64_t> index(source.shape.size(), 0);
  int64_t at = 0;
  do {
    std::vector<int64_t> to = index;
    to[axis] = first + index[axis] * step;
    if (to[axis] < 0 || to[axis] >= out.shape[axis]) return run.wrong_input("outside the tensor");
    out.set(offset_of(to, strides), source.at(at++));
  } while (next_index(source.shape, index));
  return value_of(std::move(out));
}

// Whether a stands before b: NaN counts as the largest number, as in PyTorch.
bool stands_before(double a, double b, bool descending) {
  if (std::isnan(a) || std::isnan(b)) {
    return descending ? std::isnan(a) && !std::isnan(b) : !std::isnan(a) && std::isnan(b);
  }
  return descending ? a > b : a < b;
}

// The order of the elements of each line along an axis; calls `use(line's first element, order)`.
template <class Use>
void sort_lines(const Tensor& x, size_t axis, bool descending, Use use) {
  const int64_t inner = strides_of(x.shape)[axis];
  const int64_t extent = x.shape[axis];
  for (int64_t line = 0; line < x.count() / std::max<int64_t>(extent, 1); ++line) {
    const int64_t base = line / inner * extent * inner + line % inner;
    std::vector<int64_t> order(static_cast<size_t>(extent));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return stands_before(x.number(base + a * inner), x.number(base + b * inner), descending);
    });
    use(line, base, order);
  }
}

Result<Value> argsort(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t inner = strides_of(x.shape)[axis];
  Tensor out = run.result();
  sort_lines(x, axis, run.flag("descending"),
             [&](int64_t, int64_t base, const std::vector<int64_t>& order) {
               for (size_t i = 0; i < order.size(); ++i) {
                 out.set(base + static_cast<int64_t>(i) * inner,
                         integer_scalar(DType::Int64, order[i]));
               }
             });
  return value_of(std::move(out));
}

Result<Value> sort(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t inner = strides_of(x.shape)[axis];
  Tensor out = run.result();
  sort_lines(x, axis, run.flag("descending"),
             [&](int64_t, int64_t base, const std::vector<int64_t>& order) {
               for (size_t i = 0; i < order.size(); ++i) {
                 out.set(base + static_cast<int64_t>(i) * inner, x.at(base + order[i] * inner));
               }
             });
  return value_of(std::move(out));
}

Result<Value> topk(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t inner = strides_of(x.shape)[axis];
  const std::string kind = run.text("ret_type");
  const size_t indices_at = kind == "both" ? 1 : 0;
  std::vector<Tensor> outs;
  for (size_t i = 0; i < run.results.size(); ++i) outs.push_back(run.result(i));
  const int64_t k = outs[0].shape[axis];
  sort_lines(x, axis, run.flag("largest"),
             [&](int64_t line, int64_t base, const std::vector<int64_t>& order) {
               for (int64_t i = 0; i < k; ++i) {
                 const int64_t to = (line / inner * k + i) * inner + line % inner;
                 const int64_t from = order[static_cast<size_t>(i)];
                 if (kind != "indices") outs[0].set(to, x.at(base + from * inner));
                 if (kind != "values") {
                   outs[indices_at].set(to, integer_scalar(DType::Int64, from));
                 }
               }
             });
  return outs.size() == 1 ? value_of(std::move(outs[0])) : tuple_of(std::move(outs));
}

const EvaluatorEntry kIndexingTable[] = {
    {"take", take},
    {"gather_elements", gather_elements},
    {"scatter_elements", scatter_elements},
    {"index_put", index_put},
    {"index_tensor", index_tensor},
    {"one_hot", one_hot},
    {"bucketize", bucketize},
    {"slice_scatter", slice_scatter},
    {"argsort", argsort},
    {"sort", sort},
    {"topk", topk},
};

}  // namespace

Evaluator find_indexing_op(std::string_view name) { return find_entry(kIndexingTable, name); }

}  // namespace fx2wasm::interp
