// Constructors of Relax operator calls (relax.op.*): defaults filled in, attributes in order. The
// result has no type yet; BlockBuilder::emit infers it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/relax_build.h"

namespace fx2wasm::relax::op {

// Any operator by name; attributes not given are AttrNone, so give all that TVM prints otherwise.
Expr call(std::string_view name, std::vector<Expr> args, Attrs attrs = {});

Expr add(Expr a, Expr b);
Expr subtract(Expr a, Expr b);
Expr multiply(Expr a, Expr b);
Expr divide(Expr a, Expr b);
Expr matmul(Expr a, Expr b, std::optional<DType> out_dtype = std::nullopt);
Expr permute_dims(Expr x, std::optional<std::vector<int64_t>> axes = std::nullopt);
// One size may be -1: it is what the others leave.
Expr reshape(Expr x, std::vector<PrimExpr> shape);
// Not a primitive: permute_dims, matmul, add (as TVM's relax.op.linear).
Expr linear(Expr x, Expr weight, std::optional<Expr> bias = std::nullopt,
            std::optional<DType> out_dtype = std::nullopt);
Expr relu(Expr x);
Expr softmax(Expr x, int64_t axis);
Expr log_softmax(Expr x, int64_t axis);
Expr astype(Expr x, DType dtype);

// A list of integers as an attribute.
AttrValue int_list(const std::vector<int64_t>& values);

}  // namespace fx2wasm::relax::op
