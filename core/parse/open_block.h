// A block (or a function's root) while its body is being read. Private to this folder.
#pragma once

#include <vector>

#include "parse/reader.h"

namespace fx2wasm::parse {

struct OpenBlock {
  bool is_function = false;  // the root: T.func_attr may stand here, axes and regions may not
  Attrs func_attrs;
  std::vector<tir::IterVar> iter_vars;
  std::vector<tir::PrimExpr> iter_values;
  // Which of the axes have a line of their own, `T.axis.spatial(…)`, with the minimum left out.
  std::vector<bool> own_line;
  tir::PrimExpr predicate;  // null: none
  bool has_reads = false, has_writes = false;
  std::vector<tir::BufferRegion> reads, writes;
  Attrs annotations;
  std::vector<tir::Buffer> alloc_buffers;
  tir::Stmt init;  // null: none
};

// The statements of a body. `block` is what they stand in directly, or null inside a loop. A body
// of nothing evaluates 0, as TVM reads `pass`.
tir::Stmt read_statements(Reader& r, const Body& body, Position at, OpenBlock* block);

// A call as a statement, and an assignment to a name, that belong to a block's or function's head;
// false when it is none of these (block.cpp).
bool read_block_call(Reader& r, const NamedCall& call, OpenBlock* block);
bool read_block_assignment(Reader& r, const AssignLine& line, OpenBlock* block);
// `with T.sblock("name"):`
tir::Stmt read_block(Reader& r, const NamedCall& call, const Body& body);

// The buffer of T.Buffer(…) or T.sblock_alloc_buffer(…).
tir::Buffer read_buffer(Reader& r, const std::string& name, const NamedCall& call);

}  // namespace fx2wasm::parse
