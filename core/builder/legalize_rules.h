// Which tensor expression stands for a Relax operator: the table that LegalizeOps
// (transform/legalize.h) and emission as TE (BlockBuilder::set_legalize) share. PrimFuncs have
// TVM's names.
#pragma once

#include "builder/block_builder.h"

namespace fx2wasm {

// What replaces the operator call: a call_tir of its PrimFunc, which is in the module already, or
// an expression of several operators. Null when the operator stays: it has no tensor expression, or
// a shape is unknown. The call's arguments are normalised and its `type` is inferred.
// LegalizeMode::Complete has functions of our own where TVM leaves an operator (sort, cumsum) or
// its function differs from PyTorch; they do not show in TVM's text.
Result<relax::Expr> legalize_call(BlockBuilder& builder, const relax::OpCall& call,
                                  const relax::Type& type, LegalizeMode mode);

}  // namespace fx2wasm
