#include "topi/common.h"

#include <utility>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"

namespace fx2wasm::topi {

te::ComputeOptions python_style(std::string name, Attrs attrs) {
  te::ComputeOptions options;
  options.name = std::move(name);
  options.attrs = std::move(attrs);
  return options;
}

te::ComputeOptions cpp_style(std::string name, size_t rank, Attrs attrs) {
  te::ComputeOptions options = python_style(std::move(name), std::move(attrs));
  for (size_t i = 0; i < rank; ++i) options.axis_names.push_back("ax" + std::to_string(i));
  return options;
}

te::IterVar reduce_over(te::PrimExpr extent, std::string name) {
  const te::PrimExpr zero = imm_like(extent, 0);
  return te::reduce_axis({zero, std::move(extent)}, std::move(name));
}

te::PrimExpr imm_like(const te::PrimExpr& like, int64_t value) {
  return tir::int_imm(like->dtype, value);
}

size_t positive_axis(int axis, size_t rank) {
  const int positive = axis < 0 ? axis + static_cast<int>(rank) : axis;
  FX_CHECK(positive >= 0 && positive < static_cast<int>(rank), "an axis is out of range");
  return static_cast<size_t>(positive);
}

bool same_extent(const te::PrimExpr& a, const te::PrimExpr& b) {
  arith::Analyzer analyzer;
  return analyzer.can_prove_equal(a, b);
}

Indices unravel(te::PrimExpr flat, const Indices& shape) {
  Indices indices(shape.size());
  for (size_t i = shape.size(); i-- > 1;) {
    indices[i] = tir::floormod(flat, shape[i]);
    flat = tir::floordiv(flat, shape[i]);
  }
  if (!shape.empty()) indices[0] = flat;
  return indices;
}

}  // namespace fx2wasm::topi
