// Matrix products and convolutions: sums of products in double (or int64), rounded once at the end.
#include <algorithm>
#include <cmath>

#include "interp/relax_op.h"
#include "interp/spatial.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

// Adds products of elements of two tensors in the type that both have.
class ProductSum {
 public:
  ProductSum(const Tensor& a, const Tensor& b) : a_(a), b_(b), real_(a.real() || b.real()) {}

  void reset() {
    real_sum_ = 0;
    integer_sum_ = 0;
  }
  void add(int64_t at_a, int64_t at_b) {
    if (real_) {
      real_sum_ += a_.number(at_a) * b_.number(at_b);
    } else {
      integer_sum_ += static_cast<uint64_t>(a_.at(at_a).i) * static_cast<uint64_t>(b_.at(at_b).i);
    }
  }
  void store(Tensor& out, int64_t at) const {
    if (real_) {
      out.set_number(at, real_sum_);
    } else {
      out.set(at, integer_scalar(DType::Int64, static_cast<int64_t>(integer_sum_)));
    }
  }

 private:
  const Tensor& a_;
  const Tensor& b_;
  bool real_;
  double real_sum_ = 0;
  uint64_t integer_sum_ = 0;
};

Result<Value> matmul(const OpRun& run) {
  const Tensor& a = run.tensor(0);
  const Tensor& b = run.tensor(1);
  Tensor out = run.result();
  if (a.rank() == 0 || b.rank() == 0) return run.wrong_input("an operand is a scalar");
  // A vector on the left is a row, on the right a column; the result loses that axis again.
  const bool row = a.rank() == 1;
  const bool column = b.rank() == 1;
  const int64_t depth = a.shape.back();
  const int64_t rows = row ? 1 : a.shape[a.shape.size() - 2];
  const int64_t columns = column ? 1 : b.shape.back();
  if (depth != (column ? b.shape[0] : b.shape[b.shape.size() - 2])) {
    return run.wrong_input("the inner sizes differ");
  }
  const Shape batch_a(a.shape.begin(), a.shape.end() - (row ? 1 : 2));
  const Shape batch_b(b.shape.begin(), b.shape.end() - (column ? 1 : 2));
  const Shape batch(out.shape.begin(), out.shape.end() - (row ? 0 : 1) - (column ? 0 : 1));
  const auto strides_a = broadcast_strides(batch_a, batch);
  const auto strides_b = broadcast_strides(batch_b, batch);
  if (!strides_a || !strides_b) return run.wrong_input("the batches do not broadcast");
  if (out.count() == 0) return value_of(std::move(out));
  ProductSum sum(a, b);
  std::vector<int64_t> index(batch.size(), 0);
  int64_t at = 0;
  do {
    const int64_t base_a = offset_of(index, *strides_a) * rows * depth;
    const int64_t base_b = offset_of(index, *strides_b) * depth * columns;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) {
        sum.reset();
        for (int64_t k = 0; k < depth; ++k) {
          sum.add(base_a + i * depth + k, base_b + k * columns + j);
        }
        sum.store(out, at++);
      }
    }
  } while (next_index(batch, index));
  return value_of(std::move(out));
}

Result<Value> outer(const OpRun& run) {
  const Tensor& a = run.tensor(0);
  const Tensor& b = run.tensor(1);
  Tensor out = run.result();
  ProductSum sum(a, b);
  for (int64_t at = 0; at < out.count(); ++at) {
    sum.reset();
    sum.add(at / b.count(), at % b.count());
    sum.store(out, at);
  }
  return value_of(std::move(out));
}

// Where a window of a convolution reads along one axis; nothing when it is in the padding. A
// transposed convolution reads only where the stride hits an element.
std::optional<int64_t> source(const SpatialAxis& axis, int64_t out, int64_t tap, bool transposed) {
  if (!transposed) {
    const int64_t at = out * axis.stride - axis.pad_begin + tap * axis.dilation;
    if (at < 0 || at >= axis.in) return std::nullopt;
    return at;
  }
  const int64_t spread = out + axis.pad_begin - tap * axis.dilation;
  if (spread < 0 || spread % axis.stride != 0 || spread / axis.stride >= axis.in) {
    return std::nullopt;
  }
  return spread / axis.stride;
}

