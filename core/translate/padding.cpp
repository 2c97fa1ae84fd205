// Padding: borders of one value or of the tensor's own elements.
#include <algorithm>
#include <cmath>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

struct Padding {
  std::vector<int64_t> widths;  // PyTorch's order: the last axis first, before and behind
  std::string mode = "constant";
  double value = 0;
};

relax::Expr pad_call(const relax::Expr& x, const std::vector<int64_t>& widths,
                     const std::string& mode, double value) {
  return relax::op::call(
      "nn.pad", {x},
      {{"pad_width", relax::op::int_list(widths)}, {"pad_value", {value}}, {"pad_mode", {mode}}});
}

// Modes other than constant take the last one, two or three axes of a tensor that has at most two
// more.
Result<Unit> check_axes(const Call& call, const relax::Expr& x, const Padding& padding) {
  const int64_t rank = rank_of(x);
  const auto count = static_cast<int64_t>(padding.widths.size());
  if (count % 2 != 0) {
    return call.argument_error("pad", "an odd number of widths, " + std::to_string(count) +
                                          ": each axis has one before and one behind");
  }
  const int64_t axes = count / 2;
  const bool fits = padding.mode == "constant"
                        ? axes <= rank
                        : axes >= 1 && axes <= 3 && (rank == axes + 1 || rank == axes + 2);
  if (fits) return Unit{};
  return call.argument_error("pad", std::to_string(count) + " widths for a tensor of shape " +
                                        shape_text(*relax::as_tensor(x)) + " in the mode '" +
                                        padding.mode + "'");
}

// In which a border of the tensor's own elements is wider than what there is of them.
Result<Unit> check_widths(const Call& call, const relax::Expr& x,
                          const std::vector<int64_t>& widths) {
  FX_TRY(shape, known_sizes(call, x));
  for (size_t i = 0; i < shape.size(); ++i) {
    const std::optional<int64_t> extent = tir::as_int(shape[i]);
    const int64_t cut =
        std::max<int64_t>(-widths[2 * i], 0) + std::max<int64_t>(-widths[2 * i + 1], 0);
    if (!extent || cut <= *extent) continue;
    return call.argument_error("pad", "takes " + std::to_string(cut) + " elements from axis " +
                                          std::to_string(i) + " of the shape " +
                                          shape_text(*relax::as_tensor(x)));
  }
  return Unit{};
}

Result<Mapped> apply_pad(Call& call, const Padding& padding) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(axes_fit, check_axes(call, x, padding));
  static_cast<void>(axes_fit);
  const auto rank = static_cast<size_t>(rank_of(x));
  std::vector<int64_t> widths(2 * rank, 0);
  for (size_t i = 0; i < padding.widths.size() / 2; ++i) {
    widths[2 * (rank - 1 - i)] = padding.widths[2 * i];
    widths[2 * (rank - 1 - i) + 1] = padding.widths[2 * i + 1];
  }
  FX_TRY(widths_fit, check_widths(call, x, widths));
  static_cast<void>(widths_fit);
  relax::Expr data = x;
  const bool cuts = std::any_of(widths.begin(), widths.end(), [](int64_t w) { return w < 0; });
  if (padding.mode == "circular" && cuts) {
    // What is taken away does not come back at the other side.
    std::vector<int64_t> cut = widths;
    for (int64_t& width : cut) width = std::min<int64_t>(width, 0);
    for (int64_t& width : widths) width = std::max<int64_t>(width, 0);
    FX_TRY(cropped, call.builder.emit(pad_call(x, cut, "constant", 0)));
    data = cropped;
  }
  FX_TRY(result, call.emit(pad_call(data, widths, padding.mode, padding.value)));
  return Mapped{result};
}

