// What the rules of convolutions and pools share: settings of a module or arguments of a call, one
// for each spatial axis, and inputs without a batch axis.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translate/rules.h"

namespace fx2wasm::translate {

// A module's settings, or the arguments of a function with the same names.
class WindowSettings {
 public:
  explicit WindowSettings(const Call& call) : call_(call) {}

  // None where it is left out.
  Result<Value> value(std::string_view name) const;
  // One for each of `count` axes. Without `fallback` it must be there.
  Result<std::vector<int64_t>> integers(std::string_view name, size_t count,
                                        std::optional<int64_t> fallback = {}) const;
  Result<int64_t> integer(std::string_view name, int64_t fallback) const;
  Result<bool> boolean(std::string_view name, bool fallback) const;
  // An error at the argument, or at the module's call.
  Diagnostic error(std::string_view name, const std::string& message) const;

 private:
  const Call& call_;
};

// The input of a window operator: PyTorch takes (C, …) without a batch axis too.
struct WindowInput {
  relax::Expr x;  // with a batch axis
  bool batched = true;
};
// Refuses an input of another number of axes. `name` is the argument's.
Result<WindowInput> window_input(Call& call, size_t spatial_axes, std::string_view name = "input");
// Takes the batch axis off again where there was none. Not bound yet: TVM's importer leaves it to
// the first use, which shows in the names.
Result<relax::Expr> window_output(Call& call, const WindowInput& input, const relax::Expr& result);

// Binds the batch axis that was added, so that several calls can read the input.
Result<Unit> bind_input(Call& call, WindowInput& input);

// Calls a PrimFunc of our own, for what no Relax operator of TVM computes. `function` gives the
// tensor expressions over the input with its batch axis.
Result<relax::Expr> call_window_function(
    Call& call, WindowInput& input, const std::string& name,
    const std::function<std::vector<te::Tensor>(const te::Tensor&)>& function);

// "NCW", "NCHW", "NCDHW": `special` and the last letters of "DHW".
std::string window_layout(std::string_view special, size_t spatial_axes);

// The same paddings before and after the data.
std::vector<int64_t> both_sides(const std::vector<int64_t>& padding);

// Refuses settings that are smaller than `least`.
Result<Unit> check_at_least(const WindowSettings& settings, std::string_view name,
                            const std::vector<int64_t>& values, int64_t least);

// unfold.cpp: windows as columns and back. Tensor.unfold shares the function's name and signature.
Result<Mapped> map_unfold(Call& call);
Result<Mapped> map_fold(Call& call);

}  // namespace fx2wasm::translate
