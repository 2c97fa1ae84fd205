// The two halves of check_well_formed, and where they report.
#pragma once

#include <string>

#include "ir/module.h"
#include "support/diagnostic.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm {

struct RuleReport {
  Diagnostics diagnostics;
  std::string function;  // the name of the one being checked: messages begin with it

  void add(int rule, std::string message);
};

void check_prim_func(const tir::PrimFuncNode& func, RuleReport& report);
void check_relax_function(const relax::FunctionNode& func, const IRModule& module,
                          RuleReport& report);

}  // namespace fx2wasm
