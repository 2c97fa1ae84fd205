// Reductions over dimensions, running sums, orderings, searches and choices.
#include <algorithm>
#include <cmath>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// None, an integer or a list of them as TVM's `axis`; an empty list stands for all.
Result<std::optional<std::vector<int64_t>>> reduced_dims(const Call& call) {
  const Value& dim = call.argument("dim");
  if (is_none(dim)) return std::optional<std::vector<int64_t>>();
  if (const auto* number = std::get_if<int64_t>(&dim.value)) {
    return std::optional(std::vector<int64_t>{*number});
  }
  const auto* list = std::get_if<ValueList>(&dim.value);
  if (list != nullptr && list->empty()) return std::optional<std::vector<int64_t>>();
  if (list != nullptr) {
    FX_TRY(dims, call.integers("dim", list->size()));
    return std::optional(dims);
  }
  return call.argument_error("dim", "'dim' is an integer or a list of them, not " + describe(dim));
}

struct Axes {
  std::optional<std::vector<int64_t>> dims;
  bool keep = false;
  Attrs attrs() const {
    return {{"axis", dims ? relax::op::int_list(*dims) : AttrValue{AttrNone{}}},
            {"keepdims", {keep}}};
  }
};

Result<Axes> read_axes(const Call& call) {
  FX_TRY(dims, reduced_dims(call));
  FX_TRY(keep, call.boolean("keepdim", false));
  return Axes{dims, keep};
}

// The dtype that the argument asks for.
Result<std::optional<DType>> wanted_dtype(const Call& call) {
  const Value& dtype = call.argument("dtype");
  if (is_none(dtype)) return std::optional<DType>();
  if (const auto* given = std::get_if<DType>(&dtype.value)) return std::optional(*given);
  return call.argument_error("dtype", "'dtype' is a dtype, not " + describe(dtype));
}

// PyTorch adds and multiplies integers and bools as int64.
DType wide_type(DType dtype) { return is_float(dtype) ? dtype : DType::Int64; }

// A scalar is its own sum.
Result<Mapped> emit_reduction(Call& call, std::string_view op, const relax::Expr& x,
                              const Axes& axes) {
  if (relax::as_tensor(x)->ndim == 0) return Mapped{{x}};
  FX_TRY(result, call.emit(relax::op::call(op, {x}, axes.attrs())));
  return Mapped{result};
}

Result<Mapped> apply_fold(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(axes, read_axes(call));
  FX_TRY(dtype, wanted_dtype(call));
  FX_TRY(cast, cast_to(call, x, dtype.value_or(wide_type(*relax::as_tensor(x)->dtype))));
  return emit_reduction(call, op, cast, axes);
}
Result<Mapped> map_sum(Call& call) { return apply_fold(call, "sum"); }
Result<Mapped> map_prod(Call& call) { return apply_fold(call, "prod"); }

Result<Mapped> map_mean(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(axes, read_axes(call));
  FX_TRY(dtype, wanted_dtype(call));
  FX_TRY(cast, cast_to(call, x, dtype.value_or(*relax::as_tensor(x)->dtype)));
  return emit_reduction(call, "mean", cast, axes);
}

// What is taken off the count before the squares are divided by it.
Result<double> degrees_taken(const Call& call) {
  if (call.has("correction")) {
    if (const std::optional<double> given = as_number(call.argument("correction"))) return *given;
    return call.argument_error(
        "correction", "'correction' is a number, not " + describe(call.argument("correction")));
  }
  // `std(x, False)`: a bool in the dim's place is `unbiased`.
  if (const auto* flag = std::get_if<bool>(&call.argument("dim").value)) return *flag ? 1 : 0;
  FX_TRY(unbiased, call.boolean("unbiased", true));
  return unbiased ? 1 : 0;
}

