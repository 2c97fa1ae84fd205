// Type rules of operators over one, two and three spatial axes: convolutions, pools, resizes; and
// of attention, einsum and outer.
#include <algorithm>
#include <map>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"
#include "topi/einsum.h"

namespace fx2wasm::infer {
namespace {

// The number before the `d` of an operator's name: nn.conv2d_transpose has 2 axes.
size_t spatial_axes(const relax::OpCall& call) {
  const size_t digit = call.op->name.find_first_of("123");
  FX_CHECK(digit != std::string_view::npos, "the operator's name says how many axes it has");
  return static_cast<size_t>(call.op->name[digit] - '0');
}

// `(N, C, H, W)`
std::string axes_text(std::string_view front, size_t axes) {
  const std::string letters = std::string(front) + std::string("DHW").substr(3 - axes);
  std::string text = "(";
  for (char letter : letters) text += (text.size() == 1 ? "" : ", ") + std::string(1, letter);
  return text + ")";
}

Result<DType> product_dtype(const relax::OpCall& call, const relax::TensorType& a,
                            const relax::TensorType& b) {
  if (*a.dtype != *b.dtype) {
    return dtype_error(call, "operands of dtype " + std::string(dtype_name(*a.dtype)) + " and " +
                                 std::string(dtype_name(*b.dtype)) + "; cast one of them");
  }
  return dtype_attr(call, "out_dtype").value_or(*a.dtype);
}

// How many windows of `kernel` fit, `stride` apart.
tir::PrimExpr windows_along(const tir::PrimExpr& size, int64_t padding, int64_t dilation,
                            const tir::PrimExpr& kernel, int64_t stride, bool round_up) {
  const tir::PrimExpr reach = tir::mul(extent_of(dilation), tir::sub(kernel, extent_of(1)));
  tir::PrimExpr room = tir::sub(tir::sub(tir::add(size, extent_of(padding)), reach), extent_of(1));
  if (round_up) room = tir::add(room, extent_of(stride - 1));
  return simplify(tir::add(tir::floordiv(room, extent_of(stride)), extent_of(1)));
}

Diagnostic too_small(const relax::OpCall& call, const relax::TensorType& data,
                     const Shape& kernel) {
  return shape_error(call, "a window of " + shape_text(kernel) +
                               " does not fit into the data of shape " + shape_text(data) +
                               " with its padding");
}

bool is_empty(const tir::PrimExpr& extent) {
  const std::optional<int64_t> number = tir::as_int(extent);
  return number && *number <= 0;
}

// Data and weight of a convolution, checked against each other.
struct ConvolutionShapes {
  relax::TensorType data, weight;
  DType dtype = DType::Float32;
};

Result<ConvolutionShapes> convolution_shapes(const relax::OpCall& call, bool transposed) {
  ConvolutionShapes shapes;
  FX_TRY(data, tensor_argument(call, 0));
  FX_TRY(weight, tensor_argument(call, 1));
  FX_TRY(dtype, product_dtype(call, data, weight));
  shapes.data = data;
  shapes.weight = weight;
  shapes.dtype = dtype;
  const size_t axes = spatial_axes(call);
  const int rank = static_cast<int>(axes) + 2;
  if (data.ndim != rank || weight.ndim != rank) {
    return shape_error(call, "takes data " + axes_text("NC", axes) + " and a weight " +
                                 axes_text(transposed ? "IO" : "OI", axes) + ", not " +
                                 shape_text(data) + " and " + shape_text(weight));
  }
  if (!data.shape || !weight.shape) return shapes;
  const Shape &x = *data.shape, &w = *weight.shape;
  const int64_t groups = int_attr(call, "groups");
  const std::optional<int64_t> channels = tir::as_int(x[1]), first = tir::as_int(w[0]),
                               second = tir::as_int(w[1]);
  const std::pair<const char*, std::optional<int64_t>> divided[] = {
      {"input", channels}, {"output", transposed ? std::nullopt : first}};
  for (const auto& [name, count] : divided) {
    if (count && (groups <= 0 || *count % groups != 0)) {
      return shape_error(call, "groups=" + std::to_string(groups) + " do not divide the " +
                                   std::to_string(*count) + " " + name + " channels");
    }
  }
  const std::optional<int64_t> taken = transposed ? first : second;
  const int64_t times = transposed ? 1 : groups;
  if (channels && taken && *channels != *taken * times) {
    return shape_error(call, "the input has " + std::to_string(*channels) +
                                 " channels, the weight of shape " + shape_text(weight) +
                                 " takes " + std::to_string(*taken * times));
  }
  const std::vector<int64_t> strides = ints_attr(call, "strides"),
                             dilation = ints_attr(call, "dilation");
  for (size_t i = 0; i < axes; ++i) {
    if (strides[i] <= 0 || dilation[i] <= 0) {
      return shape_error(call, "stride and dilation are at least 1");
    }
  }
  return shapes;
}

Result<relax::Type> convolution(const relax::OpCall& call) {
  FX_TRY(shapes, convolution_shapes(call, false));
  const relax::TensorType& data = shapes.data;
  if (!data.shape || !shapes.weight.shape) return make_tensor({}, data.ndim, shapes.dtype);
  const Shape &x = *data.shape, &w = *shapes.weight.shape;
  const std::vector<int64_t> strides = ints_attr(call, "strides"),
                             padding = ints_attr(call, "padding"),
                             dilation = ints_attr(call, "dilation");
  const size_t axes = spatial_axes(call);
  Shape shape = {x[0], w[0]};
  for (size_t i = 0; i < axes; ++i) {
    shape.push_back(windows_along(x[i + 2], padding[i] + padding[i + axes], dilation[i], w[i + 2],
                                  strides[i], false));
    if (is_empty(shape.back())) return too_small(call, data, Shape(w.begin() + 2, w.end()));
  }
  return make_tensor(std::move(shape), data.ndim, shapes.dtype);
}

Result<relax::Type> transposed_convolution(const relax::OpCall& call) {
  FX_TRY(shapes, convolution_shapes(call, true));
  const relax::TensorType& data = shapes.data;
  if (!data.shape || !shapes.weight.shape) return make_tensor({}, data.ndim, shapes.dtype);
  const Shape &x = *data.shape, &w = *shapes.weight.shape;
  const std::vector<int64_t> strides = ints_attr(call, "strides"),
                             padding = ints_attr(call, "padding"),
                             dilation = ints_attr(call, "dilation"),
                             extra = ints_attr(call, "output_padding");
  const size_t axes = spatial_axes(call);
  Shape shape = {x[0], simplify(tir::mul(w[1], extent_of(int_attr(call, "groups"))))};
  for (size_t i = 0; i < axes; ++i) {
    const tir::PrimExpr last = tir::mul(tir::sub(x[i + 2], extent_of(1)), extent_of(strides[i]));
    const tir::PrimExpr reach = tir::mul(tir::sub(w[i + 2], extent_of(1)), extent_of(dilation[i]));
    const int64_t rest = extra[i] + 1 - padding[i] - padding[i + axes];
    shape.push_back(simplify(tir::add(tir::add(last, reach), extent_of(rest))));
    if (is_empty(shape.back())) {
      return shape_error(
          call, "the padding leaves nothing of the result for data of shape " + shape_text(data));
    }
  }
  return make_tensor(std::move(shape), data.ndim, shapes.dtype);
}

Result<relax::TensorType> pooled_data(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  const size_t axes = spatial_axes(call);
  if (data.ndim != static_cast<int>(axes) + 2) {
    return shape_error(call, "takes data " + axes_text("NC", axes) + ", not " + shape_text(data));
  }
  return data;
}

Result<relax::Type> pool(const relax::OpCall& call) {
  FX_TRY(data, pooled_data(call));
  if (!data.shape) return make_tensor(std::nullopt, data.ndim, *data.dtype);
  const size_t axes = spatial_axes(call);
  const Shape& x = *data.shape;
  const std::vector<int64_t> kernel = ints_attr(call, "pool_size"),
                             strides = ints_attr(call, "strides"),
                             padding = ints_attr(call, "padding"),
                             dilation = ints_attr(call, "dilation");
  const bool round_up = bool_attr(call, "ceil_mode");
  Shape shape = {x[0], x[1]};
  Shape window;
  for (int64_t extent : kernel) window.push_back(extent_of(extent));
  for (size_t i = 0; i < axes; ++i) {
    if (strides[i] <= 0 || dilation[i] <= 0 || kernel[i] <= 0) {
      return shape_error(call, "kernel, stride and dilation are at least 1");
    }
    tir::PrimExpr count = windows_along(x[i + 2], padding[i] + padding[i + axes], dilation[i],
                                        window[i], strides[i], round_up);
    const std::optional<int64_t> size = tir::as_int(x[i + 2]), windows = tir::as_int(count);
    // PyTorch drops a last window that would start in the padding on the right.
    if (round_up && size && windows && (*windows - 1) * strides[i] >= *size + padding[i]) {
      count = extent_of(*windows - 1);
    }
    if (is_empty(count)) return too_small(call, data, window);
    shape.push_back(std::move(count));
  }
  return make_tensor(std::move(shape), data.ndim, *data.dtype);
}

Result<relax::Type> adaptive_pool(const relax::OpCall& call) {
  FX_TRY(data, pooled_data(call));
  if (!data.shape) return make_tensor(std::nullopt, data.ndim, *data.dtype);
  Shape shape = {(*data.shape)[0], (*data.shape)[1]};
  for (int64_t size : ints_attr(call, "output_size")) {
    if (size <= 0) return shape_error(call, "an output size is at least 1");
    shape.push_back(extent_of(size));
  }
  return make_tensor(std::move(shape), data.ndim, *data.dtype);
}

Result<relax::Type> resize(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  const size_t axes = spatial_axes(call);
  const DType dtype = dtype_attr(call, "out_dtype").value_or(*data.dtype);
  const auto* size = std::get_if<relax::ShapeExpr>(&call.args[1]->kind);
  const int rank = static_cast<int>(axes) + 2;
  if (data.ndim != rank) {
    return shape_error(
        call, "takes data with " + std::to_string(rank) + " axes, not " + shape_text(data));
  }
  if (size != nullptr && size->values.size() != axes) {
    return shape_error(
        call, "the size has " + std::to_string(axes) + " extents, not " + shape_text(size->values));
  }
  if (!data.shape || size == nullptr) return make_tensor(std::nullopt, rank, dtype);
  Shape shape = *data.shape;
  const std::ptrdiff_t first = string_attr(call, "layout").back() == 'C' ? 1 : 2;
  std::copy(size->values.begin(), size->values.end(), shape.begin() + first);
  return make_tensor(std::move(shape), rank, dtype);
}

Result<relax::Type> pixel_shuffle(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  const int64_t factor = int_attr(call, "upscale_factor");
  if (factor <= 0 || (data.ndim >= 0 && data.ndim < 3)) {
    return shape_error(call, "takes data (…, C, H, W) and a factor of at least 1, not " +
                                 shape_text(data) + " and " + std::to_string(factor));
  }
  if (!data.shape) return make_tensor(std::nullopt, data.ndim, *data.dtype);
  Shape shape = *data.shape;
  tir::PrimExpr& channels = shape[shape.size() - 3];
  const std::optional<int64_t> count = tir::as_int(channels);
  if (!count || *count % (factor * factor) != 0) {
    return shape_error(call, "the square of the factor " + std::to_string(factor) +
                                 " does not divide the channels of " + shape_text(data));
  }
  channels = extent_of(*count / (factor * factor));
  for (size_t i = shape.size() - 2; i < shape.size(); ++i) {
    shape[i] = simplify(tir::mul(shape[i], extent_of(factor)));
  }
  return make_tensor(std::move(shape), data.ndim, *data.dtype);
}

Result<relax::Type> outer_product(const relax::OpCall& call) {
  FX_TRY(a, tensor_argument(call, 0));
  FX_TRY(b, tensor_argument(call, 1));
  FX_TRY(dtype, product_dtype(call, a, b));
  if (a.ndim != 1 || b.ndim != 1) {
    return shape_error(call, "takes two vectors, not " + shape_text(a) + " and " + shape_text(b));
  }
  if (!a.shape || !b.shape) return make_tensor(std::nullopt, 2, dtype);
  return make_tensor(Shape{(*a.shape)[0], (*b.shape)[0]}, 2, dtype);
}

Result<relax::Type> einsum(const relax::OpCall& call) {
  const relax::TupleType* tuple = relax::as_tuple(call.args[0]->type);
  if (tuple == nullptr || tuple->fields.empty()) {
    return dtype_error(call, "takes a tuple of tensors");
  }
  std::vector<relax::TensorType> operands;
  std::vector<size_t> ranks;
  for (const relax::Type& field : tuple->fields) {
    const relax::TensorType* operand = relax::as_tensor(field);
    if (operand == nullptr || !operand->dtype || !operand->shape) {
      return shape_error(call, "takes tensors of known shape and dtype");
    }
    if (operand->dtype != relax::as_tensor(tuple->fields[0])->dtype) {
      return dtype_error(call, "operands of several dtypes; cast them");
    }
    operands.push_back(*operand);
    ranks.push_back(operand->shape->size());
  }
  FX_TRY(subscripts, topi::parse_subscripts(string_attr(call, "subscripts"), ranks));
  std::map<char, tir::PrimExpr> extents;
  for (size_t i = 0; i < operands.size(); ++i) {
    for (size_t axis = 0; axis < ranks[i]; ++axis) {
      const tir::PrimExpr& own = (*operands[i].shape)[axis];
      const char letter = subscripts.inputs[i][axis];
      tir::PrimExpr& extent = extents.emplace(letter, own).first->second;
      if (tir::is_one(extent)) extent = own;
      if (!tir::is_one(own) && !provably_equal(own, extent)) {
        return shape_error(call, "the subscript '" + std::string(1, letter) + "' of '" +
                                     string_attr(call, "subscripts") + "' has the extents " +
                                     shape_text(Shape{extent, own}));
      }
    }
  }
  Shape shape;
  for (char letter : subscripts.output) shape.push_back(extents.at(letter));
  return make_tensor(std::move(shape), static_cast<int>(subscripts.output.size()),
                     *operands[0].dtype);
}

// (batch, places, heads, width)
Result<relax::Type> attention(const relax::OpCall& call) {
  FX_TRY(query, tensor_argument(call, 0));
  FX_TRY(key, tensor_argument(call, 1));
  FX_TRY(value, tensor_argument(call, 2));
  FX_TRY(dtype, product_dtype(call, query, key));
  FX_TRY(same, product_dtype(call, query, value));
  static_cast<void>(same);
  if (query.ndim != 4 || key.ndim != 4 || value.ndim != 4) {
    return shape_error(call, "takes query, key and value with four axes, not " + shape_text(query) +
                                 ", " + shape_text(key) + " and " + shape_text(value));
  }
  if (!query.shape || !key.shape || !value.shape) return make_tensor(std::nullopt, 4, dtype);
  const Shape &q = *query.shape, &k = *key.shape, &v = *value.shape;
  const auto differ = [](const tir::PrimExpr& a, const tir::PrimExpr& b) {
    return tir::as_int(a) && tir::as_int(b) && *tir::as_int(a) != *tir::as_int(b);
  };
  for (size_t axis : {0, 2}) {
    if (differ(q[axis], k[axis]) || differ(q[axis], v[axis])) {
      return shape_error(
          call, "query, key and value have other batches or heads: " + shape_text(query) + ", " +
                    shape_text(key) + " and " + shape_text(value));
    }
  }
  if (differ(q[3], k[3]) || differ(k[1], v[1])) {
    return shape_error(call, "the shapes " + shape_text(query) + ", " + shape_text(key) + " and " +
                                 shape_text(value) + " of query, key and value do not fit");
  }
  if (call.args.size() > 3) {
    FX_TRY(bias, tensor_argument(call, 3));
    const Shape scores = {q[0], q[2], q[1], k[1]};
    const Broadcast joined = bias.shape ? broadcast(*bias.shape, scores) : Broadcast{};
    if (bias.ndim != 4 || !joined.fits) {
      return shape_error(call, "the mask of shape " + shape_text(bias) +
                                   " does not broadcast to the scores of shape " +
                                   shape_text(scores));
    }
  }
  return make_tensor(Shape{q[0], q[1], q[2], v[3]}, 4, dtype);
}

constexpr std::pair<std::string_view, Rule> kSpatialRules[] = {
    {"einsum", einsum},
    {"image.resize2d", resize},
    {"image.resize3d", resize},
    {"nn.adaptive_avg_pool1d", adaptive_pool},
    {"nn.adaptive_avg_pool2d", adaptive_pool},
    {"nn.adaptive_avg_pool3d", adaptive_pool},
    {"nn.attention", attention},
    {"nn.attention_bias", attention},
    {"nn.avg_pool1d", pool},
    {"nn.avg_pool2d", pool},
    {"nn.avg_pool3d", pool},
    {"nn.conv1d", convolution},
    {"nn.conv1d_transpose", transposed_convolution},
    {"nn.conv2d", convolution},
    {"nn.conv2d_transpose", transposed_convolution},
    {"nn.conv3d", convolution},
    {"nn.conv3d_transpose", transposed_convolution},
    {"nn.max_pool1d", pool},
    {"nn.max_pool2d", pool},
    {"nn.max_pool3d", pool},
    {"nn.pixel_shuffle", pixel_shuffle},
    {"outer", outer_product},
};

}  // namespace

Rule spatial_rule(std::string_view op) {
  for (const auto& [name, rule] : kSpatialRules) {
    if (name == op) return rule;
  }
  return nullptr;
}

}  // namespace fx2wasm::infer
