// IRModule → TVMScript, byte for byte what apache-tvm 0.27's script() prints, with a span for every
// part that the page links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/module.h"
#include "support/tensor_data.h"

namespace fx2wasm {

enum class SpanKind : uint8_t {
  Function,      // a whole PrimFunc or Relax function; `index` unused
  FunctionName,  // its name where it is defined
  Binding,       // one line of a Relax function; `index` counts bindings over all its blocks
  Var,           // a Relax variable's name, defined or used; `index` is the binding that defines
                 // it, or -1 - parameter number
  GlobalVar,     // `cls.f` where it is used; `name` is the function it names
  Constant,      // metadata["ir.GenericConst"][k]; `index` is k, `name` the weight's own name
  SBlock,        // a block with its body; `index` counts blocks of the function in text order
  Loop,          // a loop header; `index` counts loops in text order (T.grid holds several)
  Buffer,        // a buffer's name, defined or used; `name` is the printed name
};

// Byte range [begin, end) of the text.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  SpanKind kind = SpanKind::Function;
  std::string function;  // the function it stands in
  int index = -1;
  std::string name;
  std::vector<int> fx_nodes;  // Origin: where the part comes from, by FX node number
};

struct PrintedText {
  std::string text;         // no trailing newline, as TVM's
  std::vector<Span> spans;  // sorted by begin, then outer before inner
  // What `metadata["ir.GenericConst"][k]` stands for, by k; null where the weights are missing.
  std::vector<TensorDataRef> constants;
};

// A whole module (`@I.ir_module class Module`). A Relax function that is still being built (no
// body) prints the bindings it has, without return, and R.output only once a block has an output.
PrintedText print_module(const IRModule& module);

// One PrimFunc alone, as te.create_prim_func(...).script() shows it: its name is its
// "global_symbol" ("main").
PrintedText print_prim_func(const tir::PrimFunc& func);

// A scalar expression on its own, with its variables' own names: `v_i * 2 + 1`.
std::string print_expr(const tir::PrimExpr& expr);

// A type as in a signature: `R.Tensor(("n + m", 6), dtype="float32")`.
std::string print_type(const relax::Type& type);

// An operator call or other Relax expression as on the right of `=`, with its variables' own names.
std::string print_relax_expr(const relax::Expr& expr);

}  // namespace fx2wasm
