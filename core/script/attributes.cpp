// Attributes, items, slices and iteration of values.
#include <algorithm>

#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "script/convert.h"
#include "script/interpreter.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

Diagnostic no_attribute(const Value& object, const std::string& name,
                        const std::vector<std::string_view>& known) {
  Diagnostic error =
      type_error(describe(object) + " has no attribute " + quote(name) + did_you_mean(name, known));
  if (name == "struct_info" || name == "checked_type" || name == "type") {
    error.notes.push_back("today's TVM calls it ty");
  }
  if (name == "script" || name == "show") {
    error.notes.push_back(
        "the printed text is this program's result: end with ARGS = […] or MODULE = bb.get()");
  }
  return error;
}

Result<Value> extents(Interpreter& interpreter, const std::vector<tir::PrimExpr>& shape) {
  std::vector<Value> values;
  for (const tir::PrimExpr& extent : shape) values.push_back(prim(extent));
  return interpreter.tuple(std::move(values));
}

Value method(Interpreter& interpreter, std::string_view signature, Builtin::Body body) {
  return Value(interpreter.heap().builtin(make_builtin(signature, std::move(body))));
}

Result<Value> scalar_attribute(Interpreter& interpreter, const Value& object,
                               const tir::PrimExpr& expr, const std::string& name) {
  if (name == "dtype") return text(std::string(dtype_name(expr->dtype)));
  if (name == "astype") {
    return method(interpreter, "astype(dtype)",
                  [expr](Interpreter& in, const BoundArgs& args) -> Result<Value> {
                    FX_TRY(dtype, to_dtype(args[0], "the dtype of astype"));
                    return in.scalar(tir::cast(dtype, expr));
                  });
  }
  if (const auto* var = std::get_if<tir::Var>(&expr->kind); var != nullptr && name == "name") {
    return text((*var)->name);
  }
  if (const auto known = tir::as_int(expr); known && name == "value") return Value(*known);
  return no_attribute(object, name, {"dtype", "astype", "name", "value"});
}

Result<Value> tensor_attribute(Interpreter& interpreter, const Value& object,
                               const te::Tensor& tensor, const std::string& name) {
  if (name == "shape") return extents(interpreter, te::shape_of(tensor));
  if (name == "dtype") return text(std::string(dtype_name(te::dtype_of(tensor))));
  if (name == "ndim") return Value(static_cast<int64_t>(te::shape_of(tensor).size()));
  if (name == "name") return text(tensor.op->name);
  return no_attribute(object, name, {"shape", "dtype", "ndim", "name"});
}

Result<Value> type_attribute(Interpreter& interpreter, const Value& object, const relax::Type& type,
                             const std::string& name) {
  if (const relax::TensorType* tensor = relax::as_tensor(type)) {
    if (name == "shape") {
      if (tensor->shape) return extents(interpreter, *tensor->shape);
      return Value(None{});
    }
    if (name == "dtype" && tensor->dtype) return text(std::string(dtype_name(*tensor->dtype)));
    if (name == "dtype") return Value(None{});
    if (name == "ndim") return Value(static_cast<int64_t>(tensor->ndim));
  }
  if (const relax::TupleType* tuple = relax::as_tuple(type); tuple != nullptr && name == "fields") {
    std::vector<Value> fields;
    for (const relax::Type& field : tuple->fields) fields.push_back(Value(field));
    return interpreter.tuple(std::move(fields));
  }
  if (const auto* shape = std::get_if<relax::ShapeType>(&type->kind);
      shape != nullptr && shape->values && name == "values") {
    return extents(interpreter, *shape->values);
  }
  return no_attribute(object, name, {"shape", "dtype", "ndim", "fields", "values"});
}

