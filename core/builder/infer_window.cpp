// The type rules of convolutions and pools of any number of axes.
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"
#include "topi/window.h"

namespace fx2wasm::infer {
namespace {

using topi::WindowLayout;

// How many windows of `kernel` fit, `stride` apart.
tir::PrimExpr window_count(const tir::PrimExpr& size, int64_t padding, int64_t dilation,
                           const tir::PrimExpr& kernel, int64_t stride, bool round_up) {
  const tir::PrimExpr reach = tir::mul(extent_of(dilation), tir::sub(kernel, extent_of(1)));
  tir::PrimExpr room = tir::sub(tir::sub(tir::add(size, extent_of(padding)), reach), extent_of(1));
  if (round_up) room = tir::add(room, extent_of(stride - 1));
  return simplify(tir::add(tir::floordiv(room, extent_of(stride)), extent_of(1)));
}

Diagnostic no_window(const relax::OpCall& call, const relax::TensorType& data,
                     const std::string& kernel) {
  return shape_error(call, "a window of " + kernel + " does not fit into the data of shape " +
                               shape_text(data) + " with its padding");
}

bool is_at_most(const tir::PrimExpr& extent, int64_t limit) {
  const std::optional<int64_t> number = tir::as_int(extent);
  return number && *number <= limit;
}

// `(N, C, H, W)` for "NCHW".
std::string axis_letters(std::string_view layout) {
  std::string text = "(";
  for (const char letter : layout) text += std::string(text.size() > 1 ? ", " : "") + letter;
  return text + ")";
}

Result<WindowLayout> layout_attr(const relax::OpCall& call, std::string_view name,
                                 std::string_view special) {
  const std::string layout = string_attr(call, name);
  if (std::optional<WindowLayout> parsed = topi::parse_layout(layout, special)) return *parsed;
  return shape_error(call, std::string(name) + " '" + layout + "' is not supported: it has each " +
                               "axis once, such as NCHW");
}

// The settings of the windows, each with an entry for every spatial axis.
struct WindowSettings {
  std::vector<int64_t> strides, padding, dilation;
};

Result<WindowSettings> window_settings(const relax::OpCall& call, size_t count) {
  WindowSettings settings{ints_attr(call, "strides"), ints_attr(call, "padding"),
                          ints_attr(call, "dilation")};
  if (settings.strides.size() != count || settings.dilation.size() != count ||
      settings.padding.size() != 2 * count) {
    return shape_error(call, "strides and dilation have " + std::to_string(count) +
                                 " entries here, the padding twice as many");
  }
  for (size_t i = 0; i < count; ++i) {
    if (settings.strides[i] <= 0 || settings.dilation[i] <= 0) {
      return shape_error(call, "stride and dilation are at least 1");
    }
  }
  return settings;
}

Result<DType> product_dtype(const relax::OpCall& call, const relax::TensorType& data,
                            const relax::TensorType& weight) {
  if (*data.dtype != *weight.dtype) {
    return dtype_error(call, "data of dtype " + std::string(dtype_name(*data.dtype)) +
                                 " and a weight of dtype " +
                                 std::string(dtype_name(*weight.dtype)) + "; cast one of them");
  }
  if (*data.dtype == DType::Bool) return dtype_error(call, "takes numbers, not bools");
  return dtype_attr(call, "out_dtype").value_or(*data.dtype);
}

// Channels that the groups do not divide, or that data and weight have different numbers of.
std::optional<Diagnostic> wrong_channels(const relax::OpCall& call, int64_t groups,
                                         const tir::PrimExpr& given, const tir::PrimExpr& divided,
                                         const char* divided_name, const tir::PrimExpr& taken,
                                         int64_t taken_times) {
  const std::optional<int64_t> channels = tir::as_int(given), parts = tir::as_int(divided),
                               wanted = tir::as_int(taken);
  const std::pair<const char*, std::optional<int64_t>> counts[] = {{"input", channels},
                                                                   {divided_name, parts}};
  if (groups <= 0) return shape_error(call, "groups=" + std::to_string(groups) + " is no count");
  for (const auto& [name, count] : counts) {
    if (count && *count % groups != 0) {
      return shape_error(call, "groups=" + std::to_string(groups) + " do not divide the " +
                                   std::to_string(*count) + " " + name + " channels");
    }
  }
  if (channels && wanted && *channels != *wanted * taken_times) {
    return shape_error(call, "the input has " + std::to_string(*channels) +
                                 " channels, the weight takes " +
                                 std::to_string(*wanted * taken_times));
  }
  return std::nullopt;
}

// The operands of a convolution, with what their axes are.
struct Operands {
  relax::TensorType data, weight;
  WindowLayout layout, kernel, out;
  DType dtype = DType::Float32;
  int rank = 0;
};

Result<Operands> operands_of(const relax::OpCall& call) {
  Operands operands;
  FX_TRY(data, tensor_argument(call, 0));
  FX_TRY(weight, tensor_argument(call, 1));
  FX_TRY(layout, layout_attr(call, "data_layout", "NC"));
  FX_TRY(kernel, layout_attr(call, "kernel_layout", "OI"));
  FX_TRY(out, layout_attr(call, "out_layout", "NC"));
  FX_TRY(dtype, product_dtype(call, data, weight));
  operands = {
      data, weight, layout, kernel, out, dtype, static_cast<int>(layout.spatial.size()) + 2};
  const bool same_rank =
      kernel.spatial.size() == layout.spatial.size() && out.spatial.size() == layout.spatial.size();
  if (!same_rank || (data.ndim >= 0 && data.ndim != operands.rank) ||
      (weight.ndim >= 0 && weight.ndim != operands.rank)) {
    return shape_error(call, "takes data " + axis_letters(string_attr(call, "data_layout")) +
                                 " and a weight " +
                                 axis_letters(string_attr(call, "kernel_layout")) + ", not " +
                                 shape_text(data) + " and " + shape_text(weight));
  }
  return operands;
}

relax::Type conv_result(const Operands& operands, const tir::PrimExpr& batch,
                        const tir::PrimExpr& channels, const Shape& spatial) {
  Shape shape(spatial.size() + 2);
  shape[operands.out.first] = batch;
  shape[operands.out.second] = channels;
  for (size_t i = 0; i < spatial.size(); ++i) shape[operands.out.spatial[i]] = spatial[i];
  return make_tensor(std::move(shape), operands.rank, operands.dtype);
}

Result<relax::Type> conv(const relax::OpCall& call) {
  FX_TRY(operands, operands_of(call));
  const auto& [data, weight, layout, kernel, out, dtype, rank] = operands;
  if (!data.shape || !weight.shape) return make_tensor(std::nullopt, rank, dtype);
  const Shape &x = *data.shape, &w = *weight.shape;
  const int64_t groups = int_attr(call, "groups");
  if (auto wrong = wrong_channels(call, groups, x[layout.second], w[kernel.first], "output",
                                  w[kernel.second], groups)) {
    return *wrong;
  }
  const size_t count = layout.spatial.size();
  FX_TRY(settings, window_settings(call, count));
  Shape spatial, window;
  for (size_t i = 0; i < count; ++i) window.push_back(w[kernel.spatial[i]]);
  for (size_t i = 0; i < count; ++i) {
    spatial.push_back(window_count(x[layout.spatial[i]],
                                   settings.padding[i] + settings.padding[count + i],
                                   settings.dilation[i], window[i], settings.strides[i], false));
    if (is_at_most(spatial.back(), 0)) return no_window(call, data, shape_text(window));
  }
  return conv_result(operands, x[layout.first], w[kernel.first], spatial);
}

Result<relax::Type> conv_transpose(const relax::OpCall& call) {
  FX_TRY(operands, operands_of(call));
  const auto& [data, weight, layout, kernel, out, dtype, rank] = operands;
  if (!data.shape || !weight.shape) return make_tensor(std::nullopt, rank, dtype);
  const Shape &x = *data.shape, &w = *weight.shape;
  const int64_t groups = int_attr(call, "groups");
  if (auto wrong = wrong_channels(call, groups, x[layout.second], w[kernel.second], "weight's",
                                  w[kernel.second], 1)) {
    return *wrong;
  }
  const size_t count = layout.spatial.size();
  FX_TRY(settings, window_settings(call, count));
  const std::vector<int64_t> more = ints_attr(call, "output_padding");
  Shape spatial;
  for (size_t i = 0; i < count; ++i) {
    if (more.size() != count || more[i] < 0 ||
        (more[i] >= settings.strides[i] && more[i] >= settings.dilation[i])) {
      return shape_error(call,
                         "the output padding is at least 0 and smaller than the stride or "
                         "the dilation on each of the " +
                             std::to_string(count) + " axes");
    }
    const tir::PrimExpr steps =
        tir::mul(tir::sub(x[layout.spatial[i]], extent_of(1)), extent_of(settings.strides[i]));
    const tir::PrimExpr reach =
        tir::mul(extent_of(settings.dilation[i]), tir::sub(w[kernel.spatial[i]], extent_of(1)));
    const int64_t rest = more[i] + 1 - settings.padding[i] - settings.padding[count + i];
    spatial.push_back(simplify(tir::add(tir::add(steps, reach), extent_of(rest))));
    if (is_at_most(spatial.back(), 0)) {
      return shape_error(call, "the padding leaves nothing of the data of shape " +
                                   shape_text(data) + ": the result would have the extent " +
                                   std::to_string(*tir::as_int(spatial.back())));
    }
  }
  const tir::PrimExpr channels = simplify(tir::mul(w[kernel.first], extent_of(groups)));
  return conv_result(operands, x[layout.first], channels, spatial);
}

// The data of a pool with its layouts.
struct Pooled {
  relax::TensorType data;
  WindowLayout layout, out;
  int rank = 0;
  // The result's shape: the data's, with these extents.
  Shape shape(const Shape& spatial) const {
    Shape result(spatial.size() + 2);
    result[out.first] = (*data.shape)[layout.first];
    result[out.second] = (*data.shape)[layout.second];
    for (size_t i = 0; i < spatial.size(); ++i) result[out.spatial[i]] = spatial[i];
    return result;
  }
};

Result<Pooled> pooled_of(const relax::OpCall& call) {
  FX_TRY(data, tensor_argument(call, 0));
  FX_TRY(layout, layout_attr(call, "layout", "NC"));
  FX_TRY(out, layout_attr(call, "out_layout", "NC"));
  const Pooled pooled{data, layout, out, static_cast<int>(layout.spatial.size()) + 2};
  if ((data.ndim >= 0 && data.ndim != pooled.rank) || out.spatial.size() != layout.spatial.size()) {
    return shape_error(call, "takes data " + axis_letters(string_attr(call, "layout")) + ", not " +
                                 shape_text(data));
  }
  return pooled;
}

Result<relax::Type> pool(const relax::OpCall& call) {
  FX_TRY(pooled, pooled_of(call));
  const DType dtype = *pooled.data.dtype;
  if (!pooled.data.shape) return make_tensor(std::nullopt, pooled.rank, dtype);
  const size_t count = pooled.layout.spatial.size();
  FX_TRY(settings, window_settings(call, count));
  const std::vector<int64_t> kernel = ints_attr(call, "pool_size");
  const bool round_up = bool_attr(call, "ceil_mode");
  Shape spatial, window;
  for (const int64_t extent : kernel) window.push_back(extent_of(extent));
  for (size_t i = 0; i < count; ++i) {
    if (kernel.size() != count || kernel[i] <= 0) {
      return shape_error(call,
                         "the kernel has " + std::to_string(count) + " extents of at least 1");
    }
    const tir::PrimExpr& extent = (*pooled.data.shape)[pooled.layout.spatial[i]];
    const int64_t before = settings.padding[i], after = settings.padding[count + i];
    tir::PrimExpr windows = window_count(extent, before + after, settings.dilation[i],
                                         extent_of(kernel[i]), settings.strides[i], round_up);
    if (round_up) {
      // PyTorch drops a last window that would start in the padding on the right.
      windows = topi::window_count(extent, kernel[i], settings.strides[i], settings.dilation[i],
                                   before, after + settings.strides[i] - 1, true);
    }
    if (is_at_most(windows, 0)) return no_window(call, pooled.data, shape_text(window));
    spatial.push_back(simplify(windows));
  }
  return make_tensor(pooled.shape(spatial), pooled.rank, dtype);
}

Result<relax::Type> adaptive_pool(const relax::OpCall& call) {
  FX_TRY(pooled, pooled_of(call));
  const DType dtype = *pooled.data.dtype;
  if (!is_float(dtype)) {
    return dtype_error(call, "takes floats, not " + std::string(dtype_name(dtype)));
  }
  if (!pooled.data.shape) return make_tensor(std::nullopt, pooled.rank, dtype);
  const size_t count = pooled.layout.spatial.size();
  Shape spatial;
  const auto sizes = optional_ints_attr(call, "output_size");
  for (size_t i = 0; i < count; ++i) {
    const tir::PrimExpr& extent = (*pooled.data.shape)[pooled.layout.spatial[i]];
    if (sizes && (sizes->size() != count || (*sizes)[i] < 0)) {
      return shape_error(call,
                         "the output size has " + std::to_string(count) + " extents of at least 0");
    }
    if (is_at_most(extent, 0)) {
      return shape_error(call, "the data of shape " + shape_text(pooled.data) +
                                   " has nothing to take the average of");
    }
    spatial.push_back(sizes ? extent_of((*sizes)[i]) : extent);
  }
  return make_tensor(pooled.shape(spatial), pooled.rank, dtype);
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

Rule window_rule(std::string_view op) {
  const auto starts_with = [&](std::string_view start) {
    return op.substr(0, start.size()) == start;
  };
  if (starts_with("nn.conv")) return ends_with(op, "_transpose") ? conv_transpose : conv;
  if (starts_with("nn.max_pool") || starts_with("nn.avg_pool")) return pool;
  if (starts_with("nn.adaptive_avg_pool")) return adaptive_pool;
  return nullptr;
}

}  // namespace fx2wasm::infer
