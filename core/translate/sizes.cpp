// Values that are known while translating: integers, symbolic sizes, lists of them.
#include <algorithm>

#include "ir/relax_build.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/getitem.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

Result<Value> shape_of(const Call& call, const Value& value) {
  const relax::TensorType* type = as_tensor(value);
  if (type == nullptr) {
    return call.error(codes::kArgument, describe(value) + " is no tensor and has no shape");
  }
  if (!type->shape) {
    return call.error(codes::kArgument, "the shape of " + describe(value) + " is not known");
  }
  ValueList sizes;
  for (const tir::PrimExpr& extent : *type->shape) sizes.push_back(size_value(extent));
  return Value{std::move(sizes)};
}

Result<Value> item_at(const Call& call, const ValueList& list, int64_t index) {
  const auto count = static_cast<int64_t>(list.size());
  if (index < -count || index >= count) {
    return call.error(codes::kArgument,
                      "no item " + std::to_string(index) + " in " + describe({list}));
  }
  return list[static_cast<size_t>(index < 0 ? index + count : index)];
}

// `list[start:stop:step]`, whose bounds may lie outside of it as in Python.
Result<Value> sliced_list(const Call& call, const ValueList& list, const SliceValue& slice) {
  for (const auto& part : {slice.start, slice.stop, slice.step}) {
    if (is_none(*part) || std::holds_alternative<int64_t>(part->value)) continue;
    return call.argument_error("key", "a list is sliced by integers, not " + describe({slice}));
  }
  const auto bound = [](const Value& value, int64_t fallback) {
    const auto* number = std::get_if<int64_t>(&value.value);
    return number == nullptr ? fallback : *number;
  };
  const auto count = static_cast<int64_t>(list.size());
  const int64_t step = bound(*slice.step, 1);
  if (step == 0) return call.argument_error("key", "a slice's step is not zero");
  // The places before the first and behind the last item that a slice may begin or end at.
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  const auto place = [&](const Value& value, int64_t fallback) {
    if (is_none(value)) return fallback;
    const int64_t given = bound(value, 0);
    return std::clamp(given < 0 ? given + count : given, low, high);
  };
  const int64_t start = place(*slice.start, step > 0 ? low : high);
  const int64_t stop = place(*slice.stop, step > 0 ? high : low);
  ValueList part;
  for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
    part.push_back(list[static_cast<size_t>(i)]);
    // A step that leads out of the list ends the slice.
    if (step > count || step < -count) break;
    i += step;
  }
  return Value{std::move(part)};
}

// len() of a list, and of a tensor its first size.
Result<Mapped> map_len(Call& call) {
  const Value& object = call.argument("object");
  if (const auto* list = std::get_if<ValueList>(&object.value)) {
    return Mapped{{static_cast<int64_t>(list->size())}};
  }
  if (const relax::Expr* expr = as_expr(object)) {
    const relax::TupleType* tuple = relax::as_tuple((*expr)->type);
    if (tuple != nullptr) return Mapped{{static_cast<int64_t>(tuple->fields.size())}};
  }
  FX_TRY(shape, shape_of(call, object));
  FX_TRY(first, item_at(call, std::get<ValueList>(shape.value), 0));
  return Mapped{first};
}

Result<Mapped> map_size(Call& call) {
  FX_TRY(shape, shape_of(call, call.argument("input")));
  if (!call.has("dim")) return Mapped{shape};
  FX_TRY(dim, call.integer("dim"));
  FX_TRY(item, item_at(call, std::get<ValueList>(shape.value), dim));
  return Mapped{item};
}

// The place of a named result: of max, sort, topk, … the values and indices, of aminmax min and
// max.
std::optional<int> named_field(const Value& object, const std::string& name) {
  const relax::Expr* expr = as_expr(object);
  const relax::TupleType* tuple = expr == nullptr ? nullptr : relax::as_tuple((*expr)->type);
  if (tuple == nullptr || tuple->fields.size() != 2) return std::nullopt;
  if (name == "values" || name == "min") return 0;
  if (name == "indices" || name == "max") return 1;
  return std::nullopt;
}

