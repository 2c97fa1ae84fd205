// The statements of a TVMScript text as a tree, before they mean anything. Private to this folder.
//
// The small Python's statements (script/ast.h) drop what matters most here (annotations,
// decorators, classes) and refuse `while`, so these are TVMScript's own; expressions are shared.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "script/ast.h"
#include "support/result.h"

namespace fx2wasm::parse {

using script::ExprRef;
using script::Position;

struct Statement;
using Body = std::vector<Statement>;

struct ExprLine {
  ExprRef value;
};
struct AssignLine {  // target: annotation = value
  ExprRef target;
  ExprRef annotation;  // null: none
  ExprRef value;
};
struct ReturnLine {
  ExprRef value;  // null: none
};
struct PassLine {};
struct ForBlock {
  ExprRef target, iterable;
  Body body;
};
struct WhileBlock {
  ExprRef condition;
  Body body;
};
struct IfBlock {
  ExprRef condition;
  Body then_body, else_body;  // an `elif` is an `if` in the else_body
};
struct WithBlock {
  ExprRef context;
  Body body;
};
struct Parameter {
  std::string name;
  Position at;
  ExprRef annotation;  // null: none
};
struct Definition {
  std::vector<ExprRef> decorators;
  std::string name;
  std::vector<Parameter> params;
  ExprRef returns;  // null: none
  Body body;
};
struct ClassBlock {
  std::vector<ExprRef> decorators;
  std::string name;
  Body body;
};

struct Statement {
  using Kind = std::variant<ExprLine, AssignLine, ReturnLine, PassLine, ForBlock, WhileBlock,
                            IfBlock, WithBlock, Definition, ClassBlock>;
  Position at;
  Kind kind;
};

// The statements of a text; imports are left out, as the names T, R and I are known. Fails (FX8001,
// FX8005) without a file in the place.
Result<Body> parse_statements(std::string_view text);

// A string that holds an expression (a quoted dimension); `at` is the place of its quote.
Result<ExprRef> parse_quoted(std::string_view text, Position at);

}  // namespace fx2wasm::parse
