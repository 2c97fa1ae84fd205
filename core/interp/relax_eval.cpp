#include "interp/relax_eval.h"

#include "interp/interp.h"
#include "interp/prim_func.h"
#include "ir/match.h"
#include "ir/op.h"
#include "ir/relax_build.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::interp {
namespace {

Diagnostic input_error(const std::string& message) {
  return error_at({}, codes::kRunInputs, message);
}

std::string printed_shape(const Shape& shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

Evaluator find_evaluator(std::string_view name) {
  for (const auto find :
       {find_elementwise, find_shape_op, find_indexing_op, find_reduction, find_linear_op,
        find_einsum, find_window_op, find_resize, find_normalization}) {
    if (const Evaluator evaluator = find(name)) return evaluator;
  }
  return nullptr;
}

// Results that are no tensor are left out.
void flatten(const Value& value, std::vector<TensorDataRef>& tensors) {
  match(
      value.kind, [&](const TensorRef& tensor) { tensors.push_back(data_of(*tensor)); },
      [&](const TupleValue& tuple) {
        for (const Value& field : tuple) flatten(field, tensors);
      },
      [](const Shape&) {}, [](const Scalar&) {}, [](const TextValue&) {});
}

// The common shape of the tensors among an elementwise operator's arguments.
std::optional<Shape> broadcast_shape(const std::vector<Value>& args) {
  Shape shape;
  for (const Value& arg : args) {
    const auto* tensor = std::get_if<TensorRef>(&arg.kind);
    if (tensor == nullptr) continue;
    const Shape& own = (*tensor)->shape;
    if (own.size() > shape.size()) shape.insert(shape.begin(), own.size() - shape.size(), 1);
    for (size_t i = 0; i < own.size(); ++i) {
      int64_t& extent = shape[shape.size() - 1 - i];
      const int64_t other = own[own.size() - 1 - i];
      if (extent != other && extent != 1 && other != 1) return std::nullopt;
      extent = extent == 1 ? other : extent;
    }
  }
  return shape;
}

// The weights that a function's constants lack, each once.
void collect_missing(const relax::Expr& expr, std::vector<std::string_view>& names) {
  if (const auto* constant = std::get_if<relax::Constant>(&expr->kind)) {
    if ((*constant)->data != nullptr) return;
    for (std::string_view name : names) {
      if (name == (*constant)->name) return;
    }
    names.push_back((*constant)->name);
    return;
  }
  for (const relax::Expr& child : relax::children(expr)) collect_missing(child, names);
}

}  // namespace

Result<std::vector<TensorDataRef>> FunctionEvaluator::run(
    const relax::Function& function, const std::vector<TensorDataRef>& inputs) {
  FX_CHECK(function->body != nullptr, "a function without a result cannot run");
  std::vector<std::string_view> missing;
  for (const relax::BindingBlock& block : function->blocks) {
    for (const relax::Binding& binding : block.bindings) collect_missing(binding.value, missing);
  }
  collect_missing(function->body, missing);
  if (!missing.empty()) {
    return input_error("the weights are not known: " + join_words(missing));
  }
  FX_TRY(bound, bind_inputs(function, inputs));
  static_cast<void>(bound);
  for (const relax::BindingBlock& block : function->blocks) {
    for (const relax::Binding& binding : block.bindings) {
      const relax::Type& type =
          binding.value->type != nullptr ? binding.value->type : binding.var->type;
      FX_TRY(value, evaluate(binding.value, type));
      variables_[binding.var.get()] = std::move(value);
    }
  }
  FX_TRY(result, evaluate(function->body, function->ret_type));
  std::vector<TensorDataRef> tensors;
  flatten(result, tensors);
  return Result<std::vector<TensorDataRef>>(std::move(tensors));
}

Result<Unit> FunctionEvaluator::bind_inputs(const relax::Function& function,
                                            const std::vector<TensorDataRef>& inputs) {
  if (inputs.size() != function->params.size()) {
    return input_error("main takes " + std::to_string(function->params.size()) +
                       " tensors; here are " + std::to_string(inputs.size()));
  }
  // Symbolic sizes first: an extent may be an expression over a later input's sizes.
  for (size_t i = 0; i < inputs.size(); ++i) {
    const relax::TensorType* type = relax::as_tensor(function->params[i]->type);
    if (type == nullptr || !type->shape || type->shape->size() != inputs[i]->shape.size()) continue;
    for (size_t axis = 0; axis < type->shape->size(); ++axis) {
      const auto* var = std::get_if<tir::Var>(&(*type->shape)[axis]->kind);
      if (var != nullptr && !sizes_.is_bound(*var)) {
        sizes_.bind(*var, integer_scalar((*var)->dtype, inputs[i]->shape[axis]));
      }
    }
  }
  Diagnostics problems;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const relax::Var& param = function->params[i];
    const relax::TensorType* type = relax::as_tensor(param->type);
    if (type == nullptr) return input_error("input '" + param->name_hint + "' is no tensor");
    Shape expected = inputs[i]->shape;
    if (type->shape) {
      FX_TRY(shape, concrete_shape(*type->shape));
      expected = std::move(shape);
    }
    const DType dtype = type->dtype.value_or(inputs[i]->dtype);
    if (expected != inputs[i]->shape || dtype != inputs[i]->dtype) {
      problems.push_back(input_error(
          "input " + std::to_string(i) + " '" + param->name_hint + "' takes " +
          printed_shape(expected) + " of " + std::string(dtype_name(dtype)) + "; here is " +
          printed_shape(inputs[i]->shape) + " of " + std::string(dtype_name(inputs[i]->dtype))));
      continue;
    }
    variables_[param.get()] = Value{tensor_of(*inputs[i])};
  }
  if (!problems.empty()) return problems;
  return Unit{};
}

