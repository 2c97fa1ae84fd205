#include "script/reducer.h"

#include <algorithm>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "script/convert.h"
#include "script/names.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

using tir::PrimExpr;

// A reducer: called with an axis it reduces over it; called with scalars only it combines them.
class ReducerObject : public HostObject {
 public:
  // `combine` and `identity` are the program's functions.
  ReducerObject(std::string name, Value combine, Value identity)
      : HostObject(HostKind::Reducer),
        name_(std::move(name)),
        combine_(std::move(combine)),
        identity_(std::move(identity)) {}
  // One of sum, prod, min and max.
  ReducerObject(std::string name, tir::BinaryOp op)
      : HostObject(HostKind::Reducer), name_(std::move(name)), op_(op) {}

  std::string type_name() const override { return "reducer"; }
  Result<Value> call(Interpreter& interpreter, const CallArgs& args) override;

 private:
  Result<Value> reduce(Interpreter& interpreter, const Value& source, const Value& axis,
                       const Value& where, const Value& init);
  Result<Value> combine_values(Interpreter& interpreter, const std::vector<Value>& values);
  Result<std::vector<PrimExpr>> reduce_simple(const PrimExpr& source,
                                              const std::vector<te::IterVar>& axes,
                                              const PrimExpr& condition) const;
  Result<std::vector<PrimExpr>> reduce_by_functions(Interpreter& interpreter,
                                                    const std::vector<PrimExpr>& sources,
                                                    bool is_tuple,
                                                    const std::vector<te::IterVar>& axes,
                                                    const PrimExpr& condition) const;
  Result<std::vector<PrimExpr>> identities(Interpreter& interpreter,
                                           const std::vector<PrimExpr>& sources) const;
  Result<std::vector<PrimExpr>> combined(Interpreter& interpreter,
                                         const std::vector<tir::Var>& left,
                                         const std::vector<tir::Var>& right, bool is_tuple) const;

  std::string name_;
  Value combine_, identity_;
  std::optional<tir::BinaryOp> op_;
};

Result<Value> ReducerObject::call(Interpreter& interpreter, const CallArgs& args) {
  std::vector<Value> values = args.positional;
  Value axis, where, init;
  bool axis_given = false;
  const auto is_axis = [](const Value& value) {
    return value.as<IterVarValue>() != nullptr || items_of(value) != nullptr;
  };
  for (const auto& [name, value] : args.named) {
    if (name == "axis") {
      axis = value;
      axis_given = true;
    } else if (name == "where") {
      where = value;
    } else if (name == "init") {
      init = value;
    } else if (name == "expr" && values.empty()) {
      values.push_back(value);
    } else {
      return type_error(name_ + " has no parameter " + quote(name) +
                        "; it takes expr, axis, where "
                        "and init");
    }
  }
  if (values.size() == 1 && axis_given) return reduce(interpreter, values[0], axis, where, init);
  if (values.size() >= 2 && values.size() <= 4 && !axis_given && is_axis(values[1])) {
    if (values.size() > 2) where = values[2];
    if (values.size() > 3) init = values[3];
    return reduce(interpreter, values[0], values[1], where, init);
  }
  if (values.size() < 2 || axis_given || !where.is_none() || !init.is_none()) {
    return type_error(name_ + " takes an expression and axis=, or two scalars");
  }
  return combine_values(interpreter, values);
}

// Without an axis it is the plain operation: te.max(x, 0).
Result<Value> ReducerObject::combine_values(Interpreter& interpreter,
                                            const std::vector<Value>& values) {
  for (const Value& value : values) {
    if (!is_scalar(value)) {
      return type_error(name_ + " takes an expression and axis=, or scalars, not " +
                        describe(value));
    }
  }
  Value result = values[0];
  for (size_t i = 1; i < values.size(); ++i) {
    if (!op_) {
      FX_TRY(next, interpreter.call(combine_, CallArgs{{result, values[i]}, {}}));
      result = next;
      continue;
    }
    FX_TRY(a, to_prim(result, "an argument of " + name_));
    FX_TRY(b, to_prim(values[i], "an argument of " + name_));
    FX_TRY(next, interpreter.scalar(tir::binary(*op_, a, b)));
    result = next;
  }
  return result;
}

