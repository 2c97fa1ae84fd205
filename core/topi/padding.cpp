#include "topi/padding.h"

#include <utility>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {

using te::PrimExpr;

te::Tensor pad(const te::Tensor& x, const std::vector<PrimExpr>& before,
               const std::vector<PrimExpr>& after, const PrimExpr& value, PadStyle style,
               std::string name) {
  const bool is_cpp = style == PadStyle::Cpp;
  const Indices own = te::shape_of(x);
  arith::Analyzer analyzer;
  Indices shape;
  for (size_t i = 0; i < own.size(); ++i) {
    shape.push_back(analyzer.simplify(tir::add(tir::add(own[i], before[i]), after[i])));
  }
  const te::ComputeOptions options =
      is_cpp ? cpp_style(std::move(name), own.size()) : python_style(std::move(name));
  return te::compute(shape, options, [&](const Indices& i) {
    PrimExpr inside = tir::bool_imm(true);
    const auto require = [&](tir::BinaryOp op, const PrimExpr& a, const PrimExpr& b) {
      const PrimExpr condition = tir::binary(op, a, b);
      inside = tir::binary(tir::BinaryOp::And, inside, condition);
    };
    Indices indices;
    for (size_t k = 0; k < own.size(); ++k) {
      const bool begins = !tir::is_zero(before[k]), ends = !tir::is_zero(after[k]);
      indices.push_back(tir::sub(i[k], before[k]));
      if (is_cpp ? begins : begins || ends) require(tir::BinaryOp::GE, i[k], before[k]);
      if (is_cpp ? ends : begins || ends) {
        require(tir::BinaryOp::LT, i[k], tir::add(own[k], before[k]));
      }
    }
    const PrimExpr element = te::read(x, indices);
    return tir::as_int(inside) ? element : tir::if_then_else(inside, element, value);
  });
}

te::Tensor pad(const te::Tensor& x, const std::vector<int64_t>& before,
               const std::vector<int64_t>& after, const PrimExpr& value, PadStyle style) {
  const Indices own = te::shape_of(x);
  Indices begins, ends;
  for (size_t i = 0; i < own.size(); ++i) {
    begins.push_back(imm_like(own[i], before[i]));
    ends.push_back(imm_like(own[i], after[i]));
  }
  return pad(x, begins, ends, value, style);
}

}  // namespace fx2wasm::topi
