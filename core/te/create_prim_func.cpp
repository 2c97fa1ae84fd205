#include "te/create_prim_func.h"

#include <algorithm>
#include <set>
#include <utility>

#include "arith/analyzer.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "te/compute_nest.h"
#include "te/index_dtype.h"

namespace fx2wasm::te {
namespace {

Diagnostic misuse(std::string message) {
  return error_at({}, codes::kTensorExpression, std::move(message));
}

void post_order(const Operation& op, std::set<const OperationNode*>& seen,
                std::vector<Operation>& order) {
  if (!seen.insert(op.get()).second) return;
  for (const Tensor& input : input_tensors(op)) post_order(input.op, seen, order);
  order.push_back(op);
}

// Every operation that the arguments need, producers first.
std::vector<Operation> ordered_operations(const std::vector<Tensor>& tensors) {
  std::set<const OperationNode*> seen;
  std::vector<Operation> order;
  for (const Tensor& tensor : tensors) post_order(tensor.op, seen, order);
  return order;
}

bool contains(const std::vector<Tensor>& tensors, const Tensor& tensor) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const Tensor& other) { return same_tensor(other, tensor); });
}

Diagnostics check_arguments(const std::vector<Tensor>& tensors,
                            const std::vector<Operation>& order) {
  Diagnostics problems;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::vector<Tensor> before(tensors.begin(), tensors.begin() + static_cast<long>(i));
    if (contains(before, tensors[i])) {
      problems.push_back(misuse("the tensor " + buffer_name(tensors[i]) +
                                " is an argument of the function twice"));
    }
  }
  bool computes = false;
  for (const Operation& op : order) {
    if (std::holds_alternative<ComputeOp>(op->kind)) {
      computes = true;
    } else if (!contains(tensors, {op, 0})) {
      problems.push_back(
          misuse("the input " + op->name + " is read but is not an argument of the function"));
    }
  }
  if (!computes)
    problems.push_back(misuse("the function computes nothing: no argument is a te.compute"));
  return problems;
}

// Positions of the parameters whose layout a schedule may choose.
AttrList layout_free_positions(const std::vector<Operation>& order,
                               const std::vector<FuncArg>& args) {
  std::set<int64_t> positions;
  for (const Operation& op : order) {
    for (const Tensor& free : op->layout_free) {
      for (size_t i = 0; i < args.size(); ++i) {
        const auto* tensor = std::get_if<Tensor>(&args[i]);
        if (tensor && same_tensor(*tensor, free)) positions.insert(static_cast<int64_t>(i));
      }
    }
  }
  AttrList list;
  for (const int64_t position : positions) list.push_back(AttrValue{position});
  return list;
}

tir::Stmt root_block(std::vector<tir::Stmt> stages, std::vector<tir::Buffer> allocations) {
  auto root = std::make_shared<tir::SBlock>();
  root->name_hint = "root";
  root->alloc_buffers = std::move(allocations);
  root->body = tir::seq(std::move(stages));
  return tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(root)});
}

}  // namespace

Result<tir::PrimFunc> create_prim_func(const std::vector<FuncArg>& args,
                                       const CreatePrimFuncOptions& options) {
  std::vector<Tensor> tensors;
  for (const FuncArg& arg : args) {
    if (const auto* tensor = std::get_if<Tensor>(&arg)) tensors.push_back(*tensor);
  }
  const std::vector<Operation> order = ordered_operations(tensors);
  Diagnostics problems = check_arguments(tensors, order);
  if (!problems.empty()) return problems;

  arith::Analyzer analyzer;
  StageContext context{analyzer, {}, {}};
  std::vector<tir::Stmt> stages;
  std::vector<tir::Buffer> allocations;
  for (const Operation& op : order) {
    const bool is_compute = std::holds_alternative<ComputeOp>(op->kind);
    for (int i = 0; i < output_count(op); ++i) {
      const Tensor output{op, i};
      const tir::Buffer buffer =
          tir::make_buffer(buffer_name(output), dtype_of(output), shape_of(output));
      context.buffers[{op.get(), i}] = buffer;
      if (is_compute && !contains(tensors, output)) allocations.push_back(buffer);
    }
    if (is_compute) stages.push_back(compute_nest(op, context));
  }

  auto func = std::make_shared<tir::PrimFuncNode>();
  for (const FuncArg& arg : args) {
    match(
        arg,
        [&](const Tensor& tensor) {
          func->params.emplace_back(context.buffers.at({tensor.op.get(), tensor.output}));
        },
        [&](const tir::Var& var) { func->params.emplace_back(var); });
  }
  func->body = root_block(std::move(stages), std::move(allocations));
  if (options.global_symbol) {
    func->attrs.emplace_back("global_symbol", AttrValue{*options.global_symbol});
  }
  AttrList layout_free = layout_free_positions(order, args);
  if (!layout_free.empty()) {
    func->attrs.emplace_back("layout_free_buffers", AttrValue{std::move(layout_free)});
  }
  func->attrs.emplace_back("tirx.noalias", AttrValue{true});
  func->attrs.insert(func->attrs.end(), options.attrs.begin(), options.attrs.end());
  return options.force_int64 ? with_int64_indices(*func) : tir::PrimFunc(std::move(func));
}

}  // namespace fx2wasm::te
