// Tensor expressions: te.placeholder, te.compute, te.reduce_axis and the reducers (the lecture's
// first tool; TVM's python/tvm/te). A tensor is one output of an operation.
//
//   Tensor a = placeholder({m, k}, DType::Float32, "A");
//   IterVar r = reduce_axis({zero, k}, "k");
//   Tensor c = compute({m, n}, "matmul", [&](const auto& i) { return sum(…, {r}); });
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "ir/tir.h"
#include "support/result.h"

namespace fx2wasm::te {

using tir::IterVar;
using tir::PrimExpr;

struct PlaceholderOp {
  std::vector<PrimExpr> shape;
  DType dtype = DType::Float32;
};
struct ComputeOp {
  std::vector<IterVar> axis;         // spatial, one per dimension
  std::vector<IterVar> reduce_axis;  // of the bodies' Reduce
  std::vector<PrimExpr> body;        // one per output; all Reduce or none
};

struct Tensor {
  Operation op;
  int output = 0;
};

struct OperationNode {
  std::string name;
  std::string tag;
  Attrs attrs;  // become the block's annotations
  // Inputs whose layout a schedule may choose (weights): a parameter among them is listed by its
  // position in the function's attribute layout_free_buffers.
  std::vector<Tensor> layout_free;
  std::variant<PlaceholderOp, ComputeOp> kind;
};

// Shape and dtype of a tensor; all outputs of an operation have the same shape.
std::vector<PrimExpr> shape_of(const Tensor& tensor);
DType dtype_of(const Tensor& tensor);
bool same_tensor(const Tensor& a, const Tensor& b);
int output_count(const Operation& op);
// The name of the tensor's buffer: the operation's, with _v0, _v1, … when it has several outputs.
std::string buffer_name(const Tensor& tensor);
// The tensors that the bodies of an operation read, each once, in order of first use.
std::vector<Tensor> input_tensors(const Operation& op);

Tensor placeholder(std::vector<PrimExpr> shape, DType dtype = DType::Float32,
                   std::string name = "placeholder");

// The loops' variables get `axis_names`; where these are too few the others are i0, i1, …, as for
// `lambda *i` (TVM starts again at i0 after named axes: `lambda n, *i` gives n, i0, i1).
struct ComputeOptions {
  std::string name = "compute";
  std::string tag;
  Attrs attrs;
  std::vector<std::string> axis_names;
  std::vector<Tensor> layout_free;  // see OperationNode
};
using ComputeBody = std::function<PrimExpr(const std::vector<PrimExpr>& indices)>;
using ComputeBodies = std::function<std::vector<PrimExpr>(const std::vector<PrimExpr>& indices)>;
Tensor compute(std::vector<PrimExpr> shape, ComputeOptions options, const ComputeBody& body);
std::vector<Tensor> compute_many(std::vector<PrimExpr> shape, ComputeOptions options,
                                 const ComputeBodies& body);

// tensor(indices) inside a compute body. As many indices as dimensions.
PrimExpr read(const Tensor& tensor, std::vector<PrimExpr> indices);

IterVar reduce_axis(tir::Range range, std::string name = "rv");
PrimExpr var_of(const IterVar& axis);

// Reductions of an expression over axes. `condition` null: everywhere.
PrimExpr sum(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition = nullptr);
PrimExpr prod(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition = nullptr);
PrimExpr max(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition = nullptr);
PrimExpr min(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition = nullptr);

// A reducer over a tuple of values (te.comm_reducer): gives one Reduce per result.
using Combine = std::function<std::vector<PrimExpr>(const std::vector<tir::Var>&,
                                                    const std::vector<tir::Var>&)>;
std::vector<PrimExpr> reduce(const Combine& combine, std::vector<PrimExpr> identity,
                             std::vector<PrimExpr> source, std::vector<IterVar> axis,
                             PrimExpr condition = nullptr);

}  // namespace fx2wasm::te
