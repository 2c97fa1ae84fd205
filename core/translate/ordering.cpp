// Scans and orderings: cumsum, sort, topk, bucketize.
#include "topi/ordering.h"

#include <algorithm>
#include <cmath>

#include "builder/call_loops.h"
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

relax::Expr position_zero() {
  return relax::constant_expr(scalar_constant(DType::Int64, int64_t{0}));
}

// A scalar is a line of one element: it is its own sum, maximum, order.
bool is_scalar(const relax::Expr& x) { return relax::as_tensor(x)->ndim == 0; }

// Values and positions as one result.
Result<Mapped> paired(Call& call, const relax::Expr& values, const relax::Expr& positions) {
  FX_TRY(both, call.emit(relax::tuple_expr({values, positions})));
  return Mapped{both};
}

// ---- scans ----

Result<Mapped> apply_running(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  const relax::TensorType& type = *relax::as_tensor(x);
  FX_TRY(dim, read_dim(call, "dim", type));
  FX_TRY(dtype, wanted_dtype(call));
  FX_TRY(no_out, refuse_out(call));
  static_cast<void>(no_out);
  // Integers and bools are added as int64.
  if (!dtype && !is_float(*type.dtype) && type.dtype != DType::Int64) dtype = DType::Int64;
  if (is_scalar(x)) {
    FX_TRY(cast, cast_to(call, x, dtype.value_or(*type.dtype)));
    return Mapped{{cast}};
  }
  // Another kind of number is converted before, not after.
  const bool converts = dtype && (is_float(*dtype) != is_float(*type.dtype) ||
                                  type.dtype == DType::Bool || dtype == DType::Bool);
  FX_TRY(source, converts ? cast_to(call, x, *dtype) : Result<relax::Expr>(x));
  FX_TRY(result,
         call.emit(relax::op::call(op, {source},
                                   {{"axis", AttrValue{dim}},
                                    {"dtype", dtype ? AttrValue{*dtype} : AttrValue{AttrNone{}}},
                                    {"exclusive", AttrValue{false}}})));
  return Mapped{result};
}
Result<Mapped> map_cumsum(Call& call) { return apply_running(call, "cumsum"); }
Result<Mapped> map_cumprod(Call& call) { return apply_running(call, "cumprod"); }

size_t from_front(int64_t dim, const relax::TensorType& type) {
  return static_cast<size_t>(dim < 0 ? dim + type.ndim : dim);
}

Result<relax::TensorType> shaped_type(const Call& call, const relax::Expr& x) {
  const relax::TensorType& type = *relax::as_tensor(x);
  if (type.shape) return type;
  return call.error(codes::kShapeMismatch, "the shape of its input is not known");
}

relax::TensorType with_dtype(relax::TensorType type, DType dtype) {
  type.dtype = dtype;
  return type;
}

using LoopBuffers = std::vector<tir::Buffer>;

Result<Mapped> apply_running_extreme(Call& call, bool largest) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(type, shaped_type(call, x));
  FX_TRY(dim, read_dim(call, "dim", type));
  if (is_scalar(x)) return paired(call, x, position_zero());
  const size_t axis = from_front(dim, type);
  FX_TRY(result, call.emit(call_loops(call.builder, largest ? "cummax" : "cummin", {x},
                                      {type, with_dtype(type, DType::Int64)},
                                      [&](const LoopBuffers& in, const LoopBuffers& out) {
                                        return topi::running_extreme(largest, axis, in[0], out[0],
                                                                     out[1]);
                                      })));
  return Mapped{result};
}
Result<Mapped> map_cummax(Call& call) { return apply_running_extreme(call, true); }
Result<Mapped> map_cummin(Call& call) { return apply_running_extreme(call, false); }

