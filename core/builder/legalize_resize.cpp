// Which tensor expressions stand for einsum, outer products, attention, resizing.
#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "ir/tir_build.h"
#include "topi/attention.h"
#include "topi/einsum.h"
#include "topi/resize.h"

namespace fx2wasm::legalize {
namespace {

Answer outer_te(const Legalization& l) {
  return l.builder.call_te(
      [](const TeValueList& args) {
        return Result<Tensors>(Tensors{topi::outer(tensor(args, 0), tensor(args, 1))});
      },
      "outer", arguments(l.call));
}

Answer einsum_te(const Legalization& l) {
  const auto* tuple = std::get_if<relax::Tuple>(&l.call.args[0]->kind);
  const relax::TupleType* type = relax::as_tuple(l.call.args[0]->type);
  TeArgumentList args;
  std::vector<size_t> ranks;
  for (size_t i = 0; i < type->fields.size(); ++i) {
    args.push_back({tuple != nullptr ? tuple->fields[i]
                                     : relax::tuple_get_item(l.call.args[0], static_cast<int>(i))});
    ranks.push_back(relax::as_tensor(type->fields[i])->shape->size());
  }
  FX_TRY(subscripts, topi::parse_subscripts(infer::string_attr(l.call, "subscripts"), ranks));
  return l.builder.call_te(
      [&](const TeValueList& values) {
        Tensors operands;
        for (size_t i = 0; i < values.size(); ++i) operands.push_back(tensor(values, i));
        return Result<Tensors>(Tensors{topi::einsum(subscripts, operands)});
      },
      "einsum", args);
}

Answer resize_te(const Legalization& l) {
  topi::ResizeAttrs attrs;
  attrs.layout = infer::string_attr(l.call, "layout");
  attrs.method = infer::string_attr(l.call, "method");
  attrs.coordinates = infer::string_attr(l.call, "coordinate_transformation_mode");
  attrs.rounding = infer::string_attr(l.call, "rounding_method");
  const AttrValue* alpha = find_attr(l.call.attrs, "cubic_alpha");
  if (const auto* number = std::get_if<double>(&alpha->value)) attrs.cubic_alpha = *number;
  const bool image = l.call.op->name == "image.resize2d";
  return l.builder.call_te(
      [&](const TeValueList& args) {
        std::vector<tir::PrimExpr> size;
        for (const TeValue& value : std::get<TeValueList>(args[1].value)) {
          size.push_back(std::get<tir::PrimExpr>(value.value));
        }
        return Result<Tensors>(Tensors{topi::resize(tensor(args, 0), size, attrs)});
      },
      image ? "resize2d" : "resize3d", arguments(l.call));
}

Answer grid_sample_te(const Legalization& l) {
  topi::GridSampleAttrs attrs;
  attrs.method = infer::string_attr(l.call, "method");
  attrs.padding_mode = infer::string_attr(l.call, "padding_mode");
  attrs.align_corners = infer::bool_attr(l.call, "align_corners");
  return l.builder.call_te(
      [&](const TeValueList& args) {
        return Result<Tensors>(Tensors{topi::grid_sample(tensor(args, 0), tensor(args, 1), attrs)});
      },
      "grid_sample", arguments(l.call));
}

Answer pixel_shuffle_te(const Legalization& l) {
  const int64_t factor = infer::int_attr(l.call, "upscale_factor");
  return unary_te(l, "pixel_shuffle",
                  [&](const te::Tensor& x) { return topi::pixel_shuffle(x, factor); });
}

Answer attention_te(const Legalization& l) {
  topi::AttentionAttrs attrs;
  const AttrValue* scale = find_attr(l.call.attrs, "scale");
  if (const auto* number = std::get_if<AttrFloat32>(&scale->value)) attrs.scale = number->value;
  if (const auto* number = std::get_if<double>(&scale->value)) attrs.scale = *number;
  const AttrValue* causal = find_attr(l.call.attrs, "causal_mask");
  if (const auto* name = std::get_if<std::string>(&causal->value)) attrs.causal_mask = *name;
  const AttrValue* window = find_attr(l.call.attrs, "window_size");
  const relax::TensorType* key = relax::as_tensor(l.call.args[1]);
  const bool known_lengths =
      tir::as_int((*l.out->shape)[1]).has_value() && tir::as_int((*key->shape)[1]).has_value();
  if (!std::holds_alternative<AttrNone>(window->value) ||
      (attrs.causal_mask == "BottomRight" && !known_lengths)) {
    return relax::Expr();
  }
  const bool biased = l.call.args.size() > 3;
  return l.builder.call_te(
      [&](const TeValueList& args) {
        const std::optional<te::Tensor> bias =
            biased ? std::optional(tensor(args, 3)) : std::nullopt;
        return Result<Tensors>(Tensors{
            topi::attention(tensor(args, 0), tensor(args, 1), tensor(args, 2), bias, attrs)});
      },
      biased ? "attention_bias" : "attention", arguments(l.call));
}

constexpr Entry kResizeEntries[] = {
    {"image.grid_sample", grid_sample_te},  {"einsum", einsum_te},
    {"nn.attention", attention_te},         {"nn.attention_bias", attention_te},
    {"image.resize2d", resize_te},          {"image.resize3d", resize_te},
    {"nn.pixel_shuffle", pixel_shuffle_te}, {"outer", outer_te},
};

}  // namespace

std::optional<Answer> resize(const Legalization& l) {
  for (const Entry& entry : kResizeEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
