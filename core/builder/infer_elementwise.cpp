// Type rules of operators that work element by element.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"

namespace fx2wasm::infer {
namespace {

Result<relax::Type> same_type(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  return relax::make_type(x);
}

Result<relax::Type> same_type_of_floats(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!is_float(*x.dtype)) {
    return dtype_error(call, "takes floats, not " + std::string(dtype_name(*x.dtype)));
  }
  return relax::make_type(x);
}

Result<relax::Type> predicate(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  x.dtype = DType::Bool;
  return relax::make_type(x);
}

Result<relax::Type> binary(const relax::OpCall& call, bool gives_bool) {
  FX_TRY(a, tensor_argument(call, 0));
  FX_TRY(b, tensor_argument(call, 1));
  // Comparisons take any two: what is compared is their common dtype.
  if (!gives_bool && *a.dtype != *b.dtype) {
    return dtype_error(call, "operands of dtype " + std::string(dtype_name(*a.dtype)) + " and " +
                                 std::string(dtype_name(*b.dtype)) + "; cast one of them");
  }
  const DType dtype = gives_bool ? DType::Bool : *a.dtype;
  if (!a.shape || !b.shape) {
    const int rank = a.ndim < 0 || b.ndim < 0 ? -1 : std::max(a.ndim, b.ndim);
    return make_tensor(std::nullopt, rank, dtype);
  }
  Broadcast joined = broadcast(*a.shape, *b.shape);
  if (!joined.fits) {
    return shape_error(
        call, "the shapes " + shape_text(a) + " and " + shape_text(b) + " do not broadcast");
  }
  return make_tensor(std::move(joined.shape), std::max(a.ndim, b.ndim), dtype);
}

Result<relax::Type> arithmetic(const relax::OpCall& call) { return binary(call, false); }
Result<relax::Type> comparison(const relax::OpCall& call) { return binary(call, true); }

Result<relax::Type> bitwise(const relax::OpCall& call) {
  FX_TRY(a, tensor_argument(call, 0));
  if (is_float(*a.dtype)) {
    return dtype_error(call, "takes integers or bools, not " + std::string(dtype_name(*a.dtype)));
  }
  return binary(call, false);
}

Result<relax::Type> astype(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  x.dtype = dtype_attr(call, "dtype");
  return relax::make_type(x);
}

Result<relax::Type> bitwise_not(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (is_float(*x.dtype)) {
    return dtype_error(call, "takes integers or bools, not " + std::string(dtype_name(*x.dtype)));
  }
  return relax::make_type(x);
}

Result<relax::Type> where(const relax::OpCall& call) {
  FX_TRY(condition, tensor_argument(call, 0));
  FX_TRY(a, tensor_argument(call, 1));
  FX_TRY(b, tensor_argument(call, 2));
  if (*condition.dtype != DType::Bool) {
    return dtype_error(
        call, "the condition is of bools, not of " + std::string(dtype_name(*condition.dtype)));
  }
  if (*a.dtype != *b.dtype) {
    return dtype_error(call, "chooses between dtypes " + std::string(dtype_name(*a.dtype)) +
                                 " and " + std::string(dtype_name(*b.dtype)));
  }
  const int rank = std::max({condition.ndim, a.ndim, b.ndim});
  if (!condition.shape || !a.shape || !b.shape) return make_tensor(std::nullopt, rank, *a.dtype);
  Broadcast joined = broadcast(*a.shape, *b.shape);
  if (joined.fits && joined.shape) joined = broadcast(*condition.shape, *joined.shape);
  if (!joined.fits) {
    return shape_error(call, "the shapes " + shape_text(condition) + ", " + shape_text(a) +
                                 " and " + shape_text(b) + " do not broadcast");
  }
  return make_tensor(std::move(joined.shape), rank, *a.dtype);
}

struct Entry {
  std::string_view op;
  Rule rule;
};
constexpr Entry kRules[] = {
    {"abs", same_type},
    {"acos", same_type_of_floats},
    {"acosh", same_type_of_floats},
    {"add", arithmetic},
    {"asin", same_type_of_floats},
    {"asinh", same_type_of_floats},
    {"astype", astype},
    {"atan", same_type_of_floats},
    {"atan2", arithmetic},
    {"atanh", same_type_of_floats},
    {"bitwise_and", bitwise},
    {"bitwise_not", bitwise_not},
    {"bitwise_or", bitwise},
    {"bitwise_xor", bitwise},
    {"ceil", same_type},
    {"cos", same_type_of_floats},
    {"cosh", same_type_of_floats},
    {"divide", arithmetic},
    {"equal", comparison},
    {"erf", same_type_of_floats},
    {"exp", same_type_of_floats},
    {"floor", same_type},
    {"floor_divide", arithmetic},
    {"floor_mod", arithmetic},
    {"greater", comparison},
    {"greater_equal", comparison},
    {"isfinite", predicate},
    {"isinf", predicate},
    {"isnan", predicate},
    {"left_shift", bitwise},
    {"less", comparison},
    {"less_equal", comparison},
    {"log", same_type_of_floats},
    {"logical_and", comparison},
    {"logical_not", predicate},
    {"logical_or", comparison},
    {"logical_xor", comparison},
    {"maximum", arithmetic},
    {"minimum", arithmetic},
    {"mod", arithmetic},
    {"multiply", arithmetic},
    {"negative", same_type},
    {"nn.relu", same_type},
    {"not_equal", comparison},
    {"power", arithmetic},
    {"right_shift", bitwise},
    {"round", same_type},
    {"rsqrt", same_type_of_floats},
    {"sigmoid", same_type_of_floats},
    {"sign", same_type},
    {"sin", same_type_of_floats},
    {"sinh", same_type_of_floats},
    {"sqrt", same_type_of_floats},
    {"square", same_type},
    {"subtract", arithmetic},
    {"tan", same_type_of_floats},
    {"tanh", same_type_of_floats},
    {"trunc", same_type},
    {"where", where},
};

}  // namespace

Rule elementwise_rule(std::string_view op) {
  for (const Entry& entry : kRules) {
    if (entry.op == op) return entry.rule;
  }
  return nullptr;
}

}  // namespace fx2wasm::infer
