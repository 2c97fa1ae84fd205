// x[key] of a tensor.
#pragma once

#include "translate/index_key.h"
#include "translate/rules.h"

namespace fx2wasm::translate {

// PyTorch's indexing: integers, slices, None, ..., tensors of integers (negative ones count from
// the end) and masks that are known. Without tensors the result is a view. Errors as
// read_index_key's, at the argument "key".
Result<Mapped> read_at(Call& call, const relax::Expr& x, const Value& key);

// The view that a key of slices, integers and new axes takes.
ViewRulePtr part_view(const std::vector<tir::PrimExpr>& shape, IndexKey key);

}  // namespace fx2wasm::translate
