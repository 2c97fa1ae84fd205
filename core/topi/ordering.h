// Scans, orderings and searches as loops. NaN is larger than any number, as in PyTorch, and equal
// elements keep their order.
#pragma once

#include <vector>

#include "topi/loops.h"
#include "topi/scatter.h"

namespace fx2wasm::topi {

// Running sums or products along an axis: floats are added as float64, integers as int64. The
// elements are brought to the result's dtype before. `exclusive`: without the element itself.
struct Scan {
  bool product = false;
  bool exclusive = false;
  size_t axis = 0;
};
Loops running_fold(const Scan& scan, const tir::Buffer& x, const tir::Buffer& result);

// log(exp(x[0]) + … + exp(x[i])) along an axis.
Loops running_logsumexp(size_t axis, const tir::Buffer& x, const tir::Buffer& result);

// The largest (or smallest) element so far and its position, the last one of equals.
Loops running_extreme(bool largest, size_t axis, const tir::Buffer& x, const tir::Buffer& values,
                      const tir::Buffer& positions);

// The positions of the elements in order along an axis.
struct Ordering {
  size_t axis = 0;
  bool descending = false;
};
Loops argsort(const Ordering& ordering, const tir::Buffer& x, const tir::Buffer& positions);

// The first elements in order and their positions; either buffer may be null.
Loops topk(const Ordering& ordering, const tir::Buffer& x, const tir::Buffer& values,
           const tir::Buffer& positions);

// The element that is at `place` in ascending order, and its position. Results have the axis with
// extent 1 or lack it. With `nan_wins`, of elements with a NaN it is the first NaN.
struct Selection {
  size_t axis = 0;
  int64_t place = 0;
  bool nan_wins = false;
};
Loops select_ordered(const Selection& selection, const tir::Buffer& x, const tir::Buffer& values,
                     const tir::Buffer& positions);

// Where each value belongs among sorted boundaries: those of one axis are for all values, else the
// last axis of both is searched and the others are the same. `right`: behind equal boundaries.
Loops search_sorted(bool right, const tir::Buffer& boundaries, const tir::Buffer& values,
                    const tir::Buffer& result);

// TVM's function of the same meaning, but that NaN stands before all boundaries: one axis of
// boundaries, the counters allocated for each value. Block and output "searchsorted".
tir::PrimFunc searchsorted_function(bool right, const ScatterParam& boundaries,
                                    const ScatterParam& values, DType result);

}  // namespace fx2wasm::topi
