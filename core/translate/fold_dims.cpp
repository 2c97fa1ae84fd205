#include "translate/fold_dims.h"

#include <algorithm>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {
namespace {

Diagnostic no_such_dim(const Call& call, std::string_view name, int64_t dim,
                       const relax::TensorType& type) {
  return call.argument_error(name, std::string(name) + "=" + std::to_string(dim) +
                                       " of a tensor of shape " + shape_text(type));
}

bool has_dim(const relax::TensorType& type, int64_t dim) {
  const auto rank = std::max<int64_t>(type.ndim, 1);
  return type.ndim < 0 || (dim >= -rank && dim < rank);
}

// The integers of a dim or a list of dims; absent for None and the empty list.
Result<std::optional<std::vector<int64_t>>> listed_dims(const Call& call, std::string_view name) {
  using Dims = std::optional<std::vector<int64_t>>;
  const Value& dim = call.argument(name);
  if (is_none(dim)) return Dims();
  if (const auto* number = std::get_if<int64_t>(&dim.value))
    return Dims(std::vector<int64_t>{*number});
  const auto* list = std::get_if<ValueList>(&dim.value);
  Dims dims = std::vector<int64_t>{};
  if (list != nullptr) {
    if (list->empty()) return Dims();
    for (const Value& item : *list) {
      const auto* number = std::get_if<int64_t>(&item.value);
      if (number != nullptr) dims->push_back(*number);
    }
  }
  if (list != nullptr && dims->size() == list->size()) return dims;
  return call.argument_error(
      name, "'" + std::string(name) + "' is an integer or a list of them, not " + describe(dim));
}

}  // namespace

Attrs FoldDims::attrs() const {
  return {{"axis", dims ? relax::op::int_list(*dims) : AttrValue{AttrNone{}}},
          {"keepdims", AttrValue{keep}}};
}

bool FoldDims::folds(size_t axis, size_t rank) const {
  if (!dims) return true;
  const auto at = static_cast<int64_t>(axis), from_end = at - static_cast<int64_t>(rank);
  return std::any_of(dims->begin(), dims->end(),
                     [&](int64_t dim) { return dim == at || dim == from_end; });
}

Result<FoldDims> read_fold_dims(const Call& call, const relax::TensorType& type) {
  constexpr std::string_view name = "dim";
  FX_TRY(dims, listed_dims(call, name));
  FX_TRY(keep, call.boolean("keepdim", false));
  FX_TRY(no_out, refuse_out(call));
  static_cast<void>(no_out);
  if (!dims || type.ndim < 0) return FoldDims{dims, keep};
  std::vector<int64_t> seen;
  for (const int64_t dim : *dims) {
    if (!has_dim(type, dim)) return no_such_dim(call, name, dim, type);
    const int64_t positive = dim < 0 ? dim + std::max(type.ndim, 1) : dim;
    if (std::find(seen.begin(), seen.end(), positive) != seen.end()) {
      return call.argument_error(name, "the dim " + std::to_string(dim) + " is named twice");
    }
    seen.push_back(positive);
  }
  if (type.ndim == 0) return FoldDims{std::nullopt, keep};
  return FoldDims{dims, keep};
}

Result<int64_t> read_dim(const Call& call, std::string_view name, const relax::TensorType& type,
                         std::optional<int64_t> fallback) {
  FX_TRY(dim, call.integer(name, fallback));
  if (!has_dim(type, dim)) return no_such_dim(call, name, dim, type);
  return dim;
}

Result<std::optional<DType>> wanted_dtype(const Call& call) {
  const Value& dtype = call.argument("dtype");
  if (is_none(dtype)) return std::optional<DType>();
  if (const auto* given = std::get_if<DType>(&dtype.value)) return std::optional(*given);
  return call.argument_error("dtype", "'dtype' is a dtype, not " + describe(dtype));
}

Result<relax::Expr> as_truth(Call& call, const relax::Expr& x) {
  const DType dtype = *relax::as_tensor(x)->dtype;
  if (dtype == DType::Bool) return x;
  const relax::Expr zero = relax::constant_expr(scalar_constant(dtype, int64_t{0}));
  return call.builder.emit(relax::op::call("not_equal", {x, zero}));
}

Result<Unit> refuse_out(const Call& call) {
  if (!call.has("out")) return Unit{};
  return call.argument_error("out", "out= is not supported: use the result instead");
}

}  // namespace fx2wasm::translate
