// Runs a whole program in the small Python: tensor expressions that end in `ARGS = […]`, or a
// builder program that ends in `MODULE = bb.get()`.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "builder/step.h"
#include "ir/module.h"
#include "support/result.h"

namespace fx2wasm::script {

struct ScriptResult {
  std::variant<tir::PrimFunc, IRModule> value;  // of ARGS, of MODULE
  std::vector<Step> steps;  // of a builder program: one per statement, fx_number is its line
};

// `file` only serves the places. A program that assigns neither ARGS nor MODULE is FX5007.
Result<ScriptResult> run_program(std::string_view text, std::string file);

}  // namespace fx2wasm::script
