// Writing a result into the tensor that an operator was given (`add_`, operator.iadd).
#pragma once

#include "translate/rules.h"

namespace fx2wasm::translate {

// The operator that an in-place one computes: `add_` and `iadd` give `add`, `iand` gives `and_`.
std::string_view computed_operator(std::string_view in_place_key);

// The rule of every in-place operator that has an out-of-place one of the same signature: computes
// that, and writes the result into the first argument.
Result<Mapped> map_in_place(Call& call);

// A result written into the first argument, which keeps its dtype and shape. FX4005 when the
// result's dtype can't be cast to it (floats to integers), FX4002 when the shape differs. What is
// no tensor is just the result.
Result<Mapped> written(Call& call, const Value& result);

// The row of an in-place operator.
constexpr RuleEntry in_place_row(std::string_view key, std::string_view signature) {
  return {key, "map_in_place", signature, map_in_place};
}

}  // namespace fx2wasm::translate
