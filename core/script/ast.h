// The small Python as a tree. Every part keeps its place, so that an error found while it runs can
// still point at it. Grammar: docs/small-python.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fx2wasm::script {

// 1-based line and column (code points).
struct Position {
  int line = 0;
  int column = 0;
};

struct ExprNode;
using ExprRef = std::shared_ptr<const ExprNode>;
struct StmtNode;
using Block = std::vector<std::shared_ptr<const StmtNode>>;

// ---- expressions ----

struct NoneLiteral {};
struct Name {
  std::string name;
};
struct TupleDisplay {
  std::vector<ExprRef> items;
};
struct ListDisplay {
  std::vector<ExprRef> items;
};
struct DictDisplay {
  std::vector<std::pair<ExprRef, ExprRef>> items;
};
enum class UnaryOperator { Minus, Plus, Invert, Not };
struct Unary {
  UnaryOperator op = UnaryOperator::Minus;
  ExprRef operand;
};
enum class Operator {
  Add,
  Sub,
  Mul,
  Div,
  FloorDiv,
  Mod,
  Pow,
  MatMul,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
};
struct Binary {
  Operator op = Operator::Add;
  ExprRef left, right;
};
enum class Comparison { EQ, NE, LT, LE, GT, GE, In, NotIn, Is, IsNot };
struct Compare {  // a < b < c
  ExprRef first;
  std::vector<std::pair<Comparison, ExprRef>> rest;
};
struct BoolOperation {  // a and b
  bool is_and = false;
  ExprRef left, right;
};
struct Conditional {  // value if test else other
  ExprRef test, value, other;
};
struct CallArgument {
  std::string name;   // of a keyword argument; else empty
  bool star = false;  // *value
  ExprRef value;
};
struct Call {
  ExprRef callee;
  std::vector<CallArgument> args;
};
struct Attribute {
  ExprRef object;
  std::string name;
  Position name_at;
};
struct SliceIndex {  // a[start:stop:step]; parts may be null
  ExprRef start, stop, step;
};
struct Subscript {
  ExprRef object;
  ExprRef index;
};
struct Parameter {
  std::string name;
  ExprRef default_value;  // null: none
  bool star = false;      // *name takes the other positional arguments
};
struct Lambda {
  std::vector<Parameter> params;
  ExprRef body;
};
struct ListComprehension {  // [item for target in iterable if condition]
  ExprRef item, target, iterable;
  std::vector<ExprRef> conditions;
};

struct ExprNode {
  using Kind =
      std::variant<NoneLiteral, bool, int64_t, double, std::string, Name, TupleDisplay, ListDisplay,
                   DictDisplay, Unary, Binary, Compare, BoolOperation, Conditional, Call, Attribute,
                   SliceIndex, Subscript, Lambda, ListComprehension>;
  Position at;    // of a binary operation: its operator; else the first character
  int depth = 1;  // levels of expressions below and including this one
  Kind kind;
};

// ---- statements ----

struct ExprStmt {
  ExprRef value;
};
struct Assign {  // a = b, c = value: two targets
  std::vector<ExprRef> targets;
  ExprRef value;
};
struct AugmentedAssign {
  ExprRef target;
  Operator op = Operator::Add;
  ExprRef value;
};
struct Def {
  std::string name;
  std::vector<Parameter> params;
  Block body;
  int first_line = 0, last_line = 0;  // of the whole definition
};
struct Return {
  ExprRef value;  // null: None
};
struct If {
  std::vector<std::pair<ExprRef, Block>> branches;  // if, elif, …
  Block otherwise;
};
struct ForLoop {
  ExprRef target, iterable;
  Block body;
};
struct With {
  std::vector<std::pair<ExprRef, ExprRef>> items;  // context and `as` target (null: none)
  Block body;
};
struct Import {
  // The name that is bound, and the dotted path of what it is bound to.
  std::vector<std::pair<std::string, std::string>> names;
};
struct Assert {
  ExprRef condition, message;  // message may be null
};
struct Pass {};
struct Break {};
struct Continue {};

struct StmtNode {
  using Kind = std::variant<ExprStmt, Assign, AugmentedAssign, Def, Return, If, ForLoop, With,
                            Import, Assert, Pass, Break, Continue>;
  Position at;
  Kind kind;
};

}  // namespace fx2wasm::script
