// TVMScript → IRModule: what print/ writes, read back. Printing what was read gives the same text.
//
// TVMScript is Python in form, so the lexer and the expression parser are the small Python's
// (script/). What the texts leave open is settled here:
//  * `metadata["ir.GenericConst"][k]` is one constant for each k. Without data (ParseOptions) it is
//    opaque: shape and dtype come from its annotation, from the PrimFunc that call_tir hands it to,
//    or stay unknown (type `R.Tensor`).
//  * Names of variables are those of the text; comments, blank lines, line breaks inside brackets
//    and the width of the indentation do not matter.
//  * Bindings take their types from annotations; `R.call_tir` and `R.call_dps_packed` have them in
//    `out_ty`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/module.h"
#include "support/result.h"
#include "support/tensor_data.h"

namespace fx2wasm {

struct ParseOptions {
  // What `metadata["ir.GenericConst"][k]` stands for, by k (PrintedText::constants); null or past
  // the end: opaque.
  std::vector<TensorDataRef> constants;
  // The type of an operator call whose binding has no annotation (builder/infer_type.h). Empty:
  // such a binding is an error.
  std::function<Result<relax::Type>(const relax::OpCall&)> infer_type;
};

// True for a text that has a line beginning with `@I.ir_module`, `@T.prim_func` or `@R.function`.
bool is_tvmscript(std::string_view text);

using ParsedText = std::variant<IRModule, tir::PrimFunc>;

// A module, or the one PrimFunc of a text without a class (te.create_prim_func(…).script()). Fails
// at the first thing that is wrong, with its place: FX8001 syntax, FX8002 names, FX8003 types,
// FX8004 arguments, FX8005 limits, FX8006 statements where they cannot stand, FX8007 constants, or
// the broken rules of ir/well_formed.h at the function's line.
Result<ParsedText> parse_tvmscript(std::string_view text, std::string file,
                                   const ParseOptions& options = {});

// The same as a module always: a single function is in it under its name.
Result<IRModule> parse_module(std::string_view text, std::string file,
                              const ParseOptions& options = {});

}  // namespace fx2wasm
