// Writes along an axis, at positions that a tensor holds.
#pragma once

#include "translate/rules.h"

namespace fx2wasm::translate {

// An axis of a tensor, as it was given (0 when it may be left out); FX4003 outside. A 0-d tensor
// has one axis here.
Result<int64_t> axis_argument(const Call& call, std::string_view name, const relax::Expr& x);

// x[…, index[…, i, …], …] along an axis; 0-d tensors count as vectors of one element.
Result<relax::Expr> gather_along(Call& call, const relax::Expr& x, const relax::Expr& index,
                                 int64_t axis);

Result<relax::Expr> broadcast_if_needed(Call& call, const relax::Expr& x,
                                        const std::vector<tir::PrimExpr>& shape);

Result<Mapped> map_diagonal_scatter(Call& call);
Result<Mapped> map_index_add(Call& call);
Result<Mapped> map_index_copy(Call& call);
Result<Mapped> map_index_fill(Call& call);
Result<Mapped> map_index_put(Call& call);
Result<Mapped> map_masked_scatter(Call& call);
Result<Mapped> map_put(Call& call);
Result<Mapped> map_scatter(Call& call);
Result<Mapped> map_scatter_add(Call& call);
Result<Mapped> map_scatter_reduce(Call& call);
Result<Mapped> map_select_scatter(Call& call);
Result<Mapped> map_slice_scatter(Call& call);

// The rule of the in-place form.
template <Result<Mapped> (*rule)(Call&)>
Result<Mapped> written(Call& call) {
  FX_TRY(mapped, rule(call));
  mapped.sharing = Sharing::Written;
  return mapped;
}

}  // namespace fx2wasm::translate
