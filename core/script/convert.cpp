#include "script/convert.h"

#include <limits>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "script/errors.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

constexpr int kMaxNesting = 20;

Diagnostic wrong(std::string_view what, std::string_view wanted, const Value& value) {
  return type_error(std::string(what) + " is " + std::string(wanted) + ", not " + describe(value));
}

DType integer_dtype(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() &&
                 value <= std::numeric_limits<int32_t>::max()
             ? DType::Int32
             : DType::Int64;
}

}  // namespace

bool is_symbolic(const Value& value) {
  return value.as<tir::PrimExpr>() != nullptr || value.as<IterVarValue>() != nullptr;
}

bool is_scalar(const Value& value) {
  return is_symbolic(value) || value.as<bool>() != nullptr || value.as<int64_t>() != nullptr ||
         value.as<double>() != nullptr;
}

Result<tir::PrimExpr> to_prim(const Value& value, std::string_view what) {
  if (const auto* expr = value.as<tir::PrimExpr>()) return *expr;
  if (const auto* axis = value.as<IterVarValue>()) return te::var_of(*axis->axis);
  if (const auto* b = value.as<bool>()) return tir::bool_imm(*b);
  if (const auto* i = value.as<int64_t>()) return tir::int_imm(integer_dtype(*i), *i);
  if (const auto* d = value.as<double>()) return tir::float_imm(DType::Float32, *d);
  return wrong(what, "a number or a scalar expression", value);
}

std::optional<int64_t> known_int(const Value& value) {
  if (const auto* b = value.as<bool>()) return *b ? 1 : 0;
  if (const auto* i = value.as<int64_t>()) return *i;
  if (const auto* expr = value.as<tir::PrimExpr>()) return tir::as_int(*expr);
  return std::nullopt;
}

Result<int64_t> to_int(const Value& value, std::string_view what) {
  if (const auto known = known_int(value)) return *known;
  if (is_symbolic(value)) {
    return type_error(std::string(what) + " is a number known now, not an expression over symbols");
  }
  return wrong(what, "an integer", value);
}

Result<double> to_double(const Value& value, std::string_view what) {
  if (const auto* d = value.as<double>()) return *d;
  if (const auto known = known_int(value)) return static_cast<double>(*known);
  return wrong(what, "a number", value);
}

Result<bool> to_bool(const Value& value, std::string_view what) {
  if (const auto known = known_int(value)) return *known != 0;
  return wrong(what, "True or False", value);
}

Result<std::string> to_text(const Value& value, std::string_view what) {
  if (const auto* s = value.as<Text>()) return **s;
  return wrong(what, "a string", value);
}

Result<DType> to_dtype(const Value& value, std::string_view what, std::optional<DType> otherwise) {
  if (value.is_none() && otherwise) return *otherwise;
  const auto* s = value.as<Text>();
  if (s == nullptr) return wrong(what, "a dtype like \"float32\"", value);
  const std::optional<DType> dtype = parse_dtype(**s);
  if (dtype) return *dtype;
  static const std::vector<std::string_view> kNames = {
      "bool",   "int8",   "int16",   "int32",    "int64",   "uint8",  "uint16",
      "uint32", "uint64", "float16", "bfloat16", "float32", "float64"};
  return value_error(std::string(what) + ": there is no dtype " + quote(**s) +
                     did_you_mean(**s, kNames));
}

Result<std::vector<tir::PrimExpr>> to_shape(const Value& value, std::string_view what,
                                            std::optional<DType> dtype) {
  std::vector<Value> single = {value};
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) {
    if (!is_scalar(value)) return wrong(what, "a tuple of extents", value);
    items = &single;
  }
  if (items->size() > fx2wasm::limits::kMaxRank) {
    return value_error(std::string(what) + " has more than " +
                       std::to_string(fx2wasm::limits::kMaxRank) + " dimensions");
  }
  std::vector<tir::PrimExpr> shape;
  for (const Value& item : *items) {
    if (item.as<bool>() != nullptr || item.as<double>() != nullptr || !is_scalar(item)) {
      return wrong("an extent of " + std::string(what), "an integer or a symbol", item);
    }
    if (const auto known = known_int(item); known && *known < 0) {
      return value_error("an extent of " + std::string(what) +
                         " is negative: " + std::to_string(*known));
    }
    FX_TRY(extent, to_prim(item, what));
    if (!is_integer(extent->dtype)) {
      return type_error("an extent of " + std::string(what) + " is an integer, not a " +
                        std::string(dtype_name(extent->dtype)));
    }
    if (dtype && tir::as_int(extent)) extent = tir::int_imm(*dtype, *tir::as_int(extent));
    if (dtype && extent->dtype != *dtype) {
      return type_error("an extent of " + std::string(what) + " is " +
                        std::string(dtype_name(*dtype)) + ", but this one is " +
                        std::string(dtype_name(extent->dtype)) + "; write tirx.Var(…, \"" +
                        std::string(dtype_name(*dtype)) + "\")");
    }
    shape.push_back(extent);
  }
  return shape;
}

