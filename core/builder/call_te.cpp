#include "builder/call_te.h"

#include <cstring>
#include <unordered_set>
#include <utility>

#include "builder/constant_value.h"
#include "builder/te_text.h"
#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "support/diagnostic_codes.h"
#include "te/create_prim_func.h"

namespace fx2wasm {
namespace {

using tir::PrimExpr;

// The arguments on their way into the TE function.
struct Conversion {
  const EmitTeOptions& options;
  StepRecorder* recorder;
  std::vector<relax::Expr> call_args;
  std::vector<te::FuncArg> params;
  std::vector<PrimExpr> extra;  // int64 values that the function may use
  // The caller's symbols and their copies: the PrimFunc has its own.
  tir::VarMap copies, originals;
};

PrimExpr with_copied_symbols(Conversion& conversion, const PrimExpr& expr) {
  for (const tir::Var& var : tir::free_vars(expr)) {
    bool known = false;
    for (const auto& [original, copy] : conversion.copies) known |= original == var;
    if (known) continue;
    const tir::Var copy = tir::make_var(var->name, var->dtype);
    conversion.copies.emplace_back(var, tir::var_expr(copy));
    conversion.originals.emplace_back(copy, tir::var_expr(var));
  }
  return tir::substitute(expr, conversion.copies);
}

Result<TeValue> refuse(const std::string& what) {
  return error_at({}, codes::kBuilderMisuse,
                  "emit_te takes tensors of known shape, shapes, sizes, numbers, strings, dtypes "
                  "and lists of them, not " +
                      what);
}

TeValue convert_tensor(Conversion& conversion, const relax::Expr& expr,
                       const relax::TensorType& type) {
  std::vector<PrimExpr> shape;
  for (const PrimExpr& extent : *type.shape) {
    shape.push_back(with_copied_symbols(conversion, extent));
  }
  const size_t position = conversion.params.size();
  std::string name;
  if (const auto* var = std::get_if<relax::Var>(&expr->kind)) {
    name = (*var)->name_hint;
  } else if (position < 26) {
    name = std::string(1, static_cast<char>('A' + static_cast<int>(position)));
  } else {
    name = "tensor_input_" + std::to_string(position);
  }
  const te::Tensor tensor = te::placeholder(std::move(shape), *type.dtype, std::move(name));
  conversion.call_args.push_back(expr);
  conversion.params.emplace_back(tensor);
  if (conversion.recorder != nullptr) {
    conversion.recorder->record(PlaceholderMade{tensor, describe_placeholder(tensor)});
  }
  return {tensor};
}

TeValue convert_prim(Conversion& conversion, const relax::Expr& expr, const PrimExpr& value) {
  const auto* var = std::get_if<tir::Var>(&value->kind);
  if (var != nullptr && value->dtype != DType::Int64) {
    const tir::Var param = tir::make_var((*var)->name, (*var)->dtype);
    conversion.call_args.push_back(expr);
    conversion.params.emplace_back(param);
    return {tir::var_expr(param)};
  }
  const PrimExpr copied = with_copied_symbols(conversion, value);
  conversion.extra.push_back(copied);
  return {copied};
}

Result<TeValue> convert_expr(Conversion& conversion, const relax::Expr& expr) {
  if (const auto* prim = std::get_if<relax::PrimValue>(&expr->kind)) {
    return convert_prim(conversion, expr, prim->value);
  }
  if (const auto* shape = std::get_if<relax::ShapeExpr>(&expr->kind)) {
    TeValueList values;
    for (const PrimExpr& value : shape->values) {
      values.push_back(convert_prim(conversion, relax::prim_value(value), value));
    }
    return TeValue{std::move(values)};
  }
  if (const auto* text = std::get_if<relax::StringImm>(&expr->kind)) return TeValue{text->value};
  if (const auto* dtype = std::get_if<relax::DataTypeImm>(&expr->kind)) {
    return TeValue{dtype->value};
  }
  if (const auto* constant = std::get_if<relax::Constant>(&expr->kind)) {
    if (conversion.options.scalar_constants_as_immediates) {
      if (PrimExpr immediate = scalar_immediate(**constant)) return TeValue{std::move(immediate)};
    }
  }
  if (const relax::TensorType* type = relax::as_tensor(expr)) {
    if (!type->shape) return refuse("a tensor of unknown shape");
    if (!type->dtype) return refuse("a tensor of unknown dtype");
    return convert_tensor(conversion, expr, *type);
  }
  if (relax::as_tuple(expr->type) != nullptr) {
    return refuse("a tuple (pass its items one by one, t[0], t[1])");
  }
  return refuse("this expression");
}

Result<TeValue> convert(Conversion& conversion, const TeArgument& argument) {
  using Answer = Result<TeValue>;
  return match(
      argument.value, [&](const relax::Expr& expr) { return convert_expr(conversion, expr); },
      [](int64_t value) { return Answer(TeValue{value}); },
      [](double value) { return Answer(TeValue{value}); },
      [](const std::string& value) { return Answer(TeValue{value}); },
      [](std::nullptr_t) { return Answer(TeValue{nullptr}); },
      [](DType value) { return Answer(TeValue{value}); },
      [&](const TeArgumentList& list) {
        TeValueList values;
        for (const TeArgument& item : list) {
          Answer value = convert(conversion, item);
          if (!value.ok()) return value;
          values.push_back(std::move(value).value());
        }
        return Answer(TeValue{std::move(values)});
      });
}

// Symbols that the function uses but that no whole dimension of an input gives, in order of first
// use: they become scalar parameters.
std::vector<tir::Var> unbound_symbols(const Conversion& conversion,
                                      const std::vector<te::Tensor>& outputs) {
  std::vector<tir::Var> used;
  std::unordered_set<const tir::VarNode*> seen;
  const auto use = [&](const PrimExpr& expr) {
    for (const tir::Var& var : tir::free_vars(expr)) {
      if (seen.insert(var.get()).second) used.push_back(var);
    }
  };
  const auto use_shape = [&](const te::Tensor& tensor) {
    for (const PrimExpr& extent : te::shape_of(tensor)) use(extent);
  };
  std::unordered_set<const tir::VarNode*> bound;
  for (const te::FuncArg& param : conversion.params) {
    if (const auto* var = std::get_if<tir::Var>(&param)) {
      bound.insert(var->get());
      continue;
    }
    const te::Tensor& tensor = std::get<te::Tensor>(param);
    use_shape(tensor);
    for (const PrimExpr& extent : te::shape_of(tensor)) {
      if (const auto* var = std::get_if<tir::Var>(&extent->kind)) bound.insert(var->get());
    }
  }
  for (const te::Tensor& output : outputs) use_shape(output);
  for (const PrimExpr& value : conversion.extra) use(value);
  std::vector<tir::Var> unbound;
  for (const tir::Var& var : used) {
    if (bound.count(var.get()) == 0) unbound.push_back(var);
  }
  return unbound;
}

}  // namespace

Result<TeCall> make_te_call(const TeFunction& func, const TeArgumentList& args,
                            const EmitTeOptions& options, StepRecorder* recorder) {
  Conversion conversion{options, recorder, {}, {}, {}, {}, {}};
  TeValueList values;
  for (const TeArgument& argument : args) {
    FX_TRY(value, convert(conversion, argument));
    values.push_back(std::move(value));
  }
  FX_TRY(outputs, func(values));
  if (outputs.empty()) {
    return error_at({}, codes::kBuilderMisuse,
                    "the function of emit_te gives no tensor: return the te.compute");
  }
  if (recorder != nullptr) {
    for (const te::Operation& op : computes_of(outputs)) {
      recorder->record(ComputeMade{{op, 0}, describe_compute(op)});
    }
  }
  TeCall call;
  std::vector<te::FuncArg> params = conversion.params;
  for (const tir::Var& var : unbound_symbols(conversion, outputs)) {
    params.emplace_back(var);
    call.tir_vars.push_back(tir::substitute(tir::var_expr(var), conversion.originals));
  }
  for (const te::Tensor& output : outputs) {
    params.emplace_back(output);
    std::vector<PrimExpr> shape;
    for (const PrimExpr& extent : te::shape_of(output)) {
      shape.push_back(tir::cast(DType::Int64, tir::substitute(extent, conversion.originals)));
    }
    call.out_types.push_back(relax::tensor_type(std::move(shape), te::dtype_of(output)));
  }
  te::CreatePrimFuncOptions create;
  create.force_int64 = true;
  create.global_symbol = std::nullopt;
  create.attrs = options.primfunc_attrs;
  FX_TRY(prim_func, te::create_prim_func(params, create));
  call.func = prim_func;
  call.args = std::move(conversion.call_args);
  return call;
}

}  // namespace fx2wasm
