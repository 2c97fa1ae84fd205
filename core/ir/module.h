// IRModule: the functions of a program under their names.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ir/relax.h"
#include "ir/tir.h"

namespace fx2wasm {

using BaseFunc = std::variant<tir::PrimFunc, relax::Function>;

// In order of insertion (a step's state is a prefix). The printer sorts.
struct IRModule {
  std::vector<std::pair<std::string, BaseFunc>> functions;
};

const BaseFunc* find_function(const IRModule& module, std::string_view name);
const tir::PrimFunc* find_prim_func(const IRModule& module, std::string_view name);
// The Relax function "main", or the only one; null when there is none.
const relax::Function* main_function(const IRModule& module);

}  // namespace fx2wasm
