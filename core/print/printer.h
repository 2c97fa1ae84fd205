// What all parts of the printer share: the text so far, its spans, the names and what the header
// must import. Private to this folder; tvmscript.h is the interface.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/module.h"
#include "print/names.h"
#include "print/tvmscript.h"

namespace fx2wasm::print {

// How tightly Python's operators bind; what binds less than its context is put in parentheses.
enum class Precedence {
  Lambda,
  Or,
  And,
  Not,
  Comparison,
  BitOr,
  BitXor,
  BitAnd,
  Shift,
  Sum,
  Product,
  Unary,
  Atom,
};

struct Printer {
  std::string text;
  std::vector<Span> spans;
  int indent = 0;
  NameScopes names;

  // Variables keep their own names and are never defined: for expressions on their own.
  bool own_names = false;
  // Integers print bare, whatever their dtype.
  bool relax_mode = false;

  bool uses_tirx = false;
  bool uses_relax = false;
  std::vector<std::string> type_vars;  // names for the header, in order of declaration

  // State of the function being printed.
  std::string function;
  std::vector<int> fx_nodes;
  std::vector<std::string> prelude;  // lines that go to `prelude_at` when the body is done
  size_t prelude_at = 0;
  int prelude_indent = 0;
  int loop_count = 0;
  int block_count = 0;
  std::vector<const tir::For*> loops;  // enclosing, outermost first
  const tir::SBlock* block = nullptr;  // whose attributes are being printed

  // State of a Relax function: its signature is being printed, and the symbols found there.
  bool in_signature = false;
  std::unordered_set<const tir::VarNode*> signature_symbols;
  std::unordered_map<const relax::VarNode*, int> var_index;  // as Span::index of SpanKind::Var
  std::unordered_map<const relax::VarNode*, const std::vector<int>*> var_origin;
  const std::vector<int>* binding_origin = nullptr;
  bool module_alias_defined = false;

  std::vector<const relax::ConstantNode*> metadata;  // the constants printed so far, by index
};

// ---- text and spans ----

// A new line, indented (nothing before the first).
void new_line(Printer& p);
void write(Printer& p, std::string_view text);
// `T.name`, `R.name`: notes that the header imports it.
void write_tirx(Printer& p, std::string_view name);
void write_relax(Printer& p, std::string_view name);
// Puts text at an earlier offset; the spans behind it move.
void insert_at(Printer& p, size_t offset, std::string_view text);
// From `begin` to the end of the text so far.
void add_span(Printer& p, size_t begin, SpanKind kind, int index = -1, std::string name = {},
              std::vector<int> fx_nodes = {});
// What `print` writes, taken out of the text again.
std::string capture(Printer& p, const std::function<void()>& print);

// Starts a function's state; the lines found on the way are inserted by end_function.
void begin_function(Printer& p, std::string_view name, std::vector<int> fx_nodes);
void set_prelude_here(Printer& p);
void flush_prelude(Printer& p);

// ---- scalar expressions (expr.cpp) ----

void write_expr(Printer& p, const tir::PrimExpr& expr);
void write_exprs(Printer& p, const std::vector<tir::PrimExpr>& exprs);  // joined by ", "
void write_expr_string(Printer& p, const tir::PrimExpr& expr);          // as a Python string
void write_buffer_name(Printer& p, const tir::Buffer& buffer);
void write_indices(Printer& p, const std::vector<tir::PrimExpr>& indices);  // `[i, j]`, `[()]`
void write_attr(Printer& p, const AttrValue& value);
void write_attr_dict(Printer& p, const Attrs& attrs);  // sorted by key
// The name of a scalar variable; an unknown one is declared in the way of the open function.
std::string name_of(Printer& p, const tir::Var& var);

// ---- functions ----

// prim_func.cpp, stmt.cpp
void write_prim_func(Printer& p, const std::string& name, const tir::PrimFunc& func);
void write_body(Printer& p, const tir::Stmt& stmt);
void write_alloc(Printer& p, const tir::Buffer& buffer);
void write_local_alloc(Printer& p, const tir::Buffer& buffer);  // of an AllocStmt
// Arguments of T.Buffer and T.sblock_alloc_buffer behind the shape.
void write_buffer_rest(Printer& p, const tir::BufferNode& buffer, bool always_dtype);
// relax_expr.cpp, relax_func.cpp
void write_type(Printer& p, const relax::Type& type);
void write_relax_expr(Printer& p, const relax::Expr& expr);
void write_relax_function(Printer& p, const std::string& name, const relax::Function& func);

}  // namespace fx2wasm::print
