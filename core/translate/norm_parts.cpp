#include "translate/norm_parts.h"

#include <cmath>
#include <utility>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {

Result<double> real_option(const Call& call, std::string_view name, double fallback) {
  FX_TRY(value, option(call, name, {}));
  if (is_none(value)) return fallback;
  const std::optional<double> number = as_number(value);
  if (number && !std::isnan(*number)) return *number;
  return option_error(call, name,
                      "'" + std::string(name) + "' is a number, not " + describe(value));
}

Result<int64_t> whole_option(const Call& call, std::string_view name, int64_t fallback) {
  FX_TRY(value, option(call, name, {}));
  if (is_none(value)) return fallback;
  if (const auto* number = std::get_if<int64_t>(&value.value)) return *number;
  return option_error(call, name,
                      "'" + std::string(name) + "' is an integer, not " + describe(value));
}

Result<std::optional<relax::Expr>> tensor_option(Call& call, std::string_view name) {
  if (call.module == nullptr ? !call.has(name) : !call.has_module_tensor(name)) {
    return std::optional<relax::Expr>();
  }
  FX_TRY(tensor, call.module == nullptr ? call.tensor(name) : call.module_tensor(name));
  return std::optional<relax::Expr>(tensor);
}

Result<std::vector<tir::PrimExpr>> extents_of(const Call& call, const relax::Expr& tensor) {
  const relax::TensorType* type = relax::as_tensor(tensor);
  if (type->shape) return *type->shape;
  return call.error(codes::kShapeMismatch,
                    "the sizes of " + describe_type({tensor}) + " are not known");
}

Result<relax::Expr> filled_tensor(Call& call, const std::vector<tir::PrimExpr>& shape, DType dtype,
                                  bool ones) {
  std::vector<int64_t> known;
  for (const tir::PrimExpr& extent : shape) {
    if (const std::optional<int64_t> number = tir::as_int(extent)) known.push_back(*number);
  }
  if (known.size() != shape.size()) {
    return call.builder.emit(
        relax::op::call(ones ? "ones" : "zeros", {relax::shape_expr(shape)}, {{"dtype", {dtype}}}));
  }
  const relax::Constant scalar = scalar_constant(dtype, int64_t{ones});
  std::vector<std::byte> bytes;
  for (int64_t i = 0; i < element_count(known); ++i) {
    bytes.insert(bytes.end(), scalar->data->bytes.begin(), scalar->data->bytes.end());
  }
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->dtype = dtype;
  constant->shape = known;
  constant->data = make_tensor_data(dtype, known, std::move(bytes));
  return relax::constant_expr(std::move(constant));
}

}  // namespace fx2wasm::translate
