#include "builder/te_text.h"

#include <algorithm>
#include <utility>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "print/tvmscript.h"

namespace fx2wasm {
namespace {

using tir::PrimExpr;

std::string join(const std::vector<PrimExpr>& exprs) {
  std::string text;
  for (const PrimExpr& expr : exprs) {
    if (!text.empty()) text += ", ";
    text += print_expr(expr);
  }
  return text;
}

// A read of a tensor prints like a load of a buffer of that name.
PrimExpr with_loads(const PrimExpr& expr) {
  return tir::rewrite(expr, [](const PrimExpr& node) {
    const auto* read = std::get_if<tir::ProducerLoad>(&node->kind);
    if (read == nullptr) return node;
    const tir::Buffer buffer =
        tir::make_buffer(te::buffer_name({read->producer, read->output}), node->dtype, {});
    return tir::make_expr(node->dtype, tir::BufferLoad{buffer, read->indices});
  });
}

std::string reducer_name(const tir::CommReducer& combiner) {
  const auto* binary =
      combiner.result.size() == 1 ? std::get_if<tir::Binary>(&combiner.result[0]->kind) : nullptr;
  if (binary == nullptr) return "reduction";
  if (binary->op == tir::BinaryOp::Add) return "sum";
  if (binary->op == tir::BinaryOp::Mul) return "product";
  if (binary->op == tir::BinaryOp::Max) return "maximum";
  if (binary->op == tir::BinaryOp::Min) return "minimum";
  return "reduction";
}

std::string describe_body(const PrimExpr& body) {
  const auto* reduce = std::get_if<tir::Reduce>(&body->kind);
  if (reduce == nullptr) return print_expr(with_loads(body));
  std::string text = reducer_name(*reduce->combiner) + " over ";
  for (size_t i = 0; i < reduce->axis.size(); ++i) {
    if (i > 0) text += ", ";
    text += reduce->axis[i].var->name;
  }
  std::vector<PrimExpr> sources;
  for (const PrimExpr& source : reduce->source) sources.push_back(with_loads(source));
  text += sources.size() == 1 ? " of " + join(sources) : " of (" + join(sources) + ")";
  if (reduce->condition != nullptr) text += " where " + print_expr(with_loads(reduce->condition));
  return text;
}

void collect(const te::Operation& op, std::vector<te::Operation>& found) {
  const bool computed = std::holds_alternative<te::ComputeOp>(op->kind);
  if (!computed || std::find(found.begin(), found.end(), op) != found.end()) return;
  for (const te::Tensor& input : te::input_tensors(op)) collect(input.op, found);
  found.push_back(op);
}

}  // namespace

std::string describe_placeholder(const te::Tensor& tensor) {
  const std::vector<PrimExpr> shape = te::shape_of(tensor);
  std::string extents;
  for (const PrimExpr& extent : shape) {
    if (!extents.empty()) extents += ", ";
    const std::optional<int64_t> number = tir::as_int(extent);
    extents += number ? std::to_string(*number) : print_expr(extent);
  }
  if (shape.size() == 1) extents += ",";
  return tensor.op->name + " = te.placeholder((" + extents + "), \"" +
         std::string(dtype_name(te::dtype_of(tensor))) + "\")";
}

std::string describe_compute(const te::Operation& op) {
  const auto* compute = std::get_if<te::ComputeOp>(&op->kind);
  if (compute == nullptr) return describe_placeholder({op, 0});
  std::vector<PrimExpr> axes;
  for (const te::IterVar& axis : compute->axis) axes.push_back(tir::var_expr(axis.var));
  std::string text;
  for (size_t i = 0; i < compute->body.size(); ++i) {
    if (i > 0) text += "\n";
    text += te::buffer_name({op, static_cast<int>(i)}) + "[" + join(axes) +
            "] = " + describe_body(compute->body[i]);
  }
  return text;
}

std::vector<te::Operation> computes_of(const std::vector<te::Tensor>& outputs) {
  std::vector<te::Operation> found;
  for (const te::Tensor& output : outputs) collect(output.op, found);
  return found;
}

}  // namespace fx2wasm