Result<Value> ReducerObject::reduce(Interpreter& interpreter, const Value& source,
                                    const Value& axis, const Value& where, const Value& init) {
  FX_TRY(axes, to_axes(axis, "the axis of " + name_));
  PrimExpr condition;
  if (!where.is_none()) {
    FX_TRY(given, to_prim(where, "the condition of " + name_));
    if (given->dtype != DType::Bool) return type_error("the condition of " + name_ + " is a bool");
    condition = given;
  }
  const bool is_tuple = items_of(source) != nullptr;
  std::vector<PrimExpr> sources;
  for (const Value& item : is_tuple ? *items_of(source) : std::vector<Value>{source}) {
    FX_TRY(expr, to_prim(item, "the expression of " + name_));
    bool nested = false;
    tir::walk(expr, [&nested](const PrimExpr& part) {
      nested = nested || std::holds_alternative<tir::Reduce>(part->kind);
      return !nested;
    });
    if (nested) {
      return script_error(codes::kTensorExpression,
                          "a reduction stands inside another; give the inner one a te.compute of "
                          "its own, or reduce over both axes at once");
    }
    sources.push_back(expr);
  }
  if (sources.empty()) return value_error(name_ + " has nothing to reduce");
  if (op_ && is_tuple) return type_error(name_ + " takes one expression, not a tuple");
  Result<std::vector<PrimExpr>> reduced =
      op_ ? reduce_simple(sources[0], axes, condition)
          : reduce_by_functions(interpreter, sources, is_tuple, axes, condition);
  if (!reduced.ok()) return reduced.diagnostics();
  std::vector<PrimExpr> results = std::move(reduced).value();
  if (!init.is_none()) {
    std::vector<PrimExpr> starts;
    for (const Value& item : items_of(init) ? *items_of(init) : std::vector<Value>{init}) {
      FX_TRY(start, to_prim(item, "the init of " + name_));
      const bool constant = std::holds_alternative<tir::IntImm>(start->kind) ||
                            std::holds_alternative<tir::FloatImm>(start->kind);
      if (!constant && !std::holds_alternative<tir::ProducerLoad>(start->kind)) {
        return type_error("the init of " + name_ + " is a number or an element of a tensor");
      }
      if (starts.size() < sources.size() && constant) {
        start = tir::cast(sources[starts.size()]->dtype, start);
      }
      starts.push_back(start);
    }
    if (starts.size() != sources.size()) {
      return value_error(name_ + " needs one init for each expression");
    }
    for (size_t i = 0; i < starts.size(); ++i) {
      if (starts[i]->dtype != sources[i]->dtype) {
        return type_error("the init of " + name_ + " has the dtype of the expression, " +
                          std::string(dtype_name(sources[i]->dtype)));
      }
    }
    for (PrimExpr& result : results) {
      tir::Reduce node = *std::get_if<tir::Reduce>(&result->kind);
      node.init = starts;
      result = tir::make_expr(result->dtype, std::move(node));
    }
  }
  std::vector<Value> values;
  for (const PrimExpr& result : results) {
    FX_TRY(value, interpreter.scalar(result));
    values.push_back(value);
  }
  if (!is_tuple) return values[0];
  return interpreter.tuple(std::move(values));
}

Result<std::vector<PrimExpr>> ReducerObject::reduce_simple(const PrimExpr& source,
                                                           const std::vector<te::IterVar>& axes,
                                                           const PrimExpr& condition) const {
  if (source->dtype == DType::Bool) {
    return type_error(name_ + " takes numbers, not bools; write x.astype(\"int32\")");
  }
  std::vector<PrimExpr> result;
  if (*op_ == tir::BinaryOp::Add) {
    result.push_back(te::sum(source, axes, condition));
  } else if (*op_ == tir::BinaryOp::Mul) {
    result.push_back(te::prod(source, axes, condition));
  } else if (*op_ == tir::BinaryOp::Max) {
    result.push_back(te::max(source, axes, condition));
  } else {
    result.push_back(te::min(source, axes, condition));
  }
  return result;
}

// The values of a function of the program, as scalars: one, or a tuple of `count`.
Result<std::vector<PrimExpr>> scalars_of(const Value& value, size_t count,
                                         const std::string& what) {
  const std::vector<Value>* items = items_of(value);
  const std::vector<Value> single = {value};
  if (items == nullptr) items = &single;
  if (items->size() != count) {
    return type_error(what + " gives " + std::to_string(items->size()) + " values for " +
                      std::to_string(count));
  }
  std::vector<PrimExpr> out;
  for (const Value& item : *items) {
    FX_TRY(expr, to_prim(item, "a result of " + what));
    out.push_back(expr);
  }
  return out;
}

