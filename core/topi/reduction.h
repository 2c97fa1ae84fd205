// Tensor expressions that fold axes away, and the normalisations made of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topi/topi.h"

namespace fx2wasm::topi {

enum class Reduction { Sum, Prod, Max, Min };

// Axes to fold; empty: all of them. A kept axis has extent 1.
struct ReduceAxes {
  std::vector<int> axes;
  bool keep = false;
};

// Block "<x>_red", axes ax0, ax1, … and k<number of the folded axis>. The sum of bools is "or".
Tensor reduce(Reduction op, const Tensor& x, const ReduceAxes& axes);
Tensor mean(const Tensor& x, const ReduceAxes& axes);
Tensor variance(const Tensor& x, const ReduceAxes& axes);  // divided by the count
// The first position of the extreme as int64, along one axis or in row-major order over all. A NaN
// is more extreme than any number, as in PyTorch; TVM's form skips it.
Tensor arg_extreme(bool largest, const Tensor& x, const ReduceAxes& axes);

// a where the condition (of bools) holds, else b; all three broadcast. Block "T_where".
Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b);

// data[..., indices[i], ...]: indices has data's rank.
Tensor gather(const Tensor& data, int axis, const Tensor& indices);

// ---- normalisations ----
struct Affine {
  Tensor scale, shift;
};
// Over the given axes; scale and shift have their shape.
Tensor layer_norm(const Tensor& x, const Affine& affine, const std::vector<int>& axes,
                  double epsilon);
// Over `axes`; scale and shift belong to the channels.
Tensor instance_norm(const Tensor& x, const Affine& affine, int channel_axis,
                     const std::vector<int>& axes, double epsilon);
Tensor group_norm(const Tensor& x, const Affine& affine, int64_t groups, int channel_axis,
                  const std::vector<int>& axes, double epsilon);

struct BatchNorm {
  int axis = 1;
  double epsilon = 1e-5, momentum = 0.1;
  bool training = false;  // with the batch's own mean and variance
};
// The result, the new mean and the new variance.
std::vector<Tensor> batch_norm(const Tensor& x, const Affine& affine, const Tensor& mean,
                               const Tensor& variance, const BatchNorm& settings);

// predictions (N, C, d1, …) or (C), targets (N, d1, …) or (); weights (C) or all 1. `reduction` is
// "none", "sum" or "mean".
Tensor nll_loss(const Tensor& predictions, const Tensor& targets,
                const std::optional<Tensor>& weights, const std::string& reduction,
                int64_t ignored);

}  // namespace fx2wasm::topi
