// Resizing: interpolate, Upsample, and what moves elements between channels and places.
#include <algorithm>
#include <cmath>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/resample.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

using Sizes = std::vector<tir::PrimExpr>;

// A module's setting, or the argument of a function.
Value option_of(const Call& call, std::string_view name) {
  if (call.module == nullptr) return call.argument(name);
  const fx::Argument* setting = call.find_setting(name);
  if (setting != nullptr) return literal_value(*setting);
  // The class says what its constructor does not take.
  if (call.module->type == "torch.nn.UpsamplingBilinear2d") {
    if (name == "mode") return Value{std::string("bilinear")};
    if (name == "align_corners") return Value{true};
  }
  return {};
}

Result<bool> flag_option(const Call& call, std::string_view name) {
  const Value value = option_of(call, name);
  if (is_none(value)) return false;
  if (const auto* flag = std::get_if<bool>(&value.value)) return *flag;
  return option_error(call, name, std::string(name) + " is True or False, not " + describe(value));
}

// One value for each spatial axis: a single one stands for all.
Result<ValueList> spread_option(const Call& call, std::string_view name, size_t count) {
  const Value value = option_of(call, name);
  const auto* list = std::get_if<ValueList>(&value.value);
  if (list == nullptr) return ValueList(count, value);
  if (list->size() == count) return *list;
  return option_error(call, name,
                      std::string(name) + " has one value for each of the " +
                          std::to_string(count) + " spatial axes, not " + describe(value));
}

Result<Resample> read_input(const Call& call) {
  Resample resample;
  FX_TRY(x, call.tensor("input"));
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->ndim < 3 || type->ndim > 5 || !type->shape) {
    return call.argument_error(
        "input",
        "takes a batch of one to three spatial axes of known extent, not " + describe_type({x}));
  }
  resample.x = x;
  // The layout is one of images; volumes have their own.
  const bool channels_last = (type->ndim == 4 && call.image_layout == "NHWC") ||
                             (type->ndim == 5 && call.image_layout == "NDHWC");
  resample.first = channels_last ? 1 : 2;
  const auto axes = static_cast<size_t>(type->ndim) - 2;
  for (size_t i = 0; i < axes; ++i) {
    if (tir::is_zero((*type->shape)[resample.first + i])) {
      return call.argument_error("input", "there are no elements to read in " + describe_type({x}));
    }
    resample.axes.push_back({resample.first + i, (*type->shape)[resample.first + i], {}, {}});
  }
  return resample;
}

Result<Unit> read_mode(const Call& call, Resample& resample) {
  const Value given = option_of(call, "mode");
  const auto* name = std::get_if<std::string>(&given.value);
  if (!is_none(given) && name == nullptr) {
    return option_error(call, "mode", "mode is a string, not " + describe(given));
  }
  resample.mode = name == nullptr ? "nearest" : *name;
  const size_t axes = resample.axes.size();
  const std::string& mode = resample.mode;
  const bool copies = mode == "nearest" || mode == "nearest-exact" || mode == "area";
  const bool known =
      copies || mode == "linear" || mode == "bilinear" || mode == "bicubic" || mode == "trilinear";
  if (!known) {
    return option_error(call, "mode",
                        "mode is nearest, nearest-exact, linear, bilinear, bicubic, trilinear or "
                        "area, not '" +
                            mode + "'");
  }
  const size_t wanted = mode == "linear" ? 1 : (mode == "trilinear" ? 3 : 2);
  if (!copies && axes != wanted) {
    return option_error(call, "mode",
                        "mode='" + mode + "' takes data with " + std::to_string(wanted + 2) +
                            " axes, not " + describe_type({resample.x}));
  }
  FX_TRY(align_corners, flag_option(call, "align_corners"));
  resample.align_corners = align_corners;
  if (copies && !is_none(option_of(call, "align_corners"))) {
    return option_error(call, "align_corners",
                        "align_corners goes with linear, bilinear, bicubic and trilinear, not "
                        "with '" +
                            mode + "'");
  }
  FX_TRY(antialias, flag_option(call, "antialias"));
  if (antialias) {
    return option_error(call, "antialias", "antialias=True is not supported");
  }
  const bool real = is_float(*relax::as_tensor(resample.x)->dtype);
  if (!real && mode != "nearest" && mode != "nearest-exact") {
    return call.error(codes::kDtypeMismatch,
                      "mode='" + mode + "' takes floats, not " + describe_type({resample.x}));
  }
  return Unit{};
}