Result<std::vector<int64_t>> to_ints(const Value& value, std::string_view what) {
  std::vector<int64_t> ints;
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) {
    FX_TRY(one, to_int(value, what));
    return std::vector<int64_t>{one};
  }
  for (const Value& item : *items) {
    FX_TRY(one, to_int(item, what));
    ints.push_back(one);
  }
  return ints;
}

Result<std::vector<te::IterVar>> to_axes(const Value& value, std::string_view what) {
  std::vector<te::IterVar> axes;
  std::vector<Value> single = {value};
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) items = &single;
  for (const Value& item : *items) {
    const auto* axis = item.as<IterVarValue>();
    if (axis == nullptr) return wrong(what, "a te.reduce_axis or a list of them", item);
    axes.push_back(*axis->axis);
  }
  if (axes.empty()) return value_error(std::string(what) + " names no axis");
  return axes;
}

Result<te::Tensor> to_tensor(const Value& value, std::string_view what) {
  if (const auto* tensor = value.as<te::Tensor>()) return *tensor;
  if (value.as<relax::Expr>() != nullptr) {
    return type_error(std::string(what) + " is a te tensor, not " + describe(value) +
                      "; bb.emit_te makes the tensors for it");
  }
  return wrong(what, "a te tensor", value);
}

namespace {

Result<relax::Expr> to_graph_at(const Value& value, std::string_view what, int depth) {
  if (const auto* expr = value.as<relax::Expr>()) return *expr;
  if (depth < kMaxNesting) {
    if (const std::vector<Value>* items = items_of(value)) {
      std::vector<relax::Expr> fields;
      for (const Value& item : *items) {
        FX_TRY(field, to_graph_at(item, what, depth + 1));
        fields.push_back(field);
      }
      return relax::tuple_expr(std::move(fields));
    }
  }
  if (value.as<te::Tensor>() != nullptr) {
    return type_error(std::string(what) +
                      " is a relax expression, not a te tensor; a te tensor lives only inside the "
                      "function that bb.emit_te calls");
  }
  return wrong(what, "a relax expression", value);
}

}  // namespace

Result<relax::Expr> to_graph(const Value& value, std::string_view what) {
  return to_graph_at(value, what, 0);
}

Result<relax::Var> to_graph_var(const Value& value, std::string_view what) {
  if (const auto* expr = value.as<relax::Expr>()) {
    if (const auto* var = std::get_if<relax::Var>(&(*expr)->kind)) return *var;
  }
  return wrong(what, "a relax.Var", value);
}

Result<relax::Type> to_type(const Value& value, std::string_view what) {
  if (const auto* type = value.as<relax::Type>()) return *type;
  return wrong(what, "a type like relax.TensorType((4, 4), \"float32\")", value);
}

Result<AttrValue> to_attr(const Value& value, std::string_view what, int depth) {
  if (value.is_none()) return AttrValue{AttrNone{}};
  if (const auto* b = value.as<bool>()) return AttrValue{*b};
  if (const auto known = known_int(value)) return AttrValue{*known};
  if (const auto* d = value.as<double>()) return AttrValue{*d};
  if (const auto* s = value.as<Text>()) return AttrValue{**s};
  if (const std::vector<Value>* items = items_of(value); items != nullptr && depth < kMaxNesting) {
    AttrList list;
    for (const Value& item : *items) {
      FX_TRY(attr, to_attr(item, what, depth + 1));
      list.push_back(attr);
    }
    return AttrValue{std::move(list)};
  }
  return wrong(what, "a number, a string or a list of them", value);
}

Result<Attrs> to_attrs(const Value& value, std::string_view what) {
  Attrs attrs;
  if (value.is_none()) return attrs;
  const auto* dict = value.as<DictObject*>();
  if (dict == nullptr) return wrong(what, "a dict", value);
  for (const auto& [key, item] : (*dict)->items) {
    FX_TRY(name, to_text(key, std::string("a key of ") + std::string(what)));
    FX_TRY(attr, to_attr(item, what));
    attrs.emplace_back(name, attr);
  }
  return attrs;
}

}  // namespace fx2wasm::script
