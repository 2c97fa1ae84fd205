#include "translate/sizes.h"

#include <cmath>

#include "builder/infer_common.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

constexpr std::string_view kSymbols[] = {"+", "-", "*", "/", "//", "%"};

std::optional<Value> integer_op(NumberOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case NumberOp::Add:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return Value{result};
    case NumberOp::Subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return Value{result};
    case NumberOp::Multiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return Value{result};
    case NumberOp::Divide:
      if (b == 0) return std::nullopt;
      return Value{static_cast<double>(a) / static_cast<double>(b)};
    case NumberOp::FloorDivide:
      if (b == 0) return std::nullopt;
      return Value{tir::floor_div(a, b)};
    case NumberOp::Modulo:
      if (b == 0) return std::nullopt;
      return Value{tir::floor_mod(a, b)};
  }
  return std::nullopt;
}

std::optional<Value> float_op(NumberOp op, double a, double b) {
  switch (op) {
    case NumberOp::Add:
      return Value{a + b};
    case NumberOp::Subtract:
      return Value{a - b};
    case NumberOp::Multiply:
      return Value{a * b};
    case NumberOp::Divide:
      if (b == 0) return std::nullopt;
      return Value{a / b};
    case NumberOp::FloorDivide:
      if (b == 0) return std::nullopt;
      return Value{std::floor(a / b)};
    case NumberOp::Modulo:
      if (b == 0) return std::nullopt;
      return Value{a - b * std::floor(a / b)};
  }
  return std::nullopt;
}

std::optional<Value> symbolic_op(NumberOp op, const tir::PrimExpr& a, const tir::PrimExpr& b) {
  switch (op) {
    case NumberOp::Add:
      return size_value(infer::simplify(tir::add(a, b)));
    case NumberOp::Subtract:
      return size_value(infer::simplify(tir::sub(a, b)));
    case NumberOp::Multiply:
      return size_value(infer::simplify(tir::mul(a, b)));
    case NumberOp::Divide:
      return std::nullopt;  // a float that is known only when the function runs
    case NumberOp::FloorDivide:
      if (tir::is_zero(b)) return std::nullopt;
      return size_value(infer::simplify(tir::floordiv(a, b)));
    case NumberOp::Modulo:
      if (tir::is_zero(b)) return std::nullopt;
      return size_value(infer::simplify(tir::floormod(a, b)));
  }
  return std::nullopt;
}

// A bool counts as an integer, as in Python.
Value as_integer(const Value& value) {
  const auto* flag = std::get_if<bool>(&value.value);
  return flag == nullptr ? value : Value{int64_t{*flag ? 1 : 0}};
}

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

Result<Mapped> map_size(Call& call) {
  FX_TRY(shape, shape_of(call, call.argument("input")));
  if (!call.has("dim")) return Mapped{shape};
  FX_TRY(dim, call.integer("dim"));
  FX_TRY(item, item_at(call, std::get<ValueList>(shape.value), dim));
  return Mapped{item};
}

Result<Mapped> map_getattr(Call& call) {
  const Value& object = call.argument("object");
  const auto* name = std::get_if<std::string>(&call.argument("name").value);
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
    return call.argument_error("key", "a list is indexed by an integer, not " + describe(key));
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
  }
  return call.error(codes::kUnsupportedOperator,
                    "indexing of " + describe_type(object) +
                        " is not supported; sizes and tuples can be indexed by an integer");
}

Result<Mapped> map_dim(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return Mapped{{static_cast<int64_t>(relax::as_tensor(x)->ndim)}};
}

Result<Mapped> map_number_op(Call& call, NumberOp op) {
  const Value &a = call.argument("input"), &b = call.argument("other");
  if (as_expr(a) != nullptr || as_expr(b) != nullptr) {
    return call.error(codes::kUnsupportedOperator, "is supported for sizes, not for tensors");
  }
  FX_TRY(result, evaluate_number_op(call, op, a, b));
  return Mapped{result};
}

Result<Mapped> map_floordiv(Call& call) { return map_number_op(call, NumberOp::FloorDivide); }
Result<Mapped> map_mod(Call& call) { return map_number_op(call, NumberOp::Modulo); }

constexpr RuleEntry kSizesRules[] = {
    {"dim", "map_dim", "input", map_dim},
    {"floordiv", "map_floordiv", "input, other", map_floordiv},
    {"getattr", "map_getattr", "object, name", map_getattr},
    {"getitem", "map_getitem", "object, key", map_getitem},
    {"mod", "map_mod", "input, other", map_mod},
    {"size", "map_size", "input, dim?", map_size},
};

}  // namespace

Result<Value> evaluate_number_op(const Call& call, NumberOp op, const Value& left,
                                 const Value& right) {
  const Value a = as_integer(left), b = as_integer(right);
  std::optional<Value> result;
  const auto* x = std::get_if<int64_t>(&a.value);
  const auto* y = std::get_if<int64_t>(&b.value);
  if (x != nullptr && y != nullptr) {
    result = integer_op(op, *x, *y);
  } else if (as_size(a) != nullptr && as_size(b) != nullptr) {
    result = symbolic_op(op, as_size(a), as_size(b));
  } else if (as_number(a) && as_number(b)) {
    result = float_op(op, *as_number(a), *as_number(b));
  } else if (op == NumberOp::Add) {
    // Lists and tuples are joined: x.shape[:1] + (3,).
    const auto* first = std::get_if<ValueList>(&a.value);
    const auto* second = std::get_if<ValueList>(&b.value);
    if (first != nullptr && second != nullptr) {
      ValueList joined = *first;
      joined.insert(joined.end(), second->begin(), second->end());
      result = Value{std::move(joined)};
    }
  }
  if (result) return *result;
  return call.error(codes::kArgument, "can't work out " + describe(left) + " " +
                                          std::string(kSymbols[static_cast<int>(op)]) + " " +
                                          describe(right) + " while translating");
}

RuleTable size_rules() { return kSizesRules; }

}  // namespace fx2wasm::translate
