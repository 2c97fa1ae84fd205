#include "translate/windows.h"

#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {

Result<Value> WindowSettings::value(std::string_view name) const {
  if (call_.module == nullptr) return call_.argument(name);
  if (call_.find_setting(name) == nullptr) return Value{nullptr};
  return call_.setting(name);
}

Result<std::vector<int64_t>> WindowSettings::integers(std::string_view name, size_t count,
                                                      std::optional<int64_t> fallback) const {
  if (call_.module == nullptr) return call_.integers(name, count, fallback);
  if (call_.find_setting(name) == nullptr && fallback) {
    return std::vector<int64_t>(count, *fallback);
  }
  return call_.integers_setting(name, count);
}

Result<int64_t> WindowSettings::integer(std::string_view name, int64_t fallback) const {
  if (call_.module == nullptr) return call_.integer(name, fallback);
  if (call_.find_setting(name) == nullptr) return fallback;
  return call_.integer_setting(name);
}

Result<bool> WindowSettings::boolean(std::string_view name, bool fallback) const {
  if (call_.module == nullptr) return call_.boolean(name, fallback);
  return call_.boolean_setting(name, fallback);
}

Diagnostic WindowSettings::error(std::string_view name, const std::string& message) const {
  if (call_.module == nullptr) return call_.argument_error(name, message);
  return call_.error(codes::kModuleAttribute, message);
}

Result<WindowInput> window_input(Call& call, size_t spatial_axes, std::string_view name) {
  FX_TRY(x, call.tensor(name));
  const relax::TensorType* type = relax::as_tensor(x);
  const int rank = static_cast<int>(spatial_axes) + 2;
  if (type->ndim < 0 || type->ndim == rank) return WindowInput{x, true};
  if (type->ndim != rank - 1) {
    return call.argument_error(name, "takes an input of " + std::to_string(rank) + " axes, or of " +
                                         std::to_string(rank - 1) +
                                         " without the batch, not of the shape " +
                                         shape_text(*type));
  }
  return WindowInput{relax::op::call("expand_dims", {x}, {{"axis", relax::op::int_list({0})}}),
                     false};
}

Result<relax::Expr> window_output(Call& call, const WindowInput& input, const relax::Expr& result) {
  if (input.batched) return result;
  return call.builder.normalize(
      relax::op::call("squeeze", {result}, {{"axis", relax::op::int_list({0})}}));
}

Result<Unit> bind_input(Call& call, WindowInput& input) {
  if (std::holds_alternative<relax::Var>(input.x->kind)) return Unit{};
  FX_TRY(bound, call.builder.emit(input.x));
  input.x = bound;
  return Unit{};
}

Result<relax::Expr> call_window_function(
    Call& call, WindowInput& input, const std::string& name,
    const std::function<std::vector<te::Tensor>(const te::Tensor&)>& function) {
  FX_TRY(bound, bind_input(call, input));
  static_cast<void>(bound);
  return call.builder.emit_te(
      [&](const TeValueList& args) {
        return Result<std::vector<te::Tensor>>(function(std::get<te::Tensor>(args[0].value)));
      },
      name, {{input.x}});
}

std::string window_layout(std::string_view special, size_t spatial_axes) {
  return std::string(special) + std::string(std::string_view("DHW").substr(3 - spatial_axes));
}

std::vector<int64_t> both_sides(const std::vector<int64_t>& padding) {
  std::vector<int64_t> sides = padding;
  sides.insert(sides.end(), padding.begin(), padding.end());
  return sides;
}

Result<Unit> check_at_least(const WindowSettings& settings, std::string_view name,
                            const std::vector<int64_t>& values, int64_t least) {
  for (const int64_t value : values) {
    if (value < least) {
      return settings.error(name, std::string(name) + " is at least " + std::to_string(least) +
                                      ", not " + std::to_string(value));
    }
  }
  return Unit{};
}

}  // namespace fx2wasm::translate