Result<Value> graph_attribute(Interpreter& interpreter, const Value& object,
                              const relax::Expr& expr, const std::string& name) {
  static const std::vector<std::string_view> kNames = {"shape",     "dtype",  "ndim",  "ty",
                                                       "name_hint", "values", "fields"};
  if (name == "name_hint" || name == "name") {
    if (const auto* var = std::get_if<relax::Var>(&expr->kind)) return text((*var)->name_hint);
  }
  if (const auto* shape = std::get_if<relax::ShapeExpr>(&expr->kind)) {
    if (name == "values") return extents(interpreter, shape->values);
  }
  if (const auto* tuple = std::get_if<relax::Tuple>(&expr->kind)) {
    if (name == "fields") {
      std::vector<Value> fields;
      for (const relax::Expr& field : tuple->fields) fields.push_back(Value(field));
      return interpreter.tuple(std::move(fields));
    }
  }
  if (name == "ty" || name == "shape" || name == "dtype" || name == "ndim") {
    if (!expr->type) {
      return type_error("the type of this expression is not known yet; bind it with bb.emit");
    }
    if (name == "ty") return Value(expr->type);
    if (relax::as_tensor(expr->type) != nullptr) {
      return type_attribute(interpreter, object, expr->type, name);
    }
  }
  return no_attribute(object, name, kNames);
}

