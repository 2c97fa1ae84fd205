// Makers of Relax nodes, and small questions about types.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/relax.h"

namespace fx2wasm::relax {

Type make_type(TypeNode::Kind kind);
Type tensor_type(std::vector<PrimExpr> shape, DType dtype);
Type tensor_type(const std::vector<int64_t>& shape, DType dtype);  // int64 extents

Expr make_expr(Type type, ExprNode::Kind kind);
Var make_var(std::string name_hint, Type type, bool dataflow = false);
Expr var_expr(const Var& var);
Expr constant_expr(const Constant& constant);
Expr shape_expr(std::vector<PrimExpr> values);
Expr prim_value(PrimExpr value);
Expr tuple_expr(std::vector<Expr> fields);
Expr tuple_get_item(Expr tuple, int index);

// The tensor type of an expression or type, or null when it is none.
const TensorType* as_tensor(const Type& type);
const TensorType* as_tensor(const Expr& expr);
const TupleType* as_tuple(const Type& type);

// The extents when all are known integers.
std::optional<std::vector<int64_t>> static_shape(const TensorType& type);

// The direct sub-expressions of an expression (arguments, tuple fields).
std::vector<Expr> children(const Expr& expr);
// Rebuilds with each direct sub-expression replaced; the same node when none changed.
Expr map_children(const Expr& expr, const std::function<Expr(const Expr&)>& f);

}  // namespace fx2wasm::relax
