// The arguments that reductions and scans share: which dims, kept or not, in which dtype.
#pragma once

#include <optional>
#include <vector>

#include "translate/call.h"

namespace fx2wasm::translate {

// The dims that a reduction folds away.
struct FoldDims {
  std::optional<std::vector<int64_t>> dims;  // as given, negative ones too; absent: all
  bool keep = false;
  Attrs attrs() const;  // `axis` and `keepdims` of the Relax operators
  bool folds(size_t axis, size_t rank) const;
};

// The arguments `dim` (None, an integer or a list of them; an empty list stands for all) and
// `keepdim`. A dim that `type` does not have, or that is named twice, is FX4003. Of a scalar the
// dims are 0 and -1, and folding them changes nothing.
Result<FoldDims> read_fold_dims(const Call& call, const relax::TensorType& type);

// The argument `name` as one dim, as it is given; FX4003 when the tensor has no such dim.
// A scalar has dim 0.
Result<int64_t> read_dim(const Call& call, std::string_view name, const relax::TensorType& type,
                         std::optional<int64_t> fallback = {});

// The argument `dtype`, if it is given.
Result<std::optional<DType>> wanted_dtype(const Call& call);

// A tensor of bools: which elements are not zero.
Result<relax::Expr> as_truth(Call& call, const relax::Expr& x);

// Refuses `out=`: a graph's tensors are not written from outside.
Result<Unit> refuse_out(const Call& call);

}  // namespace fx2wasm::translate
