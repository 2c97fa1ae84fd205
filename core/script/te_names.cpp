// te: placeholder, compute, reduce_axis, create_prim_func, …
#include <algorithm>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "script/convert.h"
#include "script/names.h"
#include "support/text.h"
#include "te/create_prim_func.h"

namespace fx2wasm::script {
namespace {

using tir::PrimExpr;

Result<std::string> name_or(const Value& value, std::string_view what, std::string otherwise) {
  if (value.is_none()) return otherwise;
  return to_text(value, what);
}

Result<Value> placeholder(Interpreter& in, const BoundArgs& args) {
  FX_TRY(shape, to_shape(args[0], "the shape of te.placeholder"));
  FX_TRY(dtype, to_dtype(args[1], "the dtype of te.placeholder", DType::Float32));
  FX_TRY(name, name_or(args[2], "the name of te.placeholder", "placeholder"));
  return in.tensor(te::placeholder(shape, dtype, name));
}

Result<Value> reduce_axis(Interpreter& in, const BoundArgs& args) {
  const std::vector<Value>* bounds = items_of(args[0]);
  if (bounds == nullptr || bounds->size() != 2) {
    return type_error("the range of te.reduce_axis is (begin, end), not " + repr(args[0]));
  }
  FX_TRY(begin, to_prim((*bounds)[0], "the begin of te.reduce_axis"));
  FX_TRY(end, to_prim((*bounds)[1], "the end of te.reduce_axis"));
  if (!is_integer(begin->dtype) || !is_integer(end->dtype)) {
    return type_error("the range of te.reduce_axis has integers");
  }
  const PrimExpr extent = tir::sub(end, begin);
  if (const auto known = tir::as_int(extent); known && *known < 0) {
    return value_error("the range of te.reduce_axis ends before it begins");
  }
  FX_TRY(name, name_or(args[1], "the name of te.reduce_axis", "rv"));
  auto axis = std::make_shared<const te::IterVar>(te::reduce_axis({begin, extent}, name));
  in.claim(axis->var);
  return Value(IterVarValue{std::move(axis)});
}

// ---- compute ----

// How many dimensions the function has names for, and whether `*i` takes the others.
struct AxisNames {
  std::vector<std::string> names;
  bool star = false;
};

Result<AxisNames> names_of(const FunctionObject& function, size_t rank) {
  AxisNames out;
  for (const Parameter& param : *function.params) {
    if (param.star) {
      out.star = true;
    } else {
      out.names.push_back(param.name);
    }
  }
  if (function.params->empty() && rank == 0) return out;
  if (out.star ? out.names.size() > rank : out.names.size() != rank) {
    return type_error("the shape of te.compute has " + std::to_string(rank) +
                      (rank == 1 ? " dimension" : " dimensions") + ", but the function takes " +
                      std::to_string(out.names.size()) +
                      (out.names.size() == 1 ? " index" : " indices") +
                      "; `lambda *i:` fits any number");
  }
  for (size_t i = 0; out.names.size() < rank; ++i) out.names.push_back("i" + std::to_string(i));
  return out;
}

// What TVM refuses later, or never sees: reductions inside expressions, loop variables of others.
Result<Unit> check_bodies(const Interpreter& in, const std::vector<PrimExpr>& bodies,
                          const std::vector<PrimExpr>& indices) {
  const auto error = [](std::string message) {
    return script_error(codes::kTensorExpression, std::move(message));
  };
  const auto* first = std::get_if<tir::Reduce>(&bodies[0]->kind);
  if (first != nullptr && first->combiner->result.size() != bodies.size()) {
    return error("this reduction has " + std::to_string(first->combiner->result.size()) +
                 " results, so the function of te.compute gives all of them as a tuple");
  }
  for (size_t i = 0; i < bodies.size(); ++i) {
    const auto* reduce = std::get_if<tir::Reduce>(&bodies[i]->kind);
    if ((reduce != nullptr) != (first != nullptr) ||
        (reduce != nullptr &&
         (reduce->combiner != first->combiner || reduce->value_index != static_cast<int>(i)))) {
      return error(
          "the results of one te.compute are those of one reduction, or of none; make "
          "a te.compute for each");
    }
    std::vector<tir::Var> own;
    for (const PrimExpr& index : indices) own.push_back(*std::get_if<tir::Var>(&index->kind));
    if (reduce != nullptr) {
      for (const te::IterVar& axis : reduce->axis) own.push_back(axis.var);
    }
    std::vector<PrimExpr> parts = {bodies[i]};
    if (reduce != nullptr) parts = tir::children(bodies[i]);
    for (const PrimExpr& part : parts) {
      bool nested = false;
      tir::walk(part, [&nested](const PrimExpr& node) {
        nested = nested || std::holds_alternative<tir::Reduce>(node->kind);
        return !nested;
      });
      if (nested) {
        return error(
            "a reduction is the whole body of its te.compute; compute with its result in "
            "a second te.compute");
      }
      if (const tir::Var foreign = in.foreign_axis(part, own)) {
        return error("the loop variable " + quote(foreign->name) +
                     " belongs to another te.compute, or is a reduce axis without a reduction "
                     "over it (axis=" +
                     foreign->name + ")");
      }
    }
  }
  return Unit{};
}

Result<std::vector<PrimExpr>> bodies_of(const Value& value) {
  const std::vector<Value> single = {value};
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) items = &single;
  if (items->empty()) return type_error("the function of te.compute gives no expression");
  std::vector<PrimExpr> out;
  for (const Value& item : *items) {
    if (item.is_none()) {
      return type_error("the function of te.compute gives None; a def needs a return");
    }
    if (item.as<te::Tensor>() != nullptr) {
      return type_error(
          "the function of te.compute gives a whole tensor; give one element of it: "
          "x[i, j] or x(*i)");
    }
    FX_TRY(expr, to_prim(item, "the result of te.compute's function"));
    out.push_back(expr);
  }
  return out;
}

Result<Value> compute(Interpreter& in, const BoundArgs& args) {
  FX_TRY(shape, to_shape(args[0], "the shape of te.compute"));
  const auto* function = args[1].as<FunctionObject*>();
  if (function == nullptr) {
    return type_error("te.compute takes a function of the indices, like lambda i, j: …, not " +
                      describe(args[1]));
  }
  te::ComputeOptions options;
  FX_TRY(name, name_or(args[2], "the name of te.compute", "compute"));
  FX_TRY(tag, name_or(args[3], "the tag of te.compute", ""));
  FX_TRY(attrs, to_attrs(args[4], "the attrs of te.compute"));
  FX_TRY(axes, names_of(**function, shape.size()));
  options.name = name;
  options.tag = tag;
  options.attrs = attrs;
  options.axis_names = axes.names;

  Diagnostics errors;
  bool is_tuple = false;
  const te::ComputeBodies body = [&](const std::vector<PrimExpr>& indices) {
    const Result<std::vector<PrimExpr>> result = [&]() -> Result<std::vector<PrimExpr>> {
      CallArgs call_args;
      for (const PrimExpr& index : indices) {
        in.claim(*std::get_if<tir::Var>(&index->kind));
        call_args.positional.push_back(prim(index));
      }
      FX_TRY(value, in.call(args[1], call_args));
      is_tuple = items_of(value) != nullptr;
      FX_TRY(bodies, bodies_of(value));
      FX_TRY(checked, check_bodies(in, bodies, indices));
      static_cast<void>(checked);
      return bodies;
    }();
    if (result.ok()) return result.value();
    errors = result.diagnostics();
    return std::vector<PrimExpr>{tir::float_imm(DType::Float32, 0)};  // never seen: see below
  };
  std::vector<te::Tensor> tensors = te::compute_many(shape, std::move(options), body);
  if (!errors.empty()) return errors;
  std::vector<Value> values;
  for (te::Tensor& tensor : tensors) {
    FX_TRY(value, in.tensor(std::move(tensor)));
    values.push_back(value);
  }
  if (!is_tuple || values.size() == 1) return values[0];
  return in.tuple(std::move(values));
}

Result<Value> create(Interpreter&, const BoundArgs& args) {
  FX_TRY(func, prim_func_of(args[0], "the argument of te.create_prim_func"));
  return Value(func);
}

Result<Value> scan(Interpreter&, const BoundArgs&) {
  Diagnostic error = script_error(codes::kTensorExpression,
                                  "te.scan makes no PrimFunc: TVM's create_prim_func takes "
                                  "placeholders and computes only");
  error.notes.push_back(
      "a masked reduction does the same: te.sum(tirx.if_then_else(k <= i, X[k], "
      "0.0), axis=k)");
  return error;
}

Result<Value> make_te_var(Interpreter&, const BoundArgs& args) {
  FX_TRY(name, name_or(args[0], "the name of te.var", "tindex"));
  FX_TRY(dtype, to_dtype(args[1], "the dtype of te.var", DType::Int32));
  if (!is_identifier(name)) return value_error("a variable's name is one word, not " + quote(name));
  return prim(tir::var_expr(tir::make_var(name, dtype)));
}

}  // namespace

