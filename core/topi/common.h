// What the tensor expressions of operators share.
#pragma once

#include <string>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi {

using Indices = std::vector<te::PrimExpr>;

// Axes i0, i1, …: operators that TVM writes in Python.
te::ComputeOptions python_style(std::string name, Attrs attrs = {});
// Axes ax0, ax1, …: operators that TVM writes in C++.
te::ComputeOptions cpp_style(std::string name, size_t rank, Attrs attrs = {});

// [0, extent)
te::IterVar reduce_over(te::PrimExpr extent, std::string name);

// A constant of the dtype of `like`.
te::PrimExpr imm_like(const te::PrimExpr& like, int64_t value);

// An axis counted from the front.
size_t positive_axis(int axis, size_t rank);

// True when both are the same for all values of their symbols.
bool same_extent(const te::PrimExpr& a, const te::PrimExpr& b);

// The position in each axis of an element counted in row-major order; the first is what is left.
Indices unravel(te::PrimExpr flat, const Indices& shape);

}  // namespace fx2wasm::topi