Result<double> folded_count(const Call& call, const relax::Expr& x, const Axes& axes) {
  const auto shape = relax::static_shape(*relax::as_tensor(x));
  if (!shape) {
    return call.error(codes::kShapeMismatch,
                      "divides by the number of elements less one, which is not known of " +
                          describe_type({x}) + "; unbiased=False needs no such number");
  }
  const auto rank = static_cast<int64_t>(shape->size());
  double count = 1;
  if (!axes.dims) {
    for (int64_t extent : *shape) count *= static_cast<double>(extent);
    return count;
  }
  for (int64_t dim : *axes.dims) {
    if (dim < -rank || dim >= rank) continue;  // refused when its type is inferred
    count *= static_cast<double>((*shape)[static_cast<size_t>(dim < 0 ? dim + rank : dim)]);
  }
  return count;
}

// TVM's operators divide by the count: by less is a factor to the variance.
Result<Mapped> apply_spread(Call& call, bool root) {
  FX_TRY(x, call.tensor("input"));
  Axes axes;
  if (!std::holds_alternative<bool>(call.argument("dim").value)) {
    FX_TRY(given, read_axes(call));
    axes = given;
  }
  FX_TRY(taken, degrees_taken(call));
  if (taken == 0) {
    FX_TRY(result, call.emit(relax::op::call(root ? "std" : "variance", {x}, axes.attrs())));
    return Mapped{result};
  }
  FX_TRY(count, folded_count(call, x, axes));
  FX_TRY(variance, call.emit(relax::op::call("variance", {x}, axes.attrs())));
  const relax::Expr factor = relax::constant_expr(
      scalar_constant(*relax::as_tensor(x)->dtype, count / std::max(0.0, count - taken)));
  FX_TRY(result, call.emit(relax::op::multiply(*as_expr(variance), factor)));
  if (!root) return Mapped{result};
  FX_TRY(deviation, call.emit(relax::op::call("sqrt", {*as_expr(result)})));
  return Mapped{deviation};
}
Result<Mapped> map_std(Call& call) { return apply_spread(call, true); }
Result<Mapped> map_var(Call& call) { return apply_spread(call, false); }

Result<Mapped> apply_arg_extreme(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(keep, call.boolean("keepdim", false));
  AttrValue axis{AttrNone{}};
  if (call.has("dim")) {
    FX_TRY(dim, call.integer("dim"));
    axis = {dim};
  }
  FX_TRY(result, call.emit(relax::op::call(op, {x}, {{"axis", axis}, {"keepdims", {keep}}})));
  return Mapped{result};
}
Result<Mapped> map_argmax(Call& call) { return apply_arg_extreme(call, "argmax"); }
Result<Mapped> map_argmin(Call& call) { return apply_arg_extreme(call, "argmin"); }

Result<relax::Expr> magnitude(Call& call, const relax::Expr& x) {
  return call.builder.emit(relax::op::call("abs", {x}));
}

Result<Mapped> power_norm(Call& call, const relax::Expr& x, double order, const Axes& axes) {
  const DType dtype = *relax::as_tensor(x)->dtype;
  const auto number = [&](double value) {
    return relax::constant_expr(scalar_constant(dtype, value));
  };
  if (order == 0) {  // how many are not zero
    FX_TRY(counts, call.builder.emit(relax::op::call("not_equal", {x, number(0)})));
    FX_TRY(ones, cast_to(call, counts, dtype));
    return emit_reduction(call, "sum", ones, axes);
  }
  FX_TRY(sizes, magnitude(call, x));
  FX_TRY(powers, call.builder.emit(relax::op::call("power", {sizes, number(order)})));
  FX_TRY(sum, emit_reduction(call, "sum", powers, axes));
  FX_TRY(root, call.emit(relax::op::call("power", {*as_expr(sum.value), number(1 / order)})));
  return Mapped{root};
}