Result<Value> FunctionEvaluator::evaluate(const relax::Expr& expr, const relax::Type& type) {
  return match(
      expr->kind,
      [&](const relax::Var& var) -> Result<Value> {
        const auto found = variables_.find(var.get());
        FX_CHECK(found != variables_.end(), "a variable without a value: " + var->name_hint);
        return found->second;
      },
      [&](const relax::Constant& constant) -> Result<Value> {
        return Value{tensor_of(*constant->data)};
      },
      [&](const relax::ShapeExpr& shape) -> Result<Value> {
        FX_TRY(values, concrete_shape(shape.values));
        return Value{std::move(values)};
      },
      [&](const relax::PrimValue& prim) -> Result<Value> {
        FX_TRY(scalar, number(prim.value));
        return Value{scalar};
      },
      [&](const relax::StringImm&) -> Result<Value> { return Value{TextValue{}}; },
      [&](const relax::DataTypeImm&) -> Result<Value> { return Value{TextValue{}}; },
      [&](const relax::Tuple& tuple) -> Result<Value> {
        FX_TRY(fields, evaluate_all(tuple.fields));
        return Value{TupleValue(std::move(fields))};
      },
      [&](const relax::TupleGetItem& item) -> Result<Value> {
        FX_TRY(tuple, evaluate(item.tuple, item.tuple->type));
        const auto* fields = std::get_if<TupleValue>(&tuple.kind);
        FX_CHECK(fields != nullptr && static_cast<size_t>(item.index) < fields->size(),
                 "a field that the tuple does not have");
        return (*fields)[static_cast<size_t>(item.index)];
      },
      [&](const relax::OpCall& call) -> Result<Value> { return evaluate_op(call, type); },
      [&](const relax::CallTIR& call) -> Result<Value> { return evaluate_call_tir(call); },
      [&](const relax::CallDPSPacked& call) -> Result<Value> {
        return error_at({}, codes::kRunUnsupported,
                        "the interpreter has no library kernel '" + call.func.global_symbol + "'");
      });
}

Result<std::vector<Value>> FunctionEvaluator::evaluate_all(const std::vector<relax::Expr>& exprs) {
  std::vector<Value> values;
  for (const relax::Expr& expr : exprs) {
    FX_TRY(value, evaluate(expr, expr->type));
    values.push_back(std::move(value));
  }
  return Result<std::vector<Value>>(std::move(values));
}

