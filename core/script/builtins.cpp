// Python's own functions, as far as the small Python has them.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ir/tir_build.h"
#include "script/convert.h"
#include "script/names.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

Result<Value> make_range(Interpreter&, const BoundArgs& args) {
  if (args.rest.empty() || args.rest.size() > 3) {
    return type_error("range takes one to three integers");
  }
  std::vector<int64_t> bounds;
  for (const Value& item : args.rest) {
    FX_TRY(bound, to_int(item, "an argument of range"));
    bounds.push_back(bound);
  }
  RangeValue range;
  if (bounds.size() == 1) {
    range.stop = bounds[0];
  } else {
    range.start = bounds[0];
    range.stop = bounds[1];
    if (bounds.size() == 3) range.step = bounds[2];
  }
  if (range.step == 0) return value_error("the step of a range is zero");
  return Value(range);
}

Result<Value> length(Interpreter& interpreter, const BoundArgs& args) {
  if (const auto* s = args[0].as<Text>()) return Value(static_cast<int64_t>((*s)->size()));
  if (args[0].as<relax::Expr>() == nullptr && args[0].as<RangeValue>() == nullptr &&
      args[0].as<DictObject*>() == nullptr && items_of(args[0]) == nullptr) {
    return type_error(describe(args[0]) + " has no length");
  }
  FX_TRY(items, interpreter.iterate(args[0]));
  return Value(static_cast<int64_t>(items.size()));
}

Result<Value> make_float(Interpreter&, const BoundArgs& args) {
  if (const auto* s = args[0].as<Text>()) {
    const std::string& text = **s;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size()) {
      return value_error("float cannot read " + quote(text));
    }
    return Value(value);
  }
  FX_TRY(value, to_double(args[0], "float's argument"));
  return Value(value);
}

Result<Value> make_int(Interpreter&, const BoundArgs& args) {
  if (const auto* d = args[0].as<double>()) {
    if (!(std::fabs(*d) < 9.2e18)) return value_error("the float is no 64-bit integer");
    return Value(static_cast<int64_t>(*d));
  }
  FX_TRY(value, to_int(args[0], "int's argument"));
  return Value(value);
}

Result<Value> absolute(Interpreter& interpreter, const BoundArgs& args) {
  if (const auto* d = args[0].as<double>()) return Value(std::fabs(*d));
  FX_TRY(value, to_int(args[0], "abs's argument (of a scalar expression: tirx.abs)"));
  return value < 0 ? interpreter.unary(UnaryOperator::Minus, Value(value)) : Value(value);
}

Builtin::Body extreme(Comparison better) {
  return [better](Interpreter& interpreter, const BoundArgs& args) -> Result<Value> {
    std::vector<Value> items = args.rest;
    if (items.size() == 1) {
      FX_TRY(inner, interpreter.iterate(items[0]));
      items = inner;
    }
    if (items.empty()) return value_error("min and max need at least one value");
    Value best = items[0];
    for (const Value& item : items) {
      if (is_symbolic(item) && !known_int(item)) {
        return type_error(
            "min and max compare known values; of scalar expressions take tirx.min "
            "and tirx.max");
      }
      FX_TRY(compared, interpreter.compare(better, item, best));
      FX_TRY(is_better, interpreter.truth(compared));
      if (is_better) best = item;
    }
    return best;
  };
}

Result<Value> total(Interpreter& interpreter, const BoundArgs& args) {
  FX_TRY(items, interpreter.iterate(args[0]));
  Value sum = args[1].is_none() ? Value(int64_t{0}) : args[1];
  for (const Value& item : items) {
    FX_TRY(next, interpreter.binary(Operator::Add, sum, item));
    sum = next;
  }
  return sum;
}

Result<Value> zip(Interpreter& interpreter, const BoundArgs& args) {
  std::vector<std::vector<Value>> columns;
  size_t rows = args.rest.empty() ? 0 : kMaxItems;
  for (const Value& column : args.rest) {
    FX_TRY(items, interpreter.iterate(column));
    rows = std::min(rows, items.size());
    columns.push_back(std::move(items));
  }
  std::vector<Value> out;
  for (size_t row = 0; row < rows; ++row) {
    std::vector<Value> parts;
    for (const std::vector<Value>& column : columns) parts.push_back(column[row]);
    FX_TRY(tuple, interpreter.tuple(std::move(parts)));
    out.push_back(tuple);
  }
  return interpreter.list(std::move(out));
}

Result<Value> enumerate(Interpreter& interpreter, const BoundArgs& args) {
  FX_TRY(items, interpreter.iterate(args[0]));
  std::vector<Value> out;
  for (const Value& item : items) {
    FX_TRY(pair, interpreter.tuple({Value(static_cast<int64_t>(out.size())), item}));
    out.push_back(pair);
  }
  return interpreter.list(std::move(out));
}

