// Structural equality and hash. Bound variables (parameters, loop and block variables, let and
// Relax variables, a PrimFunc's buffers) are equal when they are bound at the same place; free ones
// only when they are the same object, unless `map_free_vars`. Names of variables, buffers
// and blocks, Origin and the order of a module's functions do not count, as in TVM. Constants are
// compared by content.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ir/module.h"

namespace fx2wasm {

bool structural_equal(const tir::PrimFunc& a, const tir::PrimFunc& b);
bool structural_equal(const relax::Function& a, const relax::Function& b);
bool structural_equal(const IRModule& a, const IRModule& b);
bool structural_equal(const tir::PrimExpr& a, const tir::PrimExpr& b, bool map_free_vars = false);
bool structural_equal(const relax::Type& a, const relax::Type& b, bool map_free_vars = false);

// Equal things have equal hashes; the same on every platform.
size_t structural_hash(const tir::PrimFunc& func);
size_t structural_hash(const relax::Function& func);
size_t structural_hash(const IRModule& module);

// One line that says where two modules first differ ("main, binding 2: R.add against R.multiply"),
// or nothing when they are equal.
std::optional<std::string> first_difference(const IRModule& a, const IRModule& b);

}  // namespace fx2wasm