Result<Mapped> map_logcumsumexp(Call& call) {
  FX_TRY(given, call.tensor("input"));
  FX_TRY(type, shaped_type(call, given));
  FX_TRY(dim, read_dim(call, "dim", type));
  if (!is_float(*type.dtype)) {
    return call.error(codes::kDtypeMismatch, "takes floats, not " + describe_type({given}));
  }
  if (is_scalar(given)) return Mapped{{given}};
  const size_t axis = from_front(dim, type);
  FX_TRY(result, call.emit(call_loops(call.builder, "logcumsumexp", {given}, {type},
                                      [&](const LoopBuffers& in, const LoopBuffers& out) {
                                        return topi::running_logsumexp(axis, in[0], out[0]);
                                      })));
  return Mapped{result};
}

// ---- orderings ----

Result<relax::Expr> order_of(Call& call, const relax::Expr& x, int64_t dim) {
  FX_TRY(descending, call.boolean("descending", false));
  return call.builder.emit(relax::op::call("argsort", {x},
                                           {{"axis", AttrValue{dim}},
                                            {"descending", AttrValue{descending}},
                                            {"dtype", AttrValue{DType::Int64}}}));
}

Result<Mapped> map_argsort(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dim, read_dim(call, "dim", *relax::as_tensor(x), -1));
  if (is_scalar(x)) return Mapped{{position_zero()}};
  FX_TRY(order, order_of(call, x, dim));
  return Mapped{{order}};
}

struct Sorted {
  relax::Expr values, positions;
};
Result<Sorted> sorted(Call& call, const relax::Expr& x, int64_t dim) {
  if (is_scalar(x)) return Sorted{x, position_zero()};
  FX_TRY(order, order_of(call, x, dim));
  FX_TRY(values, call.builder.emit(
                     relax::op::call("gather_elements", {x, order}, {{"axis", AttrValue{dim}}})));
  return Sorted{values, order};
}

Result<Mapped> map_sort(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(no_out, refuse_out(call));
  static_cast<void>(no_out);
  FX_TRY(dim, read_dim(call, "dim", *relax::as_tensor(x), -1));
  FX_TRY(result, sorted(call, x, dim));
  return paired(call, result.values, result.positions);
}

Result<Mapped> map_msort(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(result, sorted(call, x, 0));
  return Mapped{{result.values}};
}

Diagnostic not_so_many(const Call& call, int64_t count, const relax::TensorType& type,
                       int64_t dim) {
  return call.argument_error("k", "k=" + std::to_string(count) + " of a tensor of shape " +
                                      shape_text(type) + " along dim " + std::to_string(dim));
}

// PyTorch selects among numbers only.
Result<Unit> refuse_bools(const Call& call, const relax::Expr& x) {
  if (relax::as_tensor(x)->dtype != DType::Bool) return Unit{};
  return call.error(codes::kDtypeMismatch, "takes numbers, not bools: cast them before");
}

// The number of elements along a dim, when it is known; a scalar has one.
std::optional<int64_t> extent_along(const relax::TensorType& type, int64_t dim) {
  if (type.ndim == 0) return 1;
  if (!type.shape) return std::nullopt;
  return tir::as_int((*type.shape)[from_front(dim, type)]);
}

Result<Mapped> map_topk(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(numbers, refuse_bools(call, x));
  static_cast<void>(numbers);
  FX_TRY(no_out, refuse_out(call));
  static_cast<void>(no_out);
  const relax::TensorType& type = *relax::as_tensor(x);
  FX_TRY(count, call.integer("k"));
  FX_TRY(dim, read_dim(call, "dim", type, -1));
  FX_TRY(largest, call.boolean("largest", true));
  const std::optional<int64_t> extent = extent_along(type, dim);
  if (count < 0 || (extent && count > *extent)) return not_so_many(call, count, type, dim);
  if (is_scalar(x) && count == 1) return paired(call, x, position_zero());
  FX_TRY(result, call.emit(relax::op::call("topk", {x},
                                           {{"k", AttrValue{count}},
                                            {"axis", AttrValue{dim}},
                                            {"ret_type", AttrValue{std::string("both")}},
                                            {"largest", AttrValue{largest}},
                                            {"dtype", AttrValue{DType::Int64}}})));
  return Mapped{result};
}

