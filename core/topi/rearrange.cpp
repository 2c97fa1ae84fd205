#include "topi/rearrange.h"

#include <algorithm>
#include <cstddef>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "topi/common.h"

namespace fx2wasm::topi {
namespace {

using te::PrimExpr;
using te::Tensor;

bool has_no_elements(const Indices& shape) {
  return std::any_of(shape.begin(), shape.end(), tir::is_zero);
}

// The indices without the one of an axis.
Indices all_but(const Indices& indices, size_t axis) {
  Indices rest = indices;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(axis));
  return rest;
}

}  // namespace

Tensor concatenate(const std::vector<Tensor>& parts, size_t axis) {
  Indices shape = te::shape_of(parts[0]);
  Indices extents;
  for (const Tensor& part : parts) extents.push_back(te::shape_of(part)[axis]);
  PrimExpr whole = extents[0];
  for (size_t i = 1; i < extents.size(); ++i) whole = tir::add(whole, extents[i]);
  arith::Analyzer analyzer;
  shape[axis] = analyzer.simplify(whole);
  return te::compute(shape, cpp_style("T_concat", shape.size()), [&](const Indices& i) {
    PrimExpr value = te::read(parts[0], i);
    PrimExpr within = i[axis];  // the position in the part
    for (size_t k = 1; k < parts.size(); ++k) {
      within = tir::sub(within, extents[k - 1]);
      Indices indices = i;
      indices[axis] = within;
      const PrimExpr begun = tir::binary(tir::BinaryOp::GE, within, imm_like(within, 0));
      value = tir::if_then_else(begun, te::read(parts[k], indices), value);
    }
    return value;
  });
}

Tensor stack(const std::vector<Tensor>& parts, size_t axis) {
  Indices shape = te::shape_of(parts[0]);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis),
               tir::int_imm(DType::Int32, static_cast<int64_t>(parts.size())));
  return te::compute(shape, cpp_style("T_stack", shape.size()), [&](const Indices& i) {
    const Indices indices = all_but(i, axis);
    PrimExpr value = te::read(parts[0], indices);
    for (size_t k = 1; k < parts.size(); ++k) {
      const PrimExpr here =
          tir::binary(tir::BinaryOp::EQ, i[axis], imm_like(i[axis], static_cast<int64_t>(k)));
      value = tir::if_then_else(here, te::read(parts[k], indices), value);
    }
    return value;
  });
}

std::vector<Tensor> split(const Tensor& x, const std::vector<PrimExpr>& begins, size_t axis,
                          const std::string& name) {
  const Indices own = te::shape_of(x);
  arith::Analyzer analyzer;
  std::vector<Tensor> parts;
  for (size_t k = 0; k < begins.size(); ++k) {
    const PrimExpr end = k + 1 < begins.size() ? begins[k + 1] : own[axis];
    Indices shape = own;
    shape[axis] = analyzer.simplify(tir::sub(end, begins[k]));
    parts.push_back(te::compute(shape, cpp_style(name, shape.size()), [&](const Indices& i) {
      Indices indices = i;
      indices[axis] = tir::add(i[axis], begins[k]);
      return te::read(x, indices);
    }));
  }
  return parts;
}

Tensor tile(const Tensor& x, const std::vector<int64_t>& repeats) {
  const Indices own = te::shape_of(x);
  const size_t rank = std::max(own.size(), repeats.size());
  const size_t added = rank - own.size(), unrepeated = rank - repeats.size();
  Indices shape;
  for (size_t i = 0; i < rank; ++i) {
    const PrimExpr count = tir::int_imm(DType::Int64, i < unrepeated ? 1 : repeats[i - unrepeated]);
    shape.push_back(i < added ? count : tir::mul(own[i - added], count));
  }
  return te::compute(shape, cpp_style("T_tile", rank), [&](const Indices& i) {
    if (has_no_elements(shape)) return tir::const_of(te::dtype_of(x), 0);
    Indices indices;
    for (size_t k = 0; k < own.size(); ++k) indices.push_back(tir::floormod(i[added + k], own[k]));
    return te::read(x, indices);
  });
}

Tensor flip(const Tensor& x, size_t axis) {
  const Indices own = te::shape_of(x);
  const te::ComputeOptions options = cpp_style("T_reverse_sequence", own.size());
  return te::compute(own, options, [&](const Indices& i) {
    Indices indices = i;
    indices[axis] = tir::sub(tir::sub(own[axis], imm_like(own[axis], 1)), i[axis]);
    return te::read(x, indices);
  });
}

Tensor triangle(const Tensor& x, const PrimExpr& diagonal, bool upper) {
  return te::compute(te::shape_of(x), python_style("trilu"), [&](const Indices& i) {
    const PrimExpr& row = i[i.size() - 2];
    const PrimExpr& column = i[i.size() - 1];
    const PrimExpr inside =
        tir::binary(upper ? tir::BinaryOp::LE : tir::BinaryOp::GE, row, tir::sub(column, diagonal));
    return tir::select(inside, te::read(x, i), tir::const_of(te::dtype_of(x), 0));
  });
}

}  // namespace fx2wasm::topi
