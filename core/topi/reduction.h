// Tensor expressions that fold axes away.
#pragma once

#include <cstdint>
#include <vector>

#include "topi/topi.h"

namespace fx2wasm::topi {

enum class Reduction { Sum, Prod, Max, Min };

// Axes to fold; empty: all of them. A kept axis has extent 1.
struct ReduceAxes {
  std::vector<int> axes;
  bool keep = false;
};

// How exactly floats are folded.
struct FoldStyle {
  // What the largest element starts from: TVM takes the smallest finite number, which hides that
  // all elements are -inf.
  bool from_infinity = false;
  // From so many elements on float32 is added as float64: one accumulator of float32 is 1 % off
  // after 2^20 elements. `unknown_is_many`: so are as many as a symbol says.
  int64_t many = 65536;
  bool unknown_is_many = false;
};
inline constexpr FoldStyle kExactFold{true, 1024, true};  // of what is compiled

// Block "<x>_red", axes ax0, ax1, … and k<number of the folded axis>. Sums and products of float16
// and bfloat16 are folded in float32 and rounded once ("<x>_red_cast"). The sum of bools is "or".
// A tensor without axes is its own reduction.
Tensor reduce(Reduction op, const Tensor& x, const ReduceAxes& axes, const FoldStyle& style = {});
// Floats; those of 16 bits as in `reduce`.
Tensor mean(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style = {});
// Divided by the count.
Tensor variance(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style = {});
Tensor standard_deviation(const Tensor& x, const ReduceAxes& axes, const FoldStyle& style = {});
// The first position of the extreme as int64, along one axis or in row-major order over all. A NaN
// is more extreme than any number, as in PyTorch; TVM's form skips it.
Tensor arg_extreme(bool largest, const Tensor& x, const ReduceAxes& axes);

}  // namespace fx2wasm::topi
