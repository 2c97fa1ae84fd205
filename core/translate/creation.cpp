// Tensors made from sizes and numbers.
#include <cmath>
#include <cstring>
#include <utility>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

using Sizes = std::vector<tir::PrimExpr>;

// The keyword `dtype`; absent when it is not given.
Result<std::optional<DType>> given_dtype(const Call& call) {
  const Value& value = call.argument("dtype");
  if (is_none(value)) return std::optional<DType>();
  if (const auto* dtype = std::get_if<DType>(&value.value)) return std::optional(*dtype);
  return call.argument_error("dtype", "'dtype' is a dtype, not " + describe(value));
}

Result<DType> dtype_or(const Call& call, DType fallback) {
  FX_TRY(dtype, given_dtype(call));
  return dtype.value_or(fallback);
}

Result<Mapped> emit_full(Call& call, const Sizes& sizes, const relax::Expr& value, DType dtype) {
  FX_TRY(result, call.emit(relax::op::call("full", {relax::shape_expr(sizes), value},
                                           {{"dtype", {dtype}}})));
  return Mapped{result};
}

Result<Mapped> emit_full(Call& call, const Sizes& sizes, int64_t value, DType dtype) {
  return emit_full(call, sizes, relax::constant_expr(scalar_constant(dtype, value)), dtype);
}

Result<Mapped> map_ones(Call& call) {
  FX_TRY(sizes, call.sizes(call.rest()));
  FX_TRY(dtype, dtype_or(call, DType::Float32));
  return emit_full(call, sizes, 1, dtype);
}

// zeros, and empty, whose elements are zeros here.
Result<Mapped> map_zeros(Call& call) {
  FX_TRY(sizes, call.sizes(call.rest()));
  FX_TRY(dtype, dtype_or(call, DType::Float32));
  FX_TRY(result,
         call.emit(relax::op::call("zeros", {relax::shape_expr(sizes)}, {{"dtype", {dtype}}})));
  return Mapped{result};
}

// Bools give bools, integers int64, floats float32; a tensor gives its own dtype.
std::optional<DType> natural_dtype(const Value& value) {
  const std::optional<Operand> operand = operand_of(value);
  if (!operand) return std::nullopt;
  return operand->dtype;
}

Diagnostic no_number(const Call& call, std::string_view name) {
  return call.argument_error(name, "the argument '" + std::string(name) + "' is a number, not " +
                                       describe(call.argument(name)));
}

Result<Mapped> map_full(Call& call) {
  FX_TRY(sizes, call.sizes({call.argument("size")}));
  const std::optional<DType> natural = natural_dtype(call.argument("fill_value"));
  FX_TRY(dtype, dtype_or(call, natural.value_or(DType::Float32)));
  FX_TRY(value, fill_value(call, "fill_value", dtype));
  return emit_full(call, sizes, value, dtype);
}

Result<Mapped> map_fill(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const relax::TensorType* type = relax::as_tensor(x);
  if (!type->shape) return call.error(codes::kShapeMismatch, "the shape of its input is not known");
  FX_TRY(value, fill_value(call, "value", *type->dtype));
  return emit_full(call, *type->shape, value, *type->dtype);
}

AttrValue dtype_attribute(std::optional<DType> dtype) {
  if (dtype) return {*dtype};
  return {AttrNone{}};
}

Result<Mapped> map_like(Call& call, std::string_view op) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dtype, given_dtype(call));
  FX_TRY(result, call.emit(relax::op::call(op, {x}, {{"dtype", dtype_attribute(dtype)}})));
  return Mapped{result};
}

Result<Mapped> map_ones_like(Call& call) { return map_like(call, "ones_like"); }
Result<Mapped> map_zeros_like(Call& call) { return map_like(call, "zeros_like"); }

Result<Mapped> map_full_like(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(given, given_dtype(call));
  const DType own = *relax::as_tensor(x)->dtype;
  const DType dtype = given.value_or(own);
  FX_TRY(value, fill_value(call, "fill_value", dtype));
  const std::optional<DType> attribute = dtype == own ? std::nullopt : std::optional(dtype);
  FX_TRY(result, call.emit(relax::op::call("full_like", {x, value},
                                           {{"dtype", dtype_attribute(attribute)}})));
  return Mapped{result};
}

// ---- new_…: the dtype is the tensor's unless another is given ----

Result<DType> dtype_of_new(const Call& call) {
  FX_TRY(x, call.tensor("input"));
  return dtype_or(call, *relax::as_tensor(x)->dtype);
}

Result<Mapped> map_new(Call& call, int64_t value) {
  FX_TRY(dtype, dtype_of_new(call));
  FX_TRY(sizes, call.sizes(call.rest()));
  return emit_full(call, sizes, value, dtype);
}

Result<Mapped> map_new_ones(Call& call) { return map_new(call, 1); }
Result<Mapped> map_new_zeros(Call& call) { return map_new(call, 0); }

Result<Mapped> map_new_full(Call& call) {
  FX_TRY(dtype, dtype_of_new(call));
  FX_TRY(sizes, call.sizes({call.argument("size")}));
  FX_TRY(value, fill_value(call, "fill_value", dtype));
  return emit_full(call, sizes, value, dtype);
}

