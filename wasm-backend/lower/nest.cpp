#include "lower/nest.h"

#include <algorithm>

#include "ir/structural.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/affine.h"

namespace fx2wasm::wasm {

using tir::PrimExpr;

namespace {

bool same_indices(const std::vector<PrimExpr>& a, const std::vector<PrimExpr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!structural_equal(a[i], b[i])) return false;
  }
  return true;
}

bool contains_let(const PrimExpr& expr) {
  bool found = false;
  tir::walk(expr, [&](const PrimExpr& e) {
    found = found || std::holds_alternative<tir::Let>(e->kind);
    return !found;
  });
  return found;
}

bool reads_buffer(const PrimExpr& expr, const tir::Buffer& buffer) {
  bool found = false;
  tir::walk(expr, [&](const PrimExpr& e) {
    const auto* load = std::get_if<tir::BufferLoad>(&e->kind);
    found = found || (load != nullptr && load->buffer == buffer);
    return !found;
  });
  return found;
}

enum class Role { Unused, Spatial, Reduce, Mixed };

Role role_of(const tir::Var& var, const tir::SBlock& block, const std::vector<PrimExpr>& values) {
  bool spatial = false, reduce = false;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!uses_var(values[i], var)) continue;
    (block.iter_vars[i].kind == tir::IterKind::Reduce ? reduce : spatial) = true;
  }
  if (spatial && reduce) return Role::Mixed;
  if (reduce) return Role::Reduce;
  return spatial ? Role::Spatial : Role::Unused;
}

// What TVM binds a block variable to may be cast; the block's own arithmetic is in the variable's
// dtype.
tir::VarMap block_map(const tir::SBlock& block, const std::vector<PrimExpr>& values) {
  tir::VarMap map;
  for (size_t i = 0; i < values.size(); ++i) {
    map.emplace_back(block.iter_vars[i].var, tir::cast(block.iter_vars[i].var->dtype, values[i]));
  }
  return map;
}

// acc op term, in either order.
void find_associative(Nest& nest) {
  const auto* binary = std::get_if<tir::Binary>(&nest.value->kind);
  if (binary == nullptr) return;
  if (binary->op != tir::BinaryOp::Add && binary->op != tir::BinaryOp::Mul &&
      binary->op != tir::BinaryOp::Max && binary->op != tir::BinaryOp::Min) {
    return;
  }
  const auto is_accumulator = [&](const PrimExpr& e) {
    const auto* var = std::get_if<tir::Var>(&e->kind);
    return var != nullptr && *var == nest.accumulator;
  };
  const bool left = is_accumulator(binary->a), right = is_accumulator(binary->b);
  if (left == right) return;
  const PrimExpr& term = left ? binary->b : binary->a;
  if (uses_var(term, nest.accumulator)) return;
  nest.associative = true;
  nest.op = binary->op;
  nest.term = term;
  nest.value = tir::make_binary(binary->op, left ? binary->a : binary->b, term);
}

// Replaces loads of the result by the accumulator; false when another element of it is read.
bool take_accumulator(Nest& nest) {
  nest.accumulator = tir::make_var("accumulator", nest.out->dtype);
  nest.value = tir::rewrite(nest.value, [&](const PrimExpr& e) {
    const auto* load = std::get_if<tir::BufferLoad>(&e->kind);
    if (load == nullptr || load->buffer != nest.out || !same_indices(load->indices, nest.indices)) {
      return e;
    }
    return tir::var_expr(nest.accumulator);
  });
  if (reads_buffer(nest.value, nest.out)) return false;
  find_associative(nest);
  return true;
}

struct Shape {
  std::vector<NestLoop> loops;
  const tir::SBlockRealize* realize = nullptr;
};

std::optional<Shape> perfect_loops(const tir::Stmt& stmt) {
  Shape shape;
  const tir::Stmt* current = &stmt;
  while (const auto* loop = std::get_if<tir::For>(&(*current)->kind)) {
    const auto min = tir::as_int(loop->min), extent = tir::as_int(loop->extent);
    if (!min || !extent) return std::nullopt;
    shape.loops.push_back(NestLoop{loop->loop_var, *min, *extent});
    current = &loop->body;
  }
  shape.realize = std::get_if<tir::SBlockRealize>(&(*current)->kind);
  if (shape.realize == nullptr) return std::nullopt;
  return shape;
}

