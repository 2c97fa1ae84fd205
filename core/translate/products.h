// Products of tensors beside matmul, and distances that are made of them: rules for the tables of
// linear.cpp and contraction.cpp.
#pragma once

#include "translate/rules.h"

namespace fx2wasm::translate {

Result<Mapped> map_mv(Call& call);         // input (n, m), vec (m,)
Result<Mapped> map_dot(Call& call);        // input (n,), tensor (n,)
Result<Mapped> map_vdot(Call& call);       // input (n,), other (n,)
Result<Mapped> map_inner(Call& call);      // over the last axes of input and other
Result<Mapped> map_tensordot(Call& call);  // a, b over dims
Result<Mapped> map_kron(Call& call);       // input, other
Result<Mapped> map_chain(Call& call);      // chain_matmul and multi_dot
Result<Mapped> map_bilinear(Call& call);   // the function and the module

// Of any broadcastable shapes, along one axis; functions and modules.
Result<Mapped> map_cosine_similarity(Call& call);
Result<Mapped> map_pairwise_distance(Call& call);
// Between the rows of (…, P, M) and (…, R, M).
Result<Mapped> map_cdist(Call& call);

}  // namespace fx2wasm::translate
