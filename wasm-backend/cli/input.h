// The tool's INPUT, whichever of its forms it has, as an IRModule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "fx/graph.h"
#include "ir/module.h"

namespace fx2wasm::cli {

enum class InputKind { FxJson, Program, TvmScript };

// What a text is, by its content: TVMScript has a decorated module or function, a program assigns
// ARGS or MODULE, or begins as Python does.
InputKind classify(std::string_view text);

struct Loaded {
  IRModule module;
  std::vector<Step> steps;
  std::optional<fx::Graph> graph;  // of FX JSON
  tir::PrimFunc func;  // of a program that ends in ARGS, or a TVMScript function; else null
};

// Reads and translates the input. Diagnostics of a failed translation come back with the steps
// lost; `load_steps` keeps them.
Result<Loaded> load(const Options& options);

// The steps of a translation that may have failed, and what was wrong.
struct LoadedSteps {
  std::vector<Step> steps;
  Diagnostics diagnostics;
};
LoadedSteps load_steps(const Options& options);

}  // namespace fx2wasm::cli