// The element at a place in ascending order, and its position.
Result<relax::Expr> selected(Call& call, const std::string& name, const relax::Expr& x,
                             const topi::Selection& selection, bool keep) {
  FX_TRY(type, shaped_type(call, x));
  const auto at = static_cast<std::ptrdiff_t>(selection.axis);
  if (keep) {
    (*type.shape)[selection.axis] = tir::int_imm(DType::Int64, 1);
  } else {
    type.shape->erase(type.shape->begin() + at);
    --type.ndim;
  }
  return call.builder.emit(
      call_loops(call.builder, name, {x}, {type, with_dtype(type, DType::Int64)},
                 [&](const LoopBuffers& in, const LoopBuffers& out) {
                   return topi::select_ordered(selection, in[0], out[0], out[1]);
                 }));
}

Result<Mapped> map_kthvalue(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(numbers, refuse_bools(call, x));
  static_cast<void>(numbers);
  FX_TRY(type, shaped_type(call, x));
  FX_TRY(count, call.integer("k"));
  FX_TRY(dim, read_dim(call, "dim", type, -1));
  FX_TRY(keep, call.boolean("keepdim", false));
  const std::optional<int64_t> extent = extent_along(type, dim);
  if (count < 1 || (extent && count > *extent)) return not_so_many(call, count, type, dim);
  if (is_scalar(x)) return paired(call, x, position_zero());
  FX_TRY(result, selected(call, "kthvalue", x, {from_front(dim, type), count - 1, false}, keep));
  return Mapped{{result}};
}

// The lower one of the two in the middle. Over all elements it comes without a position.
Result<Mapped> map_median(Call& call) {
  FX_TRY(given, call.tensor("input"));
  FX_TRY(numbers, refuse_bools(call, given));
  static_cast<void>(numbers);
  FX_TRY(dims, read_fold_dims(call, *relax::as_tensor(given)));
  const bool along_dim = call.has("dim");
  if (dims.dims && dims.dims->size() != 1) {
    return call.argument_error("dim", "'dim' is one integer");
  }
  if (is_scalar(given)) {
    return along_dim ? paired(call, given, position_zero()) : Result<Mapped>(Mapped{{given}});
  }
  const auto shape = relax::static_shape(*relax::as_tensor(given));
  if (!shape) {
    return call.error(codes::kShapeMismatch,
                      "the number of elements of " + describe_type({given}) + " is not known");
  }
  const size_t axis = along_dim ? from_front(dims.dims->front(), *relax::as_tensor(given)) : 0;
  const int64_t extent = along_dim ? (*shape)[axis] : element_count(*shape);
  const DType dtype = *relax::as_tensor(given)->dtype;
  if (extent == 0 && !along_dim && is_float(dtype)) {
    return Mapped{{relax::constant_expr(scalar_constant(dtype, double{NAN}))}};
  }
  if (extent == 0) return call.error(codes::kShapeMismatch, "there are no elements");
  relax::Expr x = given;
  if (!along_dim && shape->size() != 1) {
    FX_TRY(flat,
           call.builder.emit(relax::op::reshape(given, {tir::int_imm(DType::Int64, extent)})));
    x = flat;
  }
  FX_TRY(both, selected(call, "median", x, {axis, (extent - 1) / 2, true}, dims.keep));
  if (along_dim) return Mapped{{both}};
  FX_TRY(value, call.emit(relax::tuple_get_item(both, 0)));
  return Mapped{value};
}

// ---- searches ----

// `right`, or `side` as in NumPy.
Result<bool> goes_right(const Call& call) {
  FX_TRY(right, call.boolean("right", false));
  if (!call.has("side")) return right;
  const auto* side = std::get_if<std::string>(&call.argument("side").value);
  if (side == nullptr || (*side != "left" && *side != "right") || (right && *side == "left")) {
    return call.argument_error("side", "'side' is 'left' or 'right' and agrees with 'right'");
  }
  return *side == "right";
}

