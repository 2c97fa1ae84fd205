// The interval that an index expression runs over while some of its variables run over theirs:
// symbolic bounds, for the regions that blocks read and write.
#pragma once

#include <utility>
#include <vector>

#include "arith/analyzer.h"
#include "ir/tir.h"

namespace fx2wasm::arith {

// [min, max], both inclusive; a null bound is infinite. The same object twice is a single point.
struct Interval {
  tir::PrimExpr min, max;

  bool is_point() const { return min && min == max; }
  bool is_everything() const { return !min && !max; }
};

// The variables that run, with their intervals; all others stand for themselves.
using Domains = std::vector<std::pair<tir::Var, Interval>>;

Interval interval_of(const tir::Range& range);

// What `expr` runs over. Expressions without a known bound (calls, loads whose index runs) give
// everything. The result is not simplified.
Interval eval_interval(Analyzer& analyzer, const tir::PrimExpr& expr, const Domains& domains);

// The hull of two intervals, its bounds simplified.
Interval hull(const Interval& a, const Interval& b);

// The interval as [min, min + extent), or `whole` where a bound is infinite.
tir::Range cover_range(const Interval& interval, const tir::Range& whole);

}  // namespace fx2wasm::arith
