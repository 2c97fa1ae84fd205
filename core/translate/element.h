// What the rules of single elements share: settings that are an argument of a function and an
// attribute of a module, constants beside a tensor, bounds.
#pragma once

#include <string_view>
#include <vector>

#include "builder/relax_ops.h"
#include "translate/rules.h"

namespace fx2wasm::translate {

// The argument of a function or the setting of a module; the fallback where it is left out or None.
Result<Value> option(const Call& call, std::string_view name, Value fallback);
// The same as a number: FX4003 for an argument, FX4004 for a setting that is none.
Result<double> number_option(const Call& call, std::string_view name, double fallback);
// FX4003 or FX4004 at an argument or setting.
Diagnostic option_error(const Call& call, std::string_view name, const std::string& message);

// The tensor `input`, which must be of floats: FX4005.
Result<relax::Expr> float_input(const Call& call);
// The tensor `input`; integers and bools as float32.
Result<relax::Expr> input_as_float(Call& call);
// The tensor `input`, of anything but bools: FX4005.
Result<relax::Expr> input_of_numbers(const Call& call);

DType dtype_of(const relax::Expr& tensor);
// A 0-d constant of the tensor's dtype.
relax::Expr constant_like(const relax::Expr& tensor, double value);
relax::Expr constant_like(const relax::Expr& tensor, const Value& number);
// R.where
relax::Expr where(relax::Expr condition, relax::Expr a, relax::Expr b);

// R.clip between two numbers as they are given; None is an infinity. Where low > high all elements
// become `high`, as in PyTorch.
relax::Expr clip(const relax::Expr& x, const Value& low, const Value& high);

// clamp, clip; clamp_min, clamp_max; hardtanh; relu6 (bounds.cpp)
Result<Mapped> map_clamp(Call& call);
Result<Mapped> map_clamp_min(Call& call);
Result<Mapped> map_clamp_max(Call& call);
Result<Mapped> map_hardtanh(Call& call);
Result<Mapped> map_relu6(Call& call);

}  // namespace fx2wasm::translate
