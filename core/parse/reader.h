// What all parts of the reader share: the first error, the names in scope, and what the text has
// told so far. Private to this folder; tvmscript.h is the interface.
//
// The first error is kept, and every function gives null from then on, so that callers need to
// look only where they use a part.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/module.h"
#include "parse/syntax.h"
#include "parse/tvmscript.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::parse {

// A parameter `n: T.int64` of a Relax function is a Relax variable and a symbol.
struct Named {
  tir::Var symbol;
  tir::Buffer buffer;
  relax::Var value;
};

// One `metadata["ir.GenericConst"][k]`: filled in when its shape and dtype become known.
struct MetadataConstant {
  std::shared_ptr<relax::ConstantNode> node;
  std::shared_ptr<relax::ExprNode> expr;
  bool known = false;
};

struct Reader {
  explicit Reader(const ParseOptions& chosen) : options(chosen) {}

  const ParseOptions& options;
  std::optional<Diagnostic> error;
  std::unordered_set<std::string> type_vars;  // the names that a TypeVar declares
  std::unordered_set<std::string> functions;  // that the module defines
  std::string module_name;
  std::unordered_map<std::string, tir::PrimFunc> prim_funcs;  // those read so far
  std::unordered_map<int64_t, MetadataConstant> constants;

  // State of the function being read.
  std::vector<std::unordered_map<std::string, Named>> scopes;
  std::string module_alias;  // `cls = Module`
  bool relax = false;        // a bare integer is int64, as shapes are
  bool in_signature = false;
  std::unordered_map<std::string, DType> symbols;             // `n = T.int32()` in the body
  std::unordered_map<const tir::VarNode*, tir::Range> loops;  // that are open
  int nesting = 0;  // of loops and lets: the tree's depth, which later passes recurse over
};

// ---- errors (reader.cpp) ----

// Keeps the first error. Gives null, whatever the caller's kind of node.
std::nullptr_t fail(Reader& r, Position at, std::string_view code, std::string message,
                    std::string note = "");
void fail(Reader& r, const Diagnostics& diagnostics);
inline bool failed(const Reader& r) { return r.error.has_value(); }
// False, with an error, when one more level would be too deep.
bool enter(Reader& r, Position at);

// ---- names ----

class Scope {
 public:
  explicit Scope(Reader& r) : r_(r) { r_.scopes.emplace_back(); }
  ~Scope() { r_.scopes.pop_back(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  Reader& r_;
};

const Named* find_name(const Reader& r, std::string_view name);
void define(Reader& r, const std::string& name, Named named);
// The names in scope that are near to a misspelt one, as ` (did you mean 'x'?)`.
std::string near_names(const Reader& r, std::string_view name);

// ---- shapes of expressions ----

// "T.axis.spatial" of such a chain of names; empty for anything else.
std::string dotted(const ExprRef& e);
// The call, when `e` is one of a dotted name.
struct NamedCall {
  std::string name;
  const script::Call* call = nullptr;
  Position at;
};
std::optional<NamedCall> named_call(const ExprRef& e);

// The arguments of a call by the names of its parameters; null for those left out. Empty, with an
// error, when one is unknown, given twice or starred, or one of the first `required` is missing.
std::vector<ExprRef> bind(Reader& r, const NamedCall& call,
                          std::initializer_list<std::string_view> params, size_t required);
// All arguments of a call that takes any number, without names.
std::optional<std::vector<ExprRef>> positional(Reader& r, const NamedCall& call);

// The items of a tuple or list display.
const std::vector<ExprRef>* items_of(const ExprRef& e);
// The items, or the expression itself as the only one.
std::vector<ExprRef> listed(const ExprRef& e);

// A literal number, also with a minus sign.
std::optional<std::variant<bool, int64_t, double>> literal(const ExprRef& e);
std::string string_of(Reader& r, const ExprRef& e, std::string_view what);
std::optional<DType> dtype_of(Reader& r, const ExprRef& e);        // "float32"
std::optional<DType> dtype_name_of(std::string_view dotted_name);  // T.float32

// ---- scalar expressions (scalar.cpp) ----

tir::PrimExpr scalar(Reader& r, const ExprRef& e);
std::vector<tir::PrimExpr> scalars(Reader& r, const std::vector<ExprRef>& exprs);
// One dimension: an integer expression, quoted in a signature.
tir::PrimExpr dimension(Reader& r, const ExprRef& e);
std::vector<tir::PrimExpr> dimensions(Reader& r, const ExprRef& e);
// [begin, end): the inverse of the printer's `min + extent`.
tir::Range range_between(tir::PrimExpr begin, tir::PrimExpr end);
tir::Range range_from_zero(tir::PrimExpr extent);
// Both operands with their common dtype.
void match_dtypes(tir::PrimExpr& a, tir::PrimExpr& b);

// ---- attributes (attribute.cpp) ----

// `name` decides whether "float32" is a dtype. Nothing, with an error, for what is no attribute.
std::optional<AttrValue> attribute(Reader& r, const ExprRef& e, std::string_view name);
Attrs attribute_dict(Reader& r, const ExprRef& e);

// ---- functions ----

// `n = T.int64()` defines a symbol: true when the line is of this form.
bool define_symbols(Reader& r, const AssignLine& line);
// The symbols that the body declares, before the signature uses them.
void find_symbols(Reader& r, const Body& body);
void begin_function(Reader& r);
// prim_func.cpp
tir::PrimFunc prim_func(Reader& r, const Definition& def, Position at);
// relax_type.cpp
relax::Type type(Reader& r, const ExprRef& e);
// relax_expr.cpp
relax::Expr value(Reader& r, const ExprRef& e, const relax::Type& expected);
relax::Expr argument(Reader& r, const ExprRef& e);
// relax_func.cpp
relax::Function relax_function(Reader& r, const Definition& def, Position at);

}  // namespace fx2wasm::parse
