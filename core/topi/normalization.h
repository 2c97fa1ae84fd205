// Tensor expressions of the normalisations and of the loss of classes. float16 and bfloat16 are
// summed in float32.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topi/topi.h"

namespace fx2wasm::topi {

// What a normalised value is multiplied with, and what is added then.
struct Affine {
  Tensor scale, shift;
};

// TVM's form takes the variance over channels as the mean of the squares minus the mean's square,
// which leaves nothing of it where the values are large, and NaN where they are all the same; and
// it rounds float16 after normalising, scaling and shifting. The exact one takes the squares of
// distances, and rounds once.
enum class NormForm { Tvm, Exact };

// Over the given axes; scale and shift have the shape of these. Two passes: the mean, then the
// squares of the distances from it. Block "T_layer_norm".
Tensor layer_norm(const Tensor& x, const Affine& affine, const std::vector<int>& axes,
                  double epsilon, NormForm form);

// x divided by the root of the mean of its squares over `axes`; the weight has their shape. Block
// "T_rms_norm".
Tensor rms_norm(const Tensor& x, const Tensor& weight, const std::vector<int>& axes,
                double epsilon);

// Over `axes`; scale and shift belong to the channels. Block "T_instance_norm".
Tensor instance_norm(const Tensor& x, const Affine& affine, int channel_axis,
                     const std::vector<int>& axes, double epsilon, NormForm form);
// The same over groups of channels and `axes`. Block "T_group_norm" between reshapes.
Tensor group_norm(const Tensor& x, const Affine& affine, int64_t groups, int channel_axis,
                  const std::vector<int>& axes, double epsilon, NormForm form);

struct BatchNorm {
  int axis = 1;  // of the channels
  double epsilon = 1e-5, momentum = 0.1;
  bool training = false;  // with the batch's own mean and variance
  NormForm form = NormForm::Tvm;
};
// The result, the new mean and the new variance: one block for each arithmetic operation.
std::vector<Tensor> batch_norm(const Tensor& x, const Affine& affine, const Tensor& mean,
                               const Tensor& variance, const BatchNorm& settings);

enum class LossReduction { None, Sum, Mean };
// predictions (N, C, d1, …) or (C), targets (N, d1, …) or (), weights (C). A mean is divided by the
// weights of the targets that are not ignored. Block "nll_loss". TVM's form also reads at targets
// that are ignored, wherever that is; the exact one does not.
Tensor nll_loss(const Tensor& predictions, const Tensor& targets, const Tensor& weights,
                LossReduction reduction, int64_t ignored, NormForm form);

}  // namespace fx2wasm::topi