// ---- torch.tensor ----

// A literal's elements in row-major order, and its shape.
struct Literal {
  std::vector<int64_t> shape;
  ValueList elements;
  DType dtype = DType::Bool;  // the widest kind among the elements
};

// Adds a nested list; false when it is ragged or holds something else than numbers.
bool add_elements(const Value& value, size_t depth, Literal& literal) {
  const auto* list = std::get_if<ValueList>(&value.value);
  if (list == nullptr) {
    const std::optional<DType> dtype = natural_dtype(value);
    if (depth != literal.shape.size() || !dtype || !as_number(value)) return false;
    literal.dtype = promote_types(literal.dtype, *dtype);
    literal.elements.push_back(value);
    return true;
  }
  if (depth >= literal.shape.size() || literal.shape[depth] != static_cast<int64_t>(list->size())) {
    return false;
  }
  for (const Value& item : *list) {
    if (!add_elements(item, depth + 1, literal)) return false;
  }
  return true;
}

std::optional<Literal> literal_of(const Value& value) {
  Literal literal;
  const Value* first = &value;
  while (const auto* list = std::get_if<ValueList>(&first->value)) {
    literal.shape.push_back(static_cast<int64_t>(list->size()));
    if (list->empty()) break;
    first = &(*list)[0];
  }
  if (!add_elements(value, 0, literal)) return std::nullopt;
  if (literal.elements.empty()) literal.dtype = DType::Float32;
  return literal;
}

relax::Constant constant_of(const Literal& literal, DType dtype) {
  std::vector<std::byte> bytes;
  for (const Value& element : literal.elements) {
    const auto* whole = std::get_if<int64_t>(&element.value);
    const relax::Constant scalar = whole != nullptr ? scalar_constant(dtype, *whole)
                                                    : scalar_constant(dtype, *as_number(element));
    bytes.insert(bytes.end(), scalar->data->bytes.begin(), scalar->data->bytes.end());
  }
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->dtype = dtype;
  constant->shape = literal.shape;
  constant->data = make_tensor_data(dtype, literal.shape, std::move(bytes));
  return constant;
}

Result<Mapped> tensor_from(Call& call, const Value& data, std::optional<DType> dtype) {
  if (as_tensor(data) != nullptr) {  // a copy
    FX_TRY(copy, cast_to(call, *as_expr(data), dtype.value_or(*as_tensor(data)->dtype)));
    return Mapped{{copy}};
  }
  if (std::holds_alternative<tir::PrimExpr>(data.value)) {
    FX_TRY(size, tensor_of(call, data, dtype.value_or(DType::Int64)));
    return Mapped{{size}};
  }
  const std::optional<Literal> literal = literal_of(data);
  if (!literal) {
    return call.argument_error(
        "data", "the data is a number or evenly nested lists of numbers, not " + describe(data));
  }
  return Mapped{{relax::constant_expr(constant_of(*literal, dtype.value_or(literal->dtype)))}};
}

Result<Mapped> map_tensor(Call& call) {
  FX_TRY(dtype, given_dtype(call));
  return tensor_from(call, call.argument("data"), dtype);
}

Result<Mapped> map_scalar_tensor(Call& call) {
  FX_TRY(dtype, dtype_or(call, DType::Float32));
  return tensor_from(call, call.argument("data"), dtype);
}

Result<Mapped> map_new_tensor(Call& call) {
  FX_TRY(dtype, dtype_of_new(call));
  return tensor_from(call, call.argument("data"), dtype);
}

// ---- rows of numbers ----

// A number or size as R.arange takes it; null for other values.
relax::Expr prim_of(const Value& value) {
  if (const tir::PrimExpr size = as_size(value)) return relax::prim_value(size);
  if (const std::optional<double> number = as_number(value)) {
    return relax::prim_value(tir::float_imm(DType::Float64, *number));
  }
  return nullptr;
}

Result<Mapped> emit_arange(Call& call, const Value& start, const Value& end, const Value& step,
                           DType dtype) {
  std::vector<relax::Expr> bounds;
  for (const Value* value : {&start, &end, &step}) {
    relax::Expr bound = prim_of(*value);
    if (bound == nullptr) {
      return call.error(codes::kArgument,
                        "start, end and step are numbers or sizes, not " + describe(*value));
    }
    bounds.push_back(std::move(bound));
  }
  FX_TRY(result, call.emit(relax::op::call("arange", std::move(bounds), {{"dtype", {dtype}}})));
  return Mapped{result};
}

