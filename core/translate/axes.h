// Reading axes and whole numbers from the arguments of a call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "translate/call.h"
#include "translate/rules.h"

namespace fx2wasm::translate {

using Sizes = std::vector<tir::PrimExpr>;

int64_t rank_of(const relax::Expr& x);

// The extents of a tensor; FX4002 when they are not known.
Result<Sizes> known_sizes(const Call& call, const relax::Expr& x);
// The extent of one axis as a number; FX4002 with `why` for a symbolic one.
Result<int64_t> known_extent(const Call& call, const relax::Expr& x, size_t axis,
                             std::string_view why);

// `dim` counted from the front; FX4003 at the argument when a tensor of that many axes has none
// such. A tensor without axes counts as having one, as in PyTorch.
Result<size_t> axis_at(const Call& call, std::string_view name, int64_t dim, int64_t rank);
// The integer argument `name` as an axis.
Result<size_t> axis_argument(const Call& call, std::string_view name, int64_t rank,
                             std::optional<int64_t> fallback = {});

// One integer, or a list of them.
Result<std::vector<int64_t>> integer_list(const Call& call, std::string_view name,
                                          const Value& value);
// The integers in a list, or in several positional arguments.
Result<std::vector<int64_t>> integer_list(const Call& call, std::string_view name,
                                          const ValueList& values);
// Axes counted from the front; FX4003 when one stands twice.
Result<std::vector<size_t>> axis_list(const Call& call, std::string_view name,
                                      const std::vector<int64_t>& dims, int64_t rank);

// A shape with at least `count` axes (1 to 3) of the same elements: new ones of size 1 stand in
// front, of three axes the third behind (torch.atleast_3d).
Sizes sizes_at_least(const Sizes& shape, size_t count);

// x[begin:end] along an axis.
relax::Expr cut_out(const relax::Expr& x, size_t axis, int64_t begin, int64_t end);

// x.T, x.mT, x.H or x.mH.
Result<Mapped> transposed_attribute(Call& call, const relax::Expr& x, std::string_view name);

bool same_sizes(const Sizes& a, const Sizes& b);

}  // namespace fx2wasm::translate
