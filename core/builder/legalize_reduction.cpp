// Which tensor expressions stand for reductions, scans, orderings.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "builder/legalize_family.h"
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

Answer fold_sum(const Legalization& l) {
  return fold_te(l, 0, [&](const te::Tensor& x) {
    return topi::reduce(topi::Reduction::Sum, x, fold_axes(l));
  });
}

Answer fold_prod(const Legalization& l) {
  return fold_te(l, 1, [&](const te::Tensor& x) {
    return topi::reduce(topi::Reduction::Prod, x, fold_axes(l));
  });
}

Answer fold_extreme(const Legalization& l, topi::ExtremeStart start) {
  const auto op = l.call.op->name == "max" ? topi::Reduction::Max : topi::Reduction::Min;
  return fold_te(l, std::nullopt,
                 [&](const te::Tensor& x) { return topi::reduce(op, x, fold_axes(l), start); });
}
Answer finite_extreme(const Legalization& l) { return fold_extreme(l, topi::ExtremeStart::Finite); }
Answer exact_extreme(const Legalization& l) {
  return fold_extreme(l, topi::ExtremeStart::Infinite);
}

Answer fold_mean(const Legalization& l) {
  return fold_te(l, NAN, [&](const te::Tensor& x) { return topi::mean(x, fold_axes(l)); });
}

Answer fold_variance(const Legalization& l) {
  return fold_te(l, NAN, [&](const te::Tensor& x) { return topi::variance(x, fold_axes(l)); });
}

Answer fold_deviation(const Legalization& l) {
  return fold_te(l, NAN,
                 [&](const te::Tensor& x) { return topi::standard_deviation(x, fold_axes(l)); });
}

Answer fold_position(const Legalization& l) {
  return fold_te(l, std::nullopt, [&](const te::Tensor& x) {
    return topi::arg_extreme(l.call.op->name == "argmax", x, fold_axes(l));
  });
}

constexpr Entry kReductionEntries[] = {
    {"argmax", fold_position}, {"argmin", fold_position}, {"max", finite_extreme},
    {"mean", fold_mean},       {"min", finite_extreme},   {"prod", fold_prod},
    {"std", fold_deviation},   {"sum", fold_sum},         {"variance", fold_variance},
};

}  // namespace

std::optional<Answer> own_reduction(const Legalization& l) {
  if (l.call.op->name == "max" || l.call.op->name == "min") return exact_extreme(l);
  return std::nullopt;
}

std::optional<Answer> reduction(const Legalization& l) {
  for (const Entry& entry : kReductionEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
