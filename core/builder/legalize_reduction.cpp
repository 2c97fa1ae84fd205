// Which tensor expressions stand for reductions, scans, orderings.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "builder/legalize_scatter.h"
#include "ir/tir_build.h"
#include "topi/reduction.h"

namespace fx2wasm::legalize {
namespace {

topi::ReduceAxes fold_axes(const Legalization& l) {
  const int rank = relax::as_tensor(l.call.args[0])->ndim;
  topi::ReduceAxes axes;
  axes.keep = infer::bool_attr(l.call, "keepdims");
  for (int64_t axis : infer::optional_ints_attr(l.call, "axis").value_or(std::vector<int64_t>{})) {
    axes.axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  }
  return axes;
}

// Whether an axis that is folded is known to have no elements.
bool folds_nothing(const Legalization& l) {
  const auto& shape = *relax::as_tensor(l.call.args[0])->shape;
  const std::vector<int> axes = fold_axes(l).axes;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool folded =
        axes.empty() || std::count(axes.begin(), axes.end(), static_cast<int>(i)) != 0;
    if (folded && tir::is_zero(shape[i])) return true;
  }
  return false;
}

// The result of folding no elements, everywhere.
Answer full_te(const Legalization& l, double value) {
  return l.builder.call_te(
      [&](const TeValueList& args) {
        std::vector<tir::PrimExpr> shape;
        for (const TeValue& extent : std::get<TeValueList>(args[0].value)) {
          shape.push_back(std::get<tir::PrimExpr>(extent.value));
        }
        const DType dtype = *l.out->dtype;
        return Result<Tensors>(
            Tensors{topi::full(std::move(shape), dtype, tir::const_of(dtype, value))});
      },
      "full", {{relax::shape_expr(*l.out->shape)}});
}

// Calls a tensor expression of the first argument; PyTorch's answer where there are no elements.
template <class Function>
Answer fold_te(const Legalization& l, std::optional<double> of_nothing, const Function& function) {
  if (of_nothing && folds_nothing(l)) return full_te(l, *of_nothing);
  return unary_te(l, std::string(l.call.op->name), function);
}

Answer fold_with(const Legalization& l, const topi::FoldStyle& style) {
  const std::string_view op = l.call.op->name;
  const topi::ReduceAxes axes = fold_axes(l);
  const auto reduction = [&](topi::Reduction kind) {
    return
        [&axes, &style, kind](const te::Tensor& x) { return topi::reduce(kind, x, axes, style); };
  };
  if (op == "sum") return fold_te(l, 0, reduction(topi::Reduction::Sum));
  if (op == "prod") return fold_te(l, 1, reduction(topi::Reduction::Prod));
  if (op == "max") return fold_te(l, std::nullopt, reduction(topi::Reduction::Max));
  if (op == "min") return fold_te(l, std::nullopt, reduction(topi::Reduction::Min));
  return fold_te(l, NAN, [&](const te::Tensor& x) {
    if (op == "mean") return topi::mean(x, axes, style);
    if (op == "variance") return topi::variance(x, axes, style);
    return topi::standard_deviation(x, axes, style);
  });
}
Answer fold_as_tvm(const Legalization& l) { return fold_with(l, {}); }

Answer fold_position(const Legalization& l) {
  return fold_te(l, std::nullopt, [&](const te::Tensor& x) {
    return topi::arg_extreme(l.call.op->name == "argmax", x, fold_axes(l));
  });
}

constexpr Entry kReductionEntries[] = {
    {"argmax", fold_position}, {"argmin", fold_position}, {"bucketize", searchsorted_loops},
    {"max", fold_as_tvm},      {"mean", fold_as_tvm},     {"min", fold_as_tvm},
    {"prod", fold_as_tvm},     {"std", fold_as_tvm},      {"sum", fold_as_tvm},
    {"variance", fold_as_tvm},
};

}  // namespace

std::optional<Answer> own_reduction(const Legalization& l) {
  for (const Entry& entry : kReductionEntries) {
    if (entry.op == l.call.op->name && entry.rule == fold_as_tvm) {
      return fold_with(l, topi::kExactFold);
    }
  }
  return std::nullopt;
}

std::optional<Answer> reduction(const Legalization& l) {
  for (const Entry& entry : kReductionEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
