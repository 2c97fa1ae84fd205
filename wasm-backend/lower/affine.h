// Linear forms of indices: constant + Σ coefficient · variable + Σ coefficient · (anything else).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::wasm {

struct Affine {
  int64_t constant = 0;
  std::vector<std::pair<tir::Var, int64_t>> terms;        // each variable once, none with 0
  std::vector<std::pair<tir::PrimExpr, int64_t>> opaque;  // what is no sum of variables
};

Affine affine_of(const tir::PrimExpr& index);

// The offset in elements of a load or store: Σ index · stride. Symbolic strides give opaque terms.
Affine element_offset(const tir::Buffer& buffer, const std::vector<tir::PrimExpr>& indices);

int64_t coefficient(const Affine& affine, const tir::Var& var);
// True when an opaque term uses the variable.
bool opaque_uses(const Affine& affine, const tir::Var& var);
bool uses_var(const tir::PrimExpr& expr, const tir::Var& var);
// Equal but for the constant.
bool same_terms(const Affine& a, const Affine& b);

}  // namespace fx2wasm::wasm
