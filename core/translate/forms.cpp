#include "translate/forms.h"

#include "support/diagnostic_codes.h"
#include "translate/promote.h"

namespace fx2wasm::translate {

Result<Mapped> write_into_input(Call& call, const Mapped& mapped) {
  const Value& target = call.argument("input");
  const relax::TensorType *before = as_tensor(target), *after = as_tensor(mapped.value);
  if (before == nullptr || after == nullptr || !before->dtype || !after->dtype) {
    return call.argument_error("input", "a tensor is written in place, not " + describe(target) +
                                            " of type " + describe_type(target));
  }
  const DType dtype = *before->dtype;
  const bool lower = (is_float(*after->dtype) && !is_float(dtype)) ||
                     (*after->dtype != DType::Bool && dtype == DType::Bool);
  if (lower) {
    return call.error(codes::kDtypeMismatch, "a result of " + describe_type(mapped.value) +
                                                 " can't be written into " + describe_type(target));
  }
  if (shape_text(*before) != shape_text(*after)) {
    return call.error(codes::kShapeMismatch, "a result of shape " + shape_text(*after) +
                                                 " can't be written into " + shape_text(*before));
  }
  FX_TRY(cast, cast_to(call, *as_expr(mapped.value), dtype));
  return Mapped{{cast}, Sharing::Written};
}

Result<bool> wants_in_place(const Call& call) {
  if (call.module != nullptr) return call.boolean_setting("inplace", false);
  return call.boolean("inplace", false);
}

}  // namespace fx2wasm::translate
