// Which tensor expressions stand for reads and writes at positions.
#include <algorithm>

#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "builder/legalize_scatter.h"
#include "builder/slice_range.h"
#include "ir/tir_build.h"
#include "topi/indexing.h"

namespace fx2wasm::legalize {
namespace {

const relax::Expr kStays;

template <class Function>
Answer each_te(const Legalization& l, const std::string& name, TeArgumentList args,
               const Function& function) {
  return l.builder.call_te(
      [&](const TeValueList& values) { return Result<Tensors>(function(values)); }, name, args);
}

Answer take_te(const Legalization& l) {
  const auto given = infer::optional_ints_attr(l.call, "axis");
  const auto axis = given ? std::optional(static_cast<int>(given->front())) : std::nullopt;
  return each_te(l, "take", arguments(l.call), [&](const TeValueList& args) {
    return Tensors{topi::take(tensor(args, 0), tensor(args, 1), axis)};
  });
}

Answer gather_te(const Legalization& l) {
  const auto axis = static_cast<int>(infer::int_attr(l.call, "axis"));
  return each_te(l, "gather", arguments(l.call), [&](const TeValueList& args) {
    return Tensors{topi::gather(tensor(args, 0), tensor(args, 1), axis)};
  });
}

// The values of a tuple of sizes; nothing where one is not a size that stands there.
std::optional<std::vector<tir::PrimExpr>> sizes_in(const relax::Expr& expr) {
  const auto* tuple = std::get_if<relax::Tuple>(&expr->kind);
  if (tuple == nullptr) return std::nullopt;
  std::vector<tir::PrimExpr> values;
  for (const relax::Expr& field : tuple->fields) {
    const auto* value = std::get_if<relax::PrimValue>(&field->kind);
    if (value == nullptr) return std::nullopt;
    values.push_back(value->value);
  }
  return values;
}

bool all_known(const std::vector<tir::PrimExpr>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](const tir::PrimExpr& value) { return tir::as_int(value).has_value(); });
}

Answer strided_slice_te(const Legalization& l) {
  const auto axes = sizes_in(l.call.args[1]), begin = sizes_in(l.call.args[2]),
             end = sizes_in(l.call.args[3]);
  if (!axes || !begin || !end) return kStays;
  std::vector<tir::PrimExpr> steps(axes->size(), infer::extent_of(1));
  if (l.call.args.size() > 4) {
    const auto given = sizes_in(l.call.args[4]);
    if (!given) return kStays;
    steps = *given;
  }
  const relax::TensorType& x = *relax::as_tensor(l.call.args[0]);
  if (!all_known(*axes) || !all_known(steps)) return kStays;
  const bool dynamic = !all_known(*x.shape) || !all_known(*begin) || !all_known(*end);
  // The bounds are passed as a shape: their symbols are copied with the tensor's.
  std::vector<tir::PrimExpr> bounds = *begin;
  bounds.insert(bounds.end(), end->begin(), end->end());
  return each_te(l, "strided_slice", {{l.call.args[0]}, {relax::shape_expr(std::move(bounds))}},
                 [&](const TeValueList& args) {
                   const te::Tensor& data = tensor(args, 0);
                   const auto& given = std::get<TeValueList>(args[1].value);
                   const std::vector<tir::PrimExpr> own = te::shape_of(data);
                   std::vector<topi::SliceAxis> slices;
                   for (size_t i = 0; i < axes->size(); ++i) {
                     const int64_t axis = *tir::as_int((*axes)[i]);
                     topi::SliceAxis slice;
                     slice.axis = static_cast<size_t>(axis < 0 ? axis + x.ndim : axis);
                     slice.step = *tir::as_int(steps[i]);
                     const infer::SliceRange range = infer::slice_range(
                         own[slice.axis], std::get<tir::PrimExpr>(given[i].value),
                         std::get<tir::PrimExpr>(given[i + axes->size()].value), slice.step);
                     slice.first = range.first;
                     slice.length = range.length;
                     slices.push_back(std::move(slice));
                   }
                   return Tensors{topi::strided_slice(data, slices, dynamic)};
                 });
}

TeArgumentList tuple_fields(const relax::Expr& expr) {
  TeArgumentList fields;
  if (const auto* tuple = std::get_if<relax::Tuple>(&expr->kind)) {
    for (const relax::Expr& field : tuple->fields) fields.push_back({field});
    return fields;
  }
  const size_t count = relax::as_tuple(expr->type)->fields.size();
  for (size_t i = 0; i < count; ++i) {
    fields.push_back({relax::tuple_get_item(expr, static_cast<int>(i))});
  }
  return fields;
}

