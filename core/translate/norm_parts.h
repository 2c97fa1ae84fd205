// What the rules of normalisations, losses and embeddings share: settings and tensors that are an
// argument of a function and belong to a module, and tensors of one number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translate/element.h"

namespace fx2wasm::translate {

// The argument of a function or the setting of a module as a number that is not NaN; the fallback
// stands for None.
Result<double> real_option(const Call& call, std::string_view name, double fallback);
// As an integer.
Result<int64_t> whole_option(const Call& call, std::string_view name, int64_t fallback);
// The tensor of a module or the argument of a function; absent where there is none.
Result<std::optional<relax::Expr>> tensor_option(Call& call, std::string_view name);

// The extents of a tensor; FX4002 where not even their number is known.
Result<std::vector<tir::PrimExpr>> extents_of(const Call& call, const relax::Expr& tensor);
// A tensor of one number: a constant where all sizes are known, else R.ones or R.zeros.
Result<relax::Expr> filled_tensor(Call& call, const std::vector<tir::PrimExpr>& shape, DType dtype,
                                  bool ones);

}  // namespace fx2wasm::translate
