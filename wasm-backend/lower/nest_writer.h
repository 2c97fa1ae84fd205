// Writes a loop nest with its tiling: outer loops, tiles of results in registers, reduce loops with
// pointers that move by constants.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ir/tir_visit.h"
#include "lower/emitter.h"
#include "lower/nest.h"
#include "lower/tiling.h"

namespace fx2wasm::wasm {

class NestWriter {
 public:
  NestWriter(Emitter& emitter, const Nest& nest);
  void write();
  const Tiling& tiling() const { return tiling_; }

 private:
  using Offsets = std::vector<int64_t>;
  // One of the results that a tile computes.
  struct Instance {
    tir::VarMap map;  // its own place: the tile's loop variables plus constants
  };
  // A reduce loop, or a round of iterations of the loop inside it after which the sums so far are
  // added to those of the next level: one accumulator over very many terms would lose digits.
  struct Level {
    size_t loop = 0;
    int64_t begin = 0, end = 0, step = 1;
    int64_t round = 0;   // 0: the loop itself; else elements per round
    bool fresh = false;  // its body starts from zero, and what it gives is added
  };

  void write_outer(size_t next);
  void write_loop(const tir::Var& var, int64_t begin, int64_t end, int64_t step,
                  const std::function<void()>& body, Pointers* pointers = nullptr);
  void write_axis(const std::optional<TileAxis>& axis, bool innermost,
                  const std::function<void(const Offsets&)>& body);
  void write_tile(const Offsets& rows, const Offsets& columns);

  std::vector<Instance> instances(const Offsets& rows, const Offsets& columns) const;
  std::vector<tir::PrimExpr> indices_of(const Instance& instance) const;
  void write_straight(const std::vector<Instance>& all);
  void write_reduction(const std::vector<Instance>& all);
  void write_levels(size_t level, const std::vector<uint32_t>& accumulators, uint32_t limit);
  void write_level_loop(size_t level, const std::vector<uint32_t>& accumulators, uint32_t limit);
  void write_terms(const std::vector<uint32_t>& accumulators);
  void write_tail();
  void collect_terms(Pointers& pointers) const;
  void plan_levels();
  void plan_unrolled();

  void set_initial(const Instance& instance, uint32_t accumulator);
  void set_identity(uint32_t accumulator);
  void combine(uint32_t into, uint32_t from);
  void emit_combine(ValType type);
  void store_result(const Instance& instance, uint32_t value);
  void emit_horizontal(uint32_t vector);

  ValType accumulator_type() const;
  tir::PrimExpr at(const tir::PrimExpr& expr, const tir::VarMap& map) const {
    return tir::substitute(expr, map);
  }

  Emitter& e_;
  Code& code_;
  const Nest& nest_;
  Tiling tiling_;
  std::vector<bool> tiled_;            // per spatial loop: belongs to the tile
  std::vector<NestLoop> real_loops_;   // reduce loops that stay loops, outer to inner
  std::vector<tir::VarMap> unrolled_;  // values of the reduce loops that are written out
  std::vector<Level> levels_;          // outer to inner
  std::vector<Instance> current_;      // of the reduction being written
  std::vector<uint32_t> tails_;        // scalar accumulators of the lanes' rest
  int64_t tail_ = 0;                   // iterations of the lane loop that fill no vector
};

}  // namespace fx2wasm::wasm
