#include "te/compute_nest.h"

#include <algorithm>
#include <functional>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "support/check.h"
#include "te/access_regions.h"

namespace fx2wasm::te {
namespace {

using tir::Buffer;
using tir::PrimExpr;
using tir::Range;
using tir::Stmt;
using tir::Var;

// One level of the nest: its loops, and the variables of the block inside them.
struct Level {
  std::vector<std::pair<Var, Range>> loops;
  std::vector<IterVar> block_vars;
  std::vector<PrimExpr> bindings;
  std::vector<PrimExpr> store_indices;
  tir::VarMap remap;  // axes of the compute → block variables

  void add(const Var& axis, IterVar block_var, PrimExpr binding) {
    const PrimExpr value = tir::var_expr(block_var.var);
    if (block_var.kind != tir::IterKind::Reduce) store_indices.push_back(value);
    remap.emplace_back(axis, value);
    block_vars.push_back(std::move(block_var));
    bindings.push_back(std::move(binding));
  }
};

PrimExpr mapped(const tir::VarMap& map, const Var& var) {
  for (const auto& [from, to] : map) {
    if (from == var) return to;
  }
  return nullptr;
}

// How deep each axis lies: one below the deepest axis that its domain depends on.
std::vector<size_t> axis_depths(const std::vector<IterVar>& axes, arith::Analyzer& analyzer) {
  std::vector<size_t> depths(axes.size(), 0);
  std::vector<bool> known(axes.size(), false);
  const std::function<size_t(size_t)> depth_of = [&](size_t i) {
    if (known[i]) return depths[i];
    known[i] = true;
    for (const PrimExpr& bound : {axes[i].dom.min, axes[i].dom.extent}) {
      for (const Var& var : tir::free_vars(analyzer.simplify(bound))) {
        for (size_t j = 0; j < axes.size(); ++j) {
          if (axes[j].var == var) depths[i] = std::max(depths[i], depth_of(j) + 1);
        }
      }
    }
    return depths[i];
  };
  for (size_t i = 0; i < axes.size(); ++i) depth_of(i);
  return depths;
}

class Nest {
 public:
  Nest(const Operation& op, StageContext& context)
      : op_(op), compute_(std::get<ComputeOp>(op->kind)), context_(context) {}

  Stmt build() {
    axes_ = compute_.axis;
    axes_.insert(axes_.end(), compute_.reduce_axis.begin(), compute_.reduce_axis.end());
    make_levels();
    for (int i = 0; i < output_count(op_); ++i) {
      buffers_.push_back(context_.buffers.at({op_.get(), i}));
    }
    reduce_ = std::get_if<tir::Reduce>(&compute_.body[0]->kind);

    std::vector<Stmt> leaves = reduce_ ? std::vector<Stmt>{reduce_leaf()} : parallel_leaves();
    Stmt body = tir::seq(std::move(leaves));
    for (size_t i = levels_.size(); i-- > 0;) {
      if (i + 1 < levels_.size()) {
        const std::string name =
            context_.block_names.fresh(op_->name + "_l" + std::to_string(i + 1));
        body = realize(levels_[i], name, init_at(i), std::move(body));
      }
      for (size_t j = levels_[i].loops.size(); j-- > 0;) {
        const auto& [var, dom] = levels_[i].loops[j];
        // A loop begins in its variable's dtype, whatever the block variable's domain says.
        body = tir::make_stmt(tir::For{var,
                                       tir::cast(var->dtype, dom.min),
                                       tir::cast(var->dtype, dom.extent),
                                       tir::ForKind::Serial,
                                       {},
                                       std::move(body)});
      }
    }
    return body;
  }

 private:
  void make_levels() {
    const std::vector<size_t> depths = axis_depths(axes_, context_.analyzer);
    const size_t deepest = depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
    init_level_ = deepest;
    for (size_t level = 0; level <= deepest; ++level) {
      Level current;
      for (size_t i = 0; i < axes_.size(); ++i) {
        if (depths[i] == level) {
          if (axes_[i].kind == tir::IterKind::Reduce) init_level_ = std::min(init_level_, level);
          define_axis(axes_[i], current);
        } else if (depths[i] < level) {
          pass_axis(axes_[i], current);
        }
      }
      if (level == deepest && current.block_vars.empty()) {
        // A block needs a variable: the scalar compute gets one that is always 0.
        const PrimExpr zero = tir::int_imm(DType::Int32, 0), one = tir::int_imm(DType::Int32, 1);
        current.block_vars.push_back({tir::make_var("vi", DType::Int32), {zero, one}});
        current.bindings.push_back(zero);
      }
      levels_.push_back(std::move(current));
    }
  }

  static DType index_dtype(const IterVar& axis) {
    const int bits = std::max(dtype_bits(axis.dom.min->dtype), dtype_bits(axis.dom.extent->dtype));
    return bits == 64 ? DType::Int64 : DType::Int32;
  }

  void define_axis(const IterVar& axis, Level& level) {
    const DType dtype = index_dtype(axis);
    PrimExpr min = axis.dom.min, extent = axis.dom.extent;
    if (!levels_.empty()) {
      min = tir::substitute(min, levels_.back().remap);
      extent = tir::substitute(extent, levels_.back().remap);
    }
    const Range dom{context_.analyzer.simplify(min), context_.analyzer.simplify(extent)};
    const Var loop_var = tir::make_var(axis.var->name, dtype);
    level.loops.emplace_back(loop_var, dom);
    level.add(axis.var, {tir::make_var("v_" + axis.var->name, dtype), dom, axis.kind},
              tir::var_expr(loop_var));
  }

