#include "transform/legalize.h"

#include <utility>

#include "builder/block_builder.h"
#include "ir/relax_build.h"
#include "ir/structural.h"

namespace fx2wasm {
namespace {

// Variables whose type a legalised value made another: meshgrid of "xy" gets its right extents.
using Retyped = std::vector<std::pair<relax::Var, relax::Expr>>;

relax::Expr with_retyped(const relax::Expr& expr, const Retyped& retyped) {
  if (retyped.empty()) return expr;
  if (const auto* var = std::get_if<relax::Var>(&expr->kind)) {
    for (const auto& [old, replacement] : retyped) {
      if (old == *var) return replacement;
    }
    return expr;
  }
  return relax::map_children(
      expr, [&](const relax::Expr& child) { return with_retyped(child, retyped); });
}

Result<Unit> legalize_function(BlockBuilder& builder, const std::string& name,
                               const relax::FunctionNode& function) {
  FX_TRY(begun, builder.begin_function(name, function.params, function.attrs));
  Retyped retyped;
  for (const relax::BindingBlock& block : function.blocks) {
    if (block.dataflow) {
      FX_TRY(opened, builder.begin_dataflow());
      static_cast<void>(opened);
    }
    for (const relax::Binding& binding : block.bindings) {
      builder.set_origin(binding.origin);
      FX_TRY(value, builder.normalize(with_retyped(binding.value, retyped)));
      relax::Var var = binding.var;
      if (!structural_equal(value->type, var->type)) {
        var = relax::make_var(var->name_hint, value->type, var->dataflow);
        retyped.emplace_back(binding.var, relax::var_expr(var));
      }
      FX_TRY(bound, builder.emit_binding(var, value));
      static_cast<void>(bound);
    }
    if (block.dataflow) {
      FX_TRY(closed, builder.end_dataflow());
      static_cast<void>(closed);
    }
  }
  FX_TRY(returned, builder.emit_func_output(with_retyped(function.body, retyped)));
  static_cast<void>(begun), static_cast<void>(returned);
  return builder.end_function();
}

Result<IRModule> legalize_with(const IRModule& module, LegalizeMode mode) {
  IRModule prim_funcs;
  for (const auto& [name, function] : module.functions) {
    if (std::holds_alternative<tir::PrimFunc>(function)) {
      prim_funcs.functions.emplace_back(name, function);
    }
  }
  BlockBuilder builder(std::move(prim_funcs));
  builder.set_legalize(mode);
  for (const auto& [name, function] : module.functions) {
    const auto* relax_function = std::get_if<relax::Function>(&function);
    if (relax_function == nullptr) continue;
    FX_TRY(done, legalize_function(builder, name, **relax_function));
    static_cast<void>(done);
  }
  return builder.get();
}

}  // namespace

Result<IRModule> legalize_ops(const IRModule& module) {
  return legalize_with(module, LegalizeMode::AsTvm);
}

Result<IRModule> legalize_to_compile(const IRModule& module) {
  return legalize_with(module, LegalizeMode::Complete);
}

}  // namespace fx2wasm
