#include "translate/products.h"

#include <algorithm>
#include <cmath>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

using Extents = std::vector<tir::PrimExpr>;

Result<relax::Expr> shaped(const Call& call, std::string_view name) {
  FX_TRY(x, call.tensor(name));
  if (relax::as_tensor(x)->shape) return x;
  return call.argument_error(name, "the shape of '" + std::string(name) + "' is not known");
}

Result<relax::Expr> vector_operand(const Call& call, std::string_view name) {
  FX_TRY(x, shaped(call, name));
  if (relax::as_tensor(x)->ndim == 1) return x;
  return call.argument_error(name, "the argument '" + std::string(name) +
                                       "' has one axis, not the shape " +
                                       shape_text(*relax::as_tensor(x)));
}

Result<DType> shared_dtype(const Call& call, const relax::Expr& a, const relax::Expr& b) {
  const auto x = relax::as_tensor(a)->dtype, y = relax::as_tensor(b)->dtype;
  if (x && y && *x == *y) return *x;
  return call.error(codes::kDtypeMismatch, "both operands have one dtype in PyTorch, not " +
                                               describe_type({a}) + " and " + describe_type({b}));
}

Result<Mapped> product_of(Call& call, const relax::Expr& a, const relax::Expr& b) {
  FX_TRY(dtype, shared_dtype(call, a, b));
  FX_TRY(result, call.emit(relax::op::matmul(a, b, dtype)));
  return Mapped{result};
}

Result<Mapped> product_of_vectors(Call& call, std::string_view second) {
  FX_TRY(a, vector_operand(call, "input"));
  FX_TRY(b, vector_operand(call, second));
  return product_of(call, a, b);
}

// Letters for the axes of an operand, beginning with the given one.
std::string letters_from(size_t first, size_t count) {
  std::string letters;
  for (size_t i = first; i < first + count; ++i) {
    letters +=
        static_cast<char>(i < 26 ? 'a' + static_cast<int>(i) : 'A' + static_cast<int>(i - 26));
  }
  return letters;
}

Result<relax::Expr> emit_einsum(Call& call, const std::vector<relax::Expr>& operands,
                                const std::string& subscripts) {
  return call.builder.emit(
      relax::op::call("einsum", {relax::tuple_expr(operands)}, {{"subscripts", {subscripts}}}));
}

relax::Expr real_constant(const relax::Expr& like, double value) {
  return relax::constant_expr(scalar_constant(*relax::as_tensor(like)->dtype, value));
}

// The p-norm along the last axis.
Result<relax::Expr> norm_of_rows(Call& call, const relax::Expr& x, double p) {
  const auto rank = static_cast<size_t>(relax::as_tensor(x)->ndim);
  const std::string letters = letters_from(0, rank);
  const std::string rows = letters.substr(0, rank - 1);
  if (p == 2) {
    FX_TRY(squares, emit_einsum(call, {x, x}, letters + "," + letters + "->" + rows));
    return call.builder.emit(relax::op::call("sqrt", {squares}));
  }
  FX_TRY(sizes, call.builder.emit(relax::op::call("abs", {x})));
  if (std::isinf(p)) {
    return call.builder.emit(relax::op::call(
        "max", {sizes}, {{"axis", relax::op::int_list({-1})}, {"keepdims", {false}}}));
  }
  if (p == 1) return emit_einsum(call, {sizes}, letters + "->" + rows);
  FX_TRY(powers, call.builder.emit(relax::op::call("power", {sizes, real_constant(sizes, p)})));
  FX_TRY(sum, emit_einsum(call, {powers}, letters + "->" + rows));
  return call.builder.emit(relax::op::call("power", {sum, real_constant(sum, 1 / p)}));
}

Result<double> norm_option(const Call& call, std::string_view name) {
  FX_TRY(p, number_option(call, name, 2));
  if (p > 0) return p;
  return call.error(call.module == nullptr ? codes::kArgument : codes::kModuleAttribute,
                    "a norm of p > 0 is supported, not of p = " + std::to_string(p));
}

