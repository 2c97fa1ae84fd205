// Runs a program of the small Python: a TE program (ARGS) or a builder program (MODULE).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "builder/step.h"
#include "ir/module.h"
#include "script/limits.h"
#include "support/result.h"

namespace fx2wasm::script {

using ScriptValue = std::variant<tir::PrimFunc, IRModule>;

struct ScriptResult {
  // te.create_prim_func(ARGS), or MODULE.
  ScriptValue value;
  // What the builder of MODULE did: a step per call of it, whose fx_number is the call's line.
  std::vector<Step> steps;
};

// The same, with what was done until an error.
struct ScriptRun {
  std::optional<ScriptValue> value;  // absent when the program failed
  std::vector<Step> steps;
  Diagnostics diagnostics;
};

// Errors have the place in `file`: FX5001 syntax, FX5002 names, FX5003 types, FX5004 values, FX5005
// too much work, FX5006 misuse of the BlockBuilder, FX5007 neither ARGS nor MODULE, FX5008 tensor
// expressions; and those of type inference (FX4…).
ScriptRun run_script(std::string_view text, const std::string& file, const Limits& limits = {});
Result<ScriptResult> run_program(std::string_view text, const std::string& file,
                                 const Limits& limits = {});

}  // namespace fx2wasm::script
