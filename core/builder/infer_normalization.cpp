// Type rules of the normalisations and of the loss of classes.
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<Unit> check_float(const relax::OpCall& call, const relax::TensorType& x) {
  if (is_float(*x.dtype)) return Unit{};
  return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
}

// Refuses an argument whose known shape is another one.
Result<Unit> check_shape(const relax::OpCall& call, size_t index, const Shape& wanted) {
  FX_TRY(given, tensor_argument(call, index));
  if (!given.shape) return Unit{};
  bool fits = given.shape->size() == wanted.size();
  for (size_t i = 0; fits && i < wanted.size(); ++i) {
    const std::optional<int64_t> a = tir::as_int((*given.shape)[i]), b = tir::as_int(wanted[i]);
    fits = !a || !b || *a == *b;
  }
  if (fits) return Unit{};
  return shape_error(call, "the argument '" + std::string(call.op->args[index]) + "' has shape " +
                               shape_text(given) + ", the data has " + shape_text(wanted));
}

Result<relax::Type> layer_norm(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(floats, check_float(call, x));
  static_cast<void>(floats);
  if (!x.shape) return relax::make_type(x);
  Shape inner;
  for (int64_t given : ints_attr(call, "axes")) {
    FX_TRY(axis, normalize_axis(call, given, x.ndim));
    inner.push_back((*x.shape)[static_cast<size_t>(axis)]);
  }
  for (size_t index : {1, 2}) {
    FX_TRY(fits, check_shape(call, index, inner));
    static_cast<void>(fits);
  }
  return relax::make_type(x);
}

// group_norm and instance_norm.
Result<relax::Type> channel_norm(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(floats, check_float(call, x));
  static_cast<void>(floats);
  if (!x.shape) return relax::make_type(x);
  FX_TRY(axis, normalize_axis(call, int_attr(call, "channel_axis"), x.ndim));
  for (int64_t given : ints_attr(call, "axes")) {
    FX_TRY(checked, normalize_axis(call, given, x.ndim));
    static_cast<void>(checked);
  }
  const tir::PrimExpr& channels = (*x.shape)[static_cast<size_t>(axis)];
  const AttrValue* groups = find_attr(call.attrs, "num_groups");
  if (groups != nullptr) {
    const int64_t count = int_attr(call, "num_groups");
    const std::optional<int64_t> known = tir::as_int(channels);
    if (count < 1 || (known && *known % count != 0)) {
      return shape_error(call,
                         std::to_string(count) + " groups of the channels of " + shape_text(x));
    }
  }
  for (size_t index : {1, 2}) {
    FX_TRY(fits, check_shape(call, index, {channels}));
    static_cast<void>(fits);
  }
  return relax::make_type(x);
}

Result<relax::Type> batch_norm(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  FX_TRY(floats, check_float(call, x));
  static_cast<void>(floats);
  FX_TRY(mean, tensor_argument(call, 3));
  FX_TRY(variance, tensor_argument(call, 4));
  if (x.shape) {
    FX_TRY(axis, normalize_axis(call, int_attr(call, "axis"), x.ndim));
    for (size_t index : {1, 2, 3, 4}) {
      FX_TRY(fits, check_shape(call, index, {(*x.shape)[static_cast<size_t>(axis)]}));
      static_cast<void>(fits);
    }
  }
  relax::TupleType results;
  results.fields = {relax::make_type(x), relax::make_type(mean), relax::make_type(variance)};
  return relax::make_type(std::move(results));
}

Result<relax::Type> nll_loss(const relax::OpCall& call) {
  FX_TRY(predictions, tensor_argument(call, 0));
  FX_TRY(targets, tensor_argument(call, 1));
  FX_TRY(floats, check_float(call, predictions));
  static_cast<void>(floats);
  if (!is_integer(*targets.dtype)) {
    return dtype_error(call,
                       "the targets are classes, not " + std::string(dtype_name(*targets.dtype)));
  }
  if (predictions.shape) {
    const Shape& own = *predictions.shape;
    if (own.empty()) return shape_error(call, "the predictions have no axis of classes");
    const size_t class_axis = own.size() == 1 ? 0 : 1;
    Shape wanted = own;
    wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(class_axis));
    FX_TRY(fits, check_shape(call, 1, wanted));
    static_cast<void>(fits);
    if (call.args.size() > 2) {
      FX_TRY(weights_fit, check_shape(call, 2, {own[class_axis]}));
      static_cast<void>(weights_fit);
    }
  }
  if (string_attr(call, "reduction") == "none") {
    return make_tensor(targets.shape, targets.ndim, *predictions.dtype);
  }
  return make_tensor(Shape{}, 0, *predictions.dtype);
}

}  // namespace

Rule normalization_rule(std::string_view op) {
  if (op == "nn.layer_norm") return layer_norm;
  if (op == "nn.group_norm" || op == "nn.instance_norm") return channel_norm;
  if (op == "nn.batch_norm") return batch_norm;
  if (op == "nn.nll_loss") return nll_loss;
  return nullptr;
}

}  // namespace fx2wasm::infer
