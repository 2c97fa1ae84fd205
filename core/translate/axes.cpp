#include "translate/axes.h"

#include <algorithm>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {
namespace {

relax::Expr prim_tuple(int64_t value) {
  return relax::tuple_expr({relax::prim_value(tir::int_imm(DType::Int64, value))});
}

}  // namespace

int64_t rank_of(const relax::Expr& x) { return relax::as_tensor(x)->ndim; }

Result<Sizes> known_sizes(const Call& call, const relax::Expr& x) {
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->shape) return *type->shape;
  return call.error(codes::kShapeMismatch, "the shape of its input is not known");
}

Result<int64_t> known_extent(const Call& call, const relax::Expr& x, size_t axis,
                             std::string_view why) {
  FX_TRY(shape, known_sizes(call, x));
  if (const std::optional<int64_t> extent = tir::as_int(shape[axis])) return *extent;
  return call.error(codes::kShapeMismatch, "axis " + std::to_string(axis) + " of the shape " +
                                               shape_text(*relax::as_tensor(x)) +
                                               " has no known size: " + std::string(why));
}

Result<size_t> axis_at(const Call& call, std::string_view name, int64_t dim, int64_t rank) {
  const int64_t axes = std::max<int64_t>(rank, 1);
  if (dim >= -axes && dim < axes) return static_cast<size_t>(dim < 0 ? dim + axes : dim);
  return call.argument_error(name, std::string(name) + "=" + std::to_string(dim) +
                                       " of a tensor with " + std::to_string(rank) + " axes");
}

Result<size_t> axis_argument(const Call& call, std::string_view name, int64_t rank,
                             std::optional<int64_t> fallback) {
  FX_TRY(dim, call.integer(name, fallback));
  return axis_at(call, name, dim, rank);
}

Result<std::vector<int64_t>> integer_list(const Call& call, std::string_view name,
                                          const Value& value) {
  if (const auto* list = std::get_if<ValueList>(&value.value)) {
    std::vector<int64_t> numbers;
    for (const Value& item : *list) {
      const auto* number = std::get_if<int64_t>(&item.value);
      if (number == nullptr) {
        return call.argument_error(name, "the argument '" + std::string(name) +
                                             "' is a list of integers, but holds " +
                                             describe(item));
      }
      numbers.push_back(*number);
    }
    return numbers;
  }
  if (const auto* number = std::get_if<int64_t>(&value.value)) return std::vector{*number};
  return call.argument_error(name, "the argument '" + std::string(name) +
                                       "' is an integer or a list of them, not " + describe(value));
}

Result<std::vector<int64_t>> integer_list(const Call& call, std::string_view name,
                                          const ValueList& values) {
  const bool nested = values.size() == 1 && std::holds_alternative<ValueList>(values[0].value);
  return integer_list(call, name, nested ? values[0] : Value{values});
}

Result<std::vector<size_t>> axis_list(const Call& call, std::string_view name,
                                      const std::vector<int64_t>& dims, int64_t rank) {
  std::vector<size_t> axes;
  for (const int64_t dim : dims) {
    FX_TRY(axis, axis_at(call, name, dim, rank));
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
      return call.argument_error(
          name, "axis " + std::to_string(axis) + " stands twice in '" + std::string(name) + "'");
    }
    axes.push_back(axis);
  }
  return axes;
}

Sizes sizes_at_least(const Sizes& shape, size_t count) {
  Sizes sizes = shape;
  const tir::PrimExpr one = infer::extent_of(1);
  if (sizes.empty() && count > 0) sizes.push_back(one);
  if (sizes.size() == 1 && count > 1) sizes.insert(sizes.begin(), one);
  if (sizes.size() == 2 && count > 2) sizes.push_back(one);
  return sizes;
}

relax::Expr cut_out(const relax::Expr& x, size_t axis, int64_t begin, int64_t end) {
  return relax::op::call("strided_slice",
                         {x, prim_tuple(static_cast<int64_t>(axis)), prim_tuple(begin),
                          prim_tuple(end), prim_tuple(1)},
                         {{"assume_inbound", {false}}});
}

bool same_sizes(const Sizes& a, const Sizes& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), infer::provably_equal);
}

}  // namespace fx2wasm::translate
