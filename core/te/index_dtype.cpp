#include "te/index_dtype.h"

#include <map>
#include <utility>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"

namespace fx2wasm::te {
namespace {

using tir::Buffer;
using tir::PrimExpr;
using tir::Range;
using tir::Stmt;
using tir::Var;

bool is_index_dtype(DType dtype) { return dtype == DType::Int32 || dtype == DType::Int64; }

bool is_comparison(tir::BinaryOp op) {
  return op == tir::BinaryOp::EQ || op == tir::BinaryOp::NE || op == tir::BinaryOp::LT ||
         op == tir::BinaryOp::LE || op == tir::BinaryOp::GT || op == tir::BinaryOp::GE;
}

// Where an expression stands: an index is brought to int64; inside a condition the operands of a
// comparison are indices too.
struct Context {
  bool is_index = false;
  bool is_condition = false;
};
constexpr Context kIndex{true, false};
constexpr Context kValue{false, false};

class Rewriter {
 public:
  // Once to learn which variables are indices anywhere, then for the result: a variable that is an
  // index somewhere changes everywhere.
  tir::PrimFunc run(const tir::PrimFuncNode& func) {
    rewrite(func.body);
    buffers_.clear();
    auto result = std::make_shared<tir::PrimFuncNode>(func);
    for (tir::Param& param : result->params) {
      match(
          param, [&](const Buffer& buffer) { define(buffer); }, [](const Var&) {});
    }
    for (tir::Param& param : result->params) {
      if (auto* buffer = std::get_if<Buffer>(&param)) {
        *buffer = used(*buffer);
      } else {
        Var& var = std::get<Var>(param);
        if (is_index_dtype(var->dtype)) var = index_var(var);
      }
    }
    result->body = rewrite(func.body);
    return result;
  }

 private:
  Var index_var(const Var& var) {
    if (var->dtype == DType::Int64) return var;
    const auto [entry, is_new] = vars_.try_emplace(var, nullptr);
    if (is_new) entry->second = tir::make_var(var->name, DType::Int64);
    return entry->second;
  }

  Var current(const Var& var) const {
    const auto entry = vars_.find(var);
    return entry == vars_.end() ? var : entry->second;
  }

  Buffer define(const Buffer& buffer) {
    auto changed = std::make_shared<tir::BufferNode>(*buffer);
    changed->shape = indices(buffer->shape);
    changed->strides = indices(buffer->strides);
    if (buffer->elem_offset) changed->elem_offset = rewrite(buffer->elem_offset, kIndex);
    const bool same = changed->shape == buffer->shape && changed->strides == buffer->strides &&
                      changed->elem_offset == buffer->elem_offset;
    buffers_[buffer] = same ? buffer : Buffer(changed);
    return buffers_[buffer];
  }

  Buffer used(const Buffer& buffer) const {
    const auto entry = buffers_.find(buffer);
    return entry == buffers_.end() ? buffer : entry->second;
  }

  std::vector<PrimExpr> indices(const std::vector<PrimExpr>& exprs) {
    std::vector<PrimExpr> result;
    for (const PrimExpr& expr : exprs) result.push_back(rewrite(expr, kIndex));
    return result;
  }

  PrimExpr rewrite(const PrimExpr& expr, Context context) {
    return match(
        expr->kind,
        [&](const Var& var) {
          const bool makes_index = context.is_index && is_index_dtype(var->dtype);
          const Var result = makes_index ? index_var(var) : current(var);
          return result == var ? expr : tir::var_expr(result);
        },
        [&](const tir::IntImm& imm) {
          if (!context.is_index || expr->dtype != DType::Int32) return expr;
          return tir::int_imm(DType::Int64, imm.value);
        },
        [&](const tir::FloatImm&) { return expr; }, [&](const tir::StringImm&) { return expr; },
        [&](const tir::Binary& binary) { return rewrite_binary(expr, binary, context); },
        [&](const tir::Not&) { return rewrite_children(expr, context); },
        [&](const tir::Cast& cast) {
          const PrimExpr value = rewrite(cast.value, context);
          if (context.is_index && is_index_dtype(expr->dtype)) {
            return tir::cast(DType::Int64, value);
          }
          return value == cast.value ? expr : tir::make_expr(expr->dtype, tir::Cast{value});
        },
        [&](const tir::Select& select) {
          const PrimExpr condition = rewrite(select.condition, {context.is_index, true});
          return choice(expr, condition, select.true_value, select.false_value, context);
        },
        [&](const tir::Call& call) {
          if (call.op != tir::Intrinsic::IfThenElse) return rewrite_children(expr, context);
          const PrimExpr condition = rewrite(call.args[0], {context.is_index, true});
          return choice(expr, condition, call.args[1], call.args[2], context);
        },
        [&](const tir::BufferLoad& load) {
          return tir::load(used(load.buffer), indices(load.indices));
        },
        [&](const tir::Let& let) {
          const PrimExpr value = rewrite(let.value, context);
          if (value->dtype == DType::Int64 && let.var->dtype == DType::Int32) index_var(let.var);
          const PrimExpr body = rewrite(let.body, context);
          return tir::make_expr(body->dtype, tir::Let{current(let.var), value, body});
        },
        [&](const tir::ProducerLoad&) { return expr; }, [&](const tir::Reduce&) { return expr; });
  }

  PrimExpr rewrite_children(const PrimExpr& expr, Context context) {
    return tir::map_children(expr, [&](const PrimExpr& child) { return rewrite(child, context); });
  }

