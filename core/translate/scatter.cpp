#include "translate/scatter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "builder/slice_range.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/index_key.h"
#include "translate/index_write.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

using Shape = std::vector<tir::PrimExpr>;

const relax::TensorType& tensor_type_of(const relax::Expr& x) { return *relax::as_tensor(x); }

bool equal_shapes(const Shape& a, const Shape& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), infer::provably_equal);
}

Result<Shape> shape_of_input(const Call& call, const relax::Expr& x) {
  if (tensor_type_of(x).shape) return *tensor_type_of(x).shape;
  return call.error(codes::kShapeMismatch, "the shape of a tensor is not known");
}

Result<relax::Expr> in_shape(Call& call, const relax::Expr& x, const Shape& shape) {
  if (tensor_type_of(x).shape && equal_shapes(*tensor_type_of(x).shape, shape)) return x;
  return call.builder.emit(relax::op::reshape(x, shape));
}

Result<relax::Expr> as_vector(Call& call, const relax::Expr& x) {
  if (tensor_type_of(x).ndim != 0) return x;
  return call.builder.emit(relax::op::reshape(x, {infer::extent_of(1)}));
}

Result<relax::Expr> filled(Call& call, const Shape& shape, const relax::Expr& value) {
  return call.builder.emit(relax::op::call("full", {relax::shape_expr(shape), value},
                                           {{"dtype", {*tensor_type_of(value).dtype}}}));
}

relax::Expr number_of_type(DType dtype, double value) {
  return relax::constant_expr(scalar_constant(dtype, value));
}

Result<Unit> check_same_dtype(const Call& call, const relax::Expr& x, const relax::Expr& source) {
  if (tensor_type_of(x).dtype == tensor_type_of(source).dtype) return Unit{};
  return call.error(codes::kDtypeMismatch,
                    "the values have dtype " +
                        std::string(dtype_name(*tensor_type_of(source).dtype)) +
                        ", the tensor has " + std::string(dtype_name(*tensor_type_of(x).dtype)));
}

Result<relax::Expr> scatter_along(Call& call, const relax::Expr& x, const relax::Expr& index,
                                  const relax::Expr& source, int64_t axis,
                                  const std::string& reduction) {
  FX_TRY(same, check_same_dtype(call, x, source));
  static_cast<void>(same);
  FX_TRY(data, as_vector(call, x));
  FX_TRY(which, as_vector(call, index));
  FX_TRY(values, as_vector(call, source));
  FX_TRY(result,
         call.builder.emit(relax::op::call("scatter_elements", {data, which, values},
                                           {{"axis", {axis}}, {"reduction", {reduction}}})));
  if (tensor_type_of(x).ndim != 0) return result;
  return call.builder.emit(relax::op::reshape(result, {}));
}

}  // namespace

Result<int64_t> axis_argument(const Call& call, std::string_view name, const relax::Expr& x) {
  FX_TRY(axis, call.integer(name, 0));
  const int64_t rank = std::max(tensor_type_of(x).ndim, 1);
  if (axis >= -rank && axis < rank) return axis;
  return call.argument_error(name, std::string(name) + "=" + std::to_string(axis) +
                                       " of a tensor of shape " + shape_text(tensor_type_of(x)));
}

Result<relax::Expr> gather_along(Call& call, const relax::Expr& x, const relax::Expr& index,
                                 int64_t axis) {
  FX_TRY(data, as_vector(call, x));
  FX_TRY(which, as_vector(call, index));
  FX_TRY(result,
         call.builder.emit(relax::op::call("gather_elements", {data, which}, {{"axis", {axis}}})));
  if (tensor_type_of(index).ndim != 0) return result;
  return call.builder.emit(relax::op::reshape(result, {}));
}

Result<relax::Expr> broadcast_if_needed(Call& call, const relax::Expr& x, const Shape& shape) {
  if (tensor_type_of(x).shape && equal_shapes(*tensor_type_of(x).shape, shape)) return x;
  return call.builder.emit(relax::op::call("broadcast_to", {x, relax::shape_expr(shape)}));
}