Result<Mapped> map_getattr(Call& call) {
  const Value& object = call.argument("object");
  const auto* name = std::get_if<std::string>(&call.argument("name").value);
  if (name != nullptr) {
    if (const std::optional<int> field = named_field(object, *name)) {
      FX_TRY(item, call.emit(relax::tuple_get_item(*as_expr(object), *field)));
      return Mapped{item};
    }
  }
  const relax::TensorType* type = as_tensor(object);
  if (name != nullptr && type != nullptr) {
    if (*name == "shape") {
      FX_TRY(shape, shape_of(call, object));
      return Mapped{shape};
    }
    if (*name == "dtype" && type->dtype) return Mapped{{*type->dtype}};
    if (*name == "ndim") return Mapped{{static_cast<int64_t>(type->ndim)}};
    if (*name == "T" || *name == "mT" || *name == "H" || *name == "mH") {
      return transposed_attribute(call, *as_expr(object), *name);
    }
    if (*name == "device") return Mapped{{fx::Device{"cpu"}}};
  }
  return call.error(codes::kArgument,
                    "no attribute " + describe(call.argument("name")) + " of " + describe(object) +
                        "; of tensors, shape, dtype, ndim, device, T and mT are known");
}

Result<Mapped> map_getitem(Call& call) {
  const Value& object = call.argument("object");
  const Value& key = call.argument("key");
  if (const auto* list = std::get_if<ValueList>(&object.value)) {
    if (const auto* index = std::get_if<int64_t>(&key.value)) {
      FX_TRY(item, item_at(call, *list, *index));
      return Mapped{item};
    }
    if (const auto* slice = std::get_if<SliceValue>(&key.value)) {
      FX_TRY(part, sliced_list(call, *list, *slice));
      return Mapped{part};
    }
    return call.argument_error("key",
                               "a list is indexed by an integer or a slice, not " + describe(key));
  }
  if (const relax::Expr* expr = as_expr(object)) {
    const relax::TupleType* tuple = relax::as_tuple((*expr)->type);
    const auto* index = std::get_if<int64_t>(&key.value);
    if (tuple != nullptr && index != nullptr) {
      const auto count = static_cast<int64_t>(tuple->fields.size());
      if (*index < -count || *index >= count) {
        return call.argument_error("key", "no item " + std::to_string(*index));
      }
      const int64_t position = *index < 0 ? *index + count : *index;
      FX_TRY(item, call.emit(relax::tuple_get_item(*expr, static_cast<int>(position))));
      return Mapped{item, Sharing::View, item_view(static_cast<int>(position))};
    }
    if (tuple == nullptr && as_tensor(object) != nullptr) return read_at(call, *expr, key);
  }
  return call.error(codes::kUnsupportedOperator,
                    "indexing of " + describe_type(object) +
                        " is not supported; sizes and tuples can be indexed by an integer");
}

Result<Mapped> map_dim(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return Mapped{{static_cast<int64_t>(relax::as_tensor(x)->ndim)}};
}

// A condition that is known holds, or the graph is refused. One on data is not checked.
Result<Mapped> map_assert(Call& call) {
  const auto* holds = std::get_if<bool>(&call.argument("condition").value);
  if (holds == nullptr || *holds) return Mapped{};
  const auto* message = std::get_if<std::string>(&call.argument("message").value);
  return call.error(codes::kArgument,
                    "the condition does not hold" + (message == nullptr ? "" : ": " + *message));
}

constexpr RuleEntry kSizesRules[] = {
    {"_assert", "map_assert", "condition, message?", map_assert},
    {"builtins.len", "map_len", "object", map_len},
    {"dim", "map_dim", "input", map_dim},
    {"getattr", "map_getattr", "object, name", map_getattr},
    {"getitem", "map_getitem", "object, key", map_getitem},
    {"size", "map_size", "input, dim?", map_size},
};

}  // namespace

RuleTable size_rules() { return kSizesRules; }

}  // namespace fx2wasm::translate
