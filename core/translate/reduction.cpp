// Sums, means, extremes, norms: one value for each row.
#include <algorithm>
#include <cmath>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/fold_dims.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// PyTorch adds and multiplies integers and bools as int64.
DType summed_dtype(DType dtype) { return is_float(dtype) ? dtype : DType::Int64; }

relax::Expr typed_constant(DType dtype, double value) {
  return relax::constant_expr(scalar_constant(dtype, value));
}

Result<Mapped> apply_fold(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(dtype, wanted_dtype(call));
  FX_TRY(cast, cast_to(call, x, dtype.value_or(summed_dtype(*relax::as_tensor(x)->dtype))));
  FX_TRY(result, call.emit(relax::op::call(op, {cast}, dims.attrs())));
  return Mapped{result};
}
Result<Mapped> map_sum(Call& call) { return apply_fold(call, "sum"); }

Result<Mapped> map_prod(Call& call) {
  if (const auto* list = std::get_if<ValueList>(&call.argument("dim").value)) {
    return call.argument_error("dim",
                               "'dim' is one integer for a product, not " + describe({*list}));
  }
  return apply_fold(call, "prod");
}

Diagnostic floats_only(const Call& call, const relax::Expr& x) {
  return call.error(codes::kDtypeMismatch,
                    "takes floats, not " + describe_type({x}) + ": cast it before");
}

// The tensor in the dtype asked for, which is one of floats.
Result<relax::Expr> float_input(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dtype, wanted_dtype(call));
  const DType result = dtype.value_or(*relax::as_tensor(x)->dtype);
  if (!is_float(result)) return floats_only(call, x);
  return cast_to(call, x, result);
}

Result<Mapped> map_mean(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(result, call.emit(relax::op::call("mean", {x}, dims.attrs())));
  return Mapped{result};
}

// ---- what leaves NaN out ----

struct Numbers {
  relax::Expr values;  // NaN replaced by zero
  relax::Expr is_nan;
};
Result<Numbers> numbers_of(Call& call, const relax::Expr& x) {
  FX_TRY(is_nan, call.builder.emit(relax::op::call("isnan", {x})));
  const relax::Expr zero = typed_constant(*relax::as_tensor(x)->dtype, 0);
  FX_TRY(values, call.builder.emit(relax::op::call("where", {is_nan, zero, x})));
  return Numbers{values, is_nan};
}

Result<Mapped> map_nansum(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (!is_float(*relax::as_tensor(x)->dtype)) return map_sum(call);
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(dtype, wanted_dtype(call));
  FX_TRY(numbers, numbers_of(call, x));
  FX_TRY(cast, cast_to(call, numbers.values, dtype.value_or(*relax::as_tensor(x)->dtype)));
  FX_TRY(result, call.emit(relax::op::call("sum", {cast}, dims.attrs())));
  return Mapped{result};
}

Result<Mapped> map_nanmean(Call& call) {
  FX_TRY(given, float_input(call));
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(given)));
  const DType dtype = *relax::as_tensor(given)->dtype;
  // Counts above 2048 are no float16.
  FX_TRY(x, cast_to(call, given, dtype == DType::Float64 ? dtype : DType::Float32));
  FX_TRY(numbers, numbers_of(call, x));
  FX_TRY(sum, call.builder.emit(relax::op::call("sum", {numbers.values}, dims.attrs())));
  FX_TRY(counted, call.builder.emit(relax::op::call("logical_not", {numbers.is_nan})));
  FX_TRY(ones, cast_to(call, counted, *relax::as_tensor(x)->dtype));
  FX_TRY(count, call.builder.emit(relax::op::call("sum", {ones}, dims.attrs())));
  FX_TRY(quotient, call.builder.emit(relax::op::divide(sum, count)));
  FX_TRY(result, cast_to(call, quotient, dtype));
  return Mapped{{result}};
}

// ---- variance, standard deviation ----

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

