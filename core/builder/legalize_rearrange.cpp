// Which tensor expressions stand for joining, splitting, repeating, mirroring and padding.
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "ir/tir_build.h"
#include "topi/common.h"
#include "topi/padding.h"
#include "topi/rearrange.h"

namespace fx2wasm::legalize {
namespace {

// The tensors of a call's tuple as arguments of their own.
Result<TeArgumentList> tuple_arguments(const Legalization& l) {
  TeArgumentList args;
  if (const relax::Expr written = l.builder.written_tuple(l.call.args[0])) {
    for (const relax::Expr& field : std::get<relax::Tuple>(written->kind).fields) {
      args.push_back({field});
    }
    return args;
  }
  const size_t count = relax::as_tuple(l.call.args[0]->type)->fields.size();
  for (size_t i = 0; i < count; ++i) {
    FX_TRY(field, l.builder.emit(relax::tuple_get_item(l.call.args[0], static_cast<int>(i))));
    args.push_back({field});
  }
  return args;
}

using JoinTe = te::Tensor (*)(const Tensors& parts, size_t axis);

Answer join_te(const Legalization& l, const std::string& name, JoinTe join) {
  FX_TRY(args, tuple_arguments(l));
  const auto axis = static_cast<int>(infer::int_attr(l.call, "axis"));
  const size_t at = topi::positive_axis(axis, static_cast<size_t>(l.out->ndim));
  return l.builder.call_te(
      [&](const TeValueList& values) {
        Tensors parts;
        for (size_t i = 0; i < values.size(); ++i) parts.push_back(tensor(values, i));
        return Result<Tensors>(Tensors{join(parts, at)});
      },
      name, args);
}

Answer concat_te(const Legalization& l) { return join_te(l, "concatenate", topi::concatenate); }
Answer stack_te(const Legalization& l) { return join_te(l, "stack", topi::stack); }

size_t axis_of_first(const Legalization& l) {
  const auto rank = static_cast<size_t>(relax::as_tensor(l.call.args[0])->ndim);
  return topi::positive_axis(static_cast<int>(infer::int_attr(l.call, "axis")), rank);
}

Answer split_te(const Legalization& l) {
  const size_t axis = axis_of_first(l);
  const AttrValue* attr = find_attr(l.call.attrs, "indices_or_sections");
  const bool by_positions = std::holds_alternative<AttrList>(attr->value);
  const std::vector<int64_t> numbers = infer::ints_attr(l.call, "indices_or_sections");
  return l.builder.call_te(
      [&](const TeValueList& args) {
        const te::Tensor& x = tensor(args, 0);
        const tir::PrimExpr extent = te::shape_of(x)[axis];
        std::vector<tir::PrimExpr> begins = {infer::extent_of(0)};
        if (by_positions) {
          for (const int64_t position : numbers) begins.push_back(infer::extent_of(position));
          return Result<Tensors>(topi::split(x, begins, axis, "T_split"));
        }
        const tir::PrimExpr count = infer::extent_of(numbers[0]);
        const tir::PrimExpr size =
            tir::floordiv(tir::add(extent, infer::extent_of(numbers[0] - 1)), count);
        for (int64_t i = 1; i < numbers[0]; ++i) {
          begins.push_back(tir::mul(size, infer::extent_of(i)));
        }
        return Result<Tensors>(topi::split(x, begins, axis, "T_split_sections"));
      },
      "split", {{l.call.args[0]}});
}

Answer tile_te(const Legalization& l) {
  const std::vector<int64_t> repeats = infer::ints_attr(l.call, "repeats");
  return unary_te(l, "tile", [&](const te::Tensor& x) { return topi::tile(x, repeats); });
}

Answer flip_te(const Legalization& l) {
  return unary_te(l, "flip", [&](const te::Tensor& x) { return topi::flip(x, axis_of_first(l)); });
}

Answer triangle_te(const Legalization& l) {
  const bool upper = l.call.op->name == "triu";
  return l.builder.call_te(
      [&](const TeValueList& args) {
        const auto& diagonal = std::get<tir::PrimExpr>(args[1].value);
        return Result<Tensors>(Tensors{topi::triangle(tensor(args, 0), diagonal, upper)});
      },
      std::string(l.call.op->name), arguments(l.call));
}

tir::PrimExpr pad_value_of(const Legalization& l, DType dtype) {
  const AttrValue* attr = find_attr(l.call.attrs, "pad_value");
  const auto* truth = std::get_if<double>(&attr->value);
  if (dtype == DType::Bool && truth != nullptr) return tir::bool_imm(*truth != 0);
  const auto* real = std::get_if<double>(&attr->value);
  if (real != nullptr) return tir::const_of(dtype, *real);
  const auto* integer = std::get_if<int64_t>(&attr->value);
  return tir::const_of(dtype, integer == nullptr ? 0 : static_cast<double>(*integer));
}

Answer pad_te(const Legalization& l) {
  const std::vector<int64_t> widths = infer::ints_attr(l.call, "pad_width");
  std::vector<int64_t> before, after;
  for (size_t i = 0; i < widths.size(); i += 2) {
    before.push_back(widths[i]);
    after.push_back(widths[i + 1]);
  }
  const std::string mode = infer::string_attr(l.call, "pad_mode");
  constexpr std::pair<std::string_view, topi::BorderMode> kModes[] = {
      {"reflect", topi::BorderMode::Reflect},
      {"replicate", topi::BorderMode::Replicate},
      {"circular", topi::BorderMode::Circular},
  };
  for (const auto& [name, border] : kModes) {
    if (name != mode) continue;
    return unary_te(l, mode + "_pad", [&, border = border](const te::Tensor& x) {
      return topi::pad_with_own(x, before, after, border);
    });
  }
  return unary_te(l, "pad", [&](const te::Tensor& x) {
    const tir::PrimExpr value = pad_value_of(l, te::dtype_of(x));
    return topi::pad(x, before, after, value, topi::PadStyle::Python, "PadInput");
  });
}

constexpr Entry kRearrangeRules[] = {
    {"concat", concat_te}, {"flip", flip_te}, {"nn.pad", pad_te},    {"split", split_te},
    {"stack", stack_te},   {"tile", tile_te}, {"tril", triangle_te}, {"triu", triangle_te},
};

}  // namespace

std::optional<Answer> rearrange(const Legalization& l) {
  for (const Entry& entry : kRearrangeRules) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
