// Writing at positions: x[key] = value, index_put.
#pragma once

#include "translate/index_key.h"

namespace fx2wasm::translate {

// x with `value`, of the shape of x[key], written there. The key holds slices, integers and new
// axes.
Result<relax::Expr> put_region(BlockBuilder& builder, const relax::Expr& x, const IndexKey& key,
                               const relax::Expr& value);

// x with `value`, a number or a tensor that broadcasts to x[key], written there, in x's dtype.
Result<relax::Expr> write_at(Call& call, const relax::Expr& x, const Value& key,
                             const Value& value);

// The same for a key of tensors and None (all of an axis), added to what is there when
// `accumulate`.
Result<relax::Expr> put_at(Call& call, const relax::Expr& x, const Value& indices,
                           const Value& value, bool accumulate);

// A number as a 0-d constant of a dtype, or a tensor cast to it. FX4003 for anything else.
Result<relax::Expr> value_as(Call& call, std::string_view name, const Value& value, DType dtype);

}  // namespace fx2wasm::translate