Result<std::vector<PrimExpr>> ReducerObject::identities(
    Interpreter& interpreter, const std::vector<PrimExpr>& sources) const {
  CallArgs args;
  for (const PrimExpr& source : sources) {
    args.positional.push_back(text(std::string(dtype_name(source->dtype))));
  }
  FX_TRY(value, interpreter.call(identity_, args));
  FX_TRY(exprs, scalars_of(value, sources.size(), "the identity of " + name_));
  for (size_t i = 0; i < exprs.size(); ++i) {
    const bool constant = std::holds_alternative<tir::IntImm>(exprs[i]->kind) ||
                          std::holds_alternative<tir::FloatImm>(exprs[i]->kind);
    if (!constant || exprs[i]->dtype != sources[i]->dtype) {
      return type_error("the identity of " + name_ + " is a constant of " +
                        std::string(dtype_name(sources[i]->dtype)) +
                        ": write tirx.const(…, dtype)");
    }
  }
  return exprs;
}

Result<std::vector<PrimExpr>> ReducerObject::combined(Interpreter& interpreter,
                                                      const std::vector<tir::Var>& left,
                                                      const std::vector<tir::Var>& right,
                                                      bool is_tuple) const {
  const auto side = [&](const std::vector<tir::Var>& vars) -> Result<Value> {
    std::vector<Value> values;
    for (const tir::Var& var : vars) values.push_back(prim(tir::var_expr(var)));
    if (!is_tuple) return values[0];
    return interpreter.tuple(std::move(values));
  };
  FX_TRY(a, side(left));
  FX_TRY(b, side(right));
  FX_TRY(value, interpreter.call(combine_, CallArgs{{a, b}, {}}));
  FX_TRY(exprs, scalars_of(value, left.size(), "the combination of " + name_));
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (exprs[i]->dtype != left[i]->dtype) {
      return type_error("the combination of " + name_ + " gives " +
                        std::string(dtype_name(exprs[i]->dtype)) + " for " +
                        std::string(dtype_name(left[i]->dtype)));
    }
    bool outside = false;
    tir::walk(exprs[i], [&](const PrimExpr& part) {
      const auto* var = std::get_if<tir::Var>(&part->kind);
      const bool known = var == nullptr ||
                         std::find(left.begin(), left.end(), *var) != left.end() ||
                         std::find(right.begin(), right.end(), *var) != right.end();
      outside = outside || !known || std::holds_alternative<tir::ProducerLoad>(part->kind) ||
                std::holds_alternative<tir::Reduce>(part->kind);
      return !outside;
    });
    if (outside) {
      return script_error(codes::kTensorExpression,
                          "the combination of " + name_ + " may use its two arguments only");
    }
  }
  return exprs;
}

Result<std::vector<PrimExpr>> ReducerObject::reduce_by_functions(
    Interpreter& interpreter, const std::vector<PrimExpr>& sources, bool is_tuple,
    const std::vector<te::IterVar>& axes, const PrimExpr& condition) const {
  FX_TRY(identity, identities(interpreter, sources));
  Diagnostics errors;
  const te::Combine combine = [&](const std::vector<tir::Var>& left,
                                  const std::vector<tir::Var>& right) {
    Result<std::vector<PrimExpr>> result = combined(interpreter, left, right, is_tuple);
    if (result.ok()) return std::move(result).value();
    errors = result.diagnostics();
    return identity;  // anything of the right dtypes; the error is given below
  };
  std::vector<PrimExpr> results = te::reduce(combine, identity, sources, axes, condition);
  if (!errors.empty()) return errors;
  return results;
}

Result<Value> make_reducer(Interpreter& interpreter, const BoundArgs& args) {
  std::string name = "reduce";
  if (!args[2].is_none()) {
    FX_TRY(given, to_text(args[2], "the name of te.comm_reducer"));
    name = given;
  }
  for (size_t i = 0; i < 2; ++i) {
    if (args[i].as<FunctionObject*>() == nullptr && args[i].as<const Builtin*>() == nullptr) {
      return type_error(
          "te.comm_reducer takes two functions: how to combine two values, and the "
          "value to start from for a dtype");
    }
  }
  HostObject* reducer = interpreter.heap().host<ReducerObject>(name, args[0], args[1]);
  return Value(reducer);
}

}  // namespace

void add_reducers(Interpreter& interpreter, Namespace& space) {
  const auto add = [&](const char* name, tir::BinaryOp op) {
    HostObject* reducer = interpreter.heap().host<ReducerObject>(space.name + "." + name, op);
    space.names[name] = Value(reducer);
  };
  add("sum", tir::BinaryOp::Add);
  add("prod", tir::BinaryOp::Mul);
  add("max", tir::BinaryOp::Max);
  add("min", tir::BinaryOp::Min);
  define(interpreter, space, space.name + ".comm_reducer(fcombine, fidentity, name?)",
         make_reducer);
}

}  // namespace fx2wasm::script