Result<Value> FunctionEvaluator::evaluate_op(const relax::OpCall& call, const relax::Type& type) {
  const Evaluator evaluator = find_evaluator(call.op->name);
  if (evaluator == nullptr) {
    return error_at({}, codes::kRunUnsupported,
                    "the interpreter cannot evaluate R." + std::string(call.op->name));
  }
  FX_TRY(args, evaluate_all(call.args));
  std::vector<ConcreteType> results;
  FX_TRY(known, concrete_types(type, results));
  static_cast<void>(known);
  for (ConcreteType& result : results) {
    if (result.known) continue;
    const std::optional<Shape> shape =
        find_elementwise(call.op->name) != nullptr ? broadcast_shape(args) : std::nullopt;
    if (!shape) {
      return error_at({}, codes::kRunUnsupported,
                      "R." + std::string(call.op->name) + ": the shape of its result is not known");
    }
    result = {*shape, result.dtype};
  }
  const OpRun run{call, std::move(args), std::move(results)};
  return evaluator(run);
}

Result<Value> FunctionEvaluator::evaluate_call_tir(const relax::CallTIR& call) {
  const tir::PrimFunc* func = find_prim_func(module_, call.func.name);
  FX_CHECK(func != nullptr, "a call of a PrimFunc that the module lacks: " + call.func.name);
  FX_TRY(args, evaluate_all(call.args));
  PrimFuncCall prim_call;
  for (const Value& arg : args) {
    const auto* tensor = std::get_if<TensorRef>(&arg.kind);
    FX_CHECK(tensor != nullptr, "an argument of call_tir is no tensor");
    prim_call.inputs.push_back(data_of(**tensor));
  }
  for (const relax::Type& type : call.out_types) {
    std::vector<ConcreteType> types;
    FX_TRY(known, concrete_types(type, types));
    static_cast<void>(known);
    for (ConcreteType& concrete : types) {
      FX_CHECK(concrete.known, "a call_tir whose result has no shape");
      prim_call.output_shapes.push_back(std::move(concrete.shape));
    }
  }
  for (const relax::PrimExpr& expr : call.tir_vars) {
    FX_TRY(scalar, number(expr));
    prim_call.scalars.push_back(scalar);
  }
  FX_TRY(outputs, call_prim_func(call.func.name, *func, prim_call));
  TupleValue fields;
  for (const TensorDataRef& output : outputs) fields.push_back(Value{tensor_of(*output)});
  if (fields.size() == 1) return std::move(fields[0]);
  return Value{std::move(fields)};
}

Result<Unit> FunctionEvaluator::concrete_types(const relax::Type& type,
                                               std::vector<ConcreteType>& types) {
  if (const relax::TupleType* tuple = relax::as_tuple(type)) {
    for (const relax::Type& field : tuple->fields) {
      FX_TRY(known, concrete_types(field, types));
      static_cast<void>(known);
    }
    return Unit{};
  }
  const relax::TensorType* tensor = relax::as_tensor(type);
  if (tensor == nullptr || !tensor->dtype) {
    return error_at({}, codes::kRunUnsupported,
                    "the interpreter needs a result that is a tensor of a known dtype");
  }
  if (!tensor->shape) {
    types.push_back({{}, *tensor->dtype, false});
    return Unit{};
  }
  FX_TRY(shape, concrete_shape(*tensor->shape));
  types.push_back({std::move(shape), *tensor->dtype});
  return Unit{};
}

Result<Shape> FunctionEvaluator::concrete_shape(const std::vector<relax::PrimExpr>& extents) {
  Shape shape;
  for (const relax::PrimExpr& extent : extents) {
    FX_TRY(scalar, number(extent));
    shape.push_back(scalar.i);
  }
  return Result<Shape>(std::move(shape));
}

Result<Scalar> FunctionEvaluator::number(const relax::PrimExpr& expr) {
  const Scalar scalar = sizes_.evaluate(expr);
  if (sizes_.failure()) return *sizes_.failure();
  return scalar;
}

Result<std::vector<TensorDataRef>> run_main(const IRModule& module,
                                            const std::vector<TensorDataRef>& inputs) {
  const relax::Function* main = main_function(module);
  if (main == nullptr) return input_error("the module has no Relax function to run");
  return FunctionEvaluator(module).run(*main, inputs);
}

}  // namespace fx2wasm::interp