Result<Mapped> map_norm(Call& call) {
  FX_TRY(given, call.tensor("input"));
  FX_TRY(axes, read_axes(call));
  FX_TRY(dtype, wanted_dtype(call));
  FX_TRY(x, cast_to(call, given, dtype.value_or(*relax::as_tensor(given)->dtype)));
  if (!is_float(*relax::as_tensor(x)->dtype)) {
    return call.error(codes::kDtypeMismatch, "takes floats, not " + describe_type({x}));
  }
  const Value& order = call.argument("p");
  const auto* name = std::get_if<std::string>(&order.value);
  if (name != nullptr && *name == "fro") {
    FX_TRY(squares, call.builder.emit(relax::op::multiply(x, x)));
    FX_TRY(sum, emit_reduction(call, "sum", squares, axes));
    FX_TRY(root, call.emit(relax::op::call("sqrt", {*as_expr(sum.value)})));
    return Mapped{root};
  }
  std::optional<double> number = as_number(order);
  if (is_none(order)) number = 2;
  if (!number || name != nullptr) {
    return call.argument_error("p", "'p' is a number or 'fro', not " + describe(order));
  }
  if (!std::isinf(*number)) return power_norm(call, x, *number, axes);
  FX_TRY(sizes, magnitude(call, x));
  return emit_reduction(call, *number > 0 ? "max" : "min", sizes, axes);
}

Result<Mapped> apply_running(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, call.integer("dim"));
  FX_TRY(dtype, wanted_dtype(call));
  const DType own = *relax::as_tensor(x)->dtype;
  // Another kind of number is converted before, not after.
  relax::Expr source = x;
  if (dtype && is_float(*dtype) != is_float(own)) {
    FX_TRY(cast, cast_to(call, x, *dtype));
    source = cast;
  }
  if (!dtype && wide_type(own) != own) dtype = wide_type(own);
  FX_TRY(result,
         call.emit(relax::op::call(op, {source},
                                   {{"axis", {dim}},
                                    {"dtype", dtype ? AttrValue{*dtype} : AttrValue{AttrNone{}}},
                                    {"exclusive", {false}}})));
  return Mapped{result};
}
Result<Mapped> map_cumsum(Call& call) { return apply_running(call, "cumsum"); }
Result<Mapped> map_cumprod(Call& call) { return apply_running(call, "cumprod"); }

Result<Value> emit_argsort(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, call.integer("dim", -1));
  FX_TRY(descending, call.boolean("descending", false));
  return call.emit(relax::op::call(
      "argsort", {x}, {{"axis", {dim}}, {"descending", {descending}}, {"dtype", {DType::Int64}}}));
}

Result<Mapped> map_argsort(Call& call) {
  FX_TRY(order, emit_argsort(call));
  return Mapped{order};
}

Result<Mapped> map_sort(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, call.integer("dim", -1));
  FX_TRY(order, emit_argsort(call));
  FX_TRY(sorted, call.builder.emit(
                     relax::op::call("gather_elements", {x, *as_expr(order)}, {{"axis", {dim}}})));
  FX_TRY(both, call.emit(relax::tuple_expr({sorted, *as_expr(order)})));
  return Mapped{both};
}

Result<Mapped> map_topk(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(count, call.integer("k"));
  FX_TRY(dim, call.integer("dim", -1));
  FX_TRY(largest, call.boolean("largest", true));
  FX_TRY(result, call.emit(relax::op::call("topk", {x},
                                           {{"k", {count}},
                                            {"axis", {dim}},
                                            {"ret_type", {std::string("both")}},
                                            {"largest", {largest}},
                                            {"dtype", {DType::Int64}}})));
  return Mapped{result};
}

Result<Mapped> apply_bucketize(Call& call, std::string_view values, std::string_view boundaries) {
  FX_TRY(x, call.tensor(values));
  FX_TRY(limits, call.tensor(boundaries));
  FX_TRY(narrow, call.boolean("out_int32", false));
  FX_TRY(right, call.boolean("right", false));
  FX_TRY(result, call.emit(relax::op::call("bucketize", {x, limits},
                                           {{"out_int32", {narrow}}, {"right", {right}}})));
  return Mapped{result};
}
Result<Mapped> map_bucketize(Call& call) { return apply_bucketize(call, "input", "boundaries"); }

// A Python number as a tensor of the default dtype.
Result<Value> default_tensor(const Value& number) {
  if (const auto* flag = std::get_if<bool>(&number.value)) {
    return Value{relax::constant_expr(scalar_constant(DType::Bool, int64_t{*flag ? 1 : 0}))};
  }
  if (const auto* integer = std::get_if<int64_t>(&number.value)) {
    return Value{relax::constant_expr(scalar_constant(DType::Int64, *integer))};
  }
  if (const auto* real = std::get_if<double>(&number.value)) {
    return Value{relax::constant_expr(scalar_constant(DType::Float32, *real))};
  }
  return number;
}

