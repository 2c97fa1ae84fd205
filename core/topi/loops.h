// Functions written as loops over buffers, for what no tensor expression says: the steps of a scan
// depend on those before, a sort moves its elements.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ir/tir.h"
#include "topi/common.h"

namespace fx2wasm::topi {

// What a function does, and the buffers that it needs for that.
struct Loops {
  tir::Stmt body;
  std::vector<tir::Buffer> scratch;
};

// `body` for each value of a fresh int64 variable in [min, min + extent).
using LoopBody = std::function<tir::Stmt(const te::PrimExpr& i)>;
tir::Stmt loop_from(te::PrimExpr min, te::PrimExpr extent, const std::string& name,
                    const LoopBody& body);
tir::Stmt loop_over(te::PrimExpr extent, const std::string& name, const LoopBody& body);

// The value under a name.
tir::Stmt let_named(const std::string& name, te::PrimExpr value, const LoopBody& body);
tir::Stmt while_loop(te::PrimExpr condition, std::vector<tir::Stmt> body);
tir::Stmt if_else(te::PrimExpr condition, std::vector<tir::Stmt> then_case,
                  std::vector<tir::Stmt> else_case = {});

// A number that the loops change.
struct Counter {
  Counter(const std::string& name, DType dtype);
  te::PrimExpr value() const;
  tir::Stmt set(const te::PrimExpr& value) const;  // cast to its dtype
  tir::Buffer buffer;                              // without axes; belongs to Loops::scratch
};

// One line of a tensor along an axis: all other indices are fixed.
struct Line {
  Indices around;  // the other axes' indices, in order
  size_t axis = 0;
  Indices at(const te::PrimExpr& i) const;
};
tir::Stmt for_each_line(const Indices& shape, size_t axis,
                        const std::function<tir::Stmt(const Line& line)>& body);

}  // namespace fx2wasm::topi
