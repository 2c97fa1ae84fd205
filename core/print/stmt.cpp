// Statements of TensorIR: loops, blocks, stores.
#include <string>

#include "ir/match.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "print/literal.h"
#include "print/printer.h"

namespace fx2wasm::print {

using tir::PrimExpr;

namespace {

void write_stmt(Printer& p, const tir::Stmt& stmt);

// The end of a range: folded, so that [0, 0 + 4) ends at 4.
PrimExpr range_end(const PrimExpr& min, const PrimExpr& extent) { return tir::add(min, extent); }

bool uses_any(const PrimExpr& expr, const std::vector<const tir::For*>& loops) {
  for (const tir::Var& var : tir::free_vars(expr)) {
    for (const tir::For* loop : loops) {
      if (loop->loop_var == var) return true;
    }
  }
  return false;
}

// The loops that one T.grid can hold: a perfect nest of plain loops from 0 whose extents do not use
// the nest's own variables.
std::vector<const tir::For*> grid_of(const tir::For& outer) {
  std::vector<const tir::For*> grid;
  const tir::For* loop = &outer;
  while (loop && loop->kind == tir::ForKind::Serial && loop->annotations.empty() &&
         tir::is_zero(loop->min) && !uses_any(loop->extent, grid)) {
    grid.push_back(loop);
    loop = loop->body ? std::get_if<tir::For>(&loop->body->kind) : nullptr;
  }
  return grid;
}

void write_loop_call(Printer& p, const tir::For& loop) {
  switch (loop.kind) {
    case tir::ForKind::Serial:
      loop.annotations.empty() ? write(p, "range(") : write_tirx(p, "serial(");
      break;
    case tir::ForKind::Parallel:
      write_tirx(p, "parallel(");
      break;
    case tir::ForKind::Vectorized:
      write_tirx(p, "vectorized(");
      break;
    case tir::ForKind::Unrolled:
      write_tirx(p, "unroll(");
      break;
  }
  if (tir::is_zero(loop.min)) {
    write_expr(p, loop.extent);
  } else {
    write_exprs(p, {loop.min, range_end(loop.min, loop.extent)});
  }
  if (loop.annotations.size() == 1 && loop.annotations[0].first == "disable_unroll") {
    write(p, ", unroll=False");
  } else if (loop.annotations.size() == 1 && loop.annotations[0].first == "pragma_unroll") {
    write(p, ", unroll=");
    write_attr(p, loop.annotations[0].second);
  } else if (!loop.annotations.empty()) {
    write(p, ", annotations=");
    write_attr_dict(p, loop.annotations);
  }
  write(p, ")");
}

void write_loop(Printer& p, const tir::For& outer) {
  NameScope scope(p.names);
  std::vector<const tir::For*> nest = grid_of(outer);
  const bool grid = nest.size() > 1;
  if (!grid) nest = {&outer};
  new_line(p);
  const size_t begin = p.text.size();
  write(p, "for ");
  for (size_t i = 0; i < nest.size(); ++i) {
    if (i > 0) write(p, ", ");
    write(p, p.names.define(nest[i]->loop_var.get(), nest[i]->loop_var->name));
  }
  write(p, " in ");
  if (grid) {
    write_tirx(p, "grid(");
    for (size_t i = 0; i < nest.size(); ++i) {
      if (i > 0) write(p, ", ");
      write_expr(p, nest[i]->extent);
    }
    write(p, ")");
  } else {
    write_loop_call(p, outer);
  }
  write(p, ":");
  add_span(p, begin, SpanKind::Loop, p.loop_count);
  p.loop_count += static_cast<int>(nest.size());
  p.loops.insert(p.loops.end(), nest.begin(), nest.end());
  ++p.indent;
  write_body(p, nest.back()->body);
  --p.indent;
  p.loops.resize(p.loops.size() - nest.size());
}

const tir::For* loop_of(const Printer& p, const PrimExpr& value) {
  const auto* var = std::get_if<tir::Var>(&value->kind);
  if (!var) return nullptr;
  for (const tir::For* loop : p.loops) {
    if (loop->loop_var == *var) return loop;
  }
  return nullptr;
}

// True when the axis runs over a whole loop: several of these join in one T.axis.remap.
bool is_remapped(const Printer& p, const tir::IterVar& iter, const PrimExpr& value) {
  if (iter.kind == tir::IterKind::Opaque) return false;
  const tir::For* loop = loop_of(p, value);
  return loop && structural_equal(loop->min, iter.dom.min) &&
         structural_equal(loop->extent, iter.dom.extent);
}

void write_axis(Printer& p, const tir::IterVar& iter, const PrimExpr& value) {
  new_line(p);
  const size_t name_at = p.text.size();
  write(p, " = ");
  switch (iter.kind) {
    case tir::IterKind::Spatial:
      write_tirx(p, "axis.spatial(");
      break;
    case tir::IterKind::Reduce:
      write_tirx(p, "axis.reduce(");
      break;
    case tir::IterKind::Opaque:
      write_tirx(p, "axis.opaque(");
      break;
  }
  if (tir::is_zero(iter.dom.min)) {
    write_expr(p, iter.dom.extent);
  } else {
    write(p, "(");
    write_exprs(p, {iter.dom.min, range_end(iter.dom.min, iter.dom.extent)});
    write(p, ")");
  }
  write(p, ", ");
  write_expr(p, value);
  write(p, ")");
  // Named last, as TVM does: the value on the right may itself claim a name.
  insert_at(p, name_at, p.names.define(iter.var.get(), iter.var->name));
}

void write_remap(Printer& p, const tir::SBlockRealize& realize, size_t begin, size_t end) {
  if (begin == end) return;
  const std::vector<tir::IterVar>& iters = realize.block->iter_vars;
  if (end - begin == 1) return write_axis(p, iters[begin], realize.iter_values[begin]);
  std::string names, kinds, values;
  for (size_t i = begin; i < end; ++i) {
    if (i > begin) names += ", ", values += ", ";
    names += p.names.define(iters[i].var.get(), iters[i].var->name);
    kinds += iters[i].kind == tir::IterKind::Spatial ? 'S' : 'R';
    values += capture(p, [&] { write_expr(p, realize.iter_values[i]); });
  }
  new_line(p);
  write(p, names + " = ");
  write_tirx(p, "axis.remap(\"" + kinds + "\", [" + values + "])");
}

void write_axes(Printer& p, const tir::SBlockRealize& realize) {
  const std::vector<tir::IterVar>& iters = realize.block->iter_vars;
  size_t run = 0;  // where the current run of remapped axes began
  for (size_t i = 0; i < iters.size(); ++i) {
    if (is_remapped(p, iters[i], realize.iter_values[i])) continue;
    write_remap(p, realize, run, i);
    write_axis(p, iters[i], realize.iter_values[i]);
    run = i + 1;
  }
  write_remap(p, realize, run, iters.size());
}

void write_regions(Printer& p, std::string_view name,
                   const std::vector<tir::BufferRegion>& regions) {
  new_line(p);
  write_tirx(p, name);
  write(p, "(");
  for (size_t i = 0; i < regions.size(); ++i) {
    if (i > 0) write(p, ", ");
    write_buffer_name(p, regions[i].buffer);
    const std::vector<tir::Range>& region = regions[i].region;
    write(p, region.empty() ? "[()" : "[");
    for (size_t k = 0; k < region.size(); ++k) {
      if (k > 0) write(p, ", ");
      write_expr(p, region[k].min);
      if (tir::is_one(region[k].extent)) continue;
      write(p, ":");
      write_expr(p, range_end(region[k].min, region[k].extent));
    }
    write(p, "]");
  }
  write(p, ")");
}

void write_block(Printer& p, const tir::SBlockRealize& realize) {
  NameScope scope(p.names);
  const tir::SBlock& block = *realize.block;
  const int index = p.block_count++;
  new_line(p);
  const size_t begin = p.text.size();
  write(p, "with ");
  write_tirx(p, "sblock(" + string_literal(block.name_hint) + "):");
  ++p.indent;
  write_axes(p, realize);
  if (realize.predicate && !tir::is_one(realize.predicate)) {
    new_line(p);
    write_tirx(p, "where(");
    write_expr(p, realize.predicate);
    write(p, ")");
  }
  write_regions(p, "reads", block.reads);
  write_regions(p, "writes", block.writes);
  if (!block.annotations.empty()) {
    new_line(p);
    write_tirx(p, "sblock_attr(");
    p.block = &block;
    write_attr_dict(p, block.annotations);
    p.block = nullptr;
    write(p, ")");
  }
  for (const tir::Buffer& buffer : block.alloc_buffers) write_alloc(p, buffer);
  if (block.init) {
    new_line(p);
    write(p, "with ");
    write_tirx(p, "init():");
    NameScope init_scope(p.names);
    ++p.indent;
    write_body(p, block.init);
    --p.indent;
  }
  write_body(p, block.body);
  --p.indent;
  add_span(p, begin, SpanKind::SBlock, index, block.name_hint, p.fx_nodes);
}

void write_branch(Printer& p, const tir::Stmt& branch) {
  NameScope scope(p.names);
  ++p.indent;
  write_body(p, branch);
  --p.indent;
}

void write_let(Printer& p, const tir::LetStmt& stmt) {
  new_line(p);
  const size_t name_at = p.text.size();
  write(p, ": ");
  write_tirx(p, "let[");
  write_tirx(p, dtype_name(stmt.var->dtype));
  write(p, "] = ");
  write_expr(p, stmt.value);
  insert_at(p, name_at, p.names.define(stmt.var.get(), stmt.var->name));
  write_body(p, stmt.body);
}

void write_stmt(Printer& p, const tir::Stmt& stmt) {
  match(
      stmt->kind,
      [&](const tir::BufferStore& s) {
        new_line(p);
        write_buffer_name(p, s.buffer);
        write_indices(p, s.indices);
        write(p, " = ");
        write_expr(p, s.value);
      },
      [&](const tir::For& s) { write_loop(p, s); },
      [&](const tir::While& s) {
        new_line(p);
        write(p, "while ");
        write_expr(p, s.condition);
        write(p, ":");
        write_branch(p, s.body);
      },
      [&](const tir::IfThenElse& s) {
        new_line(p);
        write(p, "if ");
        write_expr(p, s.condition);
        write(p, ":");
        write_branch(p, s.then_case);
        if (!s.else_case) return;
        new_line(p);
        write(p, "else:");
        write_branch(p, s.else_case);
      },
      [&](const tir::LetStmt& s) { write_let(p, s); },
      [&](const tir::AttrStmt& s) {
        new_line(p);
        write_tirx(p, "attr(");
        write_attr_dict(p, s.attrs);
        write(p, ")");
        write_body(p, s.body);
      },
      [&](const tir::AllocStmt& s) {
        write_local_alloc(p, s.buffer);
        write_body(p, s.body);
      },
      [&](const tir::SeqStmt& s) {
        NameScope scope(p.names);
        for (const tir::Stmt& part : s.seq) write_stmt(p, part);
      },
      [&](const tir::Evaluate& s) {
        new_line(p);
        const bool call = std::holds_alternative<tir::Call>(s.value->kind);
        if (!call) write_tirx(p, "evaluate(");
        write_expr(p, s.value);
        if (!call) write(p, ")");
      },
      [&](const tir::SBlockRealize& s) { write_block(p, s); });
}

}  // namespace

void write_body(Printer& p, const tir::Stmt& stmt) {
  const size_t before = p.text.size();
  if (stmt) {
    // A sequence that is a body opens no scope of its own.
    if (const auto* seq = std::get_if<tir::SeqStmt>(&stmt->kind)) {
      for (const tir::Stmt& part : seq->seq) write_stmt(p, part);
    } else {
      write_stmt(p, stmt);
    }
  }
  if (p.text.size() > before) return;
  new_line(p);
  write(p, "pass");
}

}  // namespace fx2wasm::print