bool is_instance(const Value& value, const std::string& type) {
  const auto* expr = value.as<relax::Expr>();
  if (type == "bool") return value.as<bool>() != nullptr;
  if (type == "int") return value.as<bool>() != nullptr || value.as<int64_t>() != nullptr;
  if (type == "float") return value.as<double>() != nullptr;
  if (type == "str") return value.as<Text>() != nullptr;
  if (type == "tuple") return value.as<TupleValue>() != nullptr;
  if (type == "list") return value.as<ListObject*>() != nullptr;
  if (type == "dict") return value.as<DictObject*>() != nullptr;
  if (type == "relax.Var") {
    return expr != nullptr && std::holds_alternative<relax::Var>((*expr)->kind);
  }
  if (type == "relax.Tuple") {
    return expr != nullptr && std::holds_alternative<relax::Tuple>((*expr)->kind);
  }
  if (type == "tirx.Var") {
    const auto* prim = value.as<tir::PrimExpr>();
    return prim != nullptr && std::holds_alternative<tir::Var>((*prim)->kind);
  }
  return false;
}

Result<Value> isinstance(Interpreter&, const BoundArgs& args) {
  std::vector<Value> single = {args[1]};
  const std::vector<Value>* types = items_of(args[1]);
  if (types == nullptr) types = &single;
  for (const Value& type : *types) {
    const auto* builtin = type.as<const Builtin*>();
    static const std::vector<std::string_view> kTypes = {
        "bool", "int",  "float",     "str",         "tuple",
        "list", "dict", "relax.Var", "relax.Tuple", "tirx.Var"};
    if (builtin == nullptr ||
        std::find(kTypes.begin(), kTypes.end(), (*builtin)->name) == kTypes.end()) {
      return type_error(
          "isinstance knows bool, int, float, str, tuple, list, dict, relax.Var, "
          "relax.Tuple and tirx.Var, not " +
          describe(type));
    }
    if (is_instance(args[0], (*builtin)->name)) return Value(true);
  }
  return Value(false);
}

}  // namespace

void add_builtins(Interpreter& interpreter) {
  const auto add = [&](std::string_view signature, Builtin::Body body) {
    Builtin builtin = make_builtin(signature, std::move(body));
    std::string name = builtin.name;
    interpreter.globals().names[name] = Value(interpreter.heap().builtin(std::move(builtin)));
  };
  add("range(*bounds)", make_range);
  add("len(value)", length);
  add("float(value)", make_float);
  add("int(value)", make_int);
  add("bool(value)", [](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(is_true, in.truth(args[0]));
    return Value(is_true);
  });
  add("str(value)", [](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    if (args[0].as<Text>() != nullptr) return args[0];
    return in.string(repr(args[0]));
  });
  add("abs(value)", absolute);
  add("min(*values)", extreme(Comparison::LT));
  add("max(*values)", extreme(Comparison::GT));
  add("sum(values, start?)", total);
  add("zip(*values)", zip);
  add("enumerate(values)", enumerate);
  add("isinstance(value, types)", isinstance);
  add("tuple(values?)", [](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    if (!args.given[0]) return in.tuple({});
    FX_TRY(items, in.iterate(args[0]));
    return in.tuple(std::move(items));
  });
  add("list(values?)", [](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    if (!args.given[0]) return in.list({});
    FX_TRY(items, in.iterate(args[0]));
    return in.list(std::move(items));
  });
  add("reversed(values)", [](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    FX_TRY(items, in.iterate(args[0]));
    return in.list(std::vector<Value>(items.rbegin(), items.rend()));
  });
  add("dict(**items)", [](Interpreter& in, const BoundArgs& args) -> Result<Value> {
    DictObject* dict = in.heap().dict();
    for (const auto& [name, value] : args.others) dict_set(*dict, text(name), value);
    return Value(dict);
  });
}

void define(Interpreter& interpreter, Namespace& space, std::string_view signature,
            Builtin::Body body) {
  Builtin builtin = make_builtin(signature, std::move(body));
  std::string name = builtin.short_name;
  space.names[name] = Value(interpreter.heap().builtin(std::move(builtin)));
}

void add_modules(Interpreter& interpreter) {
  add_builtins(interpreter);
  Namespace* tvm = interpreter.heap().space("tvm");
  const auto add = [&](const std::string& name, const Namespace* space) {
    tvm->names[name] = Value(space);
    interpreter.globals().names[name] = Value(space);
    interpreter.make_importable("tvm." + name, Value(space));
    for (const auto& [inner, value] : space->names) {
      if (value.as<const Namespace*>() != nullptr || value.as<const Builtin*>() != nullptr) {
        interpreter.make_importable_name("tvm." + name + "." + inner, value);
      }
    }
  };
  add("te", make_te(interpreter));
  add("tirx", make_tirx(interpreter));
  add("topi", make_topi(interpreter));
  add("relax", make_relax(interpreter));
  tvm->hints["tir"] = "today's TVM calls tvm.tir tvm.tirx";
  interpreter.globals().names["tvm"] = Value(static_cast<const Namespace*>(tvm));
  interpreter.make_importable("tvm", Value(static_cast<const Namespace*>(tvm)));
  interpreter.make_importable_name("__future__.annotations", Value(None{}));
}

}  // namespace fx2wasm::script
