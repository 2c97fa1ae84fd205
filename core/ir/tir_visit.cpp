#include "ir/tir_visit.h"

#include <unordered_map>
#include <unordered_set>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "support/check.h"

namespace fx2wasm::tir {

using MapExpr = std::function<PrimExpr(const PrimExpr&)>;

std::vector<PrimExpr> children(const PrimExpr& expr) {
  using Exprs = std::vector<PrimExpr>;
  return match(
      expr->kind, [](const Var&) { return Exprs{}; }, [](const IntImm&) { return Exprs{}; },
      [](const FloatImm&) { return Exprs{}; }, [](const StringImm&) { return Exprs{}; },
      [](const Binary& e) {
        return Exprs{e.a, e.b};
      },
      [](const Not& e) { return Exprs{e.a}; }, [](const Cast& e) { return Exprs{e.value}; },
      [](const Select& e) {
        return Exprs{e.condition, e.true_value, e.false_value};
      },
      [](const Call& e) { return e.args; }, [](const BufferLoad& e) { return e.indices; },
      [](const Let& e) {
        return Exprs{e.value, e.body};
      },
      [](const ProducerLoad& e) { return e.indices; },
      [](const Reduce& e) {
        Exprs result = e.source;
        result.insert(result.end(), e.init.begin(), e.init.end());
        if (e.condition) result.push_back(e.condition);
        return result;
      });
}

void walk(const PrimExpr& expr, const std::function<bool(const PrimExpr&)>& visit) {
  if (!visit(expr)) return;
  for (const PrimExpr& child : children(expr)) walk(child, visit);
}

namespace {

struct StmtWalker {
  const std::function<void(const Stmt&)>& on_stmt;
  const std::function<void(const PrimExpr&)>& on_expr;

  void expr(const PrimExpr& e) const {
    if (!e || !on_expr) return;
    walk(e, [this](const PrimExpr& sub) {
      on_expr(sub);
      return true;
    });
  }
  void exprs(const std::vector<PrimExpr>& list) const {
    for (const PrimExpr& e : list) expr(e);
  }
  void stmt(const Stmt& s) const {
    if (!s) return;
    if (on_stmt) on_stmt(s);
    match(
        s->kind,
        [&](const BufferStore& n) {
          expr(n.value);
          exprs(n.indices);
        },
        [&](const For& n) {
          expr(n.min);
          expr(n.extent);
          stmt(n.body);
        },
        [&](const While& n) {
          expr(n.condition);
          stmt(n.body);
        },
        [&](const IfThenElse& n) {
          expr(n.condition);
          stmt(n.then_case);
          stmt(n.else_case);
        },
        [&](const LetStmt& n) {
          expr(n.value);
          stmt(n.body);
        },
        [&](const AttrStmt& n) { stmt(n.body); }, [&](const AllocStmt& n) { stmt(n.body); },
        [&](const SeqStmt& n) {
          for (const Stmt& part : n.seq) stmt(part);
        },
        [&](const Evaluate& n) { expr(n.value); },
        [&](const SBlockRealize& n) {
          exprs(n.iter_values);
          expr(n.predicate);
          stmt(n.block->init);
          stmt(n.block->body);
        });
  }
};

// Replaces `slot` by `f` of it; true when that changed it. A null slot stays null.
bool update(PrimExpr& slot, const MapExpr& f) {
  if (!slot) return false;
  PrimExpr mapped = f(slot);
  FX_CHECK(mapped != nullptr, "a rewrite gave no expression");
  if (mapped == slot) return false;
  slot = std::move(mapped);
  return true;
}

bool update(std::vector<PrimExpr>& slots, const MapExpr& f) {
  bool changed = false;
  for (PrimExpr& slot : slots) changed |= update(slot, f);
  return changed;
}

}  // namespace

void walk(const Stmt& stmt, const std::function<void(const Stmt&)>& on_stmt,
          const std::function<void(const PrimExpr&)>& on_expr) {
  StmtWalker{on_stmt, on_expr}.stmt(stmt);
}

PrimExpr map_children(const PrimExpr& expr, const MapExpr& f) {
  // A copy of the node is only kept when one of its children changed.
  const auto finish = [&](bool changed, PrimExprNode::Kind kind) {
    return changed ? make_expr(expr->dtype, std::move(kind)) : expr;
  };
  return match(
      expr->kind, [&](const Var&) { return expr; }, [&](const IntImm&) { return expr; },
      [&](const FloatImm&) { return expr; }, [&](const StringImm&) { return expr; },
      [&](Binary e) {
        const bool a = update(e.a, f), b = update(e.b, f);
        return finish(a || b, std::move(e));
      },
      [&](Not e) {
        const bool changed = update(e.a, f);
        return finish(changed, std::move(e));
      },
      [&](Cast e) {
        const bool changed = update(e.value, f);
        return finish(changed, std::move(e));
      },
      [&](Select e) {
        const bool c = update(e.condition, f), t = update(e.true_value, f),
                   o = update(e.false_value, f);
        return finish(c || t || o, std::move(e));
      },
      [&](Call e) {
        const bool changed = update(e.args, f);
        return finish(changed, std::move(e));
      },
      [&](BufferLoad e) {
        const bool changed = update(e.indices, f);
        return finish(changed, std::move(e));
      },
      [&](Let e) {
        const bool value = update(e.value, f), body = update(e.body, f);
        return finish(value || body, std::move(e));
      },
      [&](ProducerLoad e) {
        const bool changed = update(e.indices, f);
        return finish(changed, std::move(e));
      },
      [&](Reduce e) {
        const bool source = update(e.source, f), init = update(e.init, f),
                   condition = update(e.condition, f);
        return finish(source || init || condition, std::move(e));
      });
}

PrimExpr rewrite(const PrimExpr& expr, const MapExpr& f) {
  return f(map_children(expr, [&](const PrimExpr& child) { return rewrite(child, f); }));
}

namespace {

struct StmtRewriter {
  const MapExpr& on_expr;
  const std::function<Stmt(const Stmt&)>& on_stmt;

