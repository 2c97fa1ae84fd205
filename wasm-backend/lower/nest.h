// Recognises the loop nests that most PrimFuncs consist of: loops around one block that stores one
// element, or reduces into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/tir.h"

namespace fx2wasm::wasm {

struct NestLoop {
  tir::Var var;
  int64_t min = 0;
  int64_t extent = 1;
};

// out[indices] = value, for all values of the spatial loops; with reduce loops:
// acc = init; for …: acc = value (which uses `accumulator`); out[indices] = acc.
struct Nest {
  std::vector<NestLoop> spatial, reduce;  // extents of at least 2, outer to inner
  bool reduce_innermost = true;           // the loops stand in that order in the program
  std::string block_name;
  tir::Buffer out;
  std::vector<tir::PrimExpr> indices;
  tir::PrimExpr value;
  tir::PrimExpr init;    // null: no reduction
  tir::Var accumulator;  // null: no reduction
  // value is `accumulator op term` where `associative` says so.
  bool associative = false;
  tir::BinaryOp op = tir::BinaryOp::Add;
  tir::PrimExpr term;
  bool empty = false;  // a spatial loop of no iterations
  // A reduce loop of no iterations: the result is what the block's init says, although, read to
  // the letter, the block never runs. PyTorch's sums over nothing are 0.
  bool nothing_reduced = false;
};

// Block variables are replaced by what they are bound to, loops of one iteration by their value.
// Nothing when the statement is no such nest: then it is lowered statement by statement.
std::optional<Nest> match_nest(const tir::Stmt& stmt);

}  // namespace fx2wasm::wasm
