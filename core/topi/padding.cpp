#include "topi/padding.h"

#include <utility>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {

using te::PrimExpr;

namespace {

Indices padded_shape(const Indices& own, const Indices& before, const Indices& after) {
  arith::Analyzer analyzer;
  Indices shape;
  for (size_t i = 0; i < own.size(); ++i) {
    shape.push_back(analyzer.simplify(tir::add(tir::add(own[i], before[i]), after[i])));
  }
  return shape;
}

// As many as the tensor has axes.
Indices pad_widths(const Indices& own, const std::vector<int64_t>& widths) {
  Indices result;
  for (size_t i = 0; i < own.size(); ++i) result.push_back(imm_like(own[i], widths[i]));
  return result;
}

PrimExpr index_abs(const PrimExpr& value) {
  const PrimExpr zero = imm_like(value, 0);
  return tir::select(tir::binary(tir::BinaryOp::GE, value, zero), value, tir::sub(zero, value));
}

// The position of the element that stands `at` places behind the first one, before it or behind the
// last one.
PrimExpr own_position(const PrimExpr& at, const PrimExpr& extent, BorderMode mode) {
  const PrimExpr last = tir::sub(extent, imm_like(extent, 1));
  switch (mode) {
    case BorderMode::Reflect:
      return tir::sub(last, index_abs(tir::sub(last, index_abs(at))));
    case BorderMode::Replicate:
      return tir::binary(tir::BinaryOp::Max, imm_like(at, 0),
                         tir::binary(tir::BinaryOp::Min, last, at));
    case BorderMode::Circular:
      return tir::floormod(tir::add(at, extent), extent);
  }
  return nullptr;
}

std::string border_name(BorderMode mode) {
  switch (mode) {
    case BorderMode::Reflect:
      return "ReflectPadInput";
    case BorderMode::Replicate:
      return "ReplicatePadInput";
    case BorderMode::Circular:
      return "CircularPadInput";
  }
  return "";
}

}  // namespace

te::Tensor pad(const te::Tensor& x, const std::vector<PrimExpr>& before,
               const std::vector<PrimExpr>& after, const PrimExpr& value, PadStyle style,
               std::string name) {
  const bool is_cpp = style == PadStyle::Cpp;
  const Indices own = te::shape_of(x);
  const Indices shape = padded_shape(own, before, after);
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
               const std::vector<int64_t>& after, const PrimExpr& value, PadStyle style,
               std::string name) {
  const Indices own = te::shape_of(x);
  return pad(x, pad_widths(own, before), pad_widths(own, after), value, style, std::move(name));
}

te::Tensor pad_with_own(const te::Tensor& x, const std::vector<int64_t>& before,
                        const std::vector<int64_t>& after, BorderMode mode) {
  const Indices own = te::shape_of(x);
  const te::ComputeOptions options = python_style(border_name(mode));
  const Indices shape = padded_shape(own, pad_widths(own, before), pad_widths(own, after));
  return te::compute(shape, options, [&](const Indices& i) {
    Indices indices;
    for (size_t k = 0; k < own.size(); ++k) {
      indices.push_back(own_position(tir::sub(i[k], imm_like(i[k], before[k])), own[k], mode));
    }
    return te::read(x, indices);
  });
}

}  // namespace fx2wasm::topi
