#include "ir/module.h"

namespace fx2wasm {

const BaseFunc* find_function(const IRModule& module, std::string_view name) {
  for (const auto& [function_name, function] : module.functions) {
    if (function_name == name) return &function;
  }
  return nullptr;
}

const tir::PrimFunc* find_prim_func(const IRModule& module, std::string_view name) {
  const BaseFunc* function = find_function(module, name);
  return function ? std::get_if<tir::PrimFunc>(function) : nullptr;
}

const relax::Function* main_function(const IRModule& module) {
  const relax::Function* only = nullptr;
  int count = 0;
  for (const auto& [name, function] : module.functions) {
    const auto* relax_function = std::get_if<relax::Function>(&function);
    if (!relax_function) continue;
    if (name == "main") return relax_function;
    only = relax_function;
    ++count;
  }
  return count == 1 ? only : nullptr;
}

}  // namespace fx2wasm
