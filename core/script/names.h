// The modules that a program sees: te, tirx, topi, relax, and Python's own functions.
#pragma once

#include <string_view>

#include "script/interpreter.h"

namespace fx2wasm::script {

// Adds a builtin to a module under the last part of its name.
void define(Interpreter& interpreter, Namespace& space, std::string_view signature,
            Builtin::Body body);

void add_builtins(Interpreter& interpreter);     // range, len, float, …
Namespace* make_te(Interpreter& interpreter);    // placeholder, compute, reduce_axis, …
Namespace* make_tirx(Interpreter& interpreter);  // Var, const, if_then_else, exp, …
Namespace* make_topi(Interpreter& interpreter);
Namespace* make_relax(Interpreter& interpreter);  // Var, TensorType, op, BlockBuilder
// Scalar functions and reducers, which te and tirx share.
void add_scalar_functions(Interpreter& interpreter, Namespace& space);
void add_relax_operators(Interpreter& interpreter, Namespace& space);  // relax.op

// The PrimFunc of a list of tensors and variables: ARGS, or te.create_prim_func's argument.
Result<tir::PrimFunc> prim_func_of(const Value& value, std::string_view what);

// All of them, under their usual names and for `import`.
void add_modules(Interpreter& interpreter);

}  // namespace fx2wasm::script