// n / (n - taken), by which the mean square is multiplied. A number of elements that is not known
// is counted when the function runs.
Result<relax::Expr> spread_factor(Call& call, const relax::Expr& x, const FoldDims& dims,
                                  double taken) {
  const relax::TensorType& type = *relax::as_tensor(x);
  const auto shape = relax::static_shape(type);
  if (shape) {
    double count = 1;
    for (size_t i = 0; i < shape->size(); ++i) {
      if (dims.folds(i, shape->size())) count *= static_cast<double>((*shape)[i]);
    }
    return typed_constant(*type.dtype, count / std::max(0.0, count - taken));
  }
  FX_TRY(ones,
         call.builder.emit(relax::op::call("ones_like", {x}, {{"dtype", AttrValue{AttrNone{}}}})));
  FX_TRY(count, call.builder.emit(relax::op::call("sum", {ones}, dims.attrs())));
  FX_TRY(less, call.builder.emit(relax::op::subtract(count, typed_constant(*type.dtype, taken))));
  FX_TRY(divisor,
         call.builder.emit(relax::op::call("maximum", {less, typed_constant(*type.dtype, 0)})));
  return call.builder.emit(relax::op::divide(count, divisor));
}

// TVM's operators divide by the count: to divide by less is a factor to the variance.
Result<relax::Expr> spread_of(Call& call, const relax::Expr& given, const FoldDims& dims,
                              bool root) {
  const DType dtype = *relax::as_tensor(given)->dtype;
  if (!is_float(dtype)) return floats_only(call, given);
  FX_TRY(taken, degrees_taken(call));
  if (taken == 0) {
    return call.builder.emit(relax::op::call(root ? "std" : "variance", {given}, dims.attrs()));
  }
  // float16 is rounded once, at the end.
  FX_TRY(x, cast_to(call, given, dtype == DType::Float64 ? dtype : DType::Float32));
  FX_TRY(factor, spread_factor(call, x, dims, taken));
  FX_TRY(variance, call.builder.emit(relax::op::call("variance", {x}, dims.attrs())));
  FX_TRY(corrected, call.builder.emit(relax::op::multiply(variance, factor)));
  if (!root) return cast_to(call, corrected, dtype);
  FX_TRY(deviation, call.builder.emit(relax::op::call("sqrt", {corrected})));
  return cast_to(call, deviation, dtype);
}

Result<FoldDims> spread_dims(const Call& call, const relax::TensorType& type) {
  if (std::holds_alternative<bool>(call.argument("dim").value)) return FoldDims{};
  return read_fold_dims(call, type);
}

Result<Mapped> apply_spread(Call& call, bool root) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, spread_dims(call, *relax::as_tensor(x)));
  FX_TRY(result, spread_of(call, x, dims, root));
  return Mapped{{result}};
}
Result<Mapped> map_std(Call& call) { return apply_spread(call, true); }
Result<Mapped> map_var(Call& call) { return apply_spread(call, false); }

Result<Mapped> apply_spread_and_mean(Call& call, bool root) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, spread_dims(call, *relax::as_tensor(x)));
  FX_TRY(spread, spread_of(call, x, dims, root));
  FX_TRY(mean, call.builder.emit(relax::op::call("mean", {x}, dims.attrs())));
  FX_TRY(both, call.emit(relax::tuple_expr({spread, mean})));
  return Mapped{both};
}
Result<Mapped> map_std_mean(Call& call) { return apply_spread_and_mean(call, true); }
Result<Mapped> map_var_mean(Call& call) { return apply_spread_and_mean(call, false); }

// ---- norms ----

Result<relax::Expr> power_norm(Call& call, const relax::Expr& x, double order,
                               const FoldDims& dims) {
  const DType dtype = *relax::as_tensor(x)->dtype;
  if (order == 0) {  // how many are not zero
    FX_TRY(counts, call.builder.emit(relax::op::call("not_equal", {x, typed_constant(dtype, 0)})));
    FX_TRY(ones, cast_to(call, counts, dtype));
    return call.builder.emit(relax::op::call("sum", {ones}, dims.attrs()));
  }
  FX_TRY(sizes, call.builder.emit(relax::op::call("abs", {x})));
  FX_TRY(powers,
         call.builder.emit(relax::op::call("power", {sizes, typed_constant(dtype, order)})));
  FX_TRY(sum, call.builder.emit(relax::op::call("sum", {powers}, dims.attrs())));
  return call.builder.emit(relax::op::call("power", {sum, typed_constant(dtype, 1 / order)}));
}