  bool expr(PrimExpr& slot) const { return on_expr && update(slot, on_expr); }
  bool exprs(std::vector<PrimExpr>& slots) const { return on_expr && update(slots, on_expr); }
  bool range(Range& r) const {
    const bool min = expr(r.min), extent = expr(r.extent);
    return min || extent;
  }
  bool regions(std::vector<BufferRegion>& list) const {
    bool changed = false;
    for (BufferRegion& region : list) {
      for (Range& r : region.region) changed |= range(r);
    }
    return changed;
  }
  bool stmt(Stmt& slot) const {
    if (!slot) return false;
    Stmt rebuilt = rewrite(slot);
    if (rebuilt == slot) return false;
    slot = std::move(rebuilt);
    return true;
  }
  bool block(std::shared_ptr<const SBlock>& slot) const {
    auto copy = std::make_shared<SBlock>(*slot);
    bool changed = false;
    for (IterVar& iter : copy->iter_vars) changed |= range(iter.dom);
    changed |= regions(copy->reads);
    changed |= regions(copy->writes);
    changed |= stmt(copy->init);
    changed |= stmt(copy->body);
    if (changed) slot = std::move(copy);
    return changed;
  }

  Stmt rewrite(const Stmt& s) const {
    const auto finish = [&](bool changed, StmtNode::Kind kind) {
      return changed ? make_stmt(std::move(kind)) : s;
    };
    Stmt rebuilt = match(
        s->kind,
        [&](BufferStore n) {
          const bool value = expr(n.value), indices = exprs(n.indices);
          return finish(value || indices, std::move(n));
        },
        [&](For n) {
          const bool min = expr(n.min), extent = expr(n.extent), body = stmt(n.body);
          return finish(min || extent || body, std::move(n));
        },
        [&](While n) {
          const bool condition = expr(n.condition), body = stmt(n.body);
          return finish(condition || body, std::move(n));
        },
        [&](IfThenElse n) {
          const bool condition = expr(n.condition), then_case = stmt(n.then_case),
                     else_case = stmt(n.else_case);
          return finish(condition || then_case || else_case, std::move(n));
        },
        [&](LetStmt n) {
          const bool value = expr(n.value), body = stmt(n.body);
          return finish(value || body, std::move(n));
        },
        [&](AttrStmt n) {
          const bool changed = stmt(n.body);
          return finish(changed, std::move(n));
        },
        [&](AllocStmt n) {
          const bool changed = stmt(n.body);
          return finish(changed, std::move(n));
        },
        [&](SeqStmt n) {
          bool changed = false;
          for (Stmt& part : n.seq) changed |= stmt(part);
          return finish(changed, std::move(n));
        },
        [&](Evaluate n) {
          const bool changed = expr(n.value);
          return finish(changed, std::move(n));
        },
        [&](SBlockRealize n) {
          const bool values = exprs(n.iter_values), predicate = expr(n.predicate),
                     inner = block(n.block);
          return finish(values || predicate || inner, std::move(n));
        });
    return on_stmt ? on_stmt(rebuilt) : rebuilt;
  }
};

using VarTable = std::unordered_map<const VarNode*, PrimExpr>;

VarTable table_of(const VarMap& map) {
  VarTable table;
  for (const auto& [var, value] : map) table.emplace(var.get(), value);
  return table;
}

PrimExpr substitute_by(const PrimExpr& expr, const VarTable& table) {
  return rewrite(expr, [&](const PrimExpr& e) {
    const auto* var = std::get_if<Var>(&e->kind);
    if (!var) return e;
    const auto found = table.find(var->get());
    return found == table.end() ? e : found->second;
  });
}

void collect_free(const PrimExpr& expr, std::unordered_set<const VarNode*>& seen,
                  std::vector<Var>& result) {
  walk(expr, [&](const PrimExpr& e) {
    if (const auto* var = std::get_if<Var>(&e->kind)) {
      if (seen.insert(var->get()).second) result.push_back(*var);
      return true;
    }
    if (const auto* let = std::get_if<Let>(&e->kind)) {
      collect_free(let->value, seen, result);
      // A bound variable is bound once, so hiding it for good is safe.
      seen.insert(let->var.get());
      collect_free(let->body, seen, result);
      return false;
    }
    if (const auto* reduce = std::get_if<Reduce>(&e->kind)) {
      for (const IterVar& axis : reduce->axis) {
        collect_free(axis.dom.min, seen, result);
        collect_free(axis.dom.extent, seen, result);
        seen.insert(axis.var.get());
      }
    }
    return true;
  });
}

}  // namespace

Stmt rewrite(const Stmt& stmt, const MapExpr& on_expr,
             const std::function<Stmt(const Stmt&)>& on_stmt) {
  return StmtRewriter{on_expr, on_stmt}.rewrite(stmt);
}

PrimExpr substitute(const PrimExpr& expr, const VarMap& map) {
  if (map.empty()) return expr;
  return substitute_by(expr, table_of(map));
}

Stmt substitute(const Stmt& stmt, const VarMap& map) {
  if (map.empty()) return stmt;
  const VarTable table = table_of(map);
  return rewrite(
      stmt, [&](const PrimExpr& expr) { return substitute_by(expr, table); }, nullptr);
}

std::vector<Var> free_vars(const PrimExpr& expr) {
  std::unordered_set<const VarNode*> seen;
  std::vector<Var> result;
  collect_free(expr, seen, result);
  return result;
}

}  // namespace fx2wasm::tir
