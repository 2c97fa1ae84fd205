#include "topi/padding.h"

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {

using te::PrimExpr;

te::Tensor pad(const te::Tensor& x, const std::vector<int64_t>& before,
               const std::vector<int64_t>& after, const PrimExpr& value, PadStyle style) {
  const bool is_cpp = style == PadStyle::Cpp;
  const Indices own = te::shape_of(x);
  arith::Analyzer analyzer;
  Indices shape;
  for (size_t i = 0; i < own.size(); ++i) {
    shape.push_back(analyzer.simplify(
        tir::add(tir::add(own[i], imm_like(own[i], before[i])), imm_like(own[i], after[i]))));
  }
  const te::ComputeOptions options =
      is_cpp ? cpp_style("pad_temp", own.size()) : python_style("pad_temp");
  return te::compute(shape, options, [&](const Indices& i) {
    PrimExpr inside = tir::bool_imm(true);
    const auto require = [&](tir::BinaryOp op, const PrimExpr& a, const PrimExpr& b) {
      const PrimExpr condition = tir::binary(op, a, b);
      inside = tir::binary(tir::BinaryOp::And, inside, condition);
    };
    Indices indices;
    for (size_t k = 0; k < own.size(); ++k) {
      const PrimExpr first = imm_like(i[k], before[k]);
      const bool is_padded = before[k] != 0 || after[k] != 0;
      indices.push_back(tir::sub(i[k], first));
      if (is_cpp ? before[k] != 0 : is_padded) require(tir::BinaryOp::GE, i[k], first);
      if (is_cpp ? after[k] != 0 : is_padded) {
        require(tir::BinaryOp::LT, i[k], tir::add(own[k], first));
      }
    }
    const PrimExpr element = te::read(x, indices);
    return tir::as_int(inside) ? element : tir::if_then_else(inside, element, value);
  });
}

}  // namespace fx2wasm::topi
