// Tensor expressions that read elements at positions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

// Elements of x at `indices` along an axis (none: of the flattened tensor); the indices' shape
// stands in the axis' place. Block "T_take".
te::Tensor take(const te::Tensor& x, const te::Tensor& indices, std::optional<int> axis);

// x[first + i * step] along each axis of `axes`: block "T_strided_slice_with_axes", or, with
// `dynamic`, "T_dynamic_strided_slice_with_axes" (of symbolic sizes); of no axes "T_strided_slice".
struct SliceAxis {
  size_t axis = 0;
  te::PrimExpr first;
  te::PrimExpr length;
  int64_t step = 1;
};
te::Tensor strided_slice(const te::Tensor& x, const std::vector<SliceAxis>& axes, bool dynamic);

// out[…, i, …] = x[…, indices[…, i, …], …]; the indices' other axes may be shorter than x's. Block
// "T_gather".
te::Tensor gather(const te::Tensor& x, const te::Tensor& indices, int axis);

// x[i, j, …] for indices that broadcast, over x's first axes. Blocks "T_broadcast_to" and
// "advanced_index".
te::Tensor index_tensor(const te::Tensor& x, const std::vector<te::Tensor>& indices);

// A new axis with `on` at the position that the index names and `off` elsewhere. Block "T_one_hot".
te::Tensor one_hot(const te::Tensor& indices, const te::PrimExpr& on, const te::PrimExpr& off,
                   int64_t depth, int axis);

// One grid for each line (a vector or a scalar), constant along the others' axes; `swapped`
// exchanges the first two axes (indexing "xy"). Blocks "T_meshgrid".
std::vector<te::Tensor> meshgrid(const std::vector<te::Tensor>& lines, bool swapped);

// x with `source` written to begin:end:step of an axis of known size; the bounds are within it.
// Block "T_where".
te::Tensor slice_scatter(const te::Tensor& x, const te::Tensor& source, int64_t begin, int64_t end,
                         int64_t step, int axis);

// The same where sizes are symbols: every element looks whether it is one of the slice's.
te::Tensor slice_scatter_dynamic(const te::Tensor& x, const te::Tensor& source,
                                 const SliceAxis& slice);

}  // namespace fx2wasm::topi