  // An axis of an outer level, handed on to the block inside.
  void pass_axis(const IterVar& axis, Level& level) {
    const DType dtype = index_dtype(axis);
    const PrimExpr outer = mapped(levels_.back().remap, axis.var);
    FX_CHECK(outer, "an axis of an outer level has a block variable there");
    level.add(
        axis.var,
        {tir::make_var("v_" + axis.var->name, dtype), {outer, tir::int_imm(dtype, 1)}, axis.kind},
        outer);
  }

  // A body with loads for tensors and block variables for axes.
  PrimExpr lowered(const PrimExpr& expr, const Level& level) const {
    const PrimExpr loads = tir::rewrite(expr, [&](const PrimExpr& node) {
      const auto* read = std::get_if<tir::ProducerLoad>(&node->kind);
      if (read == nullptr) return node;
      return tir::load(context_.buffers.at({read->producer.get(), read->output}), read->indices);
    });
    return tir::substitute(loads, level.remap);
  }

  Stmt init_at(size_t level) const {
    if (reduce_ == nullptr || level != init_level_) return nullptr;
    std::vector<Stmt> stores;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      stores.push_back(tir::store(buffers_[i],
                                  lowered(reduce_->combiner->identity[i], levels_[level]),
                                  levels_[level].store_indices));
    }
    return tir::seq(std::move(stores));
  }

  Stmt reduce_leaf() {
    const Level& leaf = levels_.back();
    const tir::CommReducer& combiner = *reduce_->combiner;
    tir::VarMap operands;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      operands.emplace_back(combiner.lhs[i], tir::load(buffers_[i], leaf.store_indices));
      operands.emplace_back(combiner.rhs[i],
                            context_.analyzer.simplify(lowered(reduce_->source[i], leaf)));
    }
    const auto combined = [&](size_t i) {
      return lowered(tir::substitute(combiner.result[i], operands), leaf);
    };
    std::vector<Stmt> stores;
    if (buffers_.size() == 1) {
      stores.push_back(tir::store(buffers_[0], combined(0), leaf.store_indices));
      return realize(leaf, context_.block_names.fresh(op_->name), init_at(levels_.size() - 1),
                     stores[0]);
    }
    // All new values are computed before the first is stored: each depends on all old ones.
    std::vector<Var> values;
    for (const Buffer& buffer : buffers_) {
      values.push_back(tir::make_var("v_" + buffer->name, buffer->dtype));
      stores.push_back(tir::store(buffer, tir::var_expr(values.back()), leaf.store_indices));
    }
    Stmt body = tir::seq(std::move(stores));
    for (size_t i = buffers_.size(); i-- > 0;) {
      body = tir::make_stmt(tir::LetStmt{values[i], combined(i), std::move(body)});
    }
    return realize(leaf, context_.block_names.fresh(op_->name), init_at(levels_.size() - 1),
                   std::move(body));
  }

  // One block for each output, all in the same loops, each with block variables of its own.
  std::vector<Stmt> parallel_leaves() {
    std::vector<Stmt> leaves;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const Level leaf = i == 0 ? levels_.back() : renewed(levels_.back());
      const PrimExpr value = context_.analyzer.simplify(lowered(compute_.body[i], leaf));
      leaves.push_back(realize(leaf, context_.block_names.fresh(buffers_[i]->name), nullptr,
                               tir::store(buffers_[i], value, leaf.store_indices)));
    }
    return leaves;
  }

  Level renewed(const Level& leaf) const {
    Level fresh;
    fresh.loops = leaf.loops;
    if (axes_.empty()) {
      fresh = leaf;
      fresh.block_vars[0].var = tir::make_var("vi", DType::Int32);
      return fresh;
    }
    for (size_t i = 0; i < leaf.block_vars.size(); ++i) {
      IterVar block_var = leaf.block_vars[i];
      block_var.var = tir::make_var(block_var.var->name, block_var.var->dtype);
      fresh.add(axes_[i].var, std::move(block_var), leaf.bindings[i]);
    }
    return fresh;
  }

  // Computed tensors whose layout is free are named at their block; parameters at the function.
  void note_layout_free(tir::SBlock& block) const {
    AttrList buffers;
    for (const Tensor& free : op_->layout_free) {
      if (std::holds_alternative<PlaceholderOp>(free.op->kind)) continue;
      const tir::Buffer& buffer = context_.buffers.at({free.op.get(), free.output});
      for (size_t i = 0; i < block.reads.size(); ++i) {
        if (block.reads[i].buffer == buffer) buffers.push_back({AttrReadBuffer{i}});
      }
    }
    if (!buffers.empty()) {
      block.annotations.emplace_back("layout_free_placeholders", AttrValue{std::move(buffers)});
    }
  }

  Stmt realize(const Level& level, std::string name, Stmt init, Stmt body) const {
    auto block = std::make_shared<tir::SBlock>();
    block->name_hint = std::move(name);
    block->iter_vars = level.block_vars;
    block->annotations = op_->attrs;
    block->init = std::move(init);
    block->body = std::move(body);
    AccessRegions regions = access_regions(*block);
    block->reads = std::move(regions.reads);
    block->writes = std::move(regions.writes);
    note_layout_free(*block);
    return tir::make_stmt(tir::SBlockRealize{level.bindings, nullptr, std::move(block)});
  }

  const Operation& op_;
  const ComputeOp& compute_;
  StageContext& context_;
  std::vector<IterVar> axes_;
  std::vector<Level> levels_;
  size_t init_level_ = 0;  // the outermost level with a reduce axis
  std::vector<Buffer> buffers_;
  const tir::Reduce* reduce_ = nullptr;
};

}  // namespace

Stmt compute_nest(const Operation& op, StageContext& context) { return Nest(op, context).build(); }

}  // namespace fx2wasm::te
