// Walking and rewriting TensorIR where all kinds recurse alike.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::tir {

// The direct sub-expressions, left to right (indices included; a Reduce's sources, its
// init, then its condition; not the axes' domains).
std::vector<PrimExpr> children(const PrimExpr& expr);

// Calls `visit` on the expression and all below it, parents first. Returning false stops the
// descent below that node.
void walk(const PrimExpr& expr, const std::function<bool(const PrimExpr&)>& visit);

// Calls the functions on every statement and every expression below `stmt`, parents first; either
// may be null. Blocks' iteration domains, read and write regions are not walked.
void walk(const Stmt& stmt, const std::function<void(const Stmt&)>& on_stmt,
          const std::function<void(const PrimExpr&)>& on_expr);

// Rebuilds with every direct sub-expression replaced by `f` of it; the same node when none changed.
PrimExpr map_children(const PrimExpr& expr, const std::function<PrimExpr(const PrimExpr&)>& f);

// Bottom-up rewriting of an expression: `f` sees a node whose children are rewritten already.
PrimExpr rewrite(const PrimExpr& expr, const std::function<PrimExpr(const PrimExpr&)>& f);

// Rebuilds a statement with `on_expr` applied to each expression in it (regions and domains too)
// and `on_stmt` to each rebuilt statement, bottom-up; either may be null.
Stmt rewrite(const Stmt& stmt, const std::function<PrimExpr(const PrimExpr&)>& on_expr,
             const std::function<Stmt(const Stmt&)>& on_stmt);

using VarMap = std::vector<std::pair<Var, PrimExpr>>;
PrimExpr substitute(const PrimExpr& expr, const VarMap& map);
Stmt substitute(const Stmt& stmt, const VarMap& map);

// Variables that occur free, each once, in order of first occurrence.
std::vector<Var> free_vars(const PrimExpr& expr);

}  // namespace fx2wasm::tir
