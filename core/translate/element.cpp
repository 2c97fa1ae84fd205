#include "translate/element.h"

#include <utility>

#include "builder/constant_value.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"

namespace fx2wasm::translate {

Diagnostic option_error(const Call& call, std::string_view name, const std::string& message) {
  if (call.module == nullptr) return call.argument_error(name, message);
  Diagnostic diagnostic = call.error(codes::kModuleAttribute, message);
  if (const fx::Argument* setting = call.find_setting(name)) {
    diagnostic.place = fx::place_in(call.graph, setting->range, call.node.name);
  }
  return diagnostic;
}

Result<Value> option(const Call& call, std::string_view name, Value fallback) {
  Value value = call.argument(name);
  if (call.module != nullptr && call.find_setting(name) != nullptr) {
    FX_TRY(setting, call.setting(name));
    value = std::move(setting);
  }
  return is_none(value) ? std::move(fallback) : std::move(value);
}

Result<double> number_option(const Call& call, std::string_view name, double fallback) {
  FX_TRY(value, option(call, name, {fallback}));
  if (const std::optional<double> number = as_number(value)) return *number;
  return option_error(call, name,
                      "'" + std::string(name) + "' is a number, not " + describe(value));
}

Result<relax::Expr> float_input(const Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (is_float(dtype_of(x))) return x;
  Diagnostic diagnostic =
      call.argument_error("input", "takes floats, not " + std::string(dtype_name(dtype_of(x))));
  diagnostic.code = codes::kDtypeMismatch;
  return diagnostic;
}

Result<relax::Expr> input_as_float(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return cast_to(call, x, float_type(dtype_of(x)));
}

Result<relax::Expr> input_of_numbers(const Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (dtype_of(x) != DType::Bool) return x;
  Diagnostic diagnostic = call.argument_error("input", "takes numbers, not bool");
  diagnostic.code = codes::kDtypeMismatch;
  return diagnostic;
}

DType dtype_of(const relax::Expr& tensor) { return *relax::as_tensor(tensor)->dtype; }

relax::Expr constant_like(const relax::Expr& tensor, double value) {
  return relax::constant_expr(scalar_constant(dtype_of(tensor), value));
}

relax::Expr constant_like(const relax::Expr& tensor, const Value& number) {
  if (const auto* integer = std::get_if<int64_t>(&number.value)) {
    return relax::constant_expr(scalar_constant(dtype_of(tensor), *integer));
  }
  return constant_like(tensor, *as_number(number));
}

relax::Expr where(relax::Expr condition, relax::Expr a, relax::Expr b) {
  return relax::op::call("where", {std::move(condition), std::move(a), std::move(b)});
}

}  // namespace fx2wasm::translate