Result<tir::PrimFunc> prim_func_of(const Value& value, std::string_view what) {
  const std::vector<Value> single = {value};
  const std::vector<Value>* items = items_of(value);
  if (items == nullptr) items = &single;
  std::vector<te::FuncArg> args;
  for (const Value& item : *items) {
    if (const auto* tensor = item.as<te::Tensor>()) {
      args.emplace_back(*tensor);
      continue;
    }
    const auto* expr = item.as<PrimExpr>();
    const tir::Var* var = expr != nullptr ? std::get_if<tir::Var>(&(*expr)->kind) : nullptr;
    if (var == nullptr) {
      return type_error(std::string(what) + " lists te tensors and tirx.Vars, not " +
                        describe(item));
    }
    args.emplace_back(*var);
  }
  if (args.empty()) return value_error(std::string(what) + " lists no tensor");
  return te::create_prim_func(args);
}

Namespace* make_te(Interpreter& interpreter) {
  Namespace* space = interpreter.heap().space("te");
  add_scalar_functions(interpreter, *space);
  define(interpreter, *space, "te.placeholder(shape, dtype?, name?)", placeholder);
  define(interpreter, *space, "te.compute(shape, fcompute, name?, tag?, attrs?)", compute);
  define(interpreter, *space, "te.reduce_axis(dom, name?)", reduce_axis);
  define(interpreter, *space, "te.create_prim_func(ops)", create);
  define(interpreter, *space, "te.scan(*args, **options)", scan);
  define(interpreter, *space, "te.var(name?, dtype?)", make_te_var);
  define(interpreter, *space, "te.size_var(name?, dtype?)", make_te_var);
  space->hints["create_schedule"] = "today's TVM schedules the PrimFunc of te.create_prim_func";
  space->hints["extern"] = "this small Python has placeholder, compute and reduce_axis";
  return space;
}

}  // namespace fx2wasm::script
