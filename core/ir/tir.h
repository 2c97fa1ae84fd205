// TensorIR: the whole grammar of scalar expressions, statements and PrimFuncs (TVM's `tirx`).
//
// Nodes are immutable and shared; a Var or Buffer is the same only if it is the same object.
//
// Meaning (docs/semantics.md has the table with Wasm instructions):
//  * Arithmetic is that of the operands' common dtype: integers wrap, floats round once per
//    operation. `/` on integers truncates; FloorDiv and FloorMod round towards minus infinity and
//    the divisor's sign; dividing by zero is undefined and may trap.
//  * Min and Max on floats give NaN when an operand is NaN.
//  * And, Or evaluate the right operand only when the left does not decide; Select evaluates both,
//    the intrinsic if_then_else only the chosen one.
//  * Cast of a float to an integer truncates; out of range saturates.
//  * A block's `init` runs when all its reduce axes are at their beginning, before the body.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/attr.h"
#include "ir/intrinsic.h"
#include "support/dtype.h"

namespace fx2wasm::te {
struct OperationNode;  // te/tensor.h
using Operation = std::shared_ptr<const OperationNode>;
}  // namespace fx2wasm::te

namespace fx2wasm::tir {

struct PrimExprNode;
using PrimExpr = std::shared_ptr<const PrimExprNode>;

struct VarNode {
  std::string name;
  DType dtype = DType::Int32;
};
using Var = std::shared_ptr<const VarNode>;

// Storage that loads and stores name. `strides` empty: row-major and dense; `elem_offset` null: 0.
struct BufferNode {
  std::string name;
  DType dtype = DType::Float32;
  std::vector<PrimExpr> shape;
  std::vector<PrimExpr> strides;
  PrimExpr elem_offset;
  std::string scope = "global";
};
using Buffer = std::shared_ptr<const BufferNode>;

// [min, min + extent)
struct Range {
  PrimExpr min;
  PrimExpr extent;
};

enum class IterKind { Spatial, Reduce, Opaque };  // printed S, R, O

struct IterVar {
  Var var;
  Range dom;
  IterKind kind = IterKind::Spatial;
};

// ---- expressions ----

struct IntImm {  // bool too: 0 or 1
  int64_t value = 0;
};
struct FloatImm {
  double value = 0;  // TVM keeps the double that was written; arithmetic rounds it to the dtype
};
struct StringImm {
  std::string value;
};

enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div,       // floats: division; integers: truncating
  Mod,       // truncating remainder
  FloorDiv,  // printed //
  FloorMod,  // printed %
  Min,
  Max,
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  And,
  Or,
};
struct Binary {
  BinaryOp op = BinaryOp::Add;
  PrimExpr a, b;
};
struct Not {
  PrimExpr a;
};
struct Cast {  // to the node's own dtype
  PrimExpr value;
};
struct Select {
  PrimExpr condition, true_value, false_value;
};
struct Call {
  Intrinsic op = Intrinsic::Exp;
  std::vector<PrimExpr> args;
};
struct BufferLoad {
  Buffer buffer;
  std::vector<PrimExpr> indices;
};
struct Let {
  Var var;
  PrimExpr value, body;
};

// The two forms below stand only in the bodies of tensor expressions; create_prim_func replaces
// them by loads and by blocks with an init.
struct ProducerLoad {
  te::Operation producer;
  int output = 0;
  std::vector<PrimExpr> indices;
};
// A commutative reducer: `result[i] = combine(lhs, rhs)`, starting from identity.
struct CommReducer {
  std::vector<Var> lhs, rhs;
  std::vector<PrimExpr> result, identity;
};
struct Reduce {
  std::shared_ptr<const CommReducer> combiner;
  std::vector<PrimExpr> source;
  std::vector<PrimExpr> init;  // empty: the identity
  std::vector<IterVar> axis;
  PrimExpr condition;  // null: always
  int value_index = 0;
};

struct PrimExprNode {
  using Kind = std::variant<Var, IntImm, FloatImm, StringImm, Binary, Not, Cast, Select, Call,
                            BufferLoad, Let, ProducerLoad, Reduce>;
  DType dtype = DType::Int32;
  Kind kind;
};

// ---- statements ----

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;

struct BufferRegion {
  Buffer buffer;
  std::vector<Range> region;
};

struct SBlock {
  std::string name_hint;
  std::vector<IterVar> iter_vars;
  std::vector<BufferRegion> reads, writes;
  std::vector<Buffer> alloc_buffers;
  Attrs annotations;
  Stmt init;  // null: none
  Stmt body;
};

struct BufferStore {
  Buffer buffer;
  PrimExpr value;
  std::vector<PrimExpr> indices;
};
enum class ForKind { Serial, Parallel, Vectorized, Unrolled };
struct For {
  Var loop_var;
  PrimExpr min, extent;
  ForKind kind = ForKind::Serial;
  Attrs annotations;
  Stmt body;
};
struct While {
  PrimExpr condition;
  Stmt body;
};
struct IfThenElse {
  PrimExpr condition;
  Stmt then_case, else_case;  // else_case may be null
};
struct LetStmt {
  Var var;
  PrimExpr value;
  Stmt body;
};
struct AttrStmt {  // says something about its body that does not change what the body means
  Attrs attrs;
  Stmt body;
};
struct AllocStmt {  // memory for a buffer while the body runs, fresh each time; printed
                    // T.alloc_local
  Buffer buffer;
  Stmt body;
};
struct SeqStmt {
  std::vector<Stmt> seq;
};
struct Evaluate {
  PrimExpr value;
};
struct SBlockRealize {
  std::vector<PrimExpr> iter_values;
  PrimExpr predicate;  // null: true
  std::shared_ptr<const SBlock> block;
};

struct StmtNode {
  using Kind = std::variant<BufferStore, For, While, IfThenElse, LetStmt, AttrStmt, AllocStmt,
                            SeqStmt, Evaluate, SBlockRealize>;
  Kind kind;
};

// ---- functions ----

using Param = std::variant<Var, Buffer>;

// `body` is the realisation of the root block, named "root", which owns the alloc_buffers.
struct PrimFuncNode {
  std::vector<Param> params;
  Attrs attrs;  // "tirx.noalias", "global_symbol" (absent: private), "layout_free_buffers", …
  Stmt body;
};
using PrimFunc = std::shared_ptr<const PrimFuncNode>;

}  // namespace fx2wasm::tir
