// Structural hashes: what structural_equal ignores is left out, and bound variables count by the
// order in which they are bound.
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "ir/match.h"
#include "ir/op.h"
#include "ir/structural.h"
#include "ir/tir_build.h"

namespace fx2wasm {

using tir::PrimExpr;

namespace {

class Hasher {
 public:
  // 32 bits, so that wasm32 and native builds agree.
  size_t result() const { return static_cast<size_t>((state_ ^ (state_ >> 32)) & 0xffffffffu); }

  void prim_func(const tir::PrimFuncNode& func) {
    bind_free_ = true;
    for (const tir::Param& param : func.params) {
      number(param.index());
      if (const auto* var = std::get_if<tir::Var>(&param)) {
        use(var->get());
        number(static_cast<uint64_t>((*var)->dtype));
      } else {
        define_buffer(std::get<tir::Buffer>(param));
      }
    }
    bind_free_ = false;
    attrs(func.attrs);
    stmt(func.body);
  }

  void function(const relax::FunctionNode& func) {
    bind_free_ = true;
    for (const relax::Var& param : func.params) {
      type(param->type);
      define(param.get());
    }
    bind_free_ = false;
    number(func.attrs.size());
    for (const relax::BindingBlock& block : func.blocks) {
      number(block.dataflow);
      number(block.bindings.size());
      for (const relax::Binding& binding : block.bindings) {
        expr(binding.value);
        type(binding.var->type);
        define(binding.var.get());
      }
    }
    expr(func.body);
    type(func.ret_type);
  }

 private:
  void number(uint64_t value) {
    for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(value >> (8 * i)));
  }
  void byte(unsigned char value) {  // FNV-1a
    state_ = (state_ ^ value) * 1099511628211u;
  }
  void text(std::string_view value) {
    number(value.size());
    for (char c : value) byte(static_cast<unsigned char>(c));
  }
  void real(double value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    number(bits);
  }

  void define(const void* object) {
    order_[object] = next_++;
    number(next_);
  }
  void use(const void* object) {
    const auto found = order_.find(object);
    if (found != order_.end()) return number(found->second);
    if (bind_free_) return define(object);
    number(~uint64_t{0});  // free: only its identity could tell it from others
  }

  // Annotations that differ only in order are equal, so only their number counts.
  void attrs(const Attrs& list) { number(list.size()); }

  void define_buffer(const tir::Buffer& buffer) {
    number(static_cast<uint64_t>(buffer->dtype));
    exprs(buffer->shape);
    exprs(buffer->strides);
    expr(buffer->elem_offset);
    text(buffer->scope);
    define(buffer.get());
  }

  void exprs(const std::vector<PrimExpr>& list) {
    number(list.size());
    for (const PrimExpr& e : list) expr(e);
  }
  void range(const tir::Range& r) {
    expr(r.min);
    expr(r.extent);
  }
  void iter_vars(const std::vector<tir::IterVar>& list) {
    number(list.size());
    for (const tir::IterVar& iter : list) {
      number(static_cast<uint64_t>(iter.kind));
      range(iter.dom);
      define(iter.var.get());
    }
  }

  void expr(const PrimExpr& e) {
    if (!e) return number(0);
    number(1 + e->kind.index());
    number(static_cast<uint64_t>(e->dtype));
    match(
        e->kind, [&](const tir::Var& x) { use(x.get()); },
        [&](const tir::IntImm& x) { number(static_cast<uint64_t>(x.value)); },
        [&](const tir::FloatImm& x) { real(x.value); },
        [&](const tir::StringImm& x) { text(x.value); },
        [&](const tir::Binary& x) {
          number(static_cast<uint64_t>(x.op));
          expr(x.a);
          expr(x.b);
        },
        [&](const tir::Not& x) { expr(x.a); }, [&](const tir::Cast& x) { expr(x.value); },
        [&](const tir::Select& x) {
          expr(x.condition);
          expr(x.true_value);
          expr(x.false_value);
        },
        [&](const tir::Call& x) {
          number(static_cast<uint64_t>(x.op));
          exprs(x.args);
        },
        [&](const tir::BufferLoad& x) {
          use(x.buffer.get());
          exprs(x.indices);
        },
        [&](const tir::Let& x) {
          expr(x.value);
          define(x.var.get());
          expr(x.body);
        },
        [&](const tir::ProducerLoad& x) { exprs(x.indices); },
        [&](const tir::Reduce& x) {
          iter_vars(x.axis);
          exprs(x.source);
        });
  }

  void regions(const std::vector<tir::BufferRegion>& list) {
    number(list.size());
    for (const tir::BufferRegion& region : list) {
      use(region.buffer.get());
      for (const tir::Range& r : region.region) range(r);
    }
  }

  void block(const tir::SBlock& b) {
    attrs(b.annotations);
    iter_vars(b.iter_vars);
    number(b.alloc_buffers.size());
    for (const tir::Buffer& buffer : b.alloc_buffers) define_buffer(buffer);
    regions(b.reads);
    regions(b.writes);
    stmt(b.init);
    stmt(b.body);
  }