Result<Value> text_attribute(Interpreter& interpreter, const Value& object, const Text& self,
                             const std::string& name) {
  if (name == "lower" || name == "upper") {
    const bool lower = name == "lower";
    return method(interpreter, lower ? "str.lower()" : "str.upper()",
                  [self, lower](Interpreter& in, const BoundArgs&) -> Result<Value> {
                    std::string out = *self;
                    for (char& c : out) {
                      if (lower && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
                      if (!lower && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
                    }
                    return in.string(std::move(out));
                  });
  }
  if (name == "startswith" || name == "endswith") {
    const bool front = name == "startswith";
    return method(interpreter, front ? "str.startswith(part)" : "str.endswith(part)",
                  [self, front](Interpreter&, const BoundArgs& args) -> Result<Value> {
                    FX_TRY(part, to_text(args[0], "the part"));
                    if (part.size() > self->size()) return Value(false);
                    const size_t at = front ? 0 : self->size() - part.size();
                    return Value(self->compare(at, part.size(), part) == 0);
                  });
  }
  if (name == "join") {
    return method(interpreter, "str.join(parts)",
                  [self](Interpreter& in, const BoundArgs& args) -> Result<Value> {
                    FX_TRY(items, in.iterate(args[0]));
                    std::string out;
                    for (size_t i = 0; i < items.size(); ++i) {
                      FX_TRY(part, to_text(items[i], "a part of str.join"));
                      out += (i > 0 ? *self : "") + part;
                      if (out.size() > kMaxTextBytes) break;  // string() reports it
                    }
                    return in.string(std::move(out));
                  });
  }
  return no_attribute(object, name, {"lower", "upper", "startswith", "endswith", "join"});
}

Result<Value> list_attribute(Interpreter& interpreter, const Value& object, ListObject* self,
                             const std::string& name) {
  if (name == "append") {
    return method(interpreter, "list.append(item)",
                  [self](Interpreter& in, const BoundArgs& args) -> Result<Value> {
                    if (self->items.size() >= kMaxItems) return in.list({kMaxItems + 1, Value()});
                    self->items.push_back(args[0]);
                    return Value(None{});
                  });
  }
  if (name == "extend") {
    return method(interpreter, "list.extend(items)",
                  [self](Interpreter& in, const BoundArgs& args) -> Result<Value> {
                    FX_TRY(items, in.iterate(args[0]));
                    std::vector<Value> joined = self->items;
                    joined.insert(joined.end(), items.begin(), items.end());
                    FX_TRY(checked, in.list(std::move(joined)));
                    self->items = (*checked.as<ListObject*>())->items;
                    return Value(None{});
                  });
  }
  if (name == "pop") {
    return method(interpreter, "list.pop(index?)",
                  [self](Interpreter&, const BoundArgs& args) -> Result<Value> {
                    int64_t index = -1;
                    if (!args[0].is_none()) {
                      FX_TRY(given, to_int(args[0], "the index of list.pop"));
                      index = given;
                    }
                    const auto size = static_cast<int64_t>(self->items.size());
                    if (index < 0) index += size;
                    if (index < 0 || index >= size) return value_error("the list has no such item");
                    Value item = self->items[static_cast<size_t>(index)];
                    self->items.erase(self->items.begin() + static_cast<ptrdiff_t>(index));
                    return item;
                  });
  }
  return no_attribute(object, name, {"append", "extend", "pop"});
}

Result<Value> dict_attribute(Interpreter& interpreter, const Value& object, DictObject* self,
                             const std::string& name) {
  if (name == "get") {
    return method(interpreter, "dict.get(key, otherwise?)",
                  [self](Interpreter&, const BoundArgs& args) -> Result<Value> {
                    const Value* found = dict_find(*self, args[0]);
                    return found != nullptr ? *found : args[1];
                  });
  }
  if (name == "keys" || name == "values" || name == "items") {
    const char which = name[0];
    return method(interpreter, "dict." + name + "()",
                  [self, which](Interpreter& in, const BoundArgs&) -> Result<Value> {
                    std::vector<Value> out;
                    for (const auto& [key, value] : self->items) {
                      if (which == 'i') {
                        FX_TRY(pair, in.tuple({key, value}));
                        out.push_back(pair);
                      } else {
                        out.push_back(which == 'k' ? key : value);
                      }
                    }
                    return in.list(std::move(out));
                  });
  }
  return no_attribute(object, name, {"get", "keys", "values", "items"});
}

Result<Value> namespace_attribute(const Namespace& space, const std::string& name) {
  const auto found = space.names.find(name);
  if (found != space.names.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& entry : space.names) known.push_back(entry.first);
  std::sort(known.begin(), known.end());
  const auto hint = space.hints.find(name);
  Diagnostic error = script_error(codes::kScriptName,
                                  "the module " + space.name + " has no " + quote(name) +
                                      (hint == space.hints.end() ? did_you_mean(name, known) : ""));
  if (hint != space.hints.end()) error.notes.push_back(hint->second);
  return error;
}

int64_t length_of(const RangeValue& range) {
  const auto span = static_cast<__int128>(range.stop) - range.start;
  if ((range.step > 0) != (span > 0) || span == 0) return 0;
  const __int128 step = range.step;
  const __int128 count = (span + step - (step > 0 ? 1 : -1)) / step;
  return count > INT64_MAX ? INT64_MAX : static_cast<int64_t>(count);
}

// Python's rules for a slice of `size` items.
Result<std::vector<size_t>> slice_places(size_t size, const Value& start, const Value& stop,
                                         const Value& step) {
  const auto length = static_cast<int64_t>(size);
  int64_t stride = 1;
  if (!step.is_none()) {
    FX_TRY(given, to_int(step, "the step of a slice"));
    stride = given;
  }
  if (stride == 0) return value_error("the step of a slice is zero");
  stride = std::clamp<int64_t>(stride, -length - 1, length + 1);
  const auto bound = [&](const Value& value, int64_t otherwise) -> Result<int64_t> {
    if (value.is_none()) return otherwise;
    FX_TRY(given, to_int(value, "the bound of a slice"));
    const int64_t place = given < 0 ? std::max<int64_t>(given, -length) + length : given;
    if (given < 0 && given < -length) return stride > 0 ? int64_t{0} : int64_t{-1};
    return std::min(place, stride > 0 ? length : length - 1);
  };
  FX_TRY(from, bound(start, stride > 0 ? 0 : length - 1));
  FX_TRY(to, bound(stop, stride > 0 ? length : -1));
  std::vector<size_t> places;
  for (int64_t i = from; stride > 0 ? i < to : i > to; i += stride) {
    places.push_back(static_cast<size_t>(i));
  }
  return places;
}

Result<Value> tensor_item(Interpreter& interpreter, const te::Tensor& tensor, const Value& key) {
  std::vector<Value> single = {key};
  const std::vector<Value>* items = key.as<TupleValue>() != nullptr ? items_of(key) : &single;
  const size_t rank = te::shape_of(tensor).size();
  if (items->size() != rank) {
    return type_error("the tensor " + tensor.op->name + " has " + std::to_string(rank) +
                      (rank == 1 ? " dimension, but " : " dimensions, but ") +
                      std::to_string(items->size()) +
                      (items->size() == 1 ? " index is given" : " indices are given"));
  }
  std::vector<tir::PrimExpr> indices;
  for (const Value& item : *items) {
    FX_TRY(index, to_prim(item, "an index of the tensor " + tensor.op->name));
    if (!is_integer(index->dtype)) {
      return type_error("an index of the tensor " + tensor.op->name + " is an integer, not a " +
                        std::string(dtype_name(index->dtype)));
    }
    indices.push_back(index);
  }
  return interpreter.scalar(te::read(tensor, std::move(indices)));
}

Result<size_t> place_in(size_t size, const Value& key, std::string_view what) {
  FX_TRY(index, to_int(key, "the index of " + std::string(what)));
  const auto length = static_cast<int64_t>(size);
  const int64_t place = index < 0 ? index + length : index;
  if (place < 0 || place >= length) {
    return value_error(std::string(what) + " of " + std::to_string(size) +
                       (size == 1 ? " item has none at " : " items has none at ") +
                       std::to_string(index));
  }
  return static_cast<size_t>(place);
}

Result<Value> graph_item(Interpreter& interpreter, const relax::Expr& expr, const Value& key) {
  if (const auto* tuple = std::get_if<relax::Tuple>(&expr->kind)) {
    FX_TRY(place, place_in(tuple->fields.size(), key, "a tuple"));
    return Value(tuple->fields[place]);
  }
  if (const auto* shape = std::get_if<relax::ShapeExpr>(&expr->kind)) {
    FX_TRY(place, place_in(shape->values.size(), key, "a shape"));
    return prim(shape->values[place]);
  }
  if (const relax::TupleType* type = relax::as_tuple(expr->type)) {
    FX_TRY(place, place_in(type->fields.size(), key, "a tuple"));
    return interpreter.graph(relax::tuple_get_item(expr, static_cast<int>(place)));
  }
  if (!expr->type) {
    return type_error("the type of this expression is not known yet; bind it with bb.emit");
  }
  return type_error(
      "only a relax tuple has items; for a part of a tensor see "
      "relax.op.strided_slice and relax.op.take");
}

}  // namespace

Result<Value> Interpreter::attribute(const Value& object, const std::string& name) {
  if (const auto* space = object.as<const Namespace*>()) return namespace_attribute(**space, name);
  if (const auto* host = object.as<HostObject*>()) return (*host)->attribute(*this, name);
  if (const auto* expr = object.as<tir::PrimExpr>()) {
    return scalar_attribute(*this, object, *expr, name);
  }
  if (const auto* axis = object.as<IterVarValue>()) {
    if (name == "var") return prim(te::var_of(*axis->axis));
    if (name == "dom") return tuple({prim(axis->axis->dom.min), prim(axis->axis->dom.extent)});
    return scalar_attribute(*this, object, te::var_of(*axis->axis), name);
  }
  if (const auto* tensor = object.as<te::Tensor>()) {
    return tensor_attribute(*this, object, *tensor, name);
  }
  if (const auto* type = object.as<relax::Type>()) {
    return type_attribute(*this, object, *type, name);
  }
  if (const auto* expr = object.as<relax::Expr>()) {
    return graph_attribute(*this, object, *expr, name);
  }
  if (const auto* self = object.as<Text>()) return text_attribute(*this, object, *self, name);
  if (const auto* self = object.as<ListObject*>())
    return list_attribute(*this, object, *self, name);
  if (const auto* self = object.as<DictObject*>())
    return dict_attribute(*this, object, *self, name);
  if (const auto* function = object.as<FunctionObject*>(); function && name == "__name__") {
    return text((*function)->name);
  }
  if (const auto* builtin = object.as<const Builtin*>(); builtin && name == "__name__") {
    return text((*builtin)->short_name);
  }
  return no_attribute(object, name, {});
}

Result<Value> Interpreter::item(const Value& object, const Value& key) {
  if (const auto* tensor = object.as<te::Tensor>()) return tensor_item(*this, *tensor, key);
  if (const std::vector<Value>* items = items_of(object)) {
    FX_TRY(place, place_in(items->size(), key, object.as<TupleValue>() ? "a tuple" : "a list"));
    return (*items)[place];
  }
  if (const auto* dict = object.as<DictObject*>()) {
    if (const Value* found = dict_find(**dict, key)) return *found;
    return value_error("the dict has no key " + repr(key));
  }
  if (const auto* s = object.as<Text>()) {
    FX_TRY(place, place_in((*s)->size(), key, "a string"));
    return string((*s)->substr(place, 1));
  }
  if (const auto* range = object.as<RangeValue>()) {
    FX_TRY(place, place_in(static_cast<size_t>(length_of(*range)), key, "a range"));
    return Value(range->start + static_cast<int64_t>(place) * range->step);
  }
  if (const auto* expr = object.as<relax::Expr>()) return graph_item(*this, *expr, key);
  if (const auto* host = object.as<HostObject*>()) return (*host)->item(*this, key);
  return type_error(describe(object) + " has no items");
}

Result<Value> Interpreter::slice(const Value& object, const Value& start, const Value& stop,
                                 const Value& step) {
  const std::vector<Value>* items = items_of(object);
  const auto* s = object.as<Text>();
  if (items == nullptr && s == nullptr) {
    return type_error("only tuples, lists and strings have slices, not " + describe(object));
  }
  FX_TRY(places, slice_places(items != nullptr ? items->size() : (*s)->size(), start, stop, step));
  if (items == nullptr) {
    std::string out;
    for (size_t place : places) out += (**s)[place];
    return string(std::move(out));
  }
  std::vector<Value> out;
  for (size_t place : places) out.push_back((*items)[place]);
  return object.as<TupleValue>() != nullptr ? tuple(std::move(out)) : list(std::move(out));
}

Result<std::vector<Value>> Interpreter::iterate(const Value& value) {
  std::vector<Value> out;
  if (const std::vector<Value>* items = items_of(value)) {
    out = *items;
  } else if (const auto* range = value.as<RangeValue>()) {
    const int64_t count = length_of(*range);
    if (count > static_cast<int64_t>(kMaxItems)) {
      return script_error(codes::kScriptStepLimit,
                          "a range of more than " + std::to_string(kMaxItems) + " numbers");
    }
    for (int64_t i = 0; i < count; ++i) out.push_back(Value(range->start + i * range->step));
  } else if (const auto* dict = value.as<DictObject*>()) {
    for (const auto& entry : (*dict)->items) out.push_back(entry.first);
  } else if (const auto* s = value.as<Text>()) {
    for (char c : **s) out.push_back(text(std::string(1, c)));
  } else if (const auto* expr = value.as<relax::Expr>()) {
    const relax::TupleType* type = relax::as_tuple((*expr)->type);
    if (type == nullptr) return type_error("only a relax tuple can be looped over or unpacked");
    for (size_t i = 0; i < type->fields.size(); ++i) {
      FX_TRY(field, graph_item(*this, *expr, Value(static_cast<int64_t>(i))));
      out.push_back(field);
    }
  } else {
    return type_error(describe(value) + " cannot be looped over or unpacked");
  }
  FX_TRY(charged, charge(static_cast<int64_t>(out.size())));
  static_cast<void>(charged);
  return out;
}

}  // namespace fx2wasm::script