Result<relax::Expr> norm_of(Call& call, const relax::Expr& x, std::string_view name,
                            const FoldDims& dims) {
  const Value& order = call.argument(name);
  const auto* word = std::get_if<std::string>(&order.value);
  if (word != nullptr && *word == "fro") {
    FX_TRY(squares, call.builder.emit(relax::op::multiply(x, x)));
    FX_TRY(sum, call.builder.emit(relax::op::call("sum", {squares}, dims.attrs())));
    return call.builder.emit(relax::op::call("sqrt", {sum}));
  }
  const std::optional<double> number = is_none(order) ? std::optional<double>(2) : as_number(order);
  if (!number || std::isnan(*number)) {
    return call.argument_error(
        name, "'" + std::string(name) + "' is a number or 'fro', not " + describe(order));
  }
  if (!std::isinf(*number)) return power_norm(call, x, *number, dims);
  FX_TRY(sizes, call.builder.emit(relax::op::call("abs", {x})));
  return call.builder.emit(relax::op::call(*number > 0 ? "max" : "min", {sizes}, dims.attrs()));
}

// Norms of vectors: over the dims given, or over all elements.
Result<Mapped> apply_norm(Call& call, std::string_view order) {
  FX_TRY(given, float_input(call));
  const DType dtype = *relax::as_tensor(given)->dtype;
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(given)));
  // Squares of float16 would overflow.
  FX_TRY(x, cast_to(call, given, dtype == DType::Float64 ? dtype : DType::Float32));
  FX_TRY(norm, norm_of(call, x, order, dims));
  FX_TRY(result, cast_to(call, norm, dtype));
  return Mapped{{result}};
}
Result<Mapped> map_vector_norm(Call& call) { return apply_norm(call, "ord"); }

// With an order, torch.linalg.norm takes a matrix (or two dims) for one: of the norms of matrices,
// Frobenius' is one of vectors.
Result<Mapped> apply_linalg_norm(Call& call, std::string_view name) {
  FX_TRY(x, call.tensor("input"));
  const relax::TensorType& type = *relax::as_tensor(x);
  FX_TRY(dims, read_fold_dims(call, type));
  const Value& order = call.argument(name);
  if (is_none(order)) return apply_norm(call, name);
  const bool frobenius = std::holds_alternative<std::string>(order.value);
  const auto rank = static_cast<size_t>(std::max(type.ndim, 0));
  const size_t folded = dims.dims ? dims.dims->size() : rank;
  if (folded > 2) {
    return call.argument_error(
        name, "an order is for one dim or two, not for " + std::to_string(folded) + ": give 'dim'");
  }
  if (folded == 2 && !frobenius) {
    return call.argument_error(name, "the norm of matrices of order " + describe(order) +
                                         " is not supported; 'fro' is, and norms of vectors "
                                         "(torch.linalg.vector_norm)");
  }
  return apply_norm(call, name);
}
Result<Mapped> map_linalg_norm(Call& call) { return apply_linalg_norm(call, "ord"); }

Result<Mapped> map_norm(Call& call) {
  const bool linalg = call.node.target.find("linalg") != std::string::npos;
  if (!linalg) return apply_norm(call, "p");
  return apply_linalg_norm(call, call.has("ord") ? "ord" : "p");
}

bool folds_no_elements(const relax::TensorType& type, const FoldDims& dims) {
  if (!type.shape) return false;
  for (size_t i = 0; i < type.shape->size(); ++i) {
    if (dims.folds(i, type.shape->size()) && tir::is_zero((*type.shape)[i])) return true;
  }
  return false;
}