// Both operands of one floating dtype and one shape.
Result<std::pair<relax::Expr, relax::Expr>> alike(Call& call, std::string_view first,
                                                  std::string_view second) {
  FX_TRY(a, shaped(call, first));
  FX_TRY(b, shaped(call, second));
  FX_TRY(pair, promoted_operands(call, {a}, {b}, true));
  const infer::Broadcast joined =
      infer::broadcast(*relax::as_tensor(a)->shape, *relax::as_tensor(b)->shape);
  if (!joined.shape) {
    return call.error(codes::kShapeMismatch, "the shapes " + shape_text(*relax::as_tensor(a)) +
                                                 " and " + shape_text(*relax::as_tensor(b)) +
                                                 " do not broadcast");
  }
  for (relax::Expr* x : {&pair.first, &pair.second}) {
    if (infer::shape_text(*joined.shape) == shape_text(*relax::as_tensor(*x))) continue;
    FX_TRY(wide, call.builder.emit(
                     relax::op::call("broadcast_to", {*x, relax::shape_expr(*joined.shape)})));
    *x = wide;
  }
  return pair;
}

Result<std::vector<size_t>> contracted_axes(const Call& call, const Value& value,
                                            const relax::Expr& x) {
  const int rank = relax::as_tensor(x)->ndim;
  const auto* list = std::get_if<ValueList>(&value.value);
  std::vector<size_t> axes;
  for (const Value& item : list == nullptr ? ValueList{value} : *list) {
    const auto* axis = std::get_if<int64_t>(&item.value);
    if (axis == nullptr || *axis < -rank || *axis >= rank) {
      return call.argument_error("dims", "dims name axes of both operands, not " + describe(item) +
                                             " of " + describe_type({x}));
    }
    axes.push_back(static_cast<size_t>(*axis < 0 ? *axis + rank : *axis));
    if (std::count(axes.begin(), axes.end(), axes.back()) > 1) {
      return call.argument_error("dims", "an axis stands twice in dims");
    }
  }
  return axes;
}

// The axes of `a` and `b` that tensordot sums over, in pairs.
struct Contraction {
  std::vector<size_t> a, b;
};

Result<Contraction> tensordot_axes(const Call& call, const relax::Expr& a, const relax::Expr& b) {
  const Value& dims = call.argument("dims");
  Contraction axes;
  if (const auto* list = std::get_if<ValueList>(&dims.value)) {
    if (list->size() != 2) {
      return call.argument_error("dims", "dims is a number or two lists, not " + describe(dims));
    }
    FX_TRY(first, contracted_axes(call, (*list)[0], a));
    FX_TRY(second, contracted_axes(call, (*list)[1], b));
    axes.a = first, axes.b = second;
  } else {
    FX_TRY(count, call.integer("dims", 2));
    const auto rank = static_cast<int64_t>(relax::as_tensor(a)->ndim);
    if (count < 0 || count > rank || count > relax::as_tensor(b)->ndim) {
      return call.argument_error(
          "dims", "there are no " + std::to_string(count) + " axes to sum over in both operands");
    }
    for (int64_t i = 0; i < count; ++i) {
      axes.a.push_back(static_cast<size_t>(rank - count + i));
      axes.b.push_back(static_cast<size_t>(i));
    }
  }
  if (axes.a.size() == axes.b.size()) return axes;
  return call.argument_error("dims", "dims name as many axes of one operand as of the other");
}

Result<Mapped> contracted(Call& call, const relax::Expr& a, const relax::Expr& b,
                          const Contraction& axes) {
  FX_TRY(dtype, shared_dtype(call, a, b));
  static_cast<void>(dtype);
  const auto left = static_cast<size_t>(relax::as_tensor(a)->ndim),
             right = static_cast<size_t>(relax::as_tensor(b)->ndim);
  if (left + right > 52) return call.error(codes::kArgument, "the operands have too many axes");
  const std::string first = letters_from(0, left);
  std::string second = letters_from(left, right), output = first;
  for (size_t i = 0; i < axes.a.size(); ++i) {
    second[axes.b[i]] = first[axes.a[i]];
    output.erase(output.find(first[axes.a[i]]), 1);
  }
  for (char letter : second) {
    if (first.find(letter) == std::string::npos) output += letter;
  }
  FX_TRY(result, emit_einsum(call, {a, b}, first + "," + second + "->" + output));
  return Mapped{{result}};
}

}  // namespace

Result<Mapped> map_mv(Call& call) {
  FX_TRY(a, shaped(call, "input"));
  FX_TRY(b, vector_operand(call, "vec"));
  if (relax::as_tensor(a)->ndim != 2) {
    return call.argument_error(
        "input", "the matrix has two axes, not the shape " + shape_text(*relax::as_tensor(a)));
  }
  return product_of(call, a, b);
}