Answer index_tensor_te(const Legalization& l) {
  TeArgumentList args = tuple_fields(l.call.args[1]);
  args.insert(args.begin(), {l.call.args[0]});
  return each_te(l, "index_tensor", args, [&](const TeValueList& values) {
    Tensors indices;
    for (size_t i = 1; i < values.size(); ++i) indices.push_back(tensor(values, i));
    return Tensors{topi::index_tensor(tensor(values, 0), indices)};
  });
}

Answer meshgrid_te(const Legalization& l) {
  const AttrValue* indexing = find_attr(l.call.attrs, "indexing");
  const auto* text = std::get_if<std::string>(&indexing->value);
  const TeArgumentList lines = tuple_fields(l.call.args[0]);
  const bool swapped = text != nullptr && *text == "xy" && lines.size() > 1;
  return each_te(l, "meshgrid", lines, [&](const TeValueList& values) {
    Tensors tensors;
    for (size_t i = 0; i < values.size(); ++i) tensors.push_back(tensor(values, i));
    return topi::meshgrid(tensors, swapped);
  });
}

Answer one_hot_te(const Legalization& l) {
  const int64_t depth = infer::int_attr(l.call, "depth");
  const auto axis = static_cast<int>(infer::int_attr(l.call, "axis"));
  return each_te(l, "one_hot", arguments(l.call), [&](const TeValueList& args) {
    return Tensors{topi::one_hot(tensor(args, 0), std::get<tir::PrimExpr>(args[1].value),
                                 std::get<tir::PrimExpr>(args[2].value), depth, axis)};
  });
}

Answer slice_scatter_symbolic(const Legalization& l, const std::vector<tir::PrimExpr>& bounds,
                              size_t axis, int64_t step) {
  return each_te(l, "slice_scatter",
                 {{l.call.args[0]}, {l.call.args[1]}, {relax::shape_expr({bounds[0], bounds[1]})}},
                 [&](const TeValueList& args) {
                   const te::Tensor& data = tensor(args, 0);
                   const auto& given = std::get<TeValueList>(args[2].value);
                   const infer::SliceRange range = infer::slice_range(
                       te::shape_of(data)[axis], std::get<tir::PrimExpr>(given[0].value),
                       std::get<tir::PrimExpr>(given[1].value), step);
                   const topi::SliceAxis slice{axis, range.first, range.length, step};
                   return Tensors{topi::slice_scatter_dynamic(data, tensor(args, 1), slice)};
                 });
}

Answer slice_scatter_te(const Legalization& l) {
  const relax::TensorType& x = *relax::as_tensor(l.call.args[0]);
  const int64_t given = infer::int_attr(l.call, "axis");
  const auto axis = static_cast<size_t>(given < 0 ? given + x.ndim : given);
  std::vector<tir::PrimExpr> bounds;
  for (size_t i = 2; i < 5; ++i) {
    const auto* value = std::get_if<relax::PrimValue>(&l.call.args[i]->kind);
    if (value == nullptr) return kStays;
    bounds.push_back(value->value);
  }
  const auto begin = tir::as_int(bounds[0]), end = tir::as_int(bounds[1]),
             step = tir::as_int(bounds[2]), size = tir::as_int((*x.shape)[axis]);
  if (!step) return kStays;
  if (!begin || !end || !size) return slice_scatter_symbolic(l, bounds, axis, *step);
  const infer::SliceRange range = infer::slice_range((*x.shape)[axis], bounds[0], bounds[1], *step);
  const int64_t first = *tir::as_int(range.first);
  const int64_t last = std::clamp<int64_t>(*end < 0 ? *end + *size : *end, 0, *size);
  return each_te(l, "slice_scatter", {{l.call.args[0]}, {l.call.args[1]}},
                 [&](const TeValueList& args) {
                   return Tensors{topi::slice_scatter(tensor(args, 0), tensor(args, 1), first, last,
                                                      *step, static_cast<int>(axis))};
                 });
}

constexpr Entry kIndexingRules[] = {
    {"gather_elements", gather_te},
    {"index_put", index_put_loops},
    {"index_tensor", index_tensor_te},
    {"meshgrid", meshgrid_te},
    {"one_hot", one_hot_te},
    {"scatter_elements", scatter_elements_loops},
    {"slice_scatter", slice_scatter_te},
    {"strided_slice", strided_slice_te},
    {"take", take_te},
};

}  // namespace

std::optional<Answer> indexing(const Legalization& l) {
  for (const Entry& entry : kIndexingRules) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