Result<Mapped> map_where(Call& call) {
  // The method is called on the first choice: `x.where(condition, other)`.
  const bool method = call.node.op == fx::Opcode::CallMethod;
  FX_TRY(condition, call.tensor(method ? "input" : "condition"));
  Value a = call.argument(method ? "condition" : "input"), b = call.argument("other");
  if (as_tensor(a) == nullptr && as_tensor(b) == nullptr) {
    FX_TRY(bound, call.builder.normalize(condition));
    static_cast<void>(bound);
    FX_TRY(first, default_tensor(a));
    if (as_expr(first) != nullptr) {
      FX_TRY(typed, call.builder.normalize(*as_expr(first)));
      a = {typed};
    }
  }
  FX_TRY(choices, promoted_operands(call, a, b, false));
  FX_TRY(result, call.emit(relax::op::call("where", {condition, choices.first, choices.second})));
  return Mapped{result};
}

Result<Mapped> map_isin(Call& call) {
  FX_TRY(x, call.tensor("elements"));
  FX_TRY(set, call.tensor("test_elements"));
  FX_TRY(invert, call.boolean("invert", false));
  const auto shape = relax::static_shape(*relax::as_tensor(set));
  if (!shape) {
    return call.error(codes::kShapeMismatch,
                      "the shape of " + describe_type({set}) + " is not known");
  }
  int64_t count = 1;
  for (int64_t extent : *shape) count *= extent;
  FX_TRY(column, call.builder.emit(
                     relax::op::call("expand_dims", {x}, {{"axis", relax::op::int_list({-1})}})));
  FX_TRY(row, call.builder.emit(relax::op::reshape(set, {tir::int_imm(DType::Int64, count)})));
  FX_TRY(both, promoted_operands(call, {column}, {row}, false));
  FX_TRY(equal, call.builder.emit(relax::op::call("equal", {both.first, both.second})));
  FX_TRY(found, emit_reduction(call, "sum", equal, {{{-1}}, false}));
  const relax::Expr zero = relax::constant_expr(scalar_constant(DType::Float32, 0.0));
  FX_TRY(result, call.emit(relax::op::call("greater", {*as_expr(found.value), zero})));
  if (!invert) return Mapped{result};
  FX_TRY(inverse, call.emit(relax::op::call("logical_not", {*as_expr(result)})));
  return Mapped{inverse};
}

constexpr RuleEntry kReductionRules[] = {
    {"argmax", "map_argmax", "input, dim?, keepdim?", map_argmax},
    {"argmin", "map_argmin", "input, dim?, keepdim?", map_argmin},
    {"argsort", "map_argsort", "input, dim?, descending?, stable?", map_argsort},
    {"bucketize", "map_bucketize", "input, boundaries, out_int32?, right?", map_bucketize},
    {"cumprod", "map_cumprod", "input, dim, dtype?, out?", map_cumprod},
    {"cumsum", "map_cumsum", "input, dim, dtype?, out?", map_cumsum},
    {"isin", "map_isin", "elements, test_elements, assume_unique?, invert?", map_isin},
    {"mean", "map_mean", "input, dim?, keepdim?, dtype?, out?", map_mean},
    {"norm", "map_norm", "input, p?, dim?, keepdim?, out?, dtype?", map_norm},
    {"prod", "map_prod", "input, dim?, keepdim?, dtype?", map_prod},
    {"sort", "map_sort", "input, dim?, descending?, stable?", map_sort},
    {"std", "map_std", "input, dim?, unbiased?, keepdim?, correction?", map_std},
    {"sum", "map_sum", "input, dim?, keepdim?, dtype?, out?", map_sum},
    {"topk", "map_topk", "input, k, dim?, largest?, sorted?", map_topk},
    {"var", "map_var", "input, dim?, unbiased?, keepdim?, correction?", map_var},
    {"where", "map_where", "condition, input, other", map_where},
};

}  // namespace

RuleTable reduction_rules() { return kReductionRules; }

}  // namespace fx2wasm::translate