Result<Unit> read_size(const Call& call, Resample& resample) {
  FX_TRY(values, spread_option(call, "size", resample.axes.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    const tir::PrimExpr size = as_size(values[i]);
    if (size == nullptr || (tir::as_int(size) && *tir::as_int(size) <= 0)) {
      return option_error(call, "size", "a size is at least 1, not " + describe(values[i]));
    }
    resample.axes[i].to = size;
  }
  return Unit{};
}

Result<Unit> read_scale(const Call& call, Resample& resample, bool recompute) {
  FX_TRY(values, spread_option(call, "scale_factor", resample.axes.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    ResampleAxis& axis = resample.axes[i];
    const std::optional<double> scale = as_number(values[i]);
    if (!scale || !(*scale > 0) || *scale > 1e9) {
      return option_error(call, "scale_factor",
                          "a scale factor is a number above 0, not " + describe(values[i]));
    }
    const std::optional<int64_t> from = tir::as_int(axis.from);
    if (!from) {
      if (*scale != std::floor(*scale)) {
        return option_error(
            call, "scale_factor",
            "an axis of unknown extent is scaled by integers, not by " + describe(values[i]));
      }
      axis.to =
          infer::simplify(tir::mul(axis.from, infer::extent_of(static_cast<int64_t>(*scale))));
      continue;
    }
    const double size = std::floor(static_cast<double>(*from) * *scale);
    if (size < 1 || size > 1e9) {
      return option_error(call, "scale_factor",
                          "the scale factor " + describe(values[i]) + " leaves nothing of " +
                              std::to_string(*from) + " elements");
    }
    axis.to = infer::extent_of(static_cast<int64_t>(size));
    if (!recompute) axis.scale = *scale;
  }
  return Unit{};
}

Result<Mapped> map_interpolate(Call& call) {
  FX_TRY(resample, read_input(call));
  FX_TRY(mode, read_mode(call, resample));
  FX_TRY(recompute, flag_option(call, "recompute_scale_factor"));
  const bool has_size = !is_none(option_of(call, "size"));
  const bool has_scale = !is_none(option_of(call, "scale_factor"));
  if (has_size == has_scale) {
    return call.error(codes::kArgument, "takes either size or scale_factor");
  }
  if (has_size && recompute) {
    return option_error(call, "recompute_scale_factor",
                        "recompute_scale_factor goes with scale_factor, not with size");
  }
  FX_TRY(sizes, has_size ? read_size(call, resample) : read_scale(call, resample, recompute));
  static_cast<void>(mode), static_cast<void>(sizes);
  FX_TRY(result, emit_resample(call, resample));
  return Mapped{{result}};
}

// ---- between channels and places ----

Result<int64_t> shuffle_factor(const Call& call, std::string_view name) {
  FX_TRY(factor, call.module == nullptr ? call.integer(name) : call.integer_setting(name));
  if (factor > 0) return factor;
  return option_error(call, name,
                      std::string(name) + " is at least 1, not " + std::to_string(factor));
}

Result<Mapped> map_pixel_shuffle(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(factor, shuffle_factor(call, "upscale_factor"));
  FX_TRY(result,
         call.emit(relax::op::call("nn.pixel_shuffle", {x}, {{"upscale_factor", {factor}}})));
  return Mapped{result};
}

// Reshaped to `split`, its axes moved, reshaped to `joined`.
Result<Mapped> rearranged(Call& call, const relax::Expr& x, Sizes split,
                          const std::vector<int64_t>& order, Sizes joined) {
  FX_TRY(parts, call.builder.emit(relax::op::reshape(x, std::move(split))));
  FX_TRY(moved, call.builder.emit(relax::op::permute_dims(parts, order)));
  FX_TRY(result, call.emit(relax::op::reshape(moved, std::move(joined))));
  return Mapped{result};
}

Diagnostic not_divided(const Call& call, const relax::Expr& x, const std::string& what) {
  return call.argument_error("input", what + " of a tensor " + describe_type({x}));
}

Result<Mapped> map_pixel_unshuffle(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(factor, shuffle_factor(call, "downscale_factor"));
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->ndim < 3 || !type->shape) {
    return not_divided(call, x, "there are no channels and spatial axes of known extent");
  }
  const Sizes& shape = *type->shape;
  const size_t lead = shape.size() - 3;
  Sizes split(shape.begin(), shape.end() - 2), joined(shape.begin(), shape.end() - 3);
  const tir::PrimExpr by = infer::extent_of(factor);
  joined.push_back(tir::mul(shape[lead], infer::extent_of(factor * factor)));
  for (size_t i = lead + 1; i < shape.size(); ++i) {
    const std::optional<int64_t> extent = tir::as_int(shape[i]);
    if (extent && *extent % factor != 0) {
      return not_divided(
          call, x,
          "the factor " + std::to_string(factor) + " does not divide the last two extents");
    }
    const tir::PrimExpr part = infer::simplify(tir::floordiv(shape[i], by));
    split.push_back(part);
    split.push_back(by);
    joined.push_back(part);
  }
  std::vector<int64_t> order;
  const auto channel = static_cast<int64_t>(lead);
  for (int64_t i = 0; i <= channel; ++i) order.push_back(i);
  for (int64_t i : {2, 4, 1, 3}) order.push_back(channel + i);
  return rearranged(call, x, std::move(split), order, std::move(joined));
}

Result<Mapped> map_channel_shuffle(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(groups, shuffle_factor(call, "groups"));
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->ndim < 3 || !type->shape || !tir::as_int((*type->shape)[1]) ||
      *tir::as_int((*type->shape)[1]) % groups != 0) {
    return not_divided(call, x, std::to_string(groups) + " groups do not divide the channels");
  }
  const Sizes& shape = *type->shape;
  Sizes split = {shape[0], infer::extent_of(groups),
                 infer::extent_of(*tir::as_int(shape[1]) / groups)};
  split.insert(split.end(), shape.begin() + 2, shape.end());
  std::vector<int64_t> order = {0, 2, 1};
  for (size_t i = 3; i < split.size(); ++i) order.push_back(static_cast<int64_t>(i));
  return rearranged(call, x, std::move(split), order, shape);
}

