// Statements: any nest of loops, blocks and branches, one instruction after the other.
#pragma once

#include "ir/tir.h"
#include "lower/emitter.h"

namespace fx2wasm::wasm {

class StatementWriter {
 public:
  explicit StatementWriter(Emitter& emitter) : e_(emitter), code_(emitter.code) {}
  void write(const tir::Stmt& stmt);

 private:
  void write_store(const tir::BufferStore& store);
  void write_for(const tir::Stmt& stmt, const tir::For& loop);
  bool write_in_rows(const tir::For& loop);
  void write_loop(const tir::For& loop);
  void write_block(const tir::SBlockRealize& realize);
  void write_init(const tir::SBlock& block);
  void write_init_alone(const tir::For& loop);

  Emitter& e_;
  Code& code_;
  bool init_only_ = false;  // a reduce loop around the next block has no iterations
};

}  // namespace fx2wasm::wasm
