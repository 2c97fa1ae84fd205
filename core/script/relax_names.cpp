// relax: Var, the types, constants, tuples, BlockBuilder.
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "script/builder_object.h"
#include "script/convert.h"
#include "script/names.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

Result<Value> make_tensor_type(Interpreter&, const BoundArgs& args) {
  relax::TensorType type;
  if (!args[0].is_none()) {
    FX_TRY(shape, to_shape(args[0], "the shape of relax.TensorType", DType::Int64));
    type.ndim = static_cast<int>(shape.size());
    type.shape = shape;
  }
  if (!args[1].is_none()) {
    FX_TRY(dtype, to_dtype(args[1], "the dtype of relax.TensorType"));
    type.dtype = dtype;
  }
  if (args.given[2] && !args[2].is_none()) {
    FX_TRY(ndim, to_int(args[2], "the ndim of relax.TensorType"));
    if (type.shape && ndim != type.ndim) return value_error("ndim does not fit the shape");
    type.ndim = static_cast<int>(ndim);
  }
  return Value(relax::make_type(std::move(type)));
}

Result<Value> make_shape_type(Interpreter&, const BoundArgs& args) {
  FX_TRY(values, to_shape(args[0], "the values of relax.ShapeType", DType::Int64));
  relax::ShapeType type;
  type.ndim = static_cast<int>(values.size());
  type.values = values;
  return Value(relax::make_type(std::move(type)));
}

Result<Value> make_tuple_type(Interpreter& in, const BoundArgs& args) {
  FX_TRY(items, in.iterate(args[0]));
  relax::TupleType type;
  for (const Value& item : items) {
    FX_TRY(field, to_type(item, "a field of relax.TupleType"));
    type.fields.push_back(field);
  }
  return Value(relax::make_type(std::move(type)));
}

Result<Value> make_relax_var(Interpreter&, const BoundArgs& args) {
  FX_TRY(name, to_text(args[0], "the name of relax.Var"));
  if (name.empty()) return value_error("the name of relax.Var is empty");
  if (items_of(args[1]) != nullptr) {
    Diagnostic error = type_error("the second argument of relax.Var is its type");
    error.notes.push_back("today's TVM writes relax.Var(\"" + name +
                          "\", relax.TensorType((4, 4), \"float32\"))");
    return error;
  }
  FX_TRY(type, to_type(args[1], "the type of relax.Var"));
  return Value(relax::var_expr(relax::make_var(name, type)));
}

// ---- constants ----

// The numbers of a nested list in row-major order, with the shape that it has.
Result<Unit> flatten(const Value& value, size_t depth, std::vector<int64_t>& shape,
                     std::vector<Value>& numbers) {
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) {
    if (value.as<double>() == nullptr && !known_int(value)) {
      return type_error("relax.const takes numbers and lists of them, not " + describe(value));
    }
    if (depth != shape.size()) return value_error("the lists of relax.const differ in depth");
    numbers.push_back(value);
    return Unit{};
  }
  if (depth > 16) return value_error("the lists of relax.const are nested too deep");
  const auto size = static_cast<int64_t>(items->size());
  if (depth == shape.size()) {
    if (!numbers.empty()) return value_error("the lists of relax.const differ in depth");
    shape.push_back(size);
  }
  if (shape[depth] != size) return value_error("the lists of relax.const differ in length");
  for (const Value& item : *items) {
    FX_TRY(done, flatten(item, depth + 1, shape, numbers));
    static_cast<void>(done);
    if (numbers.size() > kMaxItems) return value_error("the constant is too large to be written");
  }
  return Unit{};
}

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

Result<Unit> append_number(std::vector<std::byte>& bytes, DType dtype, const Value& value) {
  FX_TRY(real, to_double(value, "a number of relax.const"));
  const auto known = known_int(value);
  const int64_t integer = known                      ? *known
                          : std::fabs(real) < 9.2e18 ? static_cast<int64_t>(real)
                                                     : 0;
  switch (dtype) {
    case DType::Bool:
      append(bytes, static_cast<uint8_t>(real != 0));
      break;
    case DType::Int8:
      append(bytes, static_cast<int8_t>(integer));
      break;
    case DType::UInt8:
      append(bytes, static_cast<uint8_t>(integer));
      break;
    case DType::Int16:
      append(bytes, static_cast<int16_t>(integer));
      break;
    case DType::UInt16:
      append(bytes, static_cast<uint16_t>(integer));
      break;
    case DType::Int32:
      append(bytes, static_cast<int32_t>(integer));
      break;
    case DType::UInt32:
      append(bytes, static_cast<uint32_t>(integer));
      break;
    case DType::Int64:
      append(bytes, integer);
      break;
    case DType::UInt64:
      append(bytes, static_cast<uint64_t>(integer));
      break;
    case DType::Float32:
      append(bytes, static_cast<float>(real));
      break;
    case DType::Float64:
      append(bytes, real);
      break;
    case DType::Float16:
    case DType::BFloat16:
      return type_error("relax.const makes no " + std::string(dtype_name(dtype)) +
                        " here; make a float32 and cast it with relax.op.astype");
  }
  return Unit{};
}

