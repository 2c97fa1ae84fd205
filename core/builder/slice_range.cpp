#include "builder/slice_range.h"

#include <algorithm>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

int64_t moved_inside(int64_t bound, int64_t extent, int64_t step) {
  if (bound < 0) bound += extent;
  const int64_t low = step < 0 ? -1 : 0, high = step < 0 ? extent - 1 : extent;
  return std::min(std::max(bound, low), high);
}

// Of a symbolic bound it is not known whether it counts from the end: sizes do not.
tir::PrimExpr moved_inside(const tir::PrimExpr& given, const tir::PrimExpr& extent, int64_t step) {
  const std::optional<int64_t> number = tir::as_int(given);
  tir::PrimExpr bound = tir::cast(DType::Int64, given);
  if (number && *number < 0) bound = tir::add(extent, bound);
  const tir::PrimExpr low = extent_of(step < 0 ? -1 : 0);
  const tir::PrimExpr high = step < 0 ? tir::sub(extent, extent_of(1)) : extent;
  return simplify(
      tir::binary(tir::BinaryOp::Min, tir::binary(tir::BinaryOp::Max, bound, low), high));
}

}  // namespace

SliceRange slice_range(const tir::PrimExpr& extent, const tir::PrimExpr& begin,
                       const tir::PrimExpr& end, int64_t step) {
  const std::optional<int64_t> size = tir::as_int(extent), from = tir::as_int(begin),
                               to = tir::as_int(end);
  const int64_t stride = step < 0 ? -step : step;
  if (size && from && to) {
    const int64_t first = moved_inside(*from, *size, step), last = moved_inside(*to, *size, step);
    const int64_t span = std::max<int64_t>(step < 0 ? first - last : last - first, 0);
    return {extent_of(first), extent_of(span / stride + (span % stride != 0 ? 1 : 0))};
  }
  if (step > 0 && from && *from == 0 && provably_equal(end, extent)) {
    const tir::PrimExpr rounded =
        tir::floordiv(tir::add(extent, extent_of(stride - 1)), extent_of(stride));
    return {extent_of(0), simplify(rounded)};
  }
  const tir::PrimExpr first = moved_inside(begin, extent, step);
  const tir::PrimExpr last = moved_inside(end, extent, step);
  const tir::PrimExpr span = step < 0 ? tir::sub(first, last) : tir::sub(last, first);
  const tir::PrimExpr rounded =
      tir::floordiv(tir::add(span, extent_of(stride - 1)), extent_of(stride));
  return {first, simplify(tir::binary(tir::BinaryOp::Max, rounded, extent_of(0)))};
}

}  // namespace fx2wasm::infer