bool uses_other_vars(const PrimExpr& value, const std::vector<NestLoop>& loops) {
  for (const tir::Var& var : tir::free_vars(value)) {
    const bool own = std::any_of(loops.begin(), loops.end(),
                                 [&](const NestLoop& loop) { return loop.var == var; });
    if (!own) return true;
  }
  return false;
}

}  // namespace

std::optional<Nest> match_nest(const tir::Stmt& stmt) {
  const auto shape = perfect_loops(stmt);
  if (!shape) return std::nullopt;
  const tir::SBlockRealize& realize = *shape->realize;
  const tir::SBlock& block = *realize.block;
  const auto* store = std::get_if<tir::BufferStore>(&block.body->kind);
  if (store == nullptr || !block.alloc_buffers.empty()) return std::nullopt;
  if (realize.predicate && !tir::is_one(realize.predicate)) return std::nullopt;
  for (size_t i = 0; i < block.iter_vars.size(); ++i) {
    if (block.iter_vars[i].kind == tir::IterKind::Opaque) return std::nullopt;
    if (block.iter_vars[i].kind != tir::IterKind::Reduce) continue;
    // The nest starts and ends a reduction: none that a loop around it (of a symbolic extent) runs.
    if (uses_other_vars(realize.iter_values[i], shape->loops)) return std::nullopt;
  }

  Nest nest;
  nest.block_name = block.name_hint;
  nest.out = store->buffer;
  tir::VarMap map = block_map(block, realize.iter_values);
  tir::VarMap single;
  bool reduces = false;
  for (const NestLoop& loop : shape->loops) {
    const Role role = role_of(loop.var, block, realize.iter_values);
    if (role == Role::Mixed) return std::nullopt;
    reduces = reduces || role == Role::Reduce;
    (role == Role::Reduce ? nest.nothing_reduced : nest.empty) |= loop.extent <= 0;
    if (loop.extent == 1) {
      single.emplace_back(loop.var, tir::int_imm(loop.var->dtype, loop.min));
    } else if (role == Role::Reduce) {
      nest.reduce.push_back(loop);
    } else {
      if (!nest.reduce.empty()) nest.reduce_innermost = false;
      nest.spatial.push_back(loop);
    }
  }
  const auto resolve = [&](const PrimExpr& e) {
    return tir::substitute(tir::substitute(e, map), single);
  };
  nest.value = resolve(store->value);
  for (const PrimExpr& index : store->indices) nest.indices.push_back(resolve(index));
  if (contains_let(nest.value)) return std::nullopt;
  for (const PrimExpr& index : nest.indices) {
    for (const NestLoop& loop : nest.reduce) {
      if (uses_var(index, loop.var)) return std::nullopt;
    }
    if (reads_buffer(index, nest.out)) return std::nullopt;
  }
  if (!reduces && block.init == nullptr) {
    if (reads_buffer(nest.value, nest.out)) return std::nullopt;
    return nest;
  }
  if (block.init != nullptr) {
    const auto* init = std::get_if<tir::BufferStore>(&block.init->kind);
    if (init == nullptr || init->buffer != nest.out) return std::nullopt;
    std::vector<PrimExpr> indices;
    for (const PrimExpr& index : init->indices) indices.push_back(resolve(index));
    if (!same_indices(indices, nest.indices)) return std::nullopt;
    nest.init = resolve(init->value);
    if (contains_let(nest.init) || reads_buffer(nest.init, nest.out)) return std::nullopt;
  } else {
    nest.init = tir::load(nest.out, nest.indices);
  }
  if (nest.nothing_reduced) {
    nest.empty = nest.empty || block.init == nullptr;
    nest.value = nest.init;
    nest.init = nullptr;
    nest.reduce.clear();
    return nest;
  }
  if (!take_accumulator(nest)) return std::nullopt;
  return nest;
}

}  // namespace fx2wasm::wasm