Result<Value> make_relax_const(Interpreter& in, const BoundArgs& args) {
  std::vector<Value> numbers;
  auto constant = std::make_shared<relax::ConstantNode>();
  FX_TRY(flat, flatten(args[0], 0, constant->shape, numbers));
  static_cast<void>(flat);
  DType dtype = DType::Int32;
  bool all_bools = !numbers.empty();
  for (const Value& number : numbers) {
    if (number.as<double>() != nullptr) dtype = DType::Float32;
    all_bools = all_bools && number.as<bool>() != nullptr;
  }
  if (all_bools) dtype = DType::Bool;
  FX_TRY(wanted, to_dtype(args[1], "the dtype of relax.const", dtype));
  auto data = std::make_shared<TensorData>();
  data->dtype = wanted;
  data->shape = constant->shape;
  for (const Value& number : numbers) {
    FX_TRY(added, append_number(data->bytes, wanted, number));
    static_cast<void>(added);
  }
  constant->dtype = wanted;
  constant->data = std::move(data);
  FX_TRY(charged, in.charge(static_cast<int64_t>(numbers.size())));
  static_cast<void>(charged);
  return Value(relax::constant_expr(constant));
}

Result<Value> make_tuple(Interpreter& in, const BoundArgs& args) {
  FX_TRY(items, in.iterate(args[0]));
  std::vector<relax::Expr> fields;
  for (const Value& item : items) {
    FX_TRY(field, to_graph(item, "a field of relax.Tuple"));
    fields.push_back(field);
  }
  return in.graph(relax::tuple_expr(std::move(fields)));
}

Result<Value> make_item(Interpreter& in, const BoundArgs& args) {
  FX_TRY(tuple, to_graph(args[0], "the tuple of relax.TupleGetItem"));
  FX_TRY(index, to_int(args[1], "the index of relax.TupleGetItem"));
  const relax::TupleType* type = relax::as_tuple(tuple->type);
  if (type == nullptr) return type_error("relax.TupleGetItem takes a tuple");
  if (index < 0 || static_cast<size_t>(index) >= type->fields.size()) {
    return value_error("the tuple has no item at " + std::to_string(index));
  }
  return in.graph(relax::tuple_get_item(tuple, static_cast<int>(index)));
}

Result<Value> make_shape(Interpreter&, const BoundArgs& args) {
  FX_TRY(values, to_shape(args[0], "the values of relax.ShapeExpr", DType::Int64));
  return Value(relax::shape_expr(values));
}

Result<Value> make_prim_value(Interpreter&, const BoundArgs& args) {
  if (const auto* i = args[0].as<int64_t>()) {
    return Value(relax::prim_value(tir::int_imm(DType::Int64, *i)));
  }
  FX_TRY(expr, to_prim(args[0], "the value of relax.PrimValue"));
  return Value(relax::prim_value(expr));
}

}  // namespace

Namespace* make_relax(Interpreter& interpreter) {
  Namespace* space = interpreter.heap().space("relax");
  Namespace* op = interpreter.heap().space("relax.op");
  add_relax_operators(interpreter, *op);
  space->names["op"] = Value(static_cast<const Namespace*>(op));
  const auto add = [&](std::string_view signature, Builtin::Body body) {
    define(interpreter, *space, signature, std::move(body));
  };
  add("relax.TensorType(shape?, dtype?, ndim?)", make_tensor_type);
  add("relax.ShapeType(values)", make_shape_type);
  add("relax.TupleType(fields)", make_tuple_type);
  add("relax.Var(name, ty)", make_relax_var);
  add("relax.const(value, dtype?)", make_relax_const);
  add("relax.Tuple(fields)", make_tuple);
  add("relax.TupleGetItem(tuple_value, index)", make_item);
  add("relax.ShapeExpr(values)", make_shape);
  add("relax.PrimValue(value)", make_prim_value);
  add("relax.BlockBuilder()", make_block_builder);
  space->hints["TensorStructInfo"] = "today's TVM calls it relax.TensorType";
  space->hints["DynTensorType"] = "today's TVM calls it relax.TensorType: it has shape and dtype";
  space->hints["TupleStructInfo"] = "today's TVM calls it relax.TupleType";
  space->hints["ShapeStructInfo"] = "today's TVM calls it relax.ShapeType";
  space->hints["nn"] = "operators stand in relax.op.nn";
  return space;
}

}  // namespace fx2wasm::script
