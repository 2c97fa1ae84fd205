// What the type rules of all operator families share. Private to builder/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"
#include "ir/relax.h"
#include "ir/relax_build.h"
#include "support/result.h"

namespace fx2wasm::infer {

using Shape = std::vector<tir::PrimExpr>;
using Rule = Result<relax::Type> (*)(const relax::OpCall& call);

Diagnostic shape_error(const relax::OpCall& call, const std::string& what);
Diagnostic dtype_error(const relax::OpCall& call, const std::string& what);

// `(4, 6)`, `(n, 6)`, `(3,)`; `(?, ?)` when only the rank is known.
std::string shape_text(const Shape& shape);
std::string shape_text(const relax::TensorType& type);

// The type of a tensor argument of known dtype.
Result<relax::TensorType> tensor_argument(const relax::OpCall& call, size_t index);

relax::Type make_tensor(std::optional<Shape> shape, int ndim, DType dtype);

// Attributes; they are there by the operator's declaration.
int64_t int_attr(const relax::OpCall& call, std::string_view name);
bool bool_attr(const relax::OpCall& call, std::string_view name);
std::string string_attr(const relax::OpCall& call, std::string_view name);
std::vector<int64_t> ints_attr(const relax::OpCall& call, std::string_view name);
// Absent where the attribute is None.
std::optional<std::vector<int64_t>> optional_ints_attr(const relax::OpCall& call,
                                                       std::string_view name);
std::optional<DType> dtype_attr(const relax::OpCall& call, std::string_view name);

// An axis as 0 … rank-1; negative ones count from the end.
Result<int> normalize_axis(const relax::OpCall& call, int64_t axis, int rank);

// Numpy's rule for two extents; absent when it can't be known for symbols.
struct Broadcast {
  bool fits = true;
  std::optional<Shape> shape;
};
Broadcast broadcast(const Shape& a, const Shape& b);

// A simplified extent: symbols are at least 0.
tir::PrimExpr simplify(const tir::PrimExpr& extent);
bool provably_equal(const tir::PrimExpr& a, const tir::PrimExpr& b);
tir::PrimExpr extent_of(int64_t value);
tir::PrimExpr product(const Shape& shape);

// The families: the rule of an operator of theirs, or null.
Rule elementwise_rule(std::string_view op);
Rule creation_rule(std::string_view op);  // activations, bounds, creation
Rule shape_rule(std::string_view op);
Rule nn_rule(std::string_view op);
Rule reduction_rule(std::string_view op);      // reductions, scans, orderings
Rule normalization_rule(std::string_view op);  // normalisations and losses
Rule indexing_rule(std::string_view op);       // reads and writes at positions
Rule rearrange_rule(std::string_view op);      // joining, splitting, repeating, moving axes
Rule window_rule(std::string_view op);         // convolutions and pools of any number of axes
Rule resize_rule(std::string_view op);         // einsum, attention, resizing

}  // namespace fx2wasm::infer