// arange(end), arange(start, end), arange(start, end, step), and each by its name.
Result<Mapped> map_arange(Call& call) {
  const bool end_named = call.has("end");
  const bool single = call.has("first") && !call.has("second") && !end_named;
  const Value zero{int64_t{0}}, one{int64_t{1}}, none;
  const auto pick = [&](std::string_view position, std::string_view name,
                        const Value& fallback) -> const Value& {
    if (call.has(name)) return call.argument(name);
    return call.has(position) ? call.argument(position) : fallback;
  };
  const Value& start = single ? zero : pick("first", "start", zero);
  const Value& end = single ? call.argument("first") : pick("second", "end", none);
  const Value& step = pick("third", "step", one);
  if (is_none(end)) return call.error(codes::kArgument, "the argument 'end' is missing");
  bool floats = false;
  for (const Value* value : {&start, &end, &step}) {
    floats = floats || std::holds_alternative<double>(value->value);
  }
  FX_TRY(dtype, dtype_or(call, floats ? DType::Float32 : DType::Int64));
  return emit_arange(call, start, end, step, dtype);
}

// Steps of equal size; the end is moved half a step on, so that rounding does not decide its count.
Result<Mapped> map_linspace(Call& call) {
  const Value &start = call.argument("start"), &end = call.argument("end");
  const std::optional<double> first = as_number(start), last = as_number(end);
  if (!first) return no_number(call, "start");
  if (!last) return no_number(call, "end");
  FX_TRY(steps, call.integer("steps"));
  if (steps < 0) return call.argument_error("steps", "the number of steps is negative");
  FX_TRY(dtype, dtype_or(call, DType::Float32));
  if (*first == *last) {
    FX_TRY(value, tensor_of(call, start, dtype));
    return emit_full(call, {tir::int_imm(DType::Int64, steps)}, value, dtype);
  }
  if (steps == 1) return emit_arange(call, start, {*first + 1}, {int64_t{1}}, dtype);
  const double step = (*last - *first) / static_cast<double>(steps - 1);
  return emit_arange(call, start, {*last + step / 2}, {step}, dtype);
}

Result<Mapped> map_eye(Call& call) {
  const tir::PrimExpr rows = as_size(call.argument("n"));
  const tir::PrimExpr columns = call.has("m") ? as_size(call.argument("m")) : rows;
  if (rows == nullptr || columns == nullptr) {
    return call.error(codes::kArgument, "the sizes are integers");
  }
  FX_TRY(dtype, dtype_or(call, DType::Float32));
  const relax::Expr diagonal = relax::prim_value(tir::int_imm(DType::Int64, 0));
  FX_TRY(result, call.emit(relax::op::call(
                     "eye", {relax::prim_value(rows), relax::prim_value(columns), diagonal},
                     {{"dtype", {dtype}}})));
  return Mapped{result};
}

// Where a tensor lives, and whether it is trained, does not matter to a compiled graph.
#define FX2WASM_TENSOR_OPTIONS \
  "dtype?, layout?, device?, requires_grad?, pin_memory?, memory_format?, names?"

constexpr RuleEntry kCreationRules[] = {
    {"arange", "map_arange",
     "first?, second?, third?, start?, end?, step?, " FX2WASM_TENSOR_OPTIONS, map_arange},
    {"empty", "map_empty", "*size, " FX2WASM_TENSOR_OPTIONS, map_zeros},
    {"empty_like", "map_empty_like", "input, " FX2WASM_TENSOR_OPTIONS, map_zeros_like},
    {"eye", "map_eye", "n, m?, " FX2WASM_TENSOR_OPTIONS, map_eye},
    {"fill", "map_fill", "input, value", map_fill},
    {"full", "map_full", "size, fill_value, " FX2WASM_TENSOR_OPTIONS, map_full},
    {"full_like", "map_full_like", "input, fill_value, " FX2WASM_TENSOR_OPTIONS, map_full_like},
    {"linspace", "map_linspace", "start, end, steps, " FX2WASM_TENSOR_OPTIONS, map_linspace},
    {"new_empty", "map_new_empty", "input, *size, " FX2WASM_TENSOR_OPTIONS, map_new_zeros},
    {"new_full", "map_new_full", "input, size, fill_value, " FX2WASM_TENSOR_OPTIONS, map_new_full},
    {"new_ones", "map_new_ones", "input, *size, " FX2WASM_TENSOR_OPTIONS, map_new_ones},
    {"new_tensor", "map_new_tensor", "input, data, " FX2WASM_TENSOR_OPTIONS, map_new_tensor},
    {"new_zeros", "map_new_zeros", "input, *size, " FX2WASM_TENSOR_OPTIONS, map_new_zeros},
    {"ones", "map_ones", "*size, " FX2WASM_TENSOR_OPTIONS, map_ones},
    {"ones_like", "map_ones_like", "input, " FX2WASM_TENSOR_OPTIONS, map_ones_like},
    {"scalar_tensor", "map_scalar_tensor", "data, " FX2WASM_TENSOR_OPTIONS, map_scalar_tensor},
    {"tensor", "map_tensor", "data, " FX2WASM_TENSOR_OPTIONS, map_tensor},
    {"zeros", "map_zeros", "*size, " FX2WASM_TENSOR_OPTIONS, map_zeros},
    {"zeros_like", "map_zeros_like", "input, " FX2WASM_TENSOR_OPTIONS, map_zeros_like},
};
#undef FX2WASM_TENSOR_OPTIONS

}  // namespace

RuleTable creation_rules() { return kCreationRules; }

}  // namespace fx2wasm::translate
