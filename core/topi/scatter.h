// Writes at positions that tensors hold, as loops over one block: TVM builds these by hand instead
// of as tensor expressions, since several positions may meet at one element.
#pragma once

#include <string>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::topi {

enum class ScatterMode { Update, Add, Multiply, Max, Min };

// The parameters of such a function; all begin where their memory does, which the symbols in
// `elem_offset` leave open in the text.
struct ScatterParam {
  std::string name;
  std::vector<tir::PrimExpr> shape;  // int64, in symbols of the function's own
  DType dtype = DType::Float32;
};

// The parameter's buffer. TVM's symbols have the numbers that its hash table gives: here, of the
// buffers with one, `behind` follow; the last has no number.
tir::Buffer open_buffer(const ScatterParam& param, size_t behind);

// out = data; out[…, indices[…, i, …], …] combined with updates[…, i, …] along an axis. Negative
// positions count from the end. The indices may be shorter than data and updates on other axes.
// Parameters: data, indices, updates and the output, "out_buf". Block "scatter_elements_generic".
tir::PrimFunc scatter_elements(const ScatterParam& data, const ScatterParam& indices,
                               const ScatterParam& updates, size_t axis, ScatterMode mode);

// out = data; out[i, j, …] = values (or += with `accumulate`) for indices that broadcast, over
// data's first axes; the values broadcast to the indices' shape and data's other axes. Parameters:
// data, the indices, values and "out_buf". Block "index_put_generic".
tir::PrimFunc index_put(const ScatterParam& data, const std::vector<ScatterParam>& indices,
                        const ScatterParam& values, bool accumulate);

}  // namespace fx2wasm::topi
