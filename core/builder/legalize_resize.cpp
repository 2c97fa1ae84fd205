// Which tensor expressions stand for einsum, outer products, attention, resizing.
#include "builder/infer_common.h"
#include "builder/legalize_family.h"
#include "topi/einsum.h"

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

constexpr Entry kResizeEntries[] = {
    {"einsum", einsum_te},
    {"outer", outer_te},
};

}  // namespace

std::optional<Answer> resize(const Legalization& l) {
  for (const Entry& entry : kResizeEntries) {
    if (entry.op == l.call.op->name) return entry.rule(l);
  }
  return std::nullopt;
}

}  // namespace fx2wasm::legalize