Result<Mapped> map_dot(Call& call) { return product_of_vectors(call, "tensor"); }
Result<Mapped> map_vdot(Call& call) { return product_of_vectors(call, "other"); }

Result<Mapped> map_inner(Call& call) {
  FX_TRY(a, shaped(call, "input"));
  FX_TRY(b, shaped(call, "other"));
  const int left = relax::as_tensor(a)->ndim, right = relax::as_tensor(b)->ndim;
  if (left == 0 || right == 0) {
    FX_TRY(pair, promoted_operands(call, {a}, {b}, false));
    FX_TRY(result, call.emit(relax::op::multiply(pair.first, pair.second)));
    return Mapped{result};
  }
  return contracted(call, a, b,
                    {{static_cast<size_t>(left - 1)}, {static_cast<size_t>(right - 1)}});
}

Result<Mapped> map_tensordot(Call& call) {
  FX_TRY(a, shaped(call, "a"));
  FX_TRY(b, shaped(call, "b"));
  if (call.has("out")) return call.argument_error("out", "out is not supported");
  FX_TRY(axes, tensordot_axes(call, a, b));
  return contracted(call, a, b, axes);
}

Result<Mapped> map_kron(Call& call) {
  FX_TRY(a, shaped(call, "input"));
  FX_TRY(b, shaped(call, "other"));
  FX_TRY(pair, promoted_operands(call, {a}, {b}, false));
  Extents x = *relax::as_tensor(a)->shape, y = *relax::as_tensor(b)->shape;
  const tir::PrimExpr one = infer::extent_of(1);
  const size_t rank = std::max(x.size(), y.size());
  x.insert(x.begin(), rank - x.size(), one);
  y.insert(y.begin(), rank - y.size(), one);
  Extents left, right, joined;
  for (size_t i = 0; i < rank; ++i) {
    left.insert(left.end(), {x[i], one});
    right.insert(right.end(), {one, y[i]});
    joined.push_back(infer::simplify(tir::mul(x[i], y[i])));
  }
  FX_TRY(rows, call.builder.emit(relax::op::reshape(pair.first, left)));
  FX_TRY(columns, call.builder.emit(relax::op::reshape(pair.second, right)));
  FX_TRY(product, call.builder.emit(relax::op::multiply(rows, columns)));
  FX_TRY(result, call.emit(relax::op::reshape(product, joined)));
  return Mapped{result};
}

Result<Mapped> map_chain(Call& call) {
  ValueList matrices = call.rest();
  if (matrices.size() == 1) {
    if (const auto* list = std::get_if<ValueList>(&matrices[0].value)) {
      matrices = ValueList(*list);
    }
  }
  std::optional<relax::Expr> product;
  for (const Value& value : matrices) {
    if (as_tensor(value) == nullptr) {
      return call.error(codes::kArgument, "a factor is a tensor, not " + describe(value));
    }
    const relax::Expr& factor = *as_expr(value);
    if (!product) {
      product = factor;
      continue;
    }
    FX_TRY(next, product_of(call, *product, factor));
    product = *as_expr(next.value);
  }
  if (!product) return call.error(codes::kArgument, "there are no factors");
  return Mapped{{*product}, matrices.size() == 1 ? Sharing::Same : Sharing::Own};
}

Result<Mapped> map_bilinear(Call& call) {
  FX_TRY(a, shaped(call, "input1"));
  FX_TRY(b, shaped(call, "input2"));
  FX_TRY(weight, call.module != nullptr ? call.module_tensor("weight") : call.tensor("weight"));
  FX_TRY(dtype, shared_dtype(call, a, b));
  FX_TRY(same, shared_dtype(call, a, weight));
  static_cast<void>(dtype), static_cast<void>(same);
  if (relax::as_tensor(weight)->ndim != 3 || relax::as_tensor(a)->ndim < 1 ||
      relax::as_tensor(a)->ndim != relax::as_tensor(b)->ndim) {
    return call.error(
        codes::kShapeMismatch,
        "takes two inputs with as many axes and a weight with three, not the shapes " +
            shape_text(*relax::as_tensor(a)) + ", " + shape_text(*relax::as_tensor(b)) + " and " +
            shape_text(*relax::as_tensor(weight)));
  }
  FX_TRY(product, emit_einsum(call, {a, weight, b}, "...i,oij,...j->...o"));
  const bool has_bias = call.module != nullptr ? call.has_module_tensor("bias") : call.has("bias");
  if (!has_bias) return Mapped{{product}};
  FX_TRY(bias, call.module != nullptr ? call.module_tensor("bias") : call.tensor("bias"));
  FX_TRY(result, call.emit(relax::op::add(product, bias)));
  return Mapped{result};
}