  PrimExpr rewrite_binary(const PrimExpr& expr, const tir::Binary& binary, Context context) {
    if (is_comparison(binary.op)) {
      context.is_index = context.is_condition && is_int(binary.a->dtype) && is_int(binary.b->dtype);
    }
    const PrimExpr a = rewrite(binary.a, context), b = rewrite(binary.b, context);
    if (a == binary.a && b == binary.b && a->dtype == b->dtype) return expr;
    return tir::binary(binary.op, a, b);
  }

  // Select and if_then_else: both values keep one dtype.
  PrimExpr choice(const PrimExpr& expr, const PrimExpr& condition, const PrimExpr& on_true,
                  const PrimExpr& on_false, Context context) {
    PrimExpr a = rewrite(on_true, context), b = rewrite(on_false, context);
    if (a->dtype != b->dtype) {
      const DType wide = dtype_bits(a->dtype) < dtype_bits(b->dtype) ? b->dtype : a->dtype;
      a = tir::cast(wide, a);
      b = tir::cast(wide, b);
    }
    if (std::holds_alternative<tir::Select>(expr->kind)) return tir::select(condition, a, b);
    return tir::call(a->dtype, tir::Intrinsic::IfThenElse, {condition, a, b});
  }

  Range rewrite(const Range& range) {
    return {rewrite(range.min, kIndex), rewrite(range.extent, kIndex)};
  }

  // TVM takes the extent of a domain that changes for its end, which shows in the printed text
  // where the domain does not begin at 0; nothing reads the extents of a block's variables.
  tir::IterVar rewrite(const tir::IterVar& axis) {
    const Var var = index_var(axis.var);
    Range dom = rewrite(axis.dom);
    const bool changes =
        var != axis.var || dom.min != axis.dom.min || dom.extent != axis.dom.extent;
    if (changes) dom.extent = tir::sub(dom.extent, dom.min);
    return {var, dom, axis.kind};
  }

  std::vector<tir::BufferRegion> rewrite(const std::vector<tir::BufferRegion>& regions) {
    std::vector<tir::BufferRegion> result;
    for (const tir::BufferRegion& region : regions) {
      tir::BufferRegion changed{used(region.buffer), {}};
      for (const Range& range : region.region) changed.region.push_back(rewrite(range));
      result.push_back(std::move(changed));
    }
    return result;
  }

  Stmt rewrite(const Stmt& stmt) {
    return match(
        stmt->kind,
        [&](const tir::BufferStore& store) {
          const Buffer buffer = used(store.buffer);
          const PrimExpr value = rewrite(store.value, kValue);
          return tir::store(buffer, tir::cast(buffer->dtype, value), indices(store.indices));
        },
        [&](const tir::For& loop) {
          const Var var = index_var(loop.loop_var);
          const PrimExpr min = rewrite(loop.min, kIndex), extent = rewrite(loop.extent, kIndex);
          return tir::make_stmt(tir::For{var, tir::cast(var->dtype, min),
                                         tir::cast(var->dtype, extent), loop.kind, loop.annotations,
                                         rewrite(loop.body)});
        },
        [&](const tir::While& loop) {
          return tir::make_stmt(
              tir::While{rewrite(loop.condition, {false, true}), rewrite(loop.body)});
        },
        [&](const tir::IfThenElse& branch) {
          return tir::make_stmt(
              tir::IfThenElse{rewrite(branch.condition, {false, true}), rewrite(branch.then_case),
                              branch.else_case ? rewrite(branch.else_case) : nullptr});
        },
        [&](const tir::LetStmt& let) {
          PrimExpr value = rewrite(let.value, kValue);
          if (value->dtype != let.var->dtype && is_index_dtype(value->dtype)) index_var(let.var);
          const Var var = current(let.var);
          value = tir::cast(var->dtype, value);
          return tir::make_stmt(tir::LetStmt{var, value, rewrite(let.body)});
        },
        [&](const tir::AttrStmt& attr) {
          return tir::make_stmt(tir::AttrStmt{attr.attrs, rewrite(attr.body)});
        },
        [&](const tir::AllocStmt& alloc) {
          const Buffer buffer = define(alloc.buffer);
          return tir::make_stmt(tir::AllocStmt{buffer, rewrite(alloc.body)});
        },
        [&](const tir::SeqStmt& seq) {
          std::vector<Stmt> stmts;
          for (const Stmt& part : seq.seq) stmts.push_back(rewrite(part));
          return tir::seq(std::move(stmts));
        },
        [&](const tir::Evaluate& evaluate) {
          return tir::make_stmt(tir::Evaluate{rewrite(evaluate.value, kValue)});
        },
        [&](const tir::SBlockRealize& realize) {
          const PrimExpr predicate =
              realize.predicate ? rewrite(realize.predicate, {false, true}) : nullptr;
          return tir::make_stmt(
              tir::SBlockRealize{indices(realize.iter_values), predicate, rewrite(*realize.block)});
        });
  }

  std::shared_ptr<const tir::SBlock> rewrite(const tir::SBlock& block) {
    auto result = std::make_shared<tir::SBlock>(block);
    for (Buffer& buffer : result->alloc_buffers) buffer = define(buffer);
    result->reads = rewrite(block.reads);
    result->writes = rewrite(block.writes);
    for (tir::IterVar& axis : result->iter_vars) {
      axis = rewrite(axis);
    }
    if (block.init) result->init = rewrite(block.init);
    result->body = rewrite(block.body);
    return result;
  }

  std::map<Var, Var> vars_;
  std::map<Buffer, Buffer> buffers_;
};

}  // namespace

tir::PrimFunc with_int64_indices(const tir::PrimFuncNode& func) { return Rewriter().run(func); }

}  // namespace fx2wasm::te
