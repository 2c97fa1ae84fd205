// Pools of one to three axes.
#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "topi/window.h"
#include "translate/windows.h"

namespace fx2wasm::translate {
namespace {

struct Pool {
  size_t axes = 2;
  WindowInput input;
  std::vector<int64_t> kernel, strides, padding, dilation;  // padding: all before, then all after
  bool ceil_mode = false;
  bool count_include_pad = false;
};

// The axes of (N, C, …) that a pool works on.
std::vector<size_t> spatial_positions(size_t axes) {
  std::vector<size_t> positions;
  for (size_t i = 0; i < axes; ++i) positions.push_back(i + 2);
  return positions;
}

std::string pool_name(std::string_view kind, size_t axes) {
  return std::string(kind) + std::to_string(axes) + "d";
}

Result<Pool> read_pool(Call& call, size_t axes) {
  const WindowSettings settings(call);
  Pool pool;
  pool.axes = axes;
  FX_TRY(input, window_input(call, axes));
  const relax::TensorType* type = as_tensor(call.argument("input"));
  if (type->dtype == DType::Bool) {
    return call.error(codes::kDtypeMismatch, "takes numbers, not bools");
  }
  FX_TRY(kernel, settings.integers("kernel_size", axes));
  FX_TRY(kernel_fits, check_at_least(settings, "kernel_size", kernel, 1));
  FX_TRY(stride, settings.value("stride"));
  const auto* list = std::get_if<ValueList>(&stride.value);
  pool.input = input;
  pool.kernel = pool.strides = kernel;
  // An empty list is the default of torch.max_pool2d.
  if (!is_none(stride) && (list == nullptr || !list->empty())) {
    FX_TRY(strides, settings.integers("stride", axes));
    pool.strides = strides;
  }
  FX_TRY(padding, settings.integers("padding", axes, 0));
  FX_TRY(round_up, settings.boolean("ceil_mode", false));
  FX_TRY(strides_fit, check_at_least(settings, "stride", pool.strides, 1));
  FX_TRY(padding_fits, check_at_least(settings, "padding", padding, 0));
  static_cast<void>(kernel_fits), static_cast<void>(strides_fit), static_cast<void>(padding_fits);
  for (size_t i = 0; i < axes; ++i) {
    if (padding[i] > kernel[i] / 2) {
      return settings.error(
          "padding", "the padding is at most half of the kernel: " + std::to_string(padding[i]) +
                         " against " + std::to_string(kernel[i]));
    }
  }
  pool.padding = both_sides(padding);
  pool.dilation.assign(axes, 1);
  pool.ceil_mode = round_up;
  return pool;
}

relax::Expr pool_call(const std::string& name, const Pool& pool, const relax::Expr& x) {
  const std::string layout = window_layout("NC", pool.axes);
  return relax::op::call("nn." + name, {x},
                         {{"pool_size", relax::op::int_list(pool.kernel)},
                          {"strides", relax::op::int_list(pool.strides)},
                          {"dilation", relax::op::int_list(pool.dilation)},
                          {"padding", relax::op::int_list(pool.padding)},
                          {"ceil_mode", {pool.ceil_mode}},
                          {"count_include_pad", {pool.count_include_pad}},
                          {"layout", {layout}},
                          {"out_layout", {layout}}});
}

topi::PoolAttrs pool_attrs(const Pool& pool) {
  topi::PoolAttrs attrs;
  attrs.kernel = pool.kernel;
  attrs.strides = pool.strides;
  attrs.dilation = pool.dilation;
  attrs.padding = pool.padding;
  attrs.ceil_mode = pool.ceil_mode;
  attrs.count_include_pad = pool.count_include_pad;
  attrs.axes = spatial_positions(pool.axes);
  return attrs;
}

Result<Mapped> one_result(Call& call, const WindowInput& input, const relax::Expr& result) {
  FX_TRY(output, window_output(call, input, result));
  return Mapped{{output}};
}

// A tuple of the values and their indices.
Result<Mapped> with_indices(Call& call, const WindowInput& input, const relax::Expr& pair) {
  ValueList results;
  for (int i = 0; i < 2; ++i) {
    FX_TRY(item, call.builder.emit(relax::tuple_get_item(pair, i)));
    FX_TRY(output, window_output(call, input, item));
    results.push_back({output});
  }
  return Mapped{{std::move(results)}};
}

Result<Mapped> max_pool(Call& call, size_t axes, bool always_indices) {
  const WindowSettings settings(call);
  FX_TRY(pool, read_pool(call, axes));
  FX_TRY(dilation, settings.integers("dilation", axes, 1));
  FX_TRY(dilation_fits, check_at_least(settings, "dilation", dilation, 1));
  FX_TRY(indices, settings.boolean("return_indices", false));
  static_cast<void>(dilation_fits);
  pool.dilation = dilation;
  const std::string name = pool_name("max_pool", axes);
  if (!indices && !always_indices) {
    FX_TRY(result, call.builder.emit(pool_call(name, pool, pool.input.x)));
    return one_result(call, pool.input, result);
  }
  // The operator's type rule refuses what does not fit.
  FX_TRY(bound, bind_input(call, pool.input));
  FX_TRY(type_fits, call.builder.normalize(pool_call(name, pool, pool.input.x)));
  static_cast<void>(bound), static_cast<void>(type_fits);
  FX_TRY(pair,
         call_window_function(call, pool.input, name + "_with_indices", [&](const te::Tensor& x) {
           return topi::max_pool_with_indices(x, pool_attrs(pool));
         }));
  return with_indices(call, pool.input, pair);
}

Result<Mapped> avg_pool(Call& call, size_t axes) {
  const WindowSettings settings(call);
  FX_TRY(pool, read_pool(call, axes));
  FX_TRY(include_pad, settings.boolean("count_include_pad", true));
  pool.count_include_pad = include_pad;
  const std::string name = pool_name("avg_pool", axes);
  FX_TRY(divisor, settings.value("divisor_override"));
  if (is_none(divisor)) {
    FX_TRY(result, call.builder.emit(pool_call(name, pool, pool.input.x)));
    return one_result(call, pool.input, result);
  }
  const auto* number = std::get_if<int64_t>(&divisor.value);
  if (number == nullptr || *number == 0) {
    return settings.error("divisor_override",
                          "divisor_override is an integer other than 0, not " + describe(divisor));
  }
  // The operator's type rule refuses what does not fit.
  FX_TRY(bound, bind_input(call, pool.input));
  FX_TRY(type_fits, call.builder.normalize(pool_call(name, pool, pool.input.x)));
  static_cast<void>(bound), static_cast<void>(type_fits);
  topi::PoolAttrs attrs = pool_attrs(pool);
  attrs.divisor = *number;
  FX_TRY(result, call_window_function(call, pool.input, name, [&](const te::Tensor& x) {
           return std::vector<te::Tensor>{topi::avg_pool(x, attrs)};
         }));
  return one_result(call, pool.input, result);
}

// (sum of x^p over the window)^(1/p), by an average as PyTorch does.
Result<Mapped> lp_pool(Call& call, size_t axes) {
  const WindowSettings settings(call);
  FX_TRY(pool, read_pool(call, axes));
  FX_TRY(norm, settings.value("norm_type"));
  const std::optional<double> power = as_number(norm);
  if (!power || *power == 0) {
    return settings.error("norm_type", "norm_type is a number other than 0, not " + describe(norm));
  }
  const relax::TensorType* type = as_tensor(call.argument("input"));
  const DType dtype = type->dtype.value_or(DType::Float32);
  if (!is_float(dtype)) {
    return call.error(codes::kDtypeMismatch, "takes floats, not " + std::string(dtype_name(dtype)));
  }
  const auto number = [&](double value) {
    return relax::constant_expr(scalar_constant(dtype, value));
  };
  pool.count_include_pad = true;
  double elements = 1;
  for (const int64_t extent : pool.kernel) elements *= static_cast<double>(extent);
  const relax::Expr powers = relax::op::call("power", {pool.input.x, number(*power)});
  FX_TRY(mean, call.builder.emit(pool_call(pool_name("avg_pool", axes), pool, powers)));
  const relax::Expr magnitude = relax::op::relu(relax::op::call("abs", {mean}));
  const relax::Expr total = relax::op::multiply(
      relax::op::multiply(relax::op::call("sign", {mean}), magnitude), number(elements));
  FX_TRY(result, call.builder.emit(relax::op::call("power", {total, number(1 / *power)})));
  return one_result(call, pool.input, result);
}

// The sizes of an adaptive pool's result; nothing for one that is the input's own.
using AdaptiveSizes = std::vector<std::optional<int64_t>>;

Result<AdaptiveSizes> adaptive_sizes(const WindowSettings& settings, size_t axes) {
  FX_TRY(value, settings.value("output_size"));
  const auto* list = std::get_if<ValueList>(&value.value);
  ValueList items(axes, value);
  if (list != nullptr && (list->size() == axes || list->size() == 1)) {
    items = *list;
    items.resize(axes, items[0]);
  }
  AdaptiveSizes sizes;
  for (const Value& item : items) {
    const auto* number = std::get_if<int64_t>(&item.value);
    if (!is_none(item) && (number == nullptr || *number < 0)) {
      return settings.error("output_size", "output_size is None, a size or " +
                                               std::to_string(axes) + " of them, not " +
                                               describe(value));
    }
    sizes.push_back(number == nullptr ? std::nullopt : std::optional(*number));
  }
  return sizes;
}

// The whole numbers among the sizes and the input's extents, when all are.
std::optional<std::vector<int64_t>> known_sizes(const relax::TensorType& type,
                                                const AdaptiveSizes& sizes) {
  std::vector<int64_t> known;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::optional<int64_t> size = sizes[i];
    if (!size && type.shape) {
      const size_t axis = type.shape->size() - sizes.size() + i;
      size = tir::as_int((*type.shape)[axis]);
    }
    if (!size) return std::nullopt;
    known.push_back(*size);
  }
  return known;
}

std::vector<tir::PrimExpr> size_exprs(const te::Tensor& x, const AdaptiveSizes& sizes) {
  std::vector<tir::PrimExpr> exprs;
  for (size_t i = 0; i < sizes.size(); ++i) {
    exprs.push_back(sizes[i] ? tir::int_imm(DType::Int64, *sizes[i]) : te::shape_of(x)[i + 2]);
  }
  return exprs;
}

struct AdaptiveInput {
  WindowInput input;
  AdaptiveSizes sizes;
};

Result<AdaptiveInput> read_adaptive(Call& call, size_t axes) {
  FX_TRY(input, window_input(call, axes));
  const relax::TensorType* type = as_tensor(call.argument("input"));
  if (type->dtype && !is_float(*type->dtype)) {
    return call.error(codes::kDtypeMismatch,
                      "takes floats, not " + std::string(dtype_name(*type->dtype)));
  }
  FX_TRY(sizes, adaptive_sizes(WindowSettings(call), axes));
  for (size_t i = 0; type->shape && i < axes; ++i) {
    const auto extent = tir::as_int((*type->shape)[type->shape->size() - axes + i]);
    if (extent && *extent <= 0) {
      return call.error(codes::kShapeMismatch,
                        "the input of shape " + shape_text(*type) + " has an empty spatial axis");
    }
  }
  return AdaptiveInput{input, sizes};
}

Result<Mapped> adaptive_avg_pool(Call& call, size_t axes) {
  FX_TRY(adaptive, read_adaptive(call, axes));
  auto& [input, sizes] = adaptive;
  const std::string name = pool_name("adaptive_avg_pool", axes);
  if (const auto known = known_sizes(*as_tensor(call.argument("input")), sizes)) {
    const std::string layout = window_layout("NC", axes);
    FX_TRY(result, call.builder.emit(relax::op::call("nn." + name, {input.x},
                                                     {{"output_size", relax::op::int_list(*known)},
                                                      {"layout", {layout}},
                                                      {"out_layout", {layout}}})));
    return one_result(call, input, result);
  }
  // The operator has no place for a symbolic size.
  FX_TRY(result, call_window_function(call, input, name, [&, &sizes = sizes](const te::Tensor& x) {
           return std::vector<te::Tensor>{
               topi::adaptive_avg_pool(x, size_exprs(x, sizes), spatial_positions(axes))};
         }));
  return one_result(call, input, result);
}

Result<Mapped> adaptive_max_pool(Call& call, size_t axes, bool always_indices) {
  FX_TRY(adaptive, read_adaptive(call, axes));
  auto& [input, sizes] = adaptive;
  FX_TRY(indices, WindowSettings(call).boolean("return_indices", false));
  const bool both = indices || always_indices;
  const std::string name = pool_name("adaptive_max_pool", axes) + (both ? "_with_indices" : "");
  FX_TRY(result, call_window_function(call, input, name, [&, &sizes = sizes](const te::Tensor& x) {
           const std::vector<tir::PrimExpr> extents = size_exprs(x, sizes);
           const std::vector<size_t> positions = spatial_positions(axes);
           return both ? topi::adaptive_max_pool_with_indices(x, extents, positions)
                       : std::vector<te::Tensor>{topi::adaptive_max_pool(x, extents, positions)};
         }));
  return both ? with_indices(call, input, result) : one_result(call, input, result);
}

template <size_t axes>
Result<Mapped> map_max_pool(Call& call) {
  return max_pool(call, axes, false);
}
template <size_t axes>
Result<Mapped> map_max_pool_with_indices(Call& call) {
  return max_pool(call, axes, true);
}
template <size_t axes>
Result<Mapped> map_avg_pool(Call& call) {
  return avg_pool(call, axes);
}
template <size_t axes>
Result<Mapped> map_lp_pool(Call& call) {
  return lp_pool(call, axes);
}
template <size_t axes>
Result<Mapped> map_adaptive_avg_pool(Call& call) {
  return adaptive_avg_pool(call, axes);
}
template <size_t axes>
Result<Mapped> map_adaptive_max_pool(Call& call) {
  return adaptive_max_pool(call, axes, false);
}
template <size_t axes>
Result<Mapped> map_adaptive_max_pool_with_indices(Call& call) {
  return adaptive_max_pool(call, axes, true);
}

constexpr RuleEntry kPoolingModuleRules[] = {
    {"torch.nn.AdaptiveAvgPool1d", "map_adaptive_avg_pool1d", "input", map_adaptive_avg_pool<1>},
    {"torch.nn.AdaptiveAvgPool2d", "map_adaptive_avg_pool2d", "input", map_adaptive_avg_pool<2>},
    {"torch.nn.AdaptiveAvgPool3d", "map_adaptive_avg_pool3d", "input", map_adaptive_avg_pool<3>},
    {"torch.nn.AdaptiveMaxPool1d", "map_adaptive_max_pool1d", "input", map_adaptive_max_pool<1>},
    {"torch.nn.AdaptiveMaxPool2d", "map_adaptive_max_pool2d", "input", map_adaptive_max_pool<2>},
    {"torch.nn.AdaptiveMaxPool3d", "map_adaptive_max_pool3d", "input", map_adaptive_max_pool<3>},
    {"torch.nn.AvgPool1d", "map_avg_pool1d", "input", map_avg_pool<1>},
    {"torch.nn.AvgPool2d", "map_avg_pool2d", "input", map_avg_pool<2>},
    {"torch.nn.AvgPool3d", "map_avg_pool3d", "input", map_avg_pool<3>},
    {"torch.nn.LPPool1d", "map_lp_pool1d", "input", map_lp_pool<1>},
    {"torch.nn.LPPool2d", "map_lp_pool2d", "input", map_lp_pool<2>},
    {"torch.nn.LPPool3d", "map_lp_pool3d", "input", map_lp_pool<3>},
    {"torch.nn.MaxPool1d", "map_max_pool1d", "input", map_max_pool<1>},
    {"torch.nn.MaxPool2d", "map_max_pool2d", "input", map_max_pool<2>},
    {"torch.nn.MaxPool3d", "map_max_pool3d", "input", map_max_pool<3>},
};

constexpr std::string_view kAdaptiveAvg = "input, output_size";
constexpr std::string_view kAdaptiveMax = "input, output_size, return_indices?";
constexpr std::string_view kAvg1 =
    "input, kernel_size, stride?, padding?, ceil_mode?, count_include_pad?";
constexpr std::string_view kAvg =
    "input, kernel_size, stride?, padding?, ceil_mode?, count_include_pad?, divisor_override?";
constexpr std::string_view kLp = "input, norm_type, kernel_size, stride?, ceil_mode?";
constexpr std::string_view kMax =
    "input, kernel_size, stride?, padding?, dilation?, ceil_mode?, return_indices?";

constexpr RuleEntry kPoolingRules[] = {
    {"adaptive_avg_pool1d", "map_adaptive_avg_pool1d_function", kAdaptiveAvg,
     map_adaptive_avg_pool<1>},
    {"adaptive_avg_pool2d", "map_adaptive_avg_pool2d_function", kAdaptiveAvg,
     map_adaptive_avg_pool<2>},
    {"adaptive_avg_pool3d", "map_adaptive_avg_pool3d_function", kAdaptiveAvg,
     map_adaptive_avg_pool<3>},
    {"adaptive_max_pool1d", "map_adaptive_max_pool1d_function", kAdaptiveMax,
     map_adaptive_max_pool<1>},
    {"adaptive_max_pool1d_with_indices", "map_adaptive_max_pool1d_with_indices", kAdaptiveMax,
     map_adaptive_max_pool_with_indices<1>},
    {"adaptive_max_pool2d", "map_adaptive_max_pool2d_function", kAdaptiveMax,
     map_adaptive_max_pool<2>},
    {"adaptive_max_pool2d_with_indices", "map_adaptive_max_pool2d_with_indices", kAdaptiveMax,
     map_adaptive_max_pool_with_indices<2>},
    {"adaptive_max_pool3d", "map_adaptive_max_pool3d_function", kAdaptiveMax,
     map_adaptive_max_pool<3>},
    {"adaptive_max_pool3d_with_indices", "map_adaptive_max_pool3d_with_indices", kAdaptiveMax,
     map_adaptive_max_pool_with_indices<3>},
    {"avg_pool1d", "map_avg_pool1d_function", kAvg1, map_avg_pool<1>},
    {"avg_pool2d", "map_avg_pool2d_function", kAvg, map_avg_pool<2>},
    {"avg_pool3d", "map_avg_pool3d_function", kAvg, map_avg_pool<3>},
    {"lp_pool1d", "map_lp_pool1d_function", kLp, map_lp_pool<1>},
    {"lp_pool2d", "map_lp_pool2d_function", kLp, map_lp_pool<2>},
    {"lp_pool3d", "map_lp_pool3d_function", kLp, map_lp_pool<3>},
    {"max_pool1d", "map_max_pool1d_function", kMax, map_max_pool<1>},
    {"max_pool1d_with_indices", "map_max_pool1d_with_indices", kMax, map_max_pool_with_indices<1>},
    {"max_pool2d", "map_max_pool2d_function", kMax, map_max_pool<2>},
    {"max_pool2d_with_indices", "map_max_pool2d_with_indices", kMax, map_max_pool_with_indices<2>},
    {"max_pool3d", "map_max_pool3d_function", kMax, map_max_pool<3>},
    {"max_pool3d_with_indices", "map_max_pool3d_with_indices", kMax, map_max_pool_with_indices<3>},
};

}  // namespace

RuleTable pooling_module_rules() { return kPoolingModuleRules; }
RuleTable pooling_rules() { return kPoolingRules; }

}  // namespace fx2wasm::translate