Result<Mapped> map_scatter(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  std::string reduction = "update";
  if (call.has("reduce")) {
    const auto* text = std::get_if<std::string>(&call.argument("reduce").value);
    if (text == nullptr || (*text != "add" && *text != "multiply")) {
      return call.argument_error("reduce", "the reduction is 'add' or 'multiply', not " +
                                               describe(call.argument("reduce")));
    }
    reduction = *text == "add" ? "add" : "mul";
  }
  const std::string_view given = call.has("src") ? "src" : "value";
  if (call.has("src") && call.has("value")) {
    return call.error(codes::kArgument, "takes 'src' or 'value', not both");
  }
  relax::Expr source;
  if (as_tensor(call.argument(given)) != nullptr) {
    source = *as_expr(call.argument(given));
  } else {
    FX_TRY(shape, shape_of_input(call, index));
    FX_TRY(value, value_as(call, given, call.argument(given), *tensor_type_of(x).dtype));
    FX_TRY(full, filled(call, shape, value));
    source = full;
  }
  FX_TRY(result, scatter_along(call, x, index, source, axis, reduction));
  return Mapped{{result}};
}

Result<Mapped> map_scatter_add(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(source, call.tensor("src"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  FX_TRY(result, scatter_along(call, x, index, source, axis, "add"));
  return Mapped{{result}};
}

namespace {

struct ReduceKind {
  std::string_view name, reduction;
};
constexpr ReduceKind kReduceKinds[] = {
    {"sum", "add"}, {"prod", "mul"}, {"amax", "max"}, {"amin", "min"}, {"mean", "mean"}};

// What a reduction begins with when the tensor's own element does not count.
relax::Expr neutral_element(DType dtype, std::string_view reduction) {
  if (reduction == "mul") return number_of_type(dtype, 1);
  if (reduction != "max" && reduction != "min") return number_of_type(dtype, 0);
  const bool is_max = reduction == "max";
  if (is_float(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return number_of_type(dtype, is_max ? -infinity : infinity);
  }
  const tir::PrimExpr bound = is_max ? tir::min_value(dtype) : tir::max_value(dtype);
  return relax::constant_expr(scalar_constant(dtype, *tir::as_int(bound)));
}

// The sum of the elements that meet at a place, divided by how many they are.
Result<relax::Expr> scatter_mean(Call& call, const relax::Expr& x, const relax::Expr& base,
                                 const relax::Expr& index, const relax::Expr& source, int64_t axis,
                                 bool include_self) {
  const DType dtype = *tensor_type_of(x).dtype;
  FX_TRY(sums, scatter_along(call, base, index, source, axis, "add"));
  FX_TRY(shape, shape_of_input(call, x));
  FX_TRY(picked, shape_of_input(call, index));
  FX_TRY(ones, filled(call, shape, number_of_type(dtype, 1)));
  FX_TRY(each, filled(call, picked, number_of_type(dtype, 1)));
  relax::Expr counts = ones;
  if (!include_self) {
    FX_TRY(zeros, filled(call, picked, number_of_type(dtype, 0)));
    FX_TRY(cleared, scatter_along(call, ones, index, zeros, axis, "update"));
    counts = cleared;
  }
  FX_TRY(total, scatter_along(call, counts, index, each, axis, "add"));
  const char* divide = is_float(dtype) ? "divide" : "floor_divide";
  return call.builder.emit(relax::op::call(divide, {sums, total}));
}

}  // namespace

Result<Mapped> map_scatter_reduce(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(source, call.tensor("src"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  FX_TRY(include_self, call.boolean("include_self", true));
  const auto* text = std::get_if<std::string>(&call.argument("reduce").value);
  const auto* kind =
      std::find_if(std::begin(kReduceKinds), std::end(kReduceKinds),
                   [&](const ReduceKind& each) { return text != nullptr && each.name == *text; });
  if (kind == std::end(kReduceKinds)) {
    return call.argument_error("reduce",
                               "the reduction is 'sum', 'prod', 'mean', 'amax' or "
                               "'amin', not " +
                                   describe(call.argument("reduce")));
  }
  relax::Expr base = x;
  if (!include_self) {
    FX_TRY(shape, shape_of_input(call, index));
    FX_TRY(neutral,
           filled(call, shape, neutral_element(*tensor_type_of(x).dtype, kind->reduction)));
    FX_TRY(cleared, scatter_along(call, x, index, neutral, axis, "update"));
    base = cleared;
  }
  if (kind->reduction == "mean") {
    FX_TRY(mean, scatter_mean(call, x, base, index, source, axis, include_self));
    return Mapped{{mean}};
  }
  FX_TRY(result, scatter_along(call, base, index, source, axis, std::string(kind->reduction)));
  return Mapped{{result}};
}

namespace {

// A vector of positions on an axis, repeated in the shape of the values that are written there.
Result<relax::Expr> positions_like(Call& call, const relax::Expr& index, const Shape& shape,
                                   int64_t axis) {
  if (tensor_type_of(index).ndim > 1) {
    return call.argument_error("index", "the index is a vector, not a tensor of shape " +
                                            shape_text(tensor_type_of(index)));
  }
  if (shape.empty()) return index;
  Shape line(shape.size(), infer::extent_of(1));
  const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis);
  line[at] = infer::product(*tensor_type_of(index).shape);
  FX_TRY(column, in_shape(call, index, line));
  return broadcast_if_needed(call, column, shape);
}

Result<relax::Expr> write_along(Call& call, const std::string& reduction) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(given, call.tensor("source"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  relax::Expr source = given;
  if (call.has("alpha")) {
    FX_TRY(alpha, value_as(call, "alpha", call.argument("alpha"), *tensor_type_of(x).dtype));
    FX_TRY(scaled, call.builder.emit(relax::op::multiply(source, alpha)));
    source = scaled;
  }
  FX_TRY(own, shape_of_input(call, x));
  FX_TRY(shape, shape_of_input(call, source));
  FX_TRY(length, shape_of_input(call, index));
  if (shape.size() < own.size()) {
    // One element along the axis.
    shape = own;
    const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(own.size()) : axis);
    shape[at] = infer::product(length);
    FX_TRY(fitted, in_shape(call, source, shape));
    source = fitted;
  }
  FX_TRY(positions, positions_like(call, index, shape, axis));
  return scatter_along(call, x, positions, source, axis, reduction);
}

}  // namespace

Result<Mapped> map_index_add(Call& call) {
  FX_TRY(result, write_along(call, "add"));
  return Mapped{{result}};
}

Result<Mapped> map_index_copy(Call& call) {
  FX_TRY(result, write_along(call, "update"));
  return Mapped{{result}};
}

Result<Mapped> map_index_fill(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  FX_TRY(shape, shape_of_input(call, x));
  FX_TRY(length, shape_of_input(call, index));
  FX_TRY(given, value_as(call, "value", call.argument("value"), *tensor_type_of(x).dtype));
  FX_TRY(value, in_shape(call, given, {}));
  if (!shape.empty()) {
    const int64_t rank = static_cast<int64_t>(shape.size());
    shape[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = infer::product(length);
  }
  FX_TRY(positions, positions_like(call, index, shape, axis));
  FX_TRY(values, filled(call, shape, value));
  FX_TRY(result, scatter_along(call, x, positions, values, axis, "update"));
  return Mapped{{result}};
}

Result<Mapped> map_index_put(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(accumulate, call.boolean("accumulate", false));
  FX_TRY(result, put_at(call, x, call.argument("indices"), call.argument("values"), accumulate));
  return Mapped{{result}};
}

Result<Mapped> map_put(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(index, call.tensor("index"));
  FX_TRY(source, call.tensor("source"));
  FX_TRY(accumulate, call.boolean("accumulate", false));
  FX_TRY(shape, shape_of_input(call, x));
  FX_TRY(picked, shape_of_input(call, index));
  FX_TRY(line, in_shape(call, x, {infer::product(shape)}));
  FX_TRY(values, in_shape(call, source, picked));
  FX_TRY(result, put_at(call, line, {ValueList{{index}}}, {values}, accumulate));
  FX_TRY(back, in_shape(call, result, shape));
  return Mapped{{back}};
}

Result<Mapped> map_masked_scatter(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(given, call.tensor("mask"));
  FX_TRY(source, call.tensor("source"));
  FX_TRY(same, check_same_dtype(call, x, source));
  static_cast<void>(same);
  if (tensor_type_of(given).dtype != DType::Bool) {
    return call.argument_error("mask", "the mask holds bools");
  }
  FX_TRY(shape, shape_of_input(call, x));
  FX_TRY(mask, broadcast_if_needed(call, given, shape));
  const bool is_vector = shape.size() == 1;
  const auto flat = [&](const relax::Expr& tensor) {
    return call.builder.emit(relax::op::reshape(tensor, {infer::extent_of(-1)}));
  };
  relax::Expr flags = mask, values = source;
  if (!is_vector) {
    FX_TRY(line, flat(mask));
    flags = line;
  }
  FX_TRY(count, call.builder.emit(relax::op::call(
                    "cumsum", {flags},
                    {{"axis", {int64_t{0}}}, {"dtype", {DType::Int32}}, {"exclusive", {false}}})));
  const relax::Expr one = relax::constant_expr(scalar_constant(DType::Int32, int64_t{1}));
  FX_TRY(which, call.builder.emit(relax::op::subtract(count, one)));
  if (!is_vector || tensor_type_of(source).ndim != 1) {
    FX_TRY(line, flat(source));
    values = line;
  }
  FX_TRY(taken,
         call.builder.emit(relax::op::call(
             "take", {values, which}, {{"axis", {int64_t{0}}}, {"mode", {std::string("fast")}}})));
  relax::Expr placed = taken;
  if (!is_vector) {
    FX_TRY(back, call.builder.emit(relax::op::reshape(taken, shape)));
    placed = back;
  }
  FX_TRY(result, call.emit(relax::op::call("where", {mask, placed, x})));
  return Mapped{result};
}

namespace {

Result<relax::Expr> write_slice(Call& call, const relax::Expr& x, const relax::Expr& source,
                                int64_t axis, const infer::Shape& bounds) {
  std::vector<relax::Expr> args = {x, source};
  for (const tir::PrimExpr& bound : bounds) args.push_back(relax::prim_value(bound));
  return call.builder.emit(relax::op::call("slice_scatter", std::move(args), {{"axis", {axis}}}));
}

}  // namespace

Result<Mapped> map_select_scatter(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(source, call.tensor("src"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  FX_TRY(index, call.integer("index"));
  FX_TRY(shape, shape_of_input(call, x));
  FX_TRY(values, value_as(call, "src", {source}, *tensor_type_of(x).dtype));
  if (shape.empty()) return call.error(codes::kArgument, "a 0-d tensor has no axis to select on");
  const auto at = static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis);
  const std::optional<int64_t> extent = tir::as_int(shape[at]);
  if (extent && (index < -*extent || index >= *extent)) {
    return call.argument_error("index", "index " + std::to_string(index) +
                                            " is out of bounds for axis " + std::to_string(axis) +
                                            " of a tensor of shape " + infer::shape_text(shape));
  }
  tir::PrimExpr begin = infer::extent_of(index);
  if (index < 0) begin = infer::simplify(tir::add(shape[at], begin));
  const tir::PrimExpr end = infer::simplify(tir::add(begin, infer::extent_of(1)));
  FX_TRY(line, call.builder.emit(
                   relax::op::call("expand_dims", {values},
                                   {{"axis", relax::op::int_list({static_cast<int64_t>(at)})}})));
  FX_TRY(result, write_slice(call, x, line, axis, {begin, end, infer::extent_of(1)}));
  return Mapped{{result}};
}

Result<Mapped> map_slice_scatter(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(source, call.tensor("src"));
  FX_TRY(axis, axis_argument(call, "dim", x));
  FX_TRY(step, call.integer("step", 1));
  FX_TRY(shape, shape_of_input(call, x));
  FX_TRY(values, value_as(call, "src", {source}, *tensor_type_of(x).dtype));
  if (shape.empty()) return call.error(codes::kArgument, "a 0-d tensor has no axis to slice");
  if (step < 1) {
    return call.argument_error("step",
                               "the step is greater than zero, not " + std::to_string(step));
  }
  const tir::PrimExpr extent =
      shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis)];
  infer::Shape bounds;
  for (const auto& [name, missing] :
       {std::pair("start", infer::extent_of(0)), std::pair("end", extent)}) {
    const tir::PrimExpr bound = call.has(name) ? as_size(call.argument(name)) : missing;
    if (bound == nullptr) {
      return call.argument_error(
          name, std::string(name) + " is a size, not " + describe(call.argument(name)));
    }
    const std::optional<int64_t> number = tir::as_int(bound), size = tir::as_int(extent);
    if (number && size) {
      const int64_t moved = *number < 0 ? *number + *size : *number;
      bounds.push_back(infer::extent_of(std::clamp<int64_t>(moved, 0, *size)));
    } else if (number && *number < 0) {
      bounds.push_back(infer::simplify(tir::add(extent, bound)));
    } else {
      bounds.push_back(number && *number == std::numeric_limits<int64_t>::max() ? extent : bound);
    }
  }
  if (tir::is_zero(infer::slice_range(extent, bounds[0], bounds[1], step).length)) {
    return Mapped{{x}};
  }
  bounds.push_back(infer::extent_of(step));
  FX_TRY(result, write_slice(call, x, values, axis, bounds));
  return Mapped{{result}};
}

Result<Mapped> map_diagonal_scatter(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(source, call.tensor("src"));
  FX_TRY(offset, call.integer("offset", 0));
  FX_TRY(first, call.integer("dim1", 0));
  FX_TRY(second, call.integer("dim2", 1));
  FX_TRY(given, value_as(call, "src", {source}, *tensor_type_of(x).dtype));
  const int64_t rank = tensor_type_of(x).ndim;
  for (int64_t* dim : {&first, &second}) {
    if (*dim < -rank || *dim >= rank) {
      return call.error(codes::kArgument, "axis " + std::to_string(*dim) +
                                              " of a tensor of shape " +
                                              shape_text(tensor_type_of(x)));
    }
    if (*dim < 0) *dim += rank;
  }
  if (first == second) return call.error(codes::kArgument, "dim1 and dim2 are the same axis");
  const auto shape = relax::static_shape(tensor_type_of(x));
  if (!shape) return call.error(codes::kShapeMismatch, "the shape of its input is not known");
  std::vector<int64_t> rows, columns;
  for (int64_t i = 0;; ++i) {
    const int64_t row = i + std::max<int64_t>(-offset, 0),
                  column = i + std::max<int64_t>(offset, 0);
    if (row >= (*shape)[static_cast<size_t>(first)]) break;
    if (column >= (*shape)[static_cast<size_t>(second)]) break;
    rows.push_back(row);
    columns.push_back(column);
  }
  // The two axes in front: their positions are written together, the others whole.
  std::vector<int64_t> order = {first, second}, back(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) {
    if (i != first && i != second) order.push_back(i);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  const bool moved = !std::is_sorted(order.begin(), order.end());
  relax::Expr front = x, values = given;
  if (moved) {
    FX_TRY(turned, call.builder.emit(relax::op::permute_dims(x, order)));
    front = turned;
  }
  if (tensor_type_of(given).ndim > 1) {
    std::vector<int64_t> last_first = {tensor_type_of(given).ndim - 1};
    for (int64_t i = 0; i + 1 < tensor_type_of(given).ndim; ++i) last_first.push_back(i);
    FX_TRY(turned, call.builder.emit(relax::op::permute_dims(given, last_first)));
    values = turned;
  }
  const auto count = static_cast<int64_t>(rows.size());
  const ValueList indices = {{int64_tensor({count}, rows)}, {int64_tensor({count}, columns)}};
  FX_TRY(result, put_at(call, front, {indices}, {values}, false));
  if (!moved) return Mapped{{result}};
  FX_TRY(turned, call.builder.emit(relax::op::permute_dims(result, back)));
  return Mapped{{turned}};
}

}  // namespace fx2wasm::translate
