// Which tensor expressions stand for reductions, choices and normalisations.
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "support/check.h"
#include "topi/reduction.h"

namespace fx2wasm::legalize {
namespace {

int positive_axis_of(const Legalization& l, std::string_view name) {
  const int64_t axis = infer::int_attr(l.call, name);
  const int rank = relax::as_tensor(l.call.args[0])->ndim;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::vector<int> positive_axes_of(const Legalization& l, std::string_view name) {
  const int rank = relax::as_tensor(l.call.args[0])->ndim;
  std::vector<int> axes;
  for (int64_t axis : infer::optional_ints_attr(l.call, name).value_or(std::vector<int64_t>{})) {
    axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  }
  return axes;
}

topi::ReduceAxes reduce_axes(const Legalization& l) {
  return {positive_axes_of(l, "axis"), infer::bool_attr(l.call, "keepdims")};
}

double real_attr(const Legalization& l, std::string_view name) {
  const AttrValue* value = find_attr(l.call.attrs, name);
  FX_CHECK(value != nullptr, "the operator has the attribute");
  if (const auto* number = std::get_if<double>(&value->value)) return *number;
  const auto* number = std::get_if<int64_t>(&value->value);
  FX_CHECK(number != nullptr, "the attribute is a number");
  return static_cast<double>(*number);
}

// Calls a tensor expression of all arguments.
template <class Function>
Answer tensors_te(const Legalization& l, const std::string& name, const Function& function) {
  return l.builder.call_te([&](const TeValueList& args) { return Result<Tensors>(function(args)); },
                           name, arguments(l.call));
}

Answer reduce(const Legalization& l, topi::Reduction op) {
  return unary_te(l, std::string(l.call.op->name),
                  [&](const te::Tensor& x) { return topi::reduce(op, x, reduce_axes(l)); });
}
Answer sum(const Legalization& l) { return reduce(l, topi::Reduction::Sum); }
Answer prod(const Legalization& l) { return reduce(l, topi::Reduction::Prod); }
Answer max(const Legalization& l) { return reduce(l, topi::Reduction::Max); }
Answer min(const Legalization& l) { return reduce(l, topi::Reduction::Min); }

Answer mean(const Legalization& l) {
  return unary_te(l, "mean", [&](const te::Tensor& x) { return topi::mean(x, reduce_axes(l)); });
}
Answer variance(const Legalization& l) {
  return unary_te(l, "variance",
                  [&](const te::Tensor& x) { return topi::variance(x, reduce_axes(l)); });
}
Answer standard_deviation(const Legalization& l) {
  return unary_te(l, "std", [&](const te::Tensor& x) {
    return topi::unary(tir::Intrinsic::Sqrt, topi::variance(x, reduce_axes(l)));
  });
}

Answer arg_extreme(const Legalization& l) {
  const bool largest = l.call.op->name == "argmax";
  return unary_te(l, std::string(l.call.op->name), [&](const te::Tensor& x) {
    return topi::arg_extreme(largest, x, reduce_axes(l));
  });
}

Answer where(const Legalization& l) {
  return tensors_te(l, "where", [](const TeValueList& args) {
    return Tensors{topi::where(tensor(args, 0), tensor(args, 1), tensor(args, 2))};
  });
}

Answer gather_elements(const Legalization& l) {
  const int axis = positive_axis_of(l, "axis");
  return tensors_te(l, "gather", [&](const TeValueList& args) {
    return Tensors{topi::gather(tensor(args, 0), axis, tensor(args, 1))};
  });
}

topi::Affine affine(const TeValueList& args) { return {tensor(args, 1), tensor(args, 2)}; }

Answer layer_norm(const Legalization& l) {
  return tensors_te(l, "layer_norm", [&](const TeValueList& args) {
    return Tensors{topi::layer_norm(tensor(args, 0), affine(args), positive_axes_of(l, "axes"),
                                    real_attr(l, "epsilon"))};
  });
}

Answer instance_norm(const Legalization& l) {
  return tensors_te(l, "instance_norm", [&](const TeValueList& args) {
    return Tensors{topi::instance_norm(tensor(args, 0), affine(args),
                                       positive_axis_of(l, "channel_axis"),
                                       positive_axes_of(l, "axes"), real_attr(l, "epsilon"))};
  });
}

Answer group_norm(const Legalization& l) {
  return tensors_te(l, "group_norm", [&](const TeValueList& args) {
    return Tensors{topi::group_norm(
        tensor(args, 0), affine(args), infer::int_attr(l.call, "num_groups"),
        positive_axis_of(l, "channel_axis"), positive_axes_of(l, "axes"), real_attr(l, "epsilon"))};
  });
}

Answer batch_norm(const Legalization& l) {
  const topi::BatchNorm settings{positive_axis_of(l, "axis"), real_attr(l, "epsilon"),
                                 real_attr(l, "momentum"), infer::bool_attr(l.call, "training")};
  return tensors_te(l, "batch_norm", [&](const TeValueList& args) {
    return topi::batch_norm(tensor(args, 0), affine(args), tensor(args, 3), tensor(args, 4),
                            settings);
  });
}

Answer nll_loss(const Legalization& l) {
  const bool weighted = l.call.args.size() > 2;
  return tensors_te(l, weighted ? "nll_loss" : "nll_loss_without_weight",
                    [&](const TeValueList& args) {
                      const auto weights = weighted ? std::optional(tensor(args, 2)) : std::nullopt;
                      return Tensors{topi::nll_loss(tensor(args, 0), tensor(args, 1), weights,
                                                    infer::string_attr(l.call, "reduction"),
                                                    infer::int_attr(l.call, "ignore_index"))};
                    });
}

constexpr Entry kReductionEntries[] = {
    {"argmax", arg_extreme},
    {"argmin", arg_extreme},
    {"gather_elements", gather_elements},
    {"max", max},
    {"mean", mean},
    {"min", min},
    {"nn.batch_norm", batch_norm},
    {"nn.group_norm", group_norm},
    {"nn.instance_norm", instance_norm},
    {"nn.layer_norm", layer_norm},
    {"nn.nll_loss", nll_loss},
    {"prod", prod},
    {"std", standard_deviation},
    {"sum", sum},
    {"variance", variance},
    {"where", where},
};

}  // namespace

std::optional<Answer> reduction(const Legalization& l) {
  for (const Entry& entry : kReductionEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
