// How a view depends on the tensor that it is taken of, for in-place writes to either of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "builder/block_builder.h"
#include "translate/value.h"

namespace fx2wasm::translate {

struct ViewRule {
  // The view of a base that has changed.
  std::function<Result<Value>(BlockBuilder&, const Value& base)> take;
  // The base after the view was written.
  std::function<Result<Value>(BlockBuilder&, const Value& base, const Value& written)> put;
  // A packed base gives a view whose elements do not lie one after the other.
  bool spreads = false;
  // Not empty: why PyTorch refuses to write to the view.
  std::string refuses_writes;
};
using ViewRulePtr = std::shared_ptr<const ViewRule>;

// Whether a tensor's elements lie one after the other in memory (PyTorch: is contiguous): `reshape`
// gives a view of such a tensor, else perhaps a copy.
enum class Packing { Packed, Spread, Unknown };
Packing packing_of_view(Packing base, const ViewRule* rule);

// The base's elements in their order under another shape; null when the base's is not known.
ViewRulePtr reshaped_view(const relax::Expr& base, std::vector<tir::PrimExpr> shape);
// The base's axes in another order; axes are 0 … rank-1.
ViewRulePtr permuted_view(const relax::Expr& base, const std::vector<int64_t>& axes);
// An item of a tuple.
ViewRulePtr item_view(int index);
// One element stands for many.
ViewRulePtr expanded_view(const relax::Expr& base, std::vector<tir::PrimExpr> shape);

}  // namespace fx2wasm::translate
