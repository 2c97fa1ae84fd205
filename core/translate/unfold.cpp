// Windows as columns and back: Unfold, Fold, and Tensor.unfold. TVM's importer has none of them;
// here they are PrimFuncs of our own.
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "topi/window.h"
#include "translate/windows.h"

namespace fx2wasm::translate {
namespace {

Result<topi::UnfoldAttrs> unfold_attrs(const WindowSettings& settings) {
  topi::UnfoldAttrs attrs;
  FX_TRY(kernel, settings.integers("kernel_size", 2));
  FX_TRY(dilation, settings.integers("dilation", 2, 1));
  FX_TRY(padding, settings.integers("padding", 2, 0));
  FX_TRY(strides, settings.integers("stride", 2, 1));
  FX_TRY(kernel_fits, check_at_least(settings, "kernel_size", kernel, 1));
  FX_TRY(dilation_fits, check_at_least(settings, "dilation", dilation, 1));
  FX_TRY(padding_fits, check_at_least(settings, "padding", padding, 0));
  FX_TRY(strides_fit, check_at_least(settings, "stride", strides, 1));
  static_cast<void>(kernel_fits), static_cast<void>(dilation_fits);
  static_cast<void>(padding_fits), static_cast<void>(strides_fit);
  return topi::UnfoldAttrs{kernel, dilation, padding, strides};
}

int64_t windows_along(int64_t extent, const topi::UnfoldAttrs& attrs, size_t k) {
  const int64_t room =
      extent + 2 * attrs.padding[k] - attrs.dilation[k] * (attrs.kernel[k] - 1) - 1;
  return room < 0 ? 0 : room / attrs.strides[k] + 1;
}

Diagnostic no_room(const Call& call, const std::vector<int64_t>& image) {
  return call.error(codes::kShapeMismatch, "no window fits into the image of shape " +
                                               shape_text(image) + " with its padding");
}

// Tensor.unfold(dimension, size, step).
Result<Mapped> unfold_tensor(Call& call) {
  FX_TRY(x, call.tensor("input"));
  // A method and the function share one signature; these are its arguments' places.
  FX_TRY(axis, call.integer("kernel_size"));
  FX_TRY(size, call.integer("dilation"));
  FX_TRY(step, call.integer("padding"));
  const relax::TensorType* type = relax::as_tensor(x);
  const int64_t rank = type->ndim;
  if (rank < 1 || axis < -rank || axis >= rank) {
    return call.argument_error("kernel_size", "the dimension " + std::to_string(axis) +
                                                  " is not one of a tensor of shape " +
                                                  shape_text(*type));
  }
  const auto place = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  const auto extent = type->shape ? tir::as_int((*type->shape)[place]) : std::nullopt;
  if (size < 1 || step < 1 || (extent && size > *extent)) {
    return call.error(codes::kArgument,
                      "unfold takes pieces of 1 or more elements that fit into the shape " +
                          shape_text(*type) + ", 1 or more apart, not size=" +
                          std::to_string(size) + ", step=" + std::to_string(step));
  }
  WindowInput input{x, true};
  FX_TRY(result, call_window_function(call, input, "sliding_windows", [&](const te::Tensor& t) {
           return std::vector<te::Tensor>{topi::sliding_windows(t, place, size, step)};
         }));
  return Mapped{{result}, Sharing::View};
}

}  // namespace

Result<Mapped> map_unfold(Call& call) {
  if (call.node.op == fx::Opcode::CallMethod) return unfold_tensor(call);
  FX_TRY(input, window_input(call, 2));
  FX_TRY(attrs, unfold_attrs(WindowSettings(call)));
  if (const auto image = relax::static_shape(*as_tensor(call.argument("input")))) {
    const size_t rows = image->size() - 2;
    if (windows_along((*image)[rows], attrs, 0) == 0 ||
        windows_along((*image)[rows + 1], attrs, 1) == 0) {
      return no_room(call, *image);
    }
  }
  FX_TRY(result, call_window_function(call, input, "unfold", [&](const te::Tensor& x) {
           return std::vector<te::Tensor>{topi::unfold(x, attrs)};
         }));
  FX_TRY(output, window_output(call, input, result));
  return Mapped{{output}};
}

Result<Mapped> map_fold(Call& call) {
  const WindowSettings settings(call);
  FX_TRY(input, window_input(call, 1));
  FX_TRY(attrs, unfold_attrs(settings));
  FX_TRY(size, settings.integers("output_size", 2));
  FX_TRY(size_fits, check_at_least(settings, "output_size", size, 1));
  static_cast<void>(size_fits);
  const int64_t windows = windows_along(size[0], attrs, 0) * windows_along(size[1], attrs, 1);
  if (windows == 0) return no_room(call, size);
  const relax::TensorType* type = as_tensor(call.argument("input"));
  if (type->shape) {
    const int64_t elements = attrs.kernel[0] * attrs.kernel[1];
    const auto channels = tir::as_int((*type->shape)[type->shape->size() - 2]);
    const auto columns = tir::as_int(type->shape->back());
    if ((channels && *channels % elements != 0) || (columns && *columns != windows)) {
      return call.error(codes::kShapeMismatch,
                        "takes " + std::to_string(windows) + " columns of a multiple of " +
                            std::to_string(elements) + " elements for the image " +
                            shape_text(size) + ", not the shape " + shape_text(*type));
    }
  }
  FX_TRY(result, call_window_function(call, input, "fold", [&](const te::Tensor& x) {
           return std::vector<te::Tensor>{topi::fold(x, size, attrs)};
         }));
  FX_TRY(output, window_output(call, input, result));
  return Mapped{{output}};
}

}  // namespace fx2wasm::translate
