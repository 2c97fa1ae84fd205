// Tensor expressions that fold axes away.
#pragma once

#include <vector>

#include "topi/topi.h"

namespace fx2wasm::topi {

enum class Reduction { Sum, Prod, Max, Min };

// Axes to fold; empty: all of them. A kept axis has extent 1.
struct ReduceAxes {
  std::vector<int> axes;
  bool keep = false;
};

// What an extreme starts from. TVM takes the smallest finite number for the largest element, which
// hides that all elements are -inf.
enum class ExtremeStart { Finite, Infinite };

// Block "<x>_red", axes ax0, ax1, … and k<number of the folded axis>. Sums and products of float16
// and bfloat16 are folded in float32 and rounded once ("<x>_red_cast"). The sum of bools is "or".
// A tensor without axes is its own reduction.
Tensor reduce(Reduction op, const Tensor& x, const ReduceAxes& axes,
              ExtremeStart start = ExtremeStart::Finite);
// Floats; those of 16 bits as in `reduce`.
Tensor mean(const Tensor& x, const ReduceAxes& axes);
Tensor variance(const Tensor& x, const ReduceAxes& axes);  // divided by the count
Tensor standard_deviation(const Tensor& x, const ReduceAxes& axes);
// The first position of the extreme as int64, along one axis or in row-major order over all. A NaN
// is more extreme than any number, as in PyTorch; TVM's form skips it.
Tensor arg_extreme(bool largest, const Tensor& x, const ReduceAxes& axes);

}  // namespace fx2wasm::topi
