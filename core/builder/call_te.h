// From a TE function and its Relax arguments to a PrimFunc and the call of it: what emit_te does
// before anything is bound.
#pragma once

#include <string>
#include <vector>

#include "builder/block_builder.h"

namespace fx2wasm {

struct TeCall {
  tir::PrimFunc func;
  std::vector<relax::Expr> args;
  std::vector<tir::PrimExpr> tir_vars;  // symbols that no argument's shape binds
  std::vector<relax::Type> out_types;
};

// Makes placeholders for the arguments, calls `func` and creates the PrimFunc of its results. What
// happens is recorded (`recorder` may be null). Expressions among `args` have types; one whose type
// is no tensor of known shape, shape or prim value is FX5006.
Result<TeCall> make_te_call(const TeFunction& func, const TeArgumentList& args,
                            const EmitTeOptions& options, StepRecorder* recorder);

}  // namespace fx2wasm
