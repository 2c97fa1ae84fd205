// Rules 12 to 17: TensorIR.
#include <unordered_set>

#include "ir/match.h"
#include "ir/tir_visit.h"
#include "ir/well_formed_rules.h"

namespace fx2wasm {

using tir::PrimExpr;

namespace {

std::string dtypes(DType a, DType b) {
  return std::string(dtype_name(a)) + " and " + std::string(dtype_name(b));
}

class PrimFuncChecker {
 public:
  explicit PrimFuncChecker(RuleReport& report) : report_(report) {}

  void func(const tir::PrimFuncNode& node) {
    for (const tir::Param& param : node.params) {
      if (const auto* var = std::get_if<tir::Var>(&param)) {
        // A buffer's shape before it may have named it already: those two are one symbol.
        if (!symbols_.count(var->get())) bind(*var);
        open_vars_.insert(var->get());
        continue;
      }
      const auto& buffer = std::get<tir::Buffer>(param);
      for (const PrimExpr& extent : buffer->shape) bind_symbols(extent);
      for (const PrimExpr& stride : buffer->strides) bind_symbols(stride);
      if (buffer->elem_offset) bind_symbols(buffer->elem_offset);
      open_buffers_.insert(buffer.get());
    }
    stmt(node.body);
  }

 private:
  // The symbols in a parameter's shape are bound by the caller's tensor.
  void bind_symbols(const PrimExpr& expr) {
    for (const tir::Var& var : tir::free_vars(expr)) {
      symbols_.insert(var.get());
      bound_.insert(var.get());
      open_vars_.insert(var.get());
    }
  }

  void bind(const tir::Var& var) {
    if (!bound_.insert(var.get()).second) {
      report_.add(12, "the variable " + var->name + " is bound twice");
    }
    open_vars_.insert(var.get());
  }
  void unbind(const tir::Var& var) { open_vars_.erase(var.get()); }

  void use(const tir::Buffer& buffer, size_t indices) {
    if (!open_buffers_.count(buffer.get())) {
      report_.add(13, "the buffer " + buffer->name + " is neither a parameter nor allocated here");
    }
    if (buffer->shape.size() != indices) {
      report_.add(14, "the buffer " + buffer->name + " has " +
                          std::to_string(buffer->shape.size()) + " dimensions, but " +
                          std::to_string(indices) + " indices");
    }
  }

  void exprs(const std::vector<PrimExpr>& list) {
    for (const PrimExpr& e : list) expr(e);
  }
  void range(const tir::Range& r) {
    expr(r.min);
    expr(r.extent);
  }

  void expr(const PrimExpr& e) {
    if (!e) return;
    match(
        e->kind,
        [&](const tir::Var& x) {
          if (!open_vars_.count(x.get())) {
            report_.add(12, "the variable " + x->name + " is used where it is not bound");
          }
        },
        [](const tir::IntImm&) {}, [](const tir::FloatImm&) {}, [](const tir::StringImm&) {},
        [&](const tir::Binary& x) {
          if (x.a->dtype != x.b->dtype) {
            report_.add(15, "an operation on " + dtypes(x.a->dtype, x.b->dtype));
          }
          expr(x.a);
          expr(x.b);
        },
        [&](const tir::Not& x) { expr(x.a); }, [&](const tir::Cast& x) { expr(x.value); },
        [&](const tir::Select& x) {
          if (x.true_value->dtype != x.false_value->dtype) {
            report_.add(15,
                        "a Select between " + dtypes(x.true_value->dtype, x.false_value->dtype));
          }
          expr(x.condition);
          expr(x.true_value);
          expr(x.false_value);
        },
        [&](const tir::Call& x) { exprs(x.args); },
        [&](const tir::BufferLoad& x) {
          use(x.buffer, x.indices.size());
          exprs(x.indices);
        },
        [&](const tir::Let& x) {
          expr(x.value);
          bind(x.var);
          expr(x.body);
          unbind(x.var);
        },
        [&](const tir::ProducerLoad&) {
          report_.add(17, "a tensor of a tensor expression is read in a PrimFunc");
        },
        [&](const tir::Reduce&) {
          report_.add(17, "a reduction of a tensor expression stands in a PrimFunc");
        });
  }

  void regions(const std::vector<tir::BufferRegion>& list) {
    for (const tir::BufferRegion& region : list) {
      use(region.buffer, region.region.size());
      for (const tir::Range& r : region.region) range(r);
    }
  }

  void realize(const tir::SBlockRealize& node) {
    const tir::SBlock& block = *node.block;
    exprs(node.iter_values);
    expr(node.predicate);
    if (node.iter_values.size() != block.iter_vars.size()) {
      report_.add(16, "the block " + block.name_hint + " has " +
                          std::to_string(block.iter_vars.size()) + " axes, but " +
                          std::to_string(node.iter_values.size()) + " values");
    }
    for (const tir::IterVar& iter : block.iter_vars) {
      range(iter.dom);
      bind(iter.var);
    }
    for (const tir::Buffer& buffer : block.alloc_buffers) {
      exprs(buffer->shape);
      open_buffers_.insert(buffer.get());
    }
    regions(block.reads);
    regions(block.writes);
    stmt(block.init);
    stmt(block.body);
    for (const tir::Buffer& buffer : block.alloc_buffers) open_buffers_.erase(buffer.get());
    for (const tir::IterVar& iter : block.iter_vars) unbind(iter.var);
  }

  void stmt(const tir::Stmt& s) {
    if (!s) return;
    match(
        s->kind,
        [&](const tir::BufferStore& x) {
          use(x.buffer, x.indices.size());
          if (x.buffer->dtype != x.value->dtype) {
            report_.add(15, "the buffer " + x.buffer->name + " and the stored value are " +
                                dtypes(x.buffer->dtype, x.value->dtype));
          }
          exprs(x.indices);
          expr(x.value);
        },
        [&](const tir::For& x) {
          expr(x.min);
          expr(x.extent);
          bind(x.loop_var);
          stmt(x.body);
          unbind(x.loop_var);
        },
        [&](const tir::While& x) {
          expr(x.condition);
          stmt(x.body);
        },
        [&](const tir::IfThenElse& x) {
          expr(x.condition);
          stmt(x.then_case);
          stmt(x.else_case);
        },
        [&](const tir::LetStmt& x) {
          expr(x.value);
          bind(x.var);
          stmt(x.body);
          unbind(x.var);
        },
        [&](const tir::AttrStmt& x) { stmt(x.body); },
        [&](const tir::AllocStmt& x) {
          exprs(x.buffer->shape);
          open_buffers_.insert(x.buffer.get());
          stmt(x.body);
          open_buffers_.erase(x.buffer.get());
        },
        [&](const tir::SeqStmt& x) {
          for (const tir::Stmt& part : x.seq) stmt(part);
        },
        [&](const tir::Evaluate& x) { expr(x.value); },
        [&](const tir::SBlockRealize& x) { realize(x); });
  }

  RuleReport& report_;
  std::unordered_set<const tir::VarNode*> bound_, open_vars_, symbols_;
  std::unordered_set<const tir::BufferNode*> open_buffers_;
};

}  // namespace

void check_prim_func(const tir::PrimFuncNode& func, RuleReport& report) {
  PrimFuncChecker(report).func(func);
}

}  // namespace fx2wasm
