// Ranges of integer expressions: what proves that int64 index arithmetic fits 32 bits, and that a
// floored division is a truncating one.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>

#include "ir/tir.h"

namespace fx2wasm::wasm {

// Inclusive; saturated at the ends of int64.
struct Interval {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
};

class Bounds {
 public:
  void bind(const tir::Var& var, Interval interval) { intervals_[var.get()] = interval; }

  // The values that an integer or bool expression can take; those of its dtype when unknown.
  Interval of(const tir::PrimExpr& expr) const;

  // True when the expression and everything in it that is computed as an integer stays within
  // int32, so that 32-bit arithmetic gives the same result.
  bool fits_int32(const tir::PrimExpr& expr) const;

 private:
  std::unordered_map<const tir::VarNode*, Interval> intervals_;
};

}  // namespace fx2wasm::wasm
