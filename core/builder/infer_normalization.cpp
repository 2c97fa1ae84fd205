// The type rules of normalisations and losses.
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<relax::TensorType> float_data(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (is_float(*x.dtype)) return x;
  return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
}

bool may_be_equal(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const std::optional<int64_t> x = tir::as_int(a[i]), y = tir::as_int(b[i]);
    if (x && y && *x != *y) return false;
  }
  return true;
}

// Refuses an argument whose known shape can't be `wanted`.
Result<Unit> check_argument_shape(const relax::OpCall& call, size_t index, const Shape& wanted) {
  FX_TRY(given, tensor_argument(call, index));
  if (!given.shape || may_be_equal(*given.shape, wanted)) return Unit{};
  return shape_error(call, "the argument '" + std::string(call.op->args[index]) + "' has shape " +
                               shape_text(given) + ", the data asks for " + shape_text(wanted));
}

// Scale and shift, and whatever else has the data's dtype.
Result<Unit> check_parameter(const relax::OpCall& call, size_t index, const relax::TensorType& x,
                             const std::optional<Shape>& wanted) {
  FX_TRY(given, tensor_argument(call, index));
  if (*given.dtype != *x.dtype) {
    return dtype_error(call, "the argument '" + std::string(call.op->args[index]) + "' is of " +
                                 std::string(dtype_name(*given.dtype)) + ", the data of " +
                                 std::string(dtype_name(*x.dtype)) + "; cast one of them");
  }
  return wanted ? check_argument_shape(call, index, *wanted) : Result<Unit>(Unit{});
}

// layer_norm and rms_norm: the parameters have the shape of the axes.
Result<relax::Type> norm_over_axes(const relax::OpCall& call) {
  FX_TRY(x, float_data(call));
  std::optional<Shape> inner;
  if (x.shape) {
    inner.emplace();
    for (int64_t given : ints_attr(call, "axes")) {
      FX_TRY(axis, normalize_axis(call, given, x.ndim));
      inner->push_back((*x.shape)[static_cast<size_t>(axis)]);
    }
  }
  for (size_t index = 1; index < call.args.size(); ++index) {
    FX_TRY(fits, check_parameter(call, index, x, inner));
    static_cast<void>(fits);
  }
  return relax::make_type(x);
}

// The channels' extent, where the data's shape is known.
Result<std::optional<Shape>> channels_of(const relax::OpCall& call, const relax::TensorType& x,
                                         std::string_view axis_name) {
  if (!x.shape) return std::optional<Shape>();
  FX_TRY(axis, normalize_axis(call, int_attr(call, axis_name), x.ndim));
  return std::optional<Shape>(Shape{(*x.shape)[static_cast<size_t>(axis)]});
}

// group_norm and instance_norm.
Result<relax::Type> norm_of_channels(const relax::OpCall& call) {
  FX_TRY(x, float_data(call));
  FX_TRY(channels, channels_of(call, x, "channel_axis"));
  if (x.shape) {
    for (int64_t given : ints_attr(call, "axes")) {
      FX_TRY(checked, normalize_axis(call, given, x.ndim));
      static_cast<void>(checked);
    }
  }
  if (channels && find_attr(call.attrs, "num_groups") != nullptr) {
    const int64_t groups = int_attr(call, "num_groups");
    const std::optional<int64_t> count = tir::as_int(channels->front());
    if (groups < 1 || (count && *count % groups != 0)) {
      return shape_error(
          call, std::to_string(groups) + " groups do not divide the channels of " + shape_text(x));
    }
  }
  for (const size_t index : {size_t{1}, size_t{2}}) {
    FX_TRY(fits, check_parameter(call, index, x, channels));
    static_cast<void>(fits);
  }
  return relax::make_type(x);
}

Result<relax::Type> batch_norm_type(const relax::OpCall& call) {
  FX_TRY(x, float_data(call));
  FX_TRY(channels, channels_of(call, x, "axis"));
  relax::TupleType results;
  results.fields = {relax::make_type(x)};
  for (size_t index = 1; index <= 4; ++index) {
    FX_TRY(fits, check_parameter(call, index, x, channels));
    static_cast<void>(fits);
    if (index > 2) results.fields.push_back(call.args[index]->type);
  }
  return relax::make_type(std::move(results));
}

Result<relax::Type> nll_loss_type(const relax::OpCall& call) {
  FX_TRY(predictions, float_data(call));
  FX_TRY(targets, tensor_argument(call, 1));
  if (!is_integer(*targets.dtype)) {
    return dtype_error(call,
                       "the targets are classes, not " + std::string(dtype_name(*targets.dtype)));
  }
  std::optional<Shape> classes;
  if (predictions.shape) {
    if (predictions.ndim == 0) return shape_error(call, "the predictions have no classes");
    const size_t axis = predictions.ndim == 1 ? 0 : 1;
    Shape wanted = *predictions.shape;
    classes = Shape{wanted[axis]};
    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(axis));
    FX_TRY(fits, check_argument_shape(call, 1, wanted));
    static_cast<void>(fits);
  }
  if (call.args.size() > 2) {
    FX_TRY(fits, check_parameter(call, 2, predictions, classes));
    static_cast<void>(fits);
  }
  if (string_attr(call, "reduction") == "none") {
    return make_tensor(targets.shape, targets.ndim, *predictions.dtype);
  }
  return make_tensor(Shape{}, 0, *predictions.dtype);
}

}  // namespace

Rule normalization_rule(std::string_view op) {
  if (op == "nn.layer_norm" || op == "nn.rms_norm") return norm_over_axes;
  if (op == "nn.group_norm" || op == "nn.instance_norm") return norm_of_channels;
  if (op == "nn.batch_norm") return batch_norm_type;
  if (op == "nn.nll_loss") return nll_loss_type;
  return nullptr;
}

}  // namespace fx2wasm::infer