Result<Mapped> map_pad(Call& call) {
  Padding padding;
  FX_TRY(widths, integer_list(call, "pad", call.argument("pad")));
  padding.widths = widths;
  if (call.has("mode")) {
    const auto* mode = std::get_if<std::string>(&call.argument("mode").value);
    constexpr std::string_view kModes[] = {"constant", "reflect", "replicate", "circular"};
    if (mode == nullptr ||
        std::find(std::begin(kModes), std::end(kModes), *mode) == std::end(kModes)) {
      return call.argument_error("mode",
                                 "the mode is 'constant', 'reflect', 'replicate' or "
                                 "'circular', not " +
                                     describe(call.argument("mode")));
    }
    padding.mode = *mode;
  }
  if (call.has("value")) {
    const std::optional<double> value = as_number(call.argument("value"));
    if (!value) {
      return call.argument_error("value",
                                 "the value is a number, not " + describe(call.argument("value")));
    }
    if (padding.mode != "constant" && *value != 0) {
      return call.argument_error("value", "the mode '" + padding.mode + "' takes no value");
    }
    padding.value = *value;
  }
  return apply_pad(call, padding);
}

Result<Mapped> pad_module(Call& call, const std::string& mode, size_t axes) {
  Padding padding;
  padding.mode = mode;
  FX_TRY(widths, call.integers_setting("padding", 2 * axes));
  padding.widths = widths;
  if (call.find_setting("value") != nullptr) {
    FX_TRY(setting, call.setting("value"));
    const std::optional<double> value = as_number(setting);
    if (!value) {
      return call.error(codes::kModuleAttribute,
                        "the module's value is a number, not " + describe(setting));
    }
    padding.value = *value;
  }
  FX_TRY(x, call.tensor("input"));
  const auto rank = static_cast<size_t>(rank_of(x));
  if (rank != axes + 1 && rank != axes + 2 && mode != "constant") {
    return call.error(codes::kShapeMismatch, "takes a tensor of " + std::to_string(axes + 1) +
                                                 " or " + std::to_string(axes + 2) +
                                                 " axes, not one of shape " +
                                                 shape_text(*relax::as_tensor(x)));
  }
  return apply_pad(call, padding);
}

template <size_t axes>
Result<Mapped> map_constant_pad(Call& call) {
  return pad_module(call, "constant", axes);
}
template <size_t axes>
Result<Mapped> map_reflection_pad(Call& call) {
  return pad_module(call, "reflect", axes);
}
template <size_t axes>
Result<Mapped> map_replication_pad(Call& call) {
  return pad_module(call, "replicate", axes);
}
template <size_t axes>
Result<Mapped> map_circular_pad(Call& call) {
  return pad_module(call, "circular", axes);
}

constexpr RuleEntry kPaddingModuleRules[] = {
    {"torch.nn.CircularPad1d", "map_circular_pad", "input", map_circular_pad<1>},
    {"torch.nn.CircularPad2d", "map_circular_pad", "input", map_circular_pad<2>},
    {"torch.nn.CircularPad3d", "map_circular_pad", "input", map_circular_pad<3>},
    {"torch.nn.ConstantPad1d", "map_constant_pad", "input", map_constant_pad<1>},
    {"torch.nn.ConstantPad2d", "map_constant_pad", "input", map_constant_pad<2>},
    {"torch.nn.ConstantPad3d", "map_constant_pad", "input", map_constant_pad<3>},
    {"torch.nn.ReflectionPad1d", "map_reflection_pad", "input", map_reflection_pad<1>},
    {"torch.nn.ReflectionPad2d", "map_reflection_pad", "input", map_reflection_pad<2>},
    {"torch.nn.ReflectionPad3d", "map_reflection_pad", "input", map_reflection_pad<3>},
    {"torch.nn.ReplicationPad1d", "map_replication_pad", "input", map_replication_pad<1>},
    {"torch.nn.ReplicationPad2d", "map_replication_pad", "input", map_replication_pad<2>},
    {"torch.nn.ReplicationPad3d", "map_replication_pad", "input", map_replication_pad<3>},
    {"torch.nn.ZeroPad1d", "map_constant_pad", "input", map_constant_pad<1>},
    {"torch.nn.ZeroPad2d", "map_constant_pad", "input", map_constant_pad<2>},
    {"torch.nn.ZeroPad3d", "map_constant_pad", "input", map_constant_pad<3>},
};
constexpr RuleEntry kPaddingRules[] = {
    {"pad", "map_pad", "input, pad, mode?, value?", map_pad},
};

}  // namespace

RuleTable padding_module_rules() { return kPaddingModuleRules; }
RuleTable padding_rules() { return kPaddingRules; }

}  // namespace fx2wasm::translate
