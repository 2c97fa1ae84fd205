// The comparison behind structural_equal and first_difference, with the pairs of bound variables it
// has met so far.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ir/module.h"

namespace fx2wasm {

class StructuralMatch {
 public:
  explicit StructuralMatch(bool map_free_vars) : map_free_(map_free_vars) {}

  bool exprs(const tir::PrimExpr& a, const tir::PrimExpr& b);
  bool stmts(const tir::Stmt& a, const tir::Stmt& b);
  bool types(const relax::Type& a, const relax::Type& b);
  bool prim_funcs(const tir::PrimFunc& a, const tir::PrimFunc& b);
  bool functions(const relax::Function& a, const relax::Function& b);

  // After a failed `functions`: where it first differed ("binding 2: R.add against R.multiply").
  const std::string& where() const { return where_; }

 private:
  bool expr_lists(const std::vector<tir::PrimExpr>& a, const std::vector<tir::PrimExpr>& b);
  bool ranges(const tir::Range& a, const tir::Range& b);
  bool reducers(const tir::CommReducer& a, const tir::CommReducer& b);
  bool reduces(const tir::Reduce& a, const tir::Reduce& b);
  bool iter_vars(const std::vector<tir::IterVar>& a, const std::vector<tir::IterVar>& b);
  bool regions(const std::vector<tir::BufferRegion>& a, const std::vector<tir::BufferRegion>& b);
  bool blocks(const tir::SBlock& a, const tir::SBlock& b);
  bool realizes(const tir::SBlockRealize& a, const tir::SBlockRealize& b);
  bool define_vars(const std::vector<tir::Var>& a, const std::vector<tir::Var>& b);
  bool define_var(const tir::Var& a, const tir::Var& b);
  bool define_buffer(const tir::Buffer& a, const tir::Buffer& b);

  bool type_lists(const std::vector<relax::Type>& a, const std::vector<relax::Type>& b);
  bool relax_exprs(const relax::Expr& a, const relax::Expr& b);
  bool relax_lists(const std::vector<relax::Expr>& a, const std::vector<relax::Expr>& b);
  bool relax_params(const relax::FunctionNode& a, const relax::FunctionNode& b);
  bool bindings(const relax::Binding& a, const relax::Binding& b, size_t index);
  bool differ(std::string where);

  void pair(const void* a, const void* b);
  // Whether `a` and `b` stand for each other: paired, or free and the same object.
  bool same(const void* a, const void* b);

  bool map_free_ = false;
  std::unordered_map<const void*, const void*> left_, right_;
  std::string where_;
};

// The same known data, or the same object.
bool same_constant(const relax::Constant& a, const relax::Constant& b);

}  // namespace fx2wasm
