// Which tensor expressions stand for normalisations and losses.
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/normalization.h"

namespace fx2wasm::legalize {
namespace {

double number_of_norm(const Legalization& l, std::string_view name) {
  const AttrValue* value = find_attr(l.call.attrs, name);
  FX_CHECK(value != nullptr, "a normalisation has this attribute");
  if (const auto* whole = std::get_if<int64_t>(&value->value)) return static_cast<double>(*whole);
  return std::get<double>(value->value);
}
double epsilon_of(const Legalization& l) { return number_of_norm(l, "epsilon"); }

int data_axis(const Legalization& l, std::string_view name) {
  const int64_t axis = infer::int_attr(l.call, name);
  return static_cast<int>(axis < 0 ? axis + relax::as_tensor(l.call.args[0])->ndim : axis);
}

std::vector<int> normalized_axes(const Legalization& l) {
  std::vector<int> axes;
  const int rank = relax::as_tensor(l.call.args[0])->ndim;
  for (int64_t axis : infer::ints_attr(l.call, "axes")) {
    axes.push_back(static_cast<int>(axis < 0 ? axis + rank : axis));
  }
  return axes;
}

topi::NormForm form_of(const Legalization& l) {
  return l.builder.legalize_mode() == LegalizeMode::Complete ? topi::NormForm::Exact
                                                             : topi::NormForm::Tvm;
}

topi::Affine affine_of(const TeValueList& args) { return {tensor(args, 1), tensor(args, 2)}; }

// Calls a tensor expression of all arguments.
template <class Function>
Answer norm_te(const Legalization& l, const std::string& name, const Function& function) {
  return l.builder.call_te([&](const TeValueList& args) { return Result<Tensors>(function(args)); },
                           name, arguments(l.call));
}

Answer layer_norm_te(const Legalization& l) {
  return norm_te(l, "layer_norm", [&](const TeValueList& args) {
    return Tensors{topi::layer_norm(tensor(args, 0), affine_of(args), normalized_axes(l),
                                    epsilon_of(l), form_of(l))};
  });
}

Answer rms_norm_te(const Legalization& l) {
  return norm_te(l, "rms_norm", [&](const TeValueList& args) {
    return Tensors{
        topi::rms_norm(tensor(args, 0), tensor(args, 1), normalized_axes(l), epsilon_of(l))};
  });
}

Answer instance_norm_te(const Legalization& l) {
  return norm_te(l, "instance_norm", [&](const TeValueList& args) {
    return Tensors{topi::instance_norm(tensor(args, 0), affine_of(args),
                                       data_axis(l, "channel_axis"), normalized_axes(l),
                                       epsilon_of(l), form_of(l))};
  });
}

Answer group_norm_te(const Legalization& l) {
  return norm_te(l, "group_norm", [&](const TeValueList& args) {
    return Tensors{topi::group_norm(
        tensor(args, 0), affine_of(args), infer::int_attr(l.call, "num_groups"),
        data_axis(l, "channel_axis"), normalized_axes(l), epsilon_of(l), form_of(l))};
  });
}

Answer batch_norm_te(const Legalization& l) {
  const topi::BatchNorm settings{data_axis(l, "axis"), epsilon_of(l), number_of_norm(l, "momentum"),
                                 infer::bool_attr(l.call, "training"), form_of(l)};
  return norm_te(l, "batch_norm", [&](const TeValueList& args) {
    return topi::batch_norm(tensor(args, 0), affine_of(args), tensor(args, 3), tensor(args, 4),
                            settings);
  });
}

Answer nll_loss_te(const Legalization& l) {
  const std::string name = infer::string_attr(l.call, "reduction");
  const topi::LossReduction reduction = name == "none"  ? topi::LossReduction::None
                                        : name == "sum" ? topi::LossReduction::Sum
                                                        : topi::LossReduction::Mean;
  const bool weighted = l.call.args.size() > 2;
  const int64_t ignored = infer::int_attr(l.call, "ignore_index");
  return norm_te(
      l, weighted ? "nll_loss" : "nll_loss_without_weight", [&](const TeValueList& args) {
        const te::Tensor& predictions = tensor(args, 0);
        const std::vector<tir::PrimExpr> shape = te::shape_of(predictions);
        const DType dtype = te::dtype_of(predictions);
        const te::Tensor weights = weighted ? tensor(args, 2)
                                            : topi::full({shape[shape.size() > 1 ? 1 : 0]}, dtype,
                                                         tir::const_of(dtype, 1));
        return Tensors{
            topi::nll_loss(predictions, tensor(args, 1), weights, reduction, ignored, form_of(l))};
      });
}

constexpr Entry kNormalizationEntries[] = {
    {"nn.batch_norm", batch_norm_te},       {"nn.group_norm", group_norm_te},
    {"nn.instance_norm", instance_norm_te}, {"nn.layer_norm", layer_norm_te},
    {"nn.nll_loss", nll_loss_te},           {"nn.rms_norm", rms_norm_te},
};

}  // namespace

std::optional<Answer> normalization(const Legalization& l) {
  for (const Entry& entry : kNormalizationEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