Result<Mapped> map_cosine_similarity(Call& call) {
  FX_TRY(pair, alike(call, "x1", "x2"));
  FX_TRY(dim, number_option(call, "dim", 1));
  FX_TRY(eps, number_option(call, "eps", 1e-8));
  const int rank = relax::as_tensor(pair.first)->ndim;
  if (dim < -rank || dim >= rank) {
    return call.error(call.module == nullptr ? codes::kArgument : codes::kModuleAttribute,
                      "dim=" + std::to_string(static_cast<int64_t>(dim)) + " of a tensor " +
                          describe_type({pair.first}));
  }
  const std::string letters = letters_from(0, static_cast<size_t>(rank));
  std::string rest = letters;
  rest.erase(static_cast<size_t>(dim < 0 ? dim + rank : dim), 1);
  const std::string subscripts = letters + "," + letters + "->" + rest;
  FX_TRY(product, emit_einsum(call, {pair.first, pair.second}, subscripts));
  relax::Expr lengths;
  for (const relax::Expr& x : {pair.first, pair.second}) {
    FX_TRY(squares, emit_einsum(call, {x, x}, subscripts));
    FX_TRY(length, call.builder.emit(relax::op::call("sqrt", {squares})));
    FX_TRY(bounded,
           call.builder.emit(relax::op::call("maximum", {length, real_constant(length, eps)})));
    if (lengths == nullptr) {
      lengths = bounded;
      continue;
    }
    FX_TRY(both, call.builder.emit(relax::op::multiply(lengths, bounded)));
    lengths = both;
  }
  FX_TRY(result, call.emit(relax::op::divide(product, lengths)));
  return Mapped{result};
}

Result<Mapped> map_pairwise_distance(Call& call) {
  FX_TRY(pair, alike(call, "x1", "x2"));
  FX_TRY(p, norm_option(call, call.module == nullptr ? "p" : "norm"));
  FX_TRY(eps, number_option(call, "eps", 1e-6));
  FX_TRY(keep, call.module == nullptr ? call.boolean("keepdim", false)
                                      : call.boolean_setting("keepdim", false));
  if (relax::as_tensor(pair.first)->ndim < 1) {
    return call.argument_error("x1", "takes vectors, not " + describe_type({pair.first}));
  }
  FX_TRY(difference, call.builder.emit(relax::op::subtract(pair.first, pair.second)));
  FX_TRY(moved, call.builder.emit(relax::op::add(difference, real_constant(difference, eps))));
  FX_TRY(norm, norm_of_rows(call, moved, p));
  if (!keep) return Mapped{{norm}};
  FX_TRY(result,
         call.emit(relax::op::call("expand_dims", {norm}, {{"axis", relax::op::int_list({-1})}})));
  return Mapped{result};
}

Result<Mapped> map_cdist(Call& call) {
  FX_TRY(a, shaped(call, "x1"));
  FX_TRY(b, shaped(call, "x2"));
  FX_TRY(p, norm_option(call, "p"));
  FX_TRY(dtype, shared_dtype(call, a, b));
  Extents x = *relax::as_tensor(a)->shape, y = *relax::as_tensor(b)->shape;
  if (x.size() < 2 || y.size() < 2 || !is_float(dtype)) {
    return call.error(codes::kShapeMismatch, "takes rows of floats, (…, P, M) and (…, R, M), not " +
                                                 describe_type({a}) + " and " + describe_type({b}));
  }
  x.insert(x.end() - 1, infer::extent_of(1));
  y.insert(y.end() - 2, infer::extent_of(1));
  FX_TRY(rows, call.builder.emit(relax::op::reshape(a, x)));
  FX_TRY(columns, call.builder.emit(relax::op::reshape(b, y)));
  FX_TRY(differences, call.builder.emit(relax::op::subtract(rows, columns)));
  FX_TRY(result, norm_of_rows(call, differences, p));
  return Mapped{{result}};
}

}  // namespace fx2wasm::translate
