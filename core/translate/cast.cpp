// Changes of dtype: astype, type_as, to, the named casts; values of a tensor's type.
#include <memory>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

// The whole base, as it is.
ViewRulePtr same_elements() {
  auto rule = std::make_shared<ViewRule>();
  rule->take = [](BlockBuilder&, const Value& base) { return Result<Value>(base); };
  rule->put = [](BlockBuilder&, const Value&, const Value& written) {
    return Result<Value>(written);
  };
  return rule;
}

// A cast to the same dtype is written out, as TVM does, and is the tensor itself.
Result<Mapped> cast_tensor(Call& call, const relax::Expr& x, DType dtype) {
  const bool same = relax::as_tensor(x)->dtype == dtype;
  FX_TRY(result, call.emit(relax::op::astype(x, dtype)));
  if (same) return Mapped{result, Sharing::View, same_elements()};
  return Mapped{result};
}

template <DType dtype>
Result<Mapped> map_cast_to(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return cast_tensor(call, x, dtype);
}

struct TypeName {
  std::string_view name;
  DType dtype;
};
constexpr TypeName kTypeNames[] = {
    {"torch.BFloat16Tensor", DType::BFloat16}, {"torch.BoolTensor", DType::Bool},
    {"torch.ByteTensor", DType::UInt8},        {"torch.CharTensor", DType::Int8},
    {"torch.DoubleTensor", DType::Float64},    {"torch.FloatTensor", DType::Float32},
    {"torch.HalfTensor", DType::Float16},      {"torch.IntTensor", DType::Int32},
    {"torch.LongTensor", DType::Int64},        {"torch.ShortTensor", DType::Int16},
};

Result<Mapped> map_type(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const Value& wanted = call.argument("dtype");
  if (const auto* dtype = std::get_if<DType>(&wanted.value)) return cast_tensor(call, x, *dtype);
  const auto* name = std::get_if<std::string>(&wanted.value);
  for (const TypeName& known : kTypeNames) {
    if (name != nullptr && known.name == *name) return cast_tensor(call, x, known.dtype);
  }
  return call.argument_error("dtype", "'dtype' is a dtype, not " + describe(wanted));
}

Result<Mapped> map_type_as(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(other, call.tensor("other"));
  return cast_tensor(call, x, *relax::as_tensor(other)->dtype);
}

struct Destination {
  std::optional<DType> dtype;
  bool copy = false;
};

// What stands in to(…): a dtype, a tensor, a device, then the flags non_blocking and copy.
Result<Destination> destination_of(const Call& call) {
  Destination to;
  int flags = 0;
  ValueList given = call.rest();
  for (std::string_view name : {"dtype", "other"}) {
    if (call.has(name)) given.push_back(call.argument(name));
  }
  for (const Value& value : given) {
    const bool device = std::holds_alternative<std::string>(value.value) ||
                        std::holds_alternative<fx::Device>(value.value) ||
                        std::holds_alternative<int64_t>(value.value);
    if (const auto* dtype = std::get_if<DType>(&value.value)) {
      to.dtype = *dtype;
    } else if (as_tensor(value) != nullptr) {
      to.dtype = as_tensor(value)->dtype;
    } else if (const auto* flag = std::get_if<bool>(&value.value)) {
      if (flags++ == 1) to.copy = *flag;
    } else if (!device && !is_none(value)) {
      return call.error(codes::kArgument,
                        "takes a dtype, a device or a tensor, not " + describe(value));
    }
  }
  FX_TRY(copy, call.boolean("copy", to.copy));
  to.copy = copy;
  return to;
}

Result<Mapped> map_to(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(to, destination_of(call));
  Mapped mapped{{x}, Sharing::Same};
  if (to.dtype) {
    FX_TRY(cast, cast_tensor(call, x, *to.dtype));
    mapped = cast;
  }
  if (to.copy) return Mapped{mapped.value};
  return mapped;
}