Result<Mapped> apply_search(Call& call, std::string_view values_name,
                            std::string_view boundaries_name) {
  FX_TRY(boundaries, call.tensor(boundaries_name));
  FX_TRY(narrow, call.boolean("out_int32", false));
  FX_TRY(right, goes_right(call));
  FX_TRY(no_out, refuse_out(call));
  static_cast<void>(no_out);
  if (call.has("sorter")) {
    return call.argument_error("sorter", "sorter= is not supported: sort the boundaries before");
  }
  const relax::TensorType& type = *relax::as_tensor(boundaries);
  relax::Expr x;
  const Value& given = call.argument(values_name);
  if (const std::optional<double> number = as_number(given)) {
    x = relax::constant_expr(scalar_constant(*type.dtype, *number));
  } else {
    FX_TRY(tensor, call.tensor(values_name));
    x = tensor;
  }
  const relax::TensorType& values = *relax::as_tensor(x);
  if (values.dtype != type.dtype) {
    return call.error(codes::kDtypeMismatch, "the boundaries " + describe_type({boundaries}) +
                                                 " and the values " + describe_type({x}) +
                                                 " have one dtype");
  }
  if (type.ndim == 1) {
    FX_TRY(result, call.emit(relax::op::call(
                       "bucketize", {x, boundaries},
                       {{"out_int32", AttrValue{narrow}}, {"right", AttrValue{right}}})));
    return Mapped{result};
  }
  FX_TRY(line_shape, shaped_type(call, boundaries));
  FX_TRY(value_shape, shaped_type(call, x));
  bool fits = line_shape.ndim == value_shape.ndim && line_shape.ndim > 0;
  for (size_t i = 0; fits && i + 1 < line_shape.shape->size(); ++i) {
    const auto a = tir::as_int((*line_shape.shape)[i]), b = tir::as_int((*value_shape.shape)[i]);
    fits = !a || !b || *a == *b;
  }
  if (!fits) {
    return call.error(codes::kShapeMismatch,
                      "boundaries have one dim, or all but the last as the values have them: the "
                      "shapes are " +
                          shape_text(line_shape) + " and " + shape_text(value_shape));
  }
  FX_TRY(result,
         call.emit(call_loops(call.builder, "searchsorted", {boundaries, x},
                              {with_dtype(value_shape, narrow ? DType::Int32 : DType::Int64)},
                              [&](const LoopBuffers& in, const LoopBuffers& out) {
                                return topi::search_sorted(right, in[0], in[1], out[0]);
                              })));
  return Mapped{result};
}
Result<Mapped> map_bucketize(Call& call) { return apply_search(call, "input", "boundaries"); }
Result<Mapped> map_searchsorted(Call& call) {
  return apply_search(call, "input", "sorted_sequence");
}

constexpr std::string_view kScanArguments = "input, dim, dtype?, out?";
constexpr std::string_view kSortArguments = "input, dim?, descending?, stable?, out?";

constexpr RuleEntry kOrderingRules[] = {
    {"argsort", "map_argsort", kSortArguments, map_argsort},
    {"bucketize", "map_bucketize", "input, boundaries, out_int32?, right?, out?", map_bucketize},
    {"cummax", "map_cummax", "input, dim, out?", map_cummax},
    {"cummin", "map_cummin", "input, dim, out?", map_cummin},
    {"cumprod", "map_cumprod", kScanArguments, map_cumprod},
    {"cumsum", "map_cumsum", kScanArguments, map_cumsum},
    {"kthvalue", "map_kthvalue", "input, k, dim?, keepdim?, out?", map_kthvalue},
    {"logcumsumexp", "map_logcumsumexp", "input, dim, out?", map_logcumsumexp},
    {"median", "map_median", "input, dim?, keepdim?, out?", map_median},
    {"msort", "map_msort", "input, out?", map_msort},
    {"searchsorted", "map_searchsorted",
     "sorted_sequence, input, out_int32?, right?, side?, out?, sorter?", map_searchsorted},
    {"sort", "map_sort", kSortArguments, map_sort},
    {"topk", "map_topk", "input, k, dim?, largest?, sorted?, out?", map_topk},
};

}  // namespace

RuleTable ordering_rules() { return kOrderingRules; }

}  // namespace fx2wasm::translate
