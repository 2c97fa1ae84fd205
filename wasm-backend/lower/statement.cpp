#include "lower/statement.h"

#include "ir/match.h"
#include "ir/reduction.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/nest.h"
#include "lower/nest_writer.h"

namespace fx2wasm::wasm {

void StatementWriter::write(const tir::Stmt& stmt) {
  match(
      stmt->kind, [&](const tir::BufferStore& store) { write_store(store); },
      [&](const tir::For& loop) { write_for(stmt, loop); },
      [&](const tir::While& loop) {
        const uint32_t exit = code_.block();
        const uint32_t again = code_.loop();
        e_.emit(loop.condition);
        code_.op(Op::I32Eqz);
        code_.br_if(exit);
        write(loop.body);
        code_.br(again);
        code_.end();
        code_.end();
      },
      [&](const tir::IfThenElse& branch) {
        e_.emit(branch.condition);
        code_.if_();
        write(branch.then_case);
        if (branch.else_case) {
          code_.else_();
          write(branch.else_case);
        }
        code_.end();
      },
      [&](const tir::LetStmt& let) {
        const uint32_t local = e_.define(let.var, e_.bounds.of(let.value));
        e_.emit_as(let.value, code_.local_type(local));
        code_.set(local);
        write(let.body);
      },
      [&](const tir::AttrStmt& attr) { write(attr.body); },
      [&](const tir::AllocStmt& alloc) { write(alloc.body); },  // lower.cpp gave it its memory
      [&](const tir::SeqStmt& seq) {
        for (const tir::Stmt& each : seq.seq) write(each);
      },
      [&](const tir::Evaluate&) {},  // no expression has an effect
      [&](const tir::SBlockRealize& realize) { write_block(realize); });
}

void StatementWriter::write_store(const tir::BufferStore& store) {
  const DType dtype = store.buffer->dtype;
  ValType type = ValType::I32;
  if (dtype == DType::Int64 || dtype == DType::UInt64) type = ValType::I64;
  if (is_float(dtype)) type = dtype == DType::Float64 ? ValType::F64 : ValType::F32;
  const uint32_t offset = e_.push_address(store.buffer, store.indices);
  e_.emit_as(store.value, type);
  e_.store(dtype, offset);
}

void StatementWriter::write_for(const tir::Stmt& stmt, const tir::For& loop) {
  if (const auto nest = init_only_ ? std::nullopt : match_nest(stmt)) {
    if (e_.options.schedule || nest->reduce_innermost) return NestWriter(e_, *nest).write();
  }
  if (!write_in_rows(loop)) write_loop(loop);
}

// A loop of an unknown number of iterations around a nest that would load less if it computed
// several of them at once: four at a time, then the rest. False when it is no such loop.
bool StatementWriter::write_in_rows(const tir::For& loop) {
  constexpr int64_t kRows = 4;
  const auto begin = tir::as_int(loop.min);
  if (!e_.options.schedule || init_only_ || tir::as_int(loop.extent) || begin != 0) return false;
  const auto alone = match_nest(loop.body);
  if (!alone || alone->accumulator == nullptr || NestWriter(e_, *alone).tiling().rows) return false;

  const DType dtype = loop.loop_var->dtype;
  const tir::PrimExpr rows = tir::int_imm(dtype, kRows);
  const tir::PrimExpr tiles = tir::floordiv(loop.extent, rows);
  tir::For tile = loop, row = loop, rest = loop;
  tile.loop_var = tir::make_var(loop.loop_var->name + "_tile", dtype);
  tile.extent = tiles;
  row.loop_var = tir::make_var(loop.loop_var->name + "_row", dtype);
  row.extent = rows;
  row.body = tir::substitute(loop.body,
                             {{loop.loop_var, tir::add(tir::mul(tir::var_expr(tile.loop_var), rows),
                                                       tir::var_expr(row.loop_var))}});
  tile.body = tir::make_stmt(row);
  const auto together = match_nest(tile.body);
  if (!together) return false;
  const Tiling tiling = NestWriter(e_, *together).tiling();
  const bool helps = tiling.lanes != LaneKind::None && tiling.rows &&
                     together->spatial[tiling.rows->loop].var == row.loop_var;
  if (!helps) return false;
  write_loop(tile);
  rest.min = tir::mul(tiles, rows);
  rest.extent = tir::floormod(loop.extent, rows);
  write_loop(rest);
  return true;
}

void StatementWriter::write_loop(const tir::For& loop) {
  const Interval min = e_.bounds.of(loop.min), extent = e_.bounds.of(loop.extent);
  int64_t last = 0;
  if (__builtin_add_overflow(min.max, extent.max, &last)) last = INT32_MAX;
  // Extents count elements in memory, which has less than 2^31 of them.
  const int64_t first = std::max<int64_t>(min.min, INT32_MIN);
  last = std::min<int64_t>(last - 1, INT32_MAX);
  const uint32_t local = e_.define(loop.loop_var, Interval{first, std::max(first, last)});
  const bool reduces = extent.min < 1 && tir::reduced_block(loop) != nullptr;
  if (reduces && init_only_) {
    e_.emit_index(loop.min);
    code_.set(local);
    return write(loop.body);
  }
  const uint32_t end = code_.add_local(ValType::I32);
  e_.emit_index(loop.min);
  code_.tee(local);
  e_.emit_index(loop.extent);
  code_.op(Op::I32Add);
  code_.set(end);
  const uint32_t exit = code_.block();
  if (extent.min < 1) {
    code_.get(local);
    code_.get(end);
    code_.op(Op::I32GeS);
    if (reduces) {
      code_.if_();
      write_init_alone(loop);
      code_.br(exit);
      code_.end();
    } else {
      code_.br_if(exit);
    }
  }
  const uint32_t again = code_.loop();
  write(loop.body);
  code_.get(local);
  code_.i32(1);
  code_.op(Op::I32Add);
  code_.tee(local);
  code_.get(end);
  code_.op(Op::I32LtS);
  code_.br_if(again);
  code_.end();
  code_.end();
}

// What a reduce loop of no iterations does.
void StatementWriter::write_init_alone(const tir::For& loop) {
  init_only_ = true;
  write(loop.body);
  init_only_ = false;
}

// The init runs where every reduce axis is at its beginning.
void StatementWriter::write_init(const tir::SBlock& block) {
  bool guarded = false;
  for (const tir::IterVar& iter : block.iter_vars) {
    if (iter.kind != tir::IterKind::Reduce) continue;
    e_.emit(tir::make_binary(tir::BinaryOp::EQ, tir::var_expr(iter.var),
                             tir::cast(iter.var->dtype, iter.dom.min)));
    if (guarded) code_.op(Op::I32And);
    guarded = true;
  }
  if (guarded) code_.if_();
  write(block.init);
  if (guarded) code_.end();
}

void StatementWriter::write_block(const tir::SBlockRealize& realize) {
  const tir::SBlock& block = *realize.block;
  if (!init_only_) code_.mark(block.name_hint);
  for (size_t i = 0; i < block.iter_vars.size(); ++i) {
    const uint32_t local = e_.define(block.iter_vars[i].var, e_.bounds.of(realize.iter_values[i]));
    e_.emit_as(realize.iter_values[i], code_.local_type(local));
    code_.set(local);
  }
  const bool always = !realize.predicate || tir::is_one(realize.predicate);
  if (!always) {
    e_.emit(realize.predicate);
    code_.if_();
  }
  if (block.init) write_init(block);
  if (!init_only_) write(block.body);
  if (!always) code_.end();
}

}  // namespace fx2wasm::wasm