Result<Mapped> map_is_floating_point(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const int64_t answer = is_float(*relax::as_tensor(x)->dtype) ? 1 : 0;
  return Mapped{{relax::constant_expr(scalar_constant(DType::Bool, answer))}};
}

Result<Mapped> map_numel(Call& call) {
  // torch.Size has the method, too: x.shape[1:].numel()
  if (const auto* sizes = std::get_if<ValueList>(&call.argument("input").value)) {
    FX_TRY(extents, call.sizes({Value{*sizes}}));
    return Mapped{size_value(infer::simplify(infer::product(extents)))};
  }
  FX_TRY(x, call.tensor("input"));
  const relax::TensorType* type = relax::as_tensor(x);
  if (!type->shape) return call.error(codes::kArgument, "the shape of its input is not known");
  Value count = size_value(infer::simplify(infer::product(*type->shape)));
  count.is_count = std::holds_alternative<int64_t>(count.value);
  return Mapped{count};
}

// The number of a 0-d constant.
std::optional<Value> known_item(const relax::Expr& x) {
  const auto* constant = std::get_if<relax::Constant>(&x->kind);
  const tir::PrimExpr number = constant == nullptr ? nullptr : scalar_immediate(**constant);
  if (number == nullptr) return std::nullopt;
  if (const auto* real = std::get_if<tir::FloatImm>(&number->kind)) return Value{real->value};
  const std::optional<int64_t> whole = tir::as_int(number);
  if (!whole) return std::nullopt;
  if (number->dtype == DType::Bool) return Value{*whole != 0};
  return Value{*whole};
}

// Python's number, which is known only when the function runs: a tensor without axes.
Result<Mapped> map_item(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (std::optional<Value> known = known_item(x)) return Mapped{*known};
  const relax::TensorType* type = relax::as_tensor(x);
  if (type->ndim == 0) return Mapped{{x}};
  const std::optional<std::vector<int64_t>> shape = relax::static_shape(*type);
  for (int64_t extent : shape.value_or(std::vector<int64_t>{0})) {
    if (extent == 1) continue;
    return call.error(codes::kArgument,
                      "a tensor of shape " + shape_text(*type) + " is not a single element");
  }
  if (type->ndim > 1) {
    FX_TRY(element, call.emit(relax::op::reshape(x, {})));
    return Mapped{element};
  }
  const relax::Expr first = relax::constant_expr(scalar_constant(DType::Int64, int64_t{0}));
  FX_TRY(element,
         call.emit(relax::op::call("take", {x, first},
                                   {{"axis", {int64_t{0}}}, {"mode", {std::string("fast")}}})));
  return Mapped{element};
}

constexpr std::string_view kCastArguments = "input, memory_format?";
template <DType dtype>
constexpr RuleEntry cast_row(std::string_view key) {
  return {key, "map_cast", kCastArguments, map_cast_to<dtype>};
}

constexpr RuleEntry kCastRules[] = {
    {"astype", "map_type", "input, dtype", map_type},
    cast_row<DType::BFloat16>("bfloat16"),
    cast_row<DType::Bool>("bool"),
    cast_row<DType::UInt8>("byte"),
    cast_row<DType::Int8>("char"),
    cast_row<DType::Float64>("double"),
    cast_row<DType::Float32>("float"),
    cast_row<DType::Float16>("half"),
    cast_row<DType::Int32>("int"),
    {"is_floating_point", "map_is_floating_point", "input", map_is_floating_point},
    {"item", "map_item", "input", map_item},
    cast_row<DType::Int64>("long"),
    {"nelement", "map_numel", "input", map_numel},
    {"numel", "map_numel", "input", map_numel},
    cast_row<DType::Int16>("short"),
    {"to", "map_to", "input, *to, dtype?, device?, other?, non_blocking?, copy?, memory_format?",
     map_to},
    {"type", "map_type", "input, dtype, non_blocking?", map_type},
    {"type_as", "map_type_as", "input, other", map_type_as},
};

}  // namespace

RuleTable cast_rules() { return kCastRules; }

}  // namespace fx2wasm::translate
