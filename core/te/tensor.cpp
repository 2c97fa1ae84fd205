#include "te/tensor.h"

#include <algorithm>
#include <utility>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "support/check.h"

namespace fx2wasm::te {
namespace {

const ComputeOp* as_compute(const Operation& op) { return std::get_if<ComputeOp>(&op->kind); }

std::vector<std::string> axis_names(const std::vector<std::string>& given, size_t rank) {
  std::vector<std::string> names = given;
  names.resize(std::min(given.size(), rank));
  for (size_t i = 0; names.size() < rank; ++i) names.push_back("i" + std::to_string(i));
  return names;
}

Operation make_compute(const std::vector<PrimExpr>& shape, ComputeOptions options,
                       const ComputeBodies& body) {
  ComputeOp compute;
  std::vector<PrimExpr> indices;
  const std::vector<std::string> names = axis_names(options.axis_names, shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    const tir::Var var = tir::make_var(names[i], shape[i]->dtype);
    // The beginning stays int32 beside an int64 extent, as in TVM, where it shows in the text.
    compute.axis.push_back({var, {tir::int_imm(DType::Int32, 0), shape[i]}});
    indices.push_back(tir::var_expr(var));
  }
  compute.body = body(indices);
  FX_CHECK(!compute.body.empty(), "a compute needs a body");
  if (const auto* reduce = std::get_if<tir::Reduce>(&compute.body[0]->kind)) {
    compute.reduce_axis = reduce->axis;
  }
  auto node = std::make_shared<OperationNode>();
  node->name = std::move(options.name);
  node->tag = std::move(options.tag);
  node->attrs = std::move(options.attrs);
  node->layout_free = std::move(options.layout_free);
  node->kind = std::move(compute);
  return node;
}

PrimExpr reduce_one(tir::BinaryOp op, PrimExpr source, const PrimExpr& identity,
                    std::vector<IterVar> axis, PrimExpr condition) {
  const Combine combine = [op](const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
    return std::vector<PrimExpr>{tir::binary(op, tir::var_expr(a[0]), tir::var_expr(b[0]))};
  };
  return reduce(combine, {identity}, {std::move(source)}, std::move(axis), std::move(condition))[0];
}

}  // namespace

int output_count(const Operation& op) {
  const ComputeOp* compute = as_compute(op);
  return compute == nullptr ? 1 : static_cast<int>(compute->body.size());
}

std::vector<PrimExpr> shape_of(const Tensor& tensor) {
  return match(
      tensor.op->kind, [](const PlaceholderOp& placeholder) { return placeholder.shape; },
      [](const ComputeOp& compute) {
        std::vector<PrimExpr> shape;
        for (const IterVar& axis : compute.axis) shape.push_back(axis.dom.extent);
        return shape;
      });
}

DType dtype_of(const Tensor& tensor) {
  return match(
      tensor.op->kind, [](const PlaceholderOp& placeholder) { return placeholder.dtype; },
      [&](const ComputeOp& compute) {
        return compute.body[static_cast<size_t>(tensor.output)]->dtype;
      });
}

bool same_tensor(const Tensor& a, const Tensor& b) { return a.op == b.op && a.output == b.output; }

std::string buffer_name(const Tensor& tensor) {
  if (output_count(tensor.op) == 1) return tensor.op->name;
  return tensor.op->name + "_v" + std::to_string(tensor.output);
}

namespace {

// Children before parents: the order in which TVM collects a body's inputs.
void collect_reads(const PrimExpr& expr, std::vector<Tensor>& inputs) {
  for (const PrimExpr& child : tir::children(expr)) collect_reads(child, inputs);
  const auto* read = std::get_if<tir::ProducerLoad>(&expr->kind);
  if (read == nullptr) return;
  const Tensor tensor{read->producer, read->output};
  const auto known = [&](const Tensor& input) { return same_tensor(input, tensor); };
  if (std::none_of(inputs.begin(), inputs.end(), known)) inputs.push_back(tensor);
}

}  // namespace

std::vector<Tensor> input_tensors(const Operation& op) {
  std::vector<Tensor> inputs;
  if (const ComputeOp* compute = as_compute(op)) {
    for (const PrimExpr& body : compute->body) collect_reads(body, inputs);
  }
  return inputs;
}

Tensor placeholder(std::vector<PrimExpr> shape, DType dtype, std::string name) {
  auto node = std::make_shared<OperationNode>();
  node->name = std::move(name);
  node->kind = PlaceholderOp{std::move(shape), dtype};
  return {std::move(node), 0};
}

Tensor compute(std::vector<PrimExpr> shape, ComputeOptions options, const ComputeBody& body) {
  const ComputeBodies bodies = [&](const std::vector<PrimExpr>& indices) {
    return std::vector<PrimExpr>{body(indices)};
  };
  return {make_compute(shape, std::move(options), bodies), 0};
}

std::vector<Tensor> compute_many(std::vector<PrimExpr> shape, ComputeOptions options,
                                 const ComputeBodies& body) {
  const Operation op = make_compute(shape, std::move(options), body);
  std::vector<Tensor> outputs;
  for (int i = 0; i < output_count(op); ++i) outputs.push_back({op, i});
  return outputs;
}

PrimExpr read(const Tensor& tensor, std::vector<PrimExpr> indices) {
  FX_CHECK(shape_of(tensor).size() == indices.size(), "a read has one index per dimension");
  return tir::make_expr(dtype_of(tensor),
                        tir::ProducerLoad{tensor.op, tensor.output, std::move(indices)});
}

IterVar reduce_axis(tir::Range range, std::string name) {
  const tir::Var var = tir::make_var(std::move(name), range.extent->dtype);
  return {var, std::move(range), tir::IterKind::Reduce};
}

PrimExpr var_of(const IterVar& axis) { return tir::var_expr(axis.var); }

PrimExpr sum(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition) {
  const PrimExpr identity = tir::const_of(source->dtype, 0);
  return reduce_one(tir::BinaryOp::Add, std::move(source), identity, std::move(axis),
                    std::move(condition));
}

PrimExpr prod(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition) {
  const PrimExpr identity = tir::const_of(source->dtype, 1);
  return reduce_one(tir::BinaryOp::Mul, std::move(source), identity, std::move(axis),
                    std::move(condition));
}

PrimExpr max(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition) {
  const PrimExpr identity = tir::min_value(source->dtype);
  return reduce_one(tir::BinaryOp::Max, std::move(source), identity, std::move(axis),
                    std::move(condition));
}

PrimExpr min(PrimExpr source, std::vector<IterVar> axis, PrimExpr condition) {
  const PrimExpr identity = tir::max_value(source->dtype);
  return reduce_one(tir::BinaryOp::Min, std::move(source), identity, std::move(axis),
                    std::move(condition));
}

std::vector<PrimExpr> reduce(const Combine& combine, std::vector<PrimExpr> identity,
                             std::vector<PrimExpr> source, std::vector<IterVar> axis,
                             PrimExpr condition) {
  FX_CHECK(identity.size() == source.size(), "a reducer has one identity per value");
  auto reducer = std::make_shared<tir::CommReducer>();
  for (size_t i = 0; i < source.size(); ++i) {
    reducer->lhs.push_back(tir::make_var("x" + std::to_string(i), source[i]->dtype));
    reducer->rhs.push_back(tir::make_var("y" + std::to_string(i), source[i]->dtype));
  }
  reducer->result = combine(reducer->lhs, reducer->rhs);
  reducer->identity = std::move(identity);
  FX_CHECK(reducer->result.size() == source.size(), "a reducer has one result per value");
  std::vector<PrimExpr> results;
  for (size_t i = 0; i < source.size(); ++i) {
    results.push_back(tir::make_expr(
        source[i]->dtype, tir::Reduce{reducer, source, {}, axis, condition, static_cast<int>(i)}));
  }
  return results;
}

}  // namespace fx2wasm::te
