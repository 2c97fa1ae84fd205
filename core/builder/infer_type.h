// The type of every Relax operator's result: shapes and dtypes by TVM's and PyTorch's rules.
#pragma once

#include "ir/relax.h"
#include "support/result.h"

namespace fx2wasm {

// The result type of an operator call whose arguments have types. A shape or dtype that does not
// fit is FX4002 or FX4005 without a place; the message names the operator and both shapes.
Result<relax::Type> infer_type(const relax::OpCall& call);

}  // namespace fx2wasm
