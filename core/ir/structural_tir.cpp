// Structural equality of TensorIR.
#include <cmath>
#include <cstring>

#include "ir/match.h"
#include "ir/structural_match.h"
#include "ir/tir_build.h"

namespace fx2wasm {

using tir::PrimExpr;

namespace {

bool same_double(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;  // so that NaN equals itself, and 0.0 not -0.0
}

bool is_true(const PrimExpr& predicate) { return !predicate || tir::is_one(predicate); }

// The order in which annotations were set does not count: they print sorted.
bool same_attrs(const Attrs& a, const Attrs& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [key, value] : a) {
    const AttrValue* other = find_attr(b, key);
    if (!other || !(*other == value)) return false;
  }
  return true;
}

}  // namespace

void StructuralMatch::pair(const void* a, const void* b) {
  left_[a] = b;
  right_[b] = a;
}

bool StructuralMatch::same(const void* a, const void* b) {
  const auto left = left_.find(a);
  const auto right = right_.find(b);
  if (left != left_.end()) return left->second == b && right != right_.end() && right->second == a;
  if (right != right_.end()) return false;
  if (!map_free_) return a == b;
  pair(a, b);
  return true;
}

bool StructuralMatch::expr_lists(const std::vector<PrimExpr>& a, const std::vector<PrimExpr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!exprs(a[i], b[i])) return false;
  }
  return true;
}

bool StructuralMatch::ranges(const tir::Range& a, const tir::Range& b) {
  return exprs(a.min, b.min) && exprs(a.extent, b.extent);
}

bool StructuralMatch::define_var(const tir::Var& a, const tir::Var& b) {
  if (a->dtype != b->dtype) return false;
  pair(a.get(), b.get());
  return true;
}

bool StructuralMatch::define_vars(const std::vector<tir::Var>& a, const std::vector<tir::Var>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!define_var(a[i], b[i])) return false;
  }
  return true;
}

bool StructuralMatch::define_buffer(const tir::Buffer& a, const tir::Buffer& b) {
  if (a->dtype != b->dtype || a->scope != b->scope || !expr_lists(a->shape, b->shape) ||
      !expr_lists(a->strides, b->strides) || !exprs(a->elem_offset, b->elem_offset)) {
    return false;
  }
  pair(a.get(), b.get());
  return true;
}

bool StructuralMatch::iter_vars(const std::vector<tir::IterVar>& a,
                                const std::vector<tir::IterVar>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].kind != b[i].kind || !ranges(a[i].dom, b[i].dom)) return false;
    if (!define_var(a[i].var, b[i].var)) return false;
  }
  return true;
}

bool StructuralMatch::reducers(const tir::CommReducer& a, const tir::CommReducer& b) {
  return define_vars(a.lhs, b.lhs) && define_vars(a.rhs, b.rhs) && expr_lists(a.result, b.result) &&
         expr_lists(a.identity, b.identity);
}

bool StructuralMatch::reduces(const tir::Reduce& a, const tir::Reduce& b) {
  if (is_true(a.condition) != is_true(b.condition)) return false;
  return a.value_index == b.value_index && reducers(*a.combiner, *b.combiner) &&
         iter_vars(a.axis, b.axis) && expr_lists(a.source, b.source) &&
         expr_lists(a.init, b.init) && (is_true(a.condition) || exprs(a.condition, b.condition));
}

bool StructuralMatch::exprs(const PrimExpr& a, const PrimExpr& b) {
  if (!a || !b) return a == b;
  if (a->dtype != b->dtype || a->kind.index() != b->kind.index()) return false;
  return match(
      a->kind, [&](const tir::Var& x) { return same(x.get(), std::get<tir::Var>(b->kind).get()); },
      [&](const tir::IntImm& x) { return x.value == std::get<tir::IntImm>(b->kind).value; },
      [&](const tir::FloatImm& x) {
        return same_double(x.value, std::get<tir::FloatImm>(b->kind).value);
      },
      [&](const tir::StringImm& x) { return x.value == std::get<tir::StringImm>(b->kind).value; },
      [&](const tir::Binary& x) {
        const auto& y = std::get<tir::Binary>(b->kind);
        return x.op == y.op && exprs(x.a, y.a) && exprs(x.b, y.b);
      },
      [&](const tir::Not& x) { return exprs(x.a, std::get<tir::Not>(b->kind).a); },
      [&](const tir::Cast& x) { return exprs(x.value, std::get<tir::Cast>(b->kind).value); },
      [&](const tir::Select& x) {
        const auto& y = std::get<tir::Select>(b->kind);
        return exprs(x.condition, y.condition) && exprs(x.true_value, y.true_value) &&
               exprs(x.false_value, y.false_value);
      },
      [&](const tir::Call& x) {
        const auto& y = std::get<tir::Call>(b->kind);
        return x.op == y.op && expr_lists(x.args, y.args);
      },
      [&](const tir::BufferLoad& x) {
        const auto& y = std::get<tir::BufferLoad>(b->kind);
        return same(x.buffer.get(), y.buffer.get()) && expr_lists(x.indices, y.indices);
      },
      [&](const tir::Let& x) {
        const auto& y = std::get<tir::Let>(b->kind);
        return exprs(x.value, y.value) && define_var(x.var, y.var) && exprs(x.body, y.body);
      },
      [&](const tir::ProducerLoad& x) {
        const auto& y = std::get<tir::ProducerLoad>(b->kind);
        return x.producer == y.producer && x.output == y.output && expr_lists(x.indices, y.indices);
      },
      [&](const tir::Reduce& x) { return reduces(x, std::get<tir::Reduce>(b->kind)); });
}