Result<Value> convolve(const OpRun& run, bool transposed) {
  const Tensor& data = run.tensor(0);
  const Tensor& weight = run.tensor(1);
  Tensor out = run.result();
  const AxisOrder in_order(run.text("data_layout"), "NC");
  const AxisOrder kernel_order(run.text("kernel_layout"), "OI");
  const AxisOrder out_order(run.text("out_layout"), "NC");
  if (!in_order.known() || !kernel_order.known() || !out_order.known()) {
    return run.unsupported("a packed layout");
  }
  const Spatial3 in(data.shape, in_order);
  const Spatial3 kernel(weight.shape, kernel_order);
  const Spatial3 to(out.shape, out_order);
  const auto axes = spatial_axes(run, in, kernel.extent, to);
  const int64_t groups = run.integer("groups");
  // The kernel's O is the output's channels (of one group when transposed), its I the input's.
  const int64_t in_per_group = in.second / groups;
  const int64_t out_per_group = to.second / groups;
  ProductSum sum(data, weight);
  for (int64_t n = 0; n < to.first; ++n) {
    for (int64_t channel = 0; channel < to.second; ++channel) {
      const int64_t group = channel / out_per_group;
      for (int64_t z = 0; z < to.extent[0]; ++z) {
        for (int64_t y = 0; y < to.extent[1]; ++y) {
          for (int64_t x = 0; x < to.extent[2]; ++x) {
            sum.reset();
            for (int64_t kz = 0; kz < kernel.extent[0]; ++kz) {
              const auto sz = source(axes[0], z, kz, transposed);
              for (int64_t ky = 0; sz && ky < kernel.extent[1]; ++ky) {
                const auto sy = source(axes[1], y, ky, transposed);
                for (int64_t kx = 0; sy && kx < kernel.extent[2]; ++kx) {
                  const auto sx = source(axes[2], x, kx, transposed);
                  for (int64_t c = 0; sx && c < in_per_group; ++c) {
                    const int64_t from = group * in_per_group + c;
                    const int64_t o = transposed ? channel % out_per_group : channel;
                    const int64_t i = transposed ? from : c;
                    sum.add(in.position(n, from, *sz, *sy, *sx), kernel.position(o, i, kz, ky, kx));
                  }
                }
              }
            }
            sum.store(out, to.position(n, channel, z, y, x));
          }
        }
      }
    }
  }
  return value_of(std::move(out));
}

Result<Value> convolution(const OpRun& run) { return convolve(run, false); }
Result<Value> transposed_convolution(const OpRun& run) { return convolve(run, true); }

// softmax(q k^T * scale + bias) v, with the heads on axis 2: (batch, sequence, head, feature).
Result<Value> attention(const OpRun& run) {
  const Tensor& q = run.tensor(0);
  const Tensor& k = run.tensor(1);
  const Tensor& v = run.tensor(2);
  const Tensor* bias = run.has_argument(3) ? &run.tensor(3) : nullptr;
  Tensor out = run.result();
  const int64_t batch = q.extent(0), queries = q.extent(1), heads = q.extent(2), size = q.extent(3);
  const int64_t keys = k.extent(1), out_size = v.extent(3);
  const double scale =
      run.has("scale") ? run.real("scale") : 1 / std::sqrt(static_cast<double>(size));
  if (run.has("window_size")) return run.unsupported("a window");
  const std::string causal = run.has("causal_mask") ? run.text("causal_mask") : "";
  const int64_t shift = causal == "BottomRight" ? keys - queries : 0;
  std::optional<std::vector<int64_t>> bias_strides;
  if (bias != nullptr) {
    bias_strides = broadcast_strides(bias->shape, {batch, heads, queries, keys});
    if (!bias_strides) return run.wrong_input("the mask does not broadcast");
  }
  const auto at = [heads](const Tensor& t, int64_t b, int64_t s, int64_t h, int64_t d) {
    return t.number(((b * t.extent(1) + s) * heads + h) * t.extent(3) + d);
  };
  for (int64_t line = 0; line < batch * queries * heads; ++line) {
    const int64_t h = line % heads, s = line / heads % queries, b = line / heads / queries;
    std::vector<double> scores;
    for (int64_t t = 0; t < keys; ++t) {
      double score = 0;
      for (int64_t d = 0; d < size; ++d) score += at(q, b, s, h, d) * at(k, b, t, h, d);
      score *= scale;
      if (bias != nullptr) score += bias->number(offset_of({b, h, s, t}, *bias_strides));
      scores.push_back(!causal.empty() && t > s + shift ? -HUGE_VAL : score);
    }
    const double largest = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    for (double& score : scores) total += score = std::exp(score - largest);
    for (int64_t d = 0; d < out_size; ++d) {
      double value = 0;
      for (int64_t t = 0; t < keys; ++t) {
        value += scores[static_cast<size_t>(t)] / total * at(v, b, t, h, d);
      }
      out.set_number(line * out_size + d, value);
    }
  }
  return value_of(std::move(out));
}

const EvaluatorEntry kLinearTable[] = {
    {"matmul", matmul},
    {"outer", outer},
    {"nn.conv1d", convolution},
    {"nn.conv2d", convolution},
    {"nn.conv3d", convolution},
    {"nn.conv1d_transpose", transposed_convolution},
    {"nn.conv2d_transpose", transposed_convolution},
    {"nn.conv3d_transpose", transposed_convolution},
    {"nn.attention", attention},
    {"nn.attention_bias", attention},
};

}  // namespace

Evaluator find_linear_op(std::string_view name) { return find_entry(kLinearTable, name); }

}  // namespace fx2wasm::interp