// ---- sampling at places that a grid gives ----

Result<std::string> named_option(const Call& call, std::string_view name,
                                 const std::vector<std::string>& known) {
  const Value& value = call.argument(name);
  if (is_none(value)) return known[0];
  const auto* text = std::get_if<std::string>(&value.value);
  if (text != nullptr && std::find(known.begin(), known.end(), *text) != known.end()) {
    return *text;
  }
  std::string all;
  for (const std::string& word : known) all += (all.empty() ? "'" : ", '") + word + "'";
  return call.argument_error(name,
                             std::string(name) + " is one of " + all + ", not " + describe(value));
}

Result<Mapped> map_grid_sample(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(grid, call.tensor("grid"));
  FX_TRY(method, named_option(call, "mode", {"bilinear", "nearest"}));
  FX_TRY(padding, named_option(call, "padding_mode", {"zeros", "border", "reflection"}));
  FX_TRY(aligned, call.boolean("align_corners", false));
  const relax::TensorType *type = relax::as_tensor(x), *places = relax::as_tensor(grid);
  if (!type->dtype || type->dtype != places->dtype || !is_float(*type->dtype)) {
    return call.error(codes::kDtypeMismatch, "input and grid are of one floating dtype, not " +
                                                 describe_type({x}) + " and " +
                                                 describe_type({grid}));
  }
  const std::string layout = type->ndim == 5 ? "NCDHW" : "NCHW";
  FX_TRY(result, call.emit(relax::op::call("image.grid_sample", {x, grid},
                                           {{"method", {method}},
                                            {"layout", {layout}},
                                            {"padding_mode", {padding}},
                                            {"align_corners", {aligned}}})));
  return Mapped{result};
}

