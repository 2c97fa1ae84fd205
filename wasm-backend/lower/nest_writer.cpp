#include "lower/nest_writer.h"

#include <algorithm>
#include <limits>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::BinaryOp;
using tir::PrimExpr;

namespace {

constexpr int64_t kLanes = 4;
// Terms that one float accumulator adds before its sum is added to the next level's.
constexpr int64_t kChain = 256;
// Iterations of inner reduce loops that are written out: windows of up to 5 x 5.
constexpr int64_t kUnrolled = 25;
constexpr int64_t kStraightLimit = 256;  // terms in one loop body

PrimExpr shifted(const tir::Var& var, int64_t offset) {
  if (offset == 0) return tir::var_expr(var);
  return tir::make_binary(BinaryOp::Add, tir::var_expr(var), tir::int_imm(var->dtype, offset));
}

int64_t rounded_up(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace

NestWriter::NestWriter(Emitter& emitter, const Nest& nest)
    : e_(emitter), code_(emitter.code), nest_(nest) {
  for (const auto* loops : {&nest.spatial, &nest.reduce}) {
    for (const NestLoop& loop : *loops) {
      e_.bounds.bind(loop.var, Interval{loop.min, loop.min + loop.extent - 1});
    }
  }
  tiling_ = choose_tiling(emitter, nest);
  tiled_.assign(nest.spatial.size(), false);
  if (tiling_.rows) tiled_[tiling_.rows->loop] = true;
  if (tiling_.columns) tiled_[tiling_.columns->loop] = true;
}

void NestWriter::write() {
  if (nest_.empty) return;
  code_.mark(nest_.block_name);
  if (nest_.accumulator) plan_unrolled();
  if (nest_.accumulator) plan_levels();
  write_outer(0);
}

// ---- loops around the tile ----

void NestWriter::write_loop(const tir::Var& var, int64_t begin, int64_t end, int64_t step,
                            const std::function<void()>& body, Pointers* pointers) {
  const uint32_t local = e_.define(var, Interval{begin, end - 1});
  const bool wide = code_.local_type(local) == ValType::I64;
  const auto constant = [&](int64_t value) {
    if (wide) {
      code_.i64(value);
    } else {
      code_.i32(static_cast<int32_t>(value));
    }
  };
  constant(begin);
  code_.set(local);
  if (pointers != nullptr) pointers->emit_init(e_);
  const bool once = begin + step >= end;
  const uint32_t depth = once ? 0 : code_.loop();
  body();
  if (once) return;
  if (pointers != nullptr) pointers->emit_advance(e_, var, step);
  code_.get(local);
  constant(step);
  code_.op(wide ? Op::I64Add : Op::I32Add);
  code_.tee(local);
  constant(end);
  code_.op(wide ? Op::I64LtS : Op::I32LtS);
  code_.br_if(depth);
  code_.end();
}

void NestWriter::write_outer(size_t next) {
  while (next < nest_.spatial.size() && tiled_[next]) ++next;
  if (next < nest_.spatial.size()) {
    const NestLoop& loop = nest_.spatial[next];
    write_loop(loop.var, loop.min, loop.min + loop.extent, 1, [&] { write_outer(next + 1); });
    return;
  }
  write_axis(tiling_.rows, false, [&](const Offsets& rows) {
    write_axis(tiling_.columns, true, [&](const Offsets& columns) { write_tile(rows, columns); });
  });
}

// Full tiles in a loop, then the rest. Where vectors do not divide the extent the last one is moved
// back to end with the loop: some results are computed twice, none is written past the end.
void NestWriter::write_axis(const std::optional<TileAxis>& axis, bool innermost,
                            const std::function<void(const Offsets&)>& body) {
  if (!axis) return body({0});
  const NestLoop& loop = nest_.spatial[axis->loop];
  const bool lanes =
      innermost && tiling_.lanes == LaneKind::Spatial && tiling_.lane_loop == axis->loop;
  const int64_t step = lanes ? kLanes : 1;
  const int64_t whole = loop.extent / step;
  const int64_t total = rounded_up(loop.extent, step);
  const int64_t tiles = whole / axis->count;
  const int64_t tile_span = axis->count * step;
  // Without a reduction this is the innermost loop, the one that moves the pointers.
  const auto write_tiles = [&](int64_t begin, int64_t end, const Offsets& offsets) {
    Pointers pointers;
    const bool moves_pointers = innermost && nest_.accumulator == nullptr;
    if (moves_pointers) {
      for (const Instance& instance : instances({0}, offsets)) {
        pointers.collect(at(nest_.value, instance.map));
        pointers.collect(nest_.out, indices_of(instance));
      }
      e_.pointers = &pointers;
    }
    write_loop(
        loop.var, begin, end, tile_span, [&] { body(offsets); },
        moves_pointers ? &pointers : nullptr);
    e_.pointers = nullptr;
  };
  if (tiles > 0) {
    Offsets offsets;
    for (int64_t i = 0; i < axis->count; ++i) offsets.push_back(i * step);
    write_tiles(loop.min, loop.min + tiles * tile_span, offsets);
  }
  if (tiles * axis->count == total) return;
  const int64_t base = tiles * tile_span;
  Offsets offsets;
  for (int64_t i = tiles * axis->count; i < total; ++i) {
    offsets.push_back(std::min(i * step, loop.extent - step) - base);
  }
  write_tiles(loop.min + base, loop.min + base + 1, offsets);
}

std::vector<NestWriter::Instance> NestWriter::instances(const Offsets& rows,
                                                        const Offsets& columns) const {
  std::vector<Instance> all;
  for (const int64_t row : rows) {
    for (const int64_t column : columns) {
      Instance instance;
      if (tiling_.rows && row != 0) {
        const tir::Var& var = nest_.spatial[tiling_.rows->loop].var;
        instance.map.emplace_back(var, shifted(var, row));
      }
      if (tiling_.columns && column != 0) {
        const tir::Var& var = nest_.spatial[tiling_.columns->loop].var;
        instance.map.emplace_back(var, shifted(var, column));
      }
      all.push_back(std::move(instance));
    }
  }
  return all;
}

std::vector<PrimExpr> NestWriter::indices_of(const Instance& instance) const {
  std::vector<PrimExpr> indices;
  for (const PrimExpr& index : nest_.indices) indices.push_back(at(index, instance.map));
  return indices;
}

void NestWriter::write_tile(const Offsets& rows, const Offsets& columns) {
  const std::vector<Instance> all = instances(rows, columns);
  if (tiling_.lanes == LaneKind::Spatial) e_.lane = nest_.spatial[tiling_.lane_loop].var;
  if (nest_.accumulator) {
    write_reduction(all);
  } else {
    write_straight(all);
  }
  e_.lane = nullptr;
}

void NestWriter::write_straight(const std::vector<Instance>& all) {
  for (const Instance& instance : all) {
    if (tiling_.lanes == LaneKind::Spatial) {
      const uint32_t value = code_.add_local(ValType::V128);
      e_.emit_vector(at(nest_.value, instance.map));
      code_.set(value);
      e_.store_vector(nest_.out, indices_of(instance), value);
      continue;
    }
    const uint32_t offset = e_.push_address(nest_.out, indices_of(instance));
    e_.emit_as(at(nest_.value, instance.map), accumulator_type());
    e_.store(nest_.out->dtype, offset);
  }
}

// ---- reductions ----

ValType NestWriter::accumulator_type() const {
  const DType dtype = nest_.out->dtype;
  if (dtype == DType::Float64) return ValType::F64;
  if (is_float(dtype)) return ValType::F32;
  return dtype == DType::Int64 || dtype == DType::UInt64 ? ValType::I64 : ValType::I32;
}

// Small inner reduce loops are written out, so that their indices are constants.
void NestWriter::plan_unrolled() {
  real_loops_ = nest_.reduce;
  unrolled_ = {{}};
  if (!e_.options.schedule) return;
  const bool reduce_lanes = tiling_.lanes == LaneKind::Reduce;
  if (reduce_lanes) {  // the lane loop is the innermost one
    const auto lane = real_loops_.begin() + static_cast<ptrdiff_t>(tiling_.lane_loop);
    std::rotate(lane, lane + 1, real_loops_.end());
    tail_ = real_loops_.back().extent % (kLanes * tiling_.lane_unroll);
    return;
  }
  int64_t tile = tiling_.rows ? tiling_.rows->count : 1;
  tile *= tiling_.columns ? tiling_.columns->count : 1;
  int64_t terms = 1;
  while (!real_loops_.empty() && terms * real_loops_.back().extent <= kUnrolled &&
         terms * real_loops_.back().extent * tile <= kStraightLimit) {
    const NestLoop loop = real_loops_.back();
    real_loops_.pop_back();
    terms *= loop.extent;
    std::vector<tir::VarMap> longer;
    for (int64_t i = 0; i < loop.extent; ++i) {
      for (const tir::VarMap& inner : unrolled_) {
        tir::VarMap map = inner;
        map.emplace_back(loop.var, tir::int_imm(loop.var->dtype, loop.min + i));
        longer.push_back(std::move(map));
      }
    }
    unrolled_ = std::move(longer);
  }
}

void NestWriter::plan_levels() {
  const bool chain_matters =
      nest_.associative && nest_.op == BinaryOp::Add && is_float(nest_.out->dtype);
  auto chain = static_cast<int64_t>(unrolled_.size());  // terms per iteration
  std::vector<Level> inner_first;
  for (size_t i = real_loops_.size(); i-- > 0;) {
    const NestLoop& loop = real_loops_[i];
    const bool lanes = tiling_.lanes == LaneKind::Reduce && i + 1 == real_loops_.size();
    Level level;
    level.loop = i;
    level.begin = loop.min;
    level.step = lanes ? kLanes * tiling_.lane_unroll : 1;
    level.end = loop.min + loop.extent - (lanes ? tail_ : 0);
    int64_t count = (level.end - level.begin) / level.step;
    if (!chain_matters || chain * count <= kChain) {
      inner_first.push_back(level);
      chain *= count;
      continue;
    }
    int64_t span = level.step;
    const int64_t together = kChain / chain;
    level.fresh = together <= 1;
    inner_first.push_back(level);
    level.fresh = true;
    if (together > 1) {
      span *= together;
      level.round = span;
      inner_first.push_back(level);
      count = rounded_up(count, together);
    }
    while (count > kChain) {
      span *= kChain;
      level.round = span;
      inner_first.push_back(level);
      count = rounded_up(count, kChain);
    }
    chain = count;
  }
  levels_.assign(inner_first.rbegin(), inner_first.rend());
}

void NestWriter::set_identity(uint32_t accumulator) {
  const DType dtype = nest_.out->dtype;
  const double infinity = std::numeric_limits<double>::infinity();
  double value = 0;
  if (nest_.op == BinaryOp::Mul) value = 1;
  if (nest_.op == BinaryOp::Max) value = is_float(dtype) ? -infinity : INT32_MIN;
  if (nest_.op == BinaryOp::Min) value = is_float(dtype) ? infinity : INT32_MAX;
  switch (code_.local_type(accumulator)) {
    case ValType::F32:
      code_.f32(static_cast<float>(value));
      break;
    case ValType::F64:
      code_.f64(value);
      break;
    case ValType::I32:
      code_.i32(static_cast<int32_t>(value));
      break;
    case ValType::I64:
      code_.i64(static_cast<int64_t>(value));
      break;
    case ValType::V128: {
      const auto bits = is_float(dtype) ? __builtin_bit_cast(int32_t, static_cast<float>(value))
                                        : static_cast<int32_t>(value);
      code_.v128_i32({bits, bits, bits, bits});
      break;
    }
  }
  code_.set(accumulator);
}

void NestWriter::set_initial(const Instance& instance, uint32_t accumulator) {
  const PrimExpr init = at(nest_.init, instance.map);
  if (code_.local_type(accumulator) == ValType::V128) {
    e_.emit_vector(init);
  } else {
    e_.emit_as(init, code_.local_type(accumulator));
  }
  code_.set(accumulator);
}

// [a, b] → [a op b]
void NestWriter::emit_combine(ValType type) {
  const bool floats = is_float(nest_.out->dtype);
  const auto pick = [&](Op f32, Op f64, Op i32, Op f32x4, Op i32x4) {
    if (type == ValType::V128) return floats ? f32x4 : i32x4;
    if (type == ValType::I32) return i32;
    return type == ValType::F64 ? f64 : f32;
  };
  if (nest_.op == BinaryOp::Add) {
    return code_.op(pick(Op::F32Add, Op::F64Add, Op::I32Add, Op::F32x4Add, Op::I32x4Add));
  }
  if (nest_.op == BinaryOp::Mul) {
    return code_.op(pick(Op::F32Mul, Op::F64Mul, Op::I32Mul, Op::F32x4Mul, Op::I32x4Mul));
  }
  const bool max = nest_.op == BinaryOp::Max;
  if (type != ValType::I32) {
    return code_.op(max ? pick(Op::F32Max, Op::F64Max, Op::Br, Op::F32x4Max, Op::I32x4MaxS)
                        : pick(Op::F32Min, Op::F64Min, Op::Br, Op::F32x4Min, Op::I32x4MinS));
  }
  const uint32_t a = code_.add_local(type), b = code_.add_local(type);
  code_.set(b);
  code_.tee(a);
  code_.get(b);
  code_.get(a);
  code_.get(b);
  code_.op(max ? Op::I32GtS : Op::I32LtS);
  code_.op(Op::Select);
}

void NestWriter::combine(uint32_t into, uint32_t from) {
  code_.get(into);
  code_.get(from);
  emit_combine(code_.local_type(into));
  code_.set(into);
}

// [] → the four lanes combined into one scalar.
void NestWriter::emit_horizontal(uint32_t vector) {
  const uint32_t folded = code_.add_local(ValType::V128);
  code_.get(vector);
  code_.set(folded);
  for (const bool halves : {true, false}) {
    code_.get(folded);
    code_.get(folded);
    code_.get(folded);
    if (halves) {
      code_.shuffle({8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7});
    } else {
      code_.shuffle({4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11});
    }
    emit_combine(ValType::V128);
    code_.set(folded);
  }
  code_.get(folded);
  code_.lane(is_float(nest_.out->dtype) ? Op::F32x4ExtractLane : Op::I32x4ExtractLane, 0);
}

void NestWriter::write_reduction(const std::vector<Instance>& all) {
  const bool reduce_lanes = tiling_.lanes == LaneKind::Reduce;
  const bool vectors = tiling_.lanes != LaneKind::None;
  const ValType type = vectors ? ValType::V128 : accumulator_type();
  const int64_t copies = reduce_lanes ? tiling_.lane_unroll : 1;
  current_.clear();
  tails_.clear();
  std::vector<uint32_t> accumulators;
  for (const Instance& instance : all) {
    for (int64_t copy = 0; copy < copies; ++copy) {
      Instance own = instance;
      if (copy > 0) {
        const tir::Var& var = real_loops_.back().var;
        own.map.emplace_back(var, shifted(var, copy * kLanes));
      }
      const uint32_t accumulator = code_.add_local(type);
      if (reduce_lanes) {
        set_identity(accumulator);
      } else {
        set_initial(instance, accumulator);
      }
      accumulators.push_back(accumulator);
      current_.push_back(std::move(own));
    }
    if (reduce_lanes) {
      tails_.push_back(code_.add_local(accumulator_type()));
      set_initial(instance, tails_.back());
    }
  }
  if (reduce_lanes) e_.lane = real_loops_.back().var;
  if (levels_.empty()) {
    Pointers pointers;
    collect_terms(pointers);
    pointers.emit_init(e_);
    e_.pointers = &pointers;
    write_terms(accumulators);
    e_.pointers = nullptr;
  } else {
    write_levels(0, accumulators, 0);
  }
  e_.lane = tiling_.lanes == LaneKind::Spatial ? e_.lane : nullptr;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!reduce_lanes) {
      store_result(all[i], accumulators[i]);
      continue;
    }
    const size_t first = i * static_cast<size_t>(copies);
    for (size_t copy = 1; copy < static_cast<size_t>(copies); ++copy) {
      combine(accumulators[first], accumulators[first + copy]);
    }
    code_.get(tails_[i]);
    emit_horizontal(accumulators[first]);
    emit_combine(accumulator_type());
    code_.set(tails_[i]);
    store_result(all[i], tails_[i]);
  }
}

