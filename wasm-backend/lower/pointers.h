// The addresses that an innermost loop keeps in locals: accesses whose indices differ only by a
// constant share one pointer, which moves by a constant step per iteration.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "ir/tir.h"
#include "lower/affine.h"

namespace fx2wasm::wasm {

class Emitter;

class Pointers {
 public:
  struct Place {
    size_t group = 0;
    uint32_t local = 0;
    uint32_t offset = 0;  // bytes
  };

  // Notes the accesses of an expression, and one store. Call for all before emit_init.
  void collect(const tir::PrimExpr& expr);
  void collect(const tir::Buffer& buffer, const std::vector<tir::PrimExpr>& indices);

  // Computes every pointer from the variables' present values.
  void emit_init(Emitter& emitter);
  // Moves every pointer on as `var` grows by `step`.
  void emit_advance(Emitter& emitter, const tir::Var& var, int64_t step) const;

  // Where an element is; nothing when its index is no sum of variables.
  std::optional<Place> find(const tir::Buffer& buffer, const Affine& affine) const;

  // A value that one iteration loads more than once is kept in a local (0: not chosen yet).
  enum class Kind { Scalar, Splat, Vector };
  struct Kept {
    uint32_t local = 0;
    bool loaded = false;
  };
  // Null for a value that is used once.
  Kept* kept(const Place& place, Kind kind);
  // A new iteration, or other code: nothing is loaded yet.
  void forget_kept();

 private:
  struct Group {
    tir::Buffer buffer;
    Affine affine;  // its constant is the smallest of the group's accesses
    uint32_t local = 0;
  };
  struct Uses {
    int count = 0;
    Kept kept[3];  // by Kind
  };
  using Key = std::pair<size_t, int64_t>;  // group, constant

  void note(const tir::Buffer& buffer, const Affine& affine, bool is_load);

  std::vector<Group> groups_;
  std::map<Key, Uses> uses_;
};

}  // namespace fx2wasm::wasm