// The size is that of the images, (N, C, …); channels are of no importance.
Result<Mapped> map_affine_grid(Call& call) {
  FX_TRY(theta, call.tensor("theta"));
  FX_TRY(aligned, call.boolean("align_corners", false));
  const relax::TensorType* type = relax::as_tensor(theta);
  const auto* size = std::get_if<ValueList>(&call.argument("size").value);
  std::vector<int64_t> extents;
  for (const Value& item : size == nullptr ? ValueList{} : *size) {
    const auto* extent = std::get_if<int64_t>(&item.value);
    if (extent == nullptr || *extent <= 0) break;
    extents.push_back(*extent);
  }
  if (size == nullptr || extents.size() != size->size() || extents.size() < 4 ||
      extents.size() > 5) {
    return call.argument_error("size", "size is that of images or volumes, (N, C, …), not " +
                                           describe(call.argument("size")));
  }
  const auto axes = static_cast<int64_t>(extents.size()) - 2;
  const std::string wanted = shape_text(std::vector<int64_t>{extents[0], axes, axes + 1});
  if (!type->dtype || !is_float(*type->dtype) || !type->shape || shape_text(*type) != wanted) {
    return call.argument_error("theta", "theta is of floats and of the shape " + wanted + ", not " +
                                            describe_type({theta}));
  }
  extents.erase(extents.begin(), extents.begin() + 2);
  FX_TRY(result, emit_affine_grid(call, theta, extents, aligned));
  return Mapped{{result}};
}

constexpr RuleEntry kResizeModuleRules[] = {
    {"torch.nn.ChannelShuffle", "map_channel_shuffle", "input", map_channel_shuffle},
    {"torch.nn.PixelShuffle", "map_pixel_shuffle", "input", map_pixel_shuffle},
    {"torch.nn.PixelUnshuffle", "map_pixel_unshuffle", "input", map_pixel_unshuffle},
    {"torch.nn.Upsample", "map_interpolate", "input", map_interpolate},
    {"torch.nn.UpsamplingBilinear2d", "map_interpolate", "input", map_interpolate},
    {"torch.nn.UpsamplingNearest2d", "map_interpolate", "input", map_interpolate},
};
constexpr std::string_view kInterpolate =
    "input, size?, scale_factor?, mode?, align_corners?, recompute_scale_factor?, antialias?";
constexpr RuleEntry kResizeRules[] = {
    {"channel_shuffle", "map_channel_shuffle", "input, groups", map_channel_shuffle},
    {"affine_grid", "map_affine_grid", "theta, size, align_corners?", map_affine_grid},
    {"grid_sample", "map_grid_sample", "input, grid, mode?, padding_mode?, align_corners?",
     map_grid_sample},
    {"interpolate", "map_interpolate", kInterpolate, map_interpolate},
    {"pixel_shuffle", "map_pixel_shuffle", "input, upscale_factor", map_pixel_shuffle},
    {"pixel_unshuffle", "map_pixel_unshuffle", "input, downscale_factor", map_pixel_unshuffle},
    {"upsample", "map_interpolate", "input, size?, scale_factor?, mode?, align_corners?",
     map_interpolate},
};

}  // namespace

RuleTable resize_module_rules() { return kResizeModuleRules; }
RuleTable resize_rules() { return kResizeRules; }

}  // namespace fx2wasm::translate