  void stmt(const tir::Stmt& s) {
    if (!s) return number(0);
    number(1 + s->kind.index());
    match(
        s->kind,
        [&](const tir::BufferStore& x) {
          use(x.buffer.get());
          exprs(x.indices);
          expr(x.value);
        },
        [&](const tir::For& x) {
          number(static_cast<uint64_t>(x.kind));
          attrs(x.annotations);
          expr(x.min);
          expr(x.extent);
          define(x.loop_var.get());
          stmt(x.body);
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
          define(x.var.get());
          stmt(x.body);
        },
        [&](const tir::AttrStmt& x) {
          attrs(x.attrs);
          stmt(x.body);
        },
        [&](const tir::AllocStmt& x) {
          define_buffer(x.buffer);
          stmt(x.body);
        },
        [&](const tir::SeqStmt& x) {
          number(x.seq.size());
          for (const tir::Stmt& part : x.seq) stmt(part);
        },
        [&](const tir::Evaluate& x) { expr(x.value); },
        [&](const tir::SBlockRealize& x) {
          exprs(x.iter_values);
          // A missing predicate is true, and equal to a written one.
          const bool always = !x.predicate || tir::is_one(x.predicate);
          number(always);
          if (!always) expr(x.predicate);
          block(*x.block);
        });
  }

  void types(const std::vector<relax::Type>& list) {
    number(list.size());
    for (const relax::Type& t : list) type(t);
  }

  void type(const relax::Type& t) {
    if (!t) return number(0);
    number(1 + t->kind.index());
    match(
        t->kind,
        [&](const relax::TensorType& x) {
          number(static_cast<uint64_t>(static_cast<int64_t>(x.ndim)));
          number(x.dtype ? 1 + static_cast<uint64_t>(*x.dtype) : 0);
          if (x.shape) exprs(*x.shape);
        },
        [&](const relax::ShapeType& x) {
          number(static_cast<uint64_t>(static_cast<int64_t>(x.ndim)));
          if (x.values) exprs(*x.values);
        },
        [&](const relax::PrimType& x) {
          number(static_cast<uint64_t>(x.dtype));
          expr(x.value);
        },
        [&](const relax::TupleType& x) { types(x.fields); },
        [&](const relax::FuncType& x) {
          types(x.params);
          type(x.ret);
        },
        [&](const relax::AnyType&) {});
  }

  void expr_list(const std::vector<relax::Expr>& list) {
    number(list.size());
    for (const relax::Expr& e : list) expr(e);
  }

  void expr(const relax::Expr& e) {
    if (!e) return number(0);
    number(1 + e->kind.index());
    match(
        e->kind, [&](const relax::Var& x) { use(x.get()); },
        [&](const relax::Constant& x) {
          number(static_cast<uint64_t>(x->dtype));
          for (int64_t extent : x->shape) number(static_cast<uint64_t>(extent));
        },
        [&](const relax::ShapeExpr& x) { exprs(x.values); },
        [&](const relax::PrimValue& x) { expr(x.value); },
        [&](const relax::StringImm& x) { text(x.value); },
        [&](const relax::DataTypeImm& x) { number(static_cast<uint64_t>(x.value)); },
        [&](const relax::Tuple& x) { expr_list(x.fields); },
        [&](const relax::TupleGetItem& x) {
          number(static_cast<uint64_t>(x.index));
          expr(x.tuple);
        },
        [&](const relax::OpCall& x) {
          text(x.op->name);
          expr_list(x.args);
        },
        [&](const relax::CallTIR& x) {
          text(x.func.name);
          expr_list(x.args);
          exprs(x.tir_vars);
          types(x.out_types);
        },
        [&](const relax::CallDPSPacked& x) {
          text(x.func.global_symbol);
          expr_list(x.args);
          types(x.out_types);
        });
  }

  uint64_t state_ = 14695981039346656037u;
  uint64_t next_ = 0;
  bool bind_free_ = false;
  std::unordered_map<const void*, uint64_t> order_;
};

}  // namespace

size_t structural_hash(const tir::PrimFunc& func) {
  Hasher hasher;
  hasher.prim_func(*func);
  return hasher.result();
}

size_t structural_hash(const relax::Function& func) {
  Hasher hasher;
  hasher.function(*func);
  return hasher.result();
}

size_t structural_hash(const IRModule& module) {
  // A sum, because the order of the functions does not count.
  size_t total = module.functions.size();
  for (const auto& [name, function] : module.functions) {
    size_t hash = 17;
    for (char c : name) hash = (hash * 31 + static_cast<unsigned char>(c)) & 0xffffffffu;
    if (const auto* prim_func = std::get_if<tir::PrimFunc>(&function)) {
      hash ^= structural_hash(*prim_func);
    } else {
      hash ^= structural_hash(std::get<relax::Function>(function));
    }
    total = (total + hash) & 0xffffffffu;
  }
  return total;
}

}  // namespace fx2wasm