void NestWriter::store_result(const Instance& instance, uint32_t value) {
  if (code_.local_type(value) == ValType::V128) {
    return e_.store_vector(nest_.out, indices_of(instance), value);
  }
  const uint32_t offset = e_.push_address(nest_.out, indices_of(instance));
  code_.get(value);
  e_.store(nest_.out->dtype, offset);
}

// `limit`: the local that holds where the round of this loop ends; 0 when no round is open.
void NestWriter::write_levels(size_t level, const std::vector<uint32_t>& accumulators,
                              uint32_t limit) {
  if (level == levels_.size()) return write_terms(accumulators);
  const Level& own = levels_[level];
  const NestLoop& loop = real_loops_[own.loop];
  if (limit == 0) {  // the first level of this loop
    e_.define(loop.var, Interval{own.begin, loop.min + loop.extent - 1});
    code_.i32(static_cast<int32_t>(own.begin));
    code_.set(e_.vars.at(loop.var.get()));
  }
  if (own.end > own.begin) write_level_loop(level, accumulators, limit);
  const bool last_of_lanes =
      tiling_.lanes == LaneKind::Reduce && limit == 0 && own.loop + 1 == real_loops_.size();
  if (last_of_lanes && tail_ > 0) write_tail();
}

void NestWriter::write_level_loop(size_t level, const std::vector<uint32_t>& accumulators,
                                  uint32_t limit) {
  const Level& own = levels_[level];
  const tir::Var& var = real_loops_[own.loop].var;
  const uint32_t index = e_.vars.at(var.get());
  const bool innermost = level + 1 == levels_.size();
  Pointers pointers;
  if (innermost) {
    collect_terms(pointers);
    pointers.emit_init(e_);
    e_.pointers = &pointers;
  }
  const bool once = limit == 0 && own.round == 0 && own.begin + own.step >= own.end;
  const uint32_t depth = once ? 0 : code_.loop();
  std::vector<uint32_t> inner = accumulators;
  if (own.fresh) {
    for (uint32_t& accumulator : inner) {
      accumulator = code_.add_local(code_.local_type(accumulator));
      set_identity(accumulator);
    }
  }
  if (own.round != 0) {
    // The round ends after its elements, or where the loop (or the round around it) ends.
    const uint32_t end = code_.add_local(ValType::I32);
    const auto push_bound = [&] {
      if (limit != 0) {
        code_.get(limit);
      } else {
        code_.i32(static_cast<int32_t>(own.end));
      }
    };
    code_.get(index);
    code_.i32(static_cast<int32_t>(own.round));
    code_.op(Op::I32Add);
    code_.tee(end);
    push_bound();
    code_.get(end);
    push_bound();
    code_.op(Op::I32LtS);
    code_.op(Op::Select);
    code_.set(end);
    write_levels(level + 1, inner, end);
  } else {
    pointers.forget_kept();
    write_levels(level + 1, inner, 0);
    if (!once) {
      if (innermost) pointers.emit_advance(e_, var, own.step);
      code_.get(index);
      code_.i32(static_cast<int32_t>(own.step));
      code_.op(Op::I32Add);
      code_.set(index);
    }
  }
  if (own.fresh) {
    for (size_t i = 0; i < inner.size(); ++i) combine(accumulators[i], inner[i]);
  }
  if (innermost) e_.pointers = nullptr;
  if (once) return;
  code_.get(index);
  if (limit != 0) {
    code_.get(limit);
  } else {
    code_.i32(static_cast<int32_t>(own.end));
  }
  code_.op(Op::I32LtS);
  code_.br_if(depth);
  code_.end();
}

