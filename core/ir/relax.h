// Relax: the whole grammar of graph-level expressions, types, bindings and functions.
//
// A function is in A-normal form: each operator call is bound to a variable and its arguments are
// variables, constants, tuples of them, shapes or prim values. A DataflowVar is a Var with
// `dataflow` set; it lives only in its own DataflowBlock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/attr.h"
#include "ir/origin.h"
#include "ir/tir.h"
#include "support/dtype.h"
#include "support/tensor_data.h"

namespace fx2wasm::relax {

using tir::PrimExpr;

// ---- types ----

struct TypeNode;
using Type = std::shared_ptr<const TypeNode>;

struct TensorType {
  std::optional<std::vector<PrimExpr>> shape;  // int64 expressions; absent: unknown
  int ndim = -1;                               // -1: unknown
  std::optional<DType> dtype;                  // absent: unknown
};
struct ShapeType {
  std::optional<std::vector<PrimExpr>> values;
  int ndim = -1;
};
struct PrimType {
  DType dtype = DType::Int64;
  PrimExpr value;  // null: unknown
};
struct TupleType {
  std::vector<Type> fields;
};
struct FuncType {
  std::vector<Type> params;
  Type ret;
};
struct AnyType {};  // printed R.Any

struct TypeNode {
  using Kind = std::variant<TensorType, ShapeType, PrimType, TupleType, FuncType, AnyType>;
  Kind kind;
};

// ---- expressions ----

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

struct VarNode {
  std::string name_hint;
  Type type;
  bool dataflow = false;
};
using Var = std::shared_ptr<const VarNode>;

// A tensor known when the module is built. `data` is null while the weights have not arrived;
// `name` is the weight's qualified name, for the reader and for late weights ("linear0.weight").
// Two constants are the same only if they are the same object or hold the same known data.
struct ConstantNode {
  std::string name;
  DType dtype = DType::Float32;
  std::vector<int64_t> shape;
  TensorDataRef data;
};
using Constant = std::shared_ptr<const ConstantNode>;

struct ShapeExpr {
  std::vector<PrimExpr> values;
};
struct PrimValue {
  PrimExpr value;
};
struct StringImm {
  std::string value;
};
struct DataTypeImm {
  DType value = DType::Float32;
};
struct Tuple {
  std::vector<Expr> fields;
};
struct TupleGetItem {
  Expr tuple;
  int index = 0;
};
struct GlobalVar {
  std::string name;
};
struct ExternFunc {  // of R.call_dps_packed: "fx2wasm.dense"
  std::string global_symbol;
};

struct OpInfo;  // ir/op.h

// A call of an operator, with its attributes in declaration order.
struct OpCall {
  const OpInfo* op = nullptr;
  std::vector<Expr> args;
  Attrs attrs;
};
// R.call_tir(cls.f, (args…), out_ty=…): runs a PrimFunc on the arguments and freshly allocated
// outputs (destination-passing style). `tir_vars` are symbols that no argument's shape binds.
struct CallTIR {
  GlobalVar func;
  std::vector<Expr> args;
  std::vector<PrimExpr> tir_vars;
  std::vector<Type> out_types;  // one: the result is a tensor; more: a tuple
};
// R.call_dps_packed("name", (args…), out_ty=…): the same with a library kernel.
struct CallDPSPacked {
  ExternFunc func;
  std::vector<Expr> args;
  std::vector<Type> out_types;
};

struct ExprNode {
  using Kind = std::variant<Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm, Tuple,
                            TupleGetItem, OpCall, CallTIR, CallDPSPacked>;
  Type type;
  Kind kind;
};

// ---- bindings and functions ----

struct Binding {
  Var var;
  Expr value;
  Origin origin;
};

struct BindingBlock {
  bool dataflow = true;
  std::vector<Binding> bindings;
};

struct FunctionNode {
  std::vector<Var> params;
  Attrs attrs;  // {"num_input": k}
  std::vector<BindingBlock> blocks;
  Expr body;      // the result: a variable or a tuple; null while the function is still being built
  Type ret_type;  // null while the function is still being built
};
using Function = std::shared_ptr<const FunctionNode>;

}  // namespace fx2wasm::relax