bool StructuralMatch::regions(const std::vector<tir::BufferRegion>& a,
                              const std::vector<tir::BufferRegion>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i].buffer.get(), b[i].buffer.get())) return false;
    if (a[i].region.size() != b[i].region.size()) return false;
    for (size_t k = 0; k < a[i].region.size(); ++k) {
      if (!ranges(a[i].region[k], b[i].region[k])) return false;
    }
  }
  return true;
}

bool StructuralMatch::blocks(const tir::SBlock& a, const tir::SBlock& b) {
  if (!same_attrs(a.annotations, b.annotations)) return false;
  if (!iter_vars(a.iter_vars, b.iter_vars)) return false;
  if (a.alloc_buffers.size() != b.alloc_buffers.size()) return false;
  for (size_t i = 0; i < a.alloc_buffers.size(); ++i) {
    if (!define_buffer(a.alloc_buffers[i], b.alloc_buffers[i])) return false;
  }
  return regions(a.reads, b.reads) && regions(a.writes, b.writes) && stmts(a.init, b.init) &&
         stmts(a.body, b.body);
}

bool StructuralMatch::realizes(const tir::SBlockRealize& a, const tir::SBlockRealize& b) {
  if (is_true(a.predicate) != is_true(b.predicate)) return false;
  if (!is_true(a.predicate) && !exprs(a.predicate, b.predicate)) return false;
  return expr_lists(a.iter_values, b.iter_values) && blocks(*a.block, *b.block);
}

bool StructuralMatch::stmts(const tir::Stmt& a, const tir::Stmt& b) {
  if (!a || !b) return a == b;
  if (a->kind.index() != b->kind.index()) return false;
  return match(
      a->kind,
      [&](const tir::BufferStore& x) {
        const auto& y = std::get<tir::BufferStore>(b->kind);
        return same(x.buffer.get(), y.buffer.get()) && expr_lists(x.indices, y.indices) &&
               exprs(x.value, y.value);
      },
      [&](const tir::For& x) {
        const auto& y = std::get<tir::For>(b->kind);
        return x.kind == y.kind && same_attrs(x.annotations, y.annotations) &&
               exprs(x.min, y.min) && exprs(x.extent, y.extent) &&
               define_var(x.loop_var, y.loop_var) && stmts(x.body, y.body);
      },
      [&](const tir::While& x) {
        const auto& y = std::get<tir::While>(b->kind);
        return exprs(x.condition, y.condition) && stmts(x.body, y.body);
      },
      [&](const tir::IfThenElse& x) {
        const auto& y = std::get<tir::IfThenElse>(b->kind);
        return exprs(x.condition, y.condition) && stmts(x.then_case, y.then_case) &&
               stmts(x.else_case, y.else_case);
      },
      [&](const tir::LetStmt& x) {
        const auto& y = std::get<tir::LetStmt>(b->kind);
        return exprs(x.value, y.value) && define_var(x.var, y.var) && stmts(x.body, y.body);
      },
      [&](const tir::AttrStmt& x) {
        const auto& y = std::get<tir::AttrStmt>(b->kind);
        return same_attrs(x.attrs, y.attrs) && stmts(x.body, y.body);
      },
      [&](const tir::AllocStmt& x) {
        const auto& y = std::get<tir::AllocStmt>(b->kind);
        return define_buffer(x.buffer, y.buffer) && stmts(x.body, y.body);
      },
      [&](const tir::SeqStmt& x) {
        const auto& y = std::get<tir::SeqStmt>(b->kind);
        if (x.seq.size() != y.seq.size()) return false;
        for (size_t i = 0; i < x.seq.size(); ++i) {
          if (!stmts(x.seq[i], y.seq[i])) return false;
        }
        return true;
      },
      [&](const tir::Evaluate& x) {
        return exprs(x.value, std::get<tir::Evaluate>(b->kind).value);
      },
      [&](const tir::SBlockRealize& x) {
        return realizes(x, std::get<tir::SBlockRealize>(b->kind));
      });
}

bool StructuralMatch::prim_funcs(const tir::PrimFunc& a, const tir::PrimFunc& b) {
  if (a == b && left_.empty()) return true;
  if (a->params.size() != b->params.size() || !same_attrs(a->attrs, b->attrs)) return false;
  // Symbols in the shapes of the parameters are bound there.
  map_free_ = true;
  for (size_t i = 0; i < a->params.size(); ++i) {
    if (a->params[i].index() != b->params[i].index()) return false;
    if (const auto* x = std::get_if<tir::Var>(&a->params[i])) {
      const auto& y = std::get<tir::Var>(b->params[i]);
      if ((*x)->dtype != y->dtype || !same(x->get(), y.get())) return false;
    } else if (!define_buffer(std::get<tir::Buffer>(a->params[i]),
                              std::get<tir::Buffer>(b->params[i]))) {
      return false;
    }
  }
  map_free_ = false;
  return stmts(a->body, b->body);
}

}  // namespace fx2wasm