void NestWriter::collect_terms(Pointers& pointers) const {
  const PrimExpr& expr = nest_.associative ? nest_.term : nest_.value;
  for (const tir::VarMap& constants : unrolled_) {
    for (const Instance& instance : current_) {
      pointers.collect(at(at(expr, instance.map), constants));
    }
  }
}

// acc = acc op term, for every written-out iteration and every result.
void NestWriter::write_terms(const std::vector<uint32_t>& accumulators) {
  for (const tir::VarMap& constants : unrolled_) {
    for (size_t i = 0; i < current_.size(); ++i) {
      e_.vars[nest_.accumulator.get()] = accumulators[i];
      const PrimExpr value = at(at(nest_.value, current_[i].map), constants);
      if (code_.local_type(accumulators[i]) == ValType::V128) {
        e_.emit_vector(value);
      } else {
        e_.emit_as(value, code_.local_type(accumulators[i]));
      }
      code_.set(accumulators[i]);
    }
  }
}

// The iterations of the lane loop that fill no vector, one by one.
void NestWriter::write_tail() {
  const tir::Var lane = e_.lane;
  e_.lane = nullptr;
  const NestLoop& loop = real_loops_.back();
  const auto copies = static_cast<size_t>(tiling_.lane_unroll);
  for (int64_t i = loop.extent - tail_; i < loop.extent; ++i) {
    const tir::VarMap constants{{loop.var, tir::int_imm(loop.var->dtype, loop.min + i)}};
    for (size_t result = 0; result < tails_.size(); ++result) {
      e_.vars[nest_.accumulator.get()] = tails_[result];
      const Instance& instance = current_[result * copies];
      e_.emit_as(at(at(nest_.value, instance.map), constants), code_.local_type(tails_[result]));
      code_.set(tails_[result]);
    }
  }
  e_.lane = lane;
}

}  // namespace fx2wasm::wasm