// log(sum(exp(x))), by the largest element so that nothing overflows.
Result<Mapped> map_logsumexp(Call& call) {
  FX_TRY(given, call.tensor("input"));
  if (!call.has("dim")) return call.error(codes::kArgument, "the argument 'dim' is missing");
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(given)));
  const DType dtype = float_type(*relax::as_tensor(given)->dtype);
  const DType wide = dtype == DType::Float64 ? dtype : DType::Float32;
  FX_TRY(x, cast_to(call, given, wide));
  if (folds_no_elements(*relax::as_tensor(x), dims)) {
    FX_TRY(exponentials, call.builder.emit(relax::op::call("exp", {x})));
    FX_TRY(sum, call.builder.emit(relax::op::call("sum", {exponentials}, dims.attrs())));
    FX_TRY(logarithm, call.builder.emit(relax::op::call("log", {sum})));
    FX_TRY(result, cast_to(call, logarithm, dtype));
    return Mapped{{result}};
  }
  FoldDims kept = dims;
  kept.keep = true;
  FX_TRY(largest, call.builder.emit(relax::op::call("max", {x}, kept.attrs())));
  // An infinite maximum is not taken off: inf - inf is no number.
  FX_TRY(infinite, call.builder.emit(relax::op::call("isinf", {largest})));
  FX_TRY(base,
         call.builder.emit(relax::op::call("where", {infinite, typed_constant(wide, 0), largest})));
  FX_TRY(distance, call.builder.emit(relax::op::subtract(x, base)));
  FX_TRY(exponentials, call.builder.emit(relax::op::call("exp", {distance})));
  FX_TRY(sum, call.builder.emit(relax::op::call("sum", {exponentials}, kept.attrs())));
  FX_TRY(logarithm, call.builder.emit(relax::op::call("log", {sum})));
  FX_TRY(result, call.builder.emit(relax::op::add(logarithm, base)));
  relax::Expr shaped = result;
  if (!dims.keep) {
    FX_TRY(dropped, call.builder.emit(
                        relax::op::call("squeeze", {result}, {{"axis", dims.attrs()[0].second}})));
    shaped = dropped;
  }
  FX_TRY(rounded, cast_to(call, shaped, dtype));
  return Mapped{{rounded}};
}

Result<Mapped> map_count_nonzero(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(x)));
  FX_TRY(truth, as_truth(call, x));
  FX_TRY(ones, cast_to(call, truth, DType::Int64));
  FX_TRY(result, call.emit(relax::op::call("sum", {ones}, dims.attrs())));
  return Mapped{result};
}

constexpr std::string_view kSumArguments = "input, dim?, keepdim?, dtype?, out?";
constexpr std::string_view kSpreadArguments = "input, dim?, unbiased?, keepdim?, correction?, out?";
constexpr std::string_view kVectorNormArguments = "input, ord?, dim?, keepdim?, dtype?, out?";

constexpr RuleEntry kReductionRules[] = {
    {"count_nonzero", "map_count_nonzero", "input, dim?", map_count_nonzero},
    {"linalg_norm", "map_linalg_norm", kVectorNormArguments, map_linalg_norm},
    {"linalg_vector_norm", "map_vector_norm", kVectorNormArguments, map_vector_norm},
    {"logsumexp", "map_logsumexp", "input, dim?, keepdim?, out?", map_logsumexp},
    {"mean", "map_mean", kSumArguments, map_mean},
    {"nanmean", "map_nanmean", kSumArguments, map_nanmean},
    {"nansum", "map_nansum", kSumArguments, map_nansum},
    {"norm", "map_norm", "input, p?, dim?, keepdim?, out?, dtype?, ord?", map_norm},
    {"prod", "map_prod", kSumArguments, map_prod},
    {"std", "map_std", kSpreadArguments, map_std},
    {"std_mean", "map_std_mean", kSpreadArguments, map_std_mean},
    {"sum", "map_sum", kSumArguments, map_sum},
    {"var", "map_var", kSpreadArguments, map_var},
    {"var_mean", "map_var_mean", kSpreadArguments, map_var_mean},
    {"vector_norm", "map_vector_norm", kVectorNormArguments, map_vector_norm},
};

}  // namespace

RuleTable reduction_rules() { return kReductionRules; }

}  // namespace fx2wasm::translate
