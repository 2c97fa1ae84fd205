#include "ir/relax_build.h"

#include <utility>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "support/check.h"

namespace fx2wasm::relax {

Type make_type(TypeNode::Kind kind) {
  auto node = std::make_shared<TypeNode>();
  node->kind = std::move(kind);
  return node;
}

Type tensor_type(std::vector<PrimExpr> shape, DType dtype) {
  TensorType type;
  type.ndim = static_cast<int>(shape.size());
  type.shape = std::move(shape);
  type.dtype = dtype;
  return make_type(std::move(type));
}

Type tensor_type(const std::vector<int64_t>& shape, DType dtype) {
  std::vector<PrimExpr> extents;
  extents.reserve(shape.size());
  for (int64_t extent : shape) extents.push_back(tir::int_imm(DType::Int64, extent));
  return tensor_type(std::move(extents), dtype);
}

Expr make_expr(Type type, ExprNode::Kind kind) {
  auto node = std::make_shared<ExprNode>();
  node->type = std::move(type);
  node->kind = std::move(kind);
  return node;
}

Var make_var(std::string name_hint, Type type, bool dataflow) {
  auto node = std::make_shared<VarNode>();
  node->name_hint = std::move(name_hint);
  node->type = std::move(type);
  node->dataflow = dataflow;
  return node;
}

Expr var_expr(const Var& var) { return make_expr(var->type, var); }

Expr constant_expr(const Constant& constant) {
  return make_expr(tensor_type(constant->shape, constant->dtype), constant);
}

Expr shape_expr(std::vector<PrimExpr> values) {
  ShapeType type;
  type.ndim = static_cast<int>(values.size());
  type.values = values;
  return make_expr(make_type(std::move(type)), ShapeExpr{std::move(values)});
}

Expr prim_value(PrimExpr value) {
  FX_CHECK(value != nullptr, "a prim value needs an expression");
  const DType dtype = value->dtype;
  return make_expr(make_type(PrimType{dtype, value}), PrimValue{std::move(value)});
}

Expr tuple_expr(std::vector<Expr> fields) {
  TupleType type;
  for (const Expr& field : fields) type.fields.push_back(field->type);
  return make_expr(make_type(std::move(type)), Tuple{std::move(fields)});
}

Expr tuple_get_item(Expr tuple, int index) {
  const TupleType* type = as_tuple(tuple->type);
  FX_CHECK(type != nullptr, "only a tuple has items");
  FX_CHECK(index >= 0 && static_cast<size_t>(index) < type->fields.size(),
           "the tuple has no item of this index");
  Type item = type->fields[static_cast<size_t>(index)];
  return make_expr(std::move(item), TupleGetItem{std::move(tuple), index});
}

const TensorType* as_tensor(const Type& type) {
  return type ? std::get_if<TensorType>(&type->kind) : nullptr;
}

const TensorType* as_tensor(const Expr& expr) { return expr ? as_tensor(expr->type) : nullptr; }

const TupleType* as_tuple(const Type& type) {
  return type ? std::get_if<TupleType>(&type->kind) : nullptr;
}

std::optional<std::vector<int64_t>> static_shape(const TensorType& type) {
  if (!type.shape) return std::nullopt;
  std::vector<int64_t> extents;
  extents.reserve(type.shape->size());
  for (const PrimExpr& extent : *type.shape) {
    const std::optional<int64_t> value = tir::as_int(extent);
    if (!value) return std::nullopt;
    extents.push_back(*value);
  }
  return extents;
}

std::vector<Expr> children(const Expr& expr) {
  using Exprs = std::vector<Expr>;
  return match(
      expr->kind, [](const Var&) { return Exprs{}; }, [](const Constant&) { return Exprs{}; },
      [](const ShapeExpr&) { return Exprs{}; }, [](const PrimValue&) { return Exprs{}; },
      [](const StringImm&) { return Exprs{}; }, [](const DataTypeImm&) { return Exprs{}; },
      [](const Tuple& tuple) { return tuple.fields; },
      [](const TupleGetItem& item) { return Exprs{item.tuple}; },
      [](const OpCall& call) { return call.args; }, [](const CallTIR& call) { return call.args; },
      [](const CallDPSPacked& call) { return call.args; });
}

namespace {

// True when `f` changed at least one of them.
bool map_all(std::vector<Expr>& exprs, const std::function<Expr(const Expr&)>& f) {
  bool changed = false;
  for (Expr& expr : exprs) {
    Expr mapped = f(expr);
    changed |= mapped != expr;
    expr = std::move(mapped);
  }
  return changed;
}

// A copy of a node with an `args`-like member mapped; the node itself when nothing changed.
template <class Node>
Expr map_member(const Expr& expr, const Node& node, std::vector<Expr> Node::*member,
                const std::function<Expr(const Expr&)>& f) {
  Node copy = node;
  if (!map_all(copy.*member, f)) return expr;
  return make_expr(expr->type, std::move(copy));
}

}  // namespace

Expr map_children(const Expr& expr, const std::function<Expr(const Expr&)>& f) {
  return match(
      expr->kind, [&](const Var&) { return expr; }, [&](const Constant&) { return expr; },
      [&](const ShapeExpr&) { return expr; }, [&](const PrimValue&) { return expr; },
      [&](const StringImm&) { return expr; }, [&](const DataTypeImm&) { return expr; },
      [&](const Tuple& tuple) { return map_member(expr, tuple, &Tuple::fields, f); },
      [&](const TupleGetItem& item) {
        Expr tuple = f(item.tuple);
        if (tuple == item.tuple) return expr;
        return make_expr(expr->type, TupleGetItem{std::move(tuple), item.index});
      },
      [&](const OpCall& call) { return map_member(expr, call, &OpCall::args, f); },
      [&](const CallTIR& call) { return map_member(expr, call, &CallTIR::args, f); },
      [&](const CallDPSPacked& call) { return map_member(expr, call, &CallDPSPacked::args, f); });
}

}  // namespace fx2wasm::relax
