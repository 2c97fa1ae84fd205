// Equality of expressions by content, with variables and buffers by identity.
#pragma once

#include "ir/tir.h"

namespace fx2wasm::arith {

// Let and Reduce, which bind variables, are equal only to themselves.
bool deep_equal(const tir::PrimExpr& a, const tir::PrimExpr& b);

}  // namespace fx2wasm::arith
