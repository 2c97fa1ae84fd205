// What stands in the brackets of x[…].
#pragma once

#include <optional>
#include <vector>

#include "translate/call.h"

namespace fx2wasm::translate {

// How a key treats one axis of the tensor: all of it by default.
struct AxisKey {
  enum class Kind { Slice, Integer, Positions } kind = Kind::Slice;
  tir::PrimExpr begin, end;  // of a slice, as they were given; of an integer, the one element
  int64_t step = 1;
  bool full = true;       // a slice that takes all
  relax::Expr positions;  // an integer tensor
};

constexpr int kNewAxis = -1;
struct IndexKey {
  std::vector<AxisKey> axes;  // one for each axis of the tensor
  std::vector<int> order;     // of the key: axes and kNewAxis
};

// The key of all elements.
IndexKey whole_key(const std::vector<tir::PrimExpr>& shape);

// Reads a key for a tensor of known shape. FX4003 at the argument `name` for what is no key, an
// element outside, a step below 1; FX4001 for a mask whose values are not known: how many elements
// it takes depends on the data.
Result<IndexKey> read_index_key(const Call& call, std::string_view name,
                                const relax::TensorType& type, const Value& key);

// A mask among the items of a key: a bool tensor with dimensions that is not known now. Null when
// there is none.
const relax::Expr* find_mask(const Value& key);

// The items of a key: `x[a, b]` and `x[a]` are both lists.
ValueList key_items(const Value& key);

// A constant of int64s.
relax::Expr int64_tensor(std::vector<int64_t> shape, const std::vector<int64_t>& values);

// The extent of an axis behind a slice.
tir::PrimExpr sliced_extent(const AxisKey& axis, const tir::PrimExpr& extent);

// relax.strided_slice of every axis that is not indexed by positions (axes counted as `axes` says).
relax::Expr slice_axes(const relax::Expr& x, const std::vector<AxisKey>& axes);

// What index tensors of these shapes broadcast to; FX4003 when they do not.
Result<std::vector<tir::PrimExpr>> common_positions(const Call& call,
                                                    const std::vector<relax::Expr>& positions);

}  // namespace fx2wasm::translate
