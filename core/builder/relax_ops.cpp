#include "builder/relax_ops.h"

#include <utility>

#include "builder/infer_common.h"
#include "ir/op.h"
#include "ir/tir_build.h"

namespace fx2wasm::relax::op {
namespace {

AttrValue dtype_or_none(std::optional<DType> dtype) {
  if (dtype) return {*dtype};
  return {AttrNone{}};
}

}  // namespace

AttrValue int_list(const std::vector<int64_t>& values) {
  AttrList list;
  for (int64_t value : values) list.push_back({value});
  return {std::move(list)};
}

Expr call(std::string_view name, std::vector<Expr> args, Attrs attrs) {
  const OpInfo* op = find_op(name);
  FX_CHECK(op != nullptr, "no Relax operator has this name");
  OpCall node;
  node.op = op;
  node.args = std::move(args);
  for (std::string_view attr : op->attrs) {
    const AttrValue* given = find_attr(attrs, attr);
    node.attrs.emplace_back(std::string(attr), given ? *given : AttrValue{AttrNone{}});
  }
  return make_expr(nullptr, std::move(node));
}

Expr add(Expr a, Expr b) { return call("add", {std::move(a), std::move(b)}); }
Expr subtract(Expr a, Expr b) { return call("subtract", {std::move(a), std::move(b)}); }
Expr multiply(Expr a, Expr b) { return call("multiply", {std::move(a), std::move(b)}); }
Expr divide(Expr a, Expr b) { return call("divide", {std::move(a), std::move(b)}); }

Expr matmul(Expr a, Expr b, std::optional<DType> out_dtype) {
  return call("matmul", {std::move(a), std::move(b)}, {{"out_dtype", dtype_or_none(out_dtype)}});
}

Expr permute_dims(Expr x, std::optional<std::vector<int64_t>> axes) {
  return call("permute_dims", {std::move(x)},
              {{"axes", axes ? int_list(*axes) : AttrValue{AttrNone{}}}});
}

Expr reshape(Expr x, std::vector<PrimExpr> shape) {
  const TensorType* type = as_tensor(x);
  PrimExpr* unknown = nullptr;
  PrimExpr known = infer::extent_of(1);
  int unknown_count = 0;
  for (PrimExpr& extent : shape) {
    if (tir::as_int(extent) == std::optional<int64_t>(-1)) {
      unknown = &extent;
      ++unknown_count;
    } else {
      known = tir::mul(known, extent);
    }
  }
  // What can't be resolved stays -1: inference refuses it with a reason.
  if (unknown_count == 1 && type != nullptr && type->shape) {
    const PrimExpr count = infer::product(*type->shape);
    const std::optional<int64_t> have = tir::as_int(count), parts = tir::as_int(known);
    const bool divides = have && parts ? *parts != 0 && *have % *parts == 0 : !tir::is_zero(known);
    if (divides) *unknown = infer::simplify(tir::floordiv(count, known));
  }
  return call("reshape", {std::move(x), shape_expr(std::move(shape))});
}

Expr linear(Expr x, Expr weight, std::optional<Expr> bias, std::optional<DType> out_dtype) {
  const TensorType* type = as_tensor(weight);
  // The transposition of more axes than two moves the last two.
  std::optional<std::vector<int64_t>> axes;
  if (type != nullptr && type->ndim > 2) {
    axes.emplace();
    for (int64_t i = 0; i < type->ndim; ++i) axes->push_back(i);
    std::swap((*axes)[axes->size() - 1], (*axes)[axes->size() - 2]);
  }
  Expr product = matmul(std::move(x), permute_dims(std::move(weight), axes), out_dtype);
  return bias ? add(std::move(product), *bias) : product;
}

Expr relu(Expr x) { return call("nn.relu", {std::move(x)}); }

Expr softmax(Expr x, int64_t axis) {
  return call("nn.softmax", {std::move(x)}, {{"axis", {axis}}});
}

Expr log_softmax(Expr x, int64_t axis) {
  return call("nn.log_softmax", {std::move(x)}, {{"axis", {axis}}});
}

Expr astype(Expr x, DType dtype) { return call("astype", {std::move(x)}, {{"dtype", {dtype}}}); }

}  // namespace fx2wasm::relax::op
