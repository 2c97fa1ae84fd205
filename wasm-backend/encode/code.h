// Writes one function's instructions: locals by number, blocks by nesting depth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "encode/module.h"
#include "encode/opcode.h"

namespace fx2wasm::wasm {

class Code {
 public:
  Code(std::string name, FuncType type);

  uint32_t add_local(ValType type);
  ValType local_type(uint32_t local) const;

  void op(Op op);  // an instruction without immediates
  void get(uint32_t local) { indexed(Op::LocalGet, local); }
  void set(uint32_t local) { indexed(Op::LocalSet, local); }
  void tee(uint32_t local) { indexed(Op::LocalTee, local); }
  void global_get(uint32_t global) { indexed(Op::GlobalGet, global); }
  void global_set(uint32_t global) { indexed(Op::GlobalSet, global); }
  void call(uint32_t function) { indexed(Op::Call, function); }
  void i32(int32_t value);
  void i64(int64_t value);
  void f32(float value);
  void f64(double value);
  void v128_i32(const std::array<int32_t, 4>& lanes);
  // A load or store at the address on the stack plus `offset`.
  void memory(Op op, uint32_t align_log2, uint32_t offset);
  void memory_lane(Op op, uint32_t align_log2, uint32_t offset, uint8_t lane);
  void lane(Op op, uint8_t lane);
  void shuffle(const std::array<uint8_t, 16>& lanes);
  void memory_grow();
  void memory_size();
  void memory_copy();

  // Opens a block, loop or if; the answer is its depth, to be given to br and br_if.
  uint32_t block();
  uint32_t loop();
  uint32_t if_();
  uint32_t if_(ValType result);
  void else_();
  void end();
  void br(uint32_t depth);
  void br_if(uint32_t depth);

  void mark(std::string label);  // names the next instruction's offset

  // The finished function. All blocks must be closed.
  Function finish();

 private:
  void indexed(Op op, uint32_t index);
  uint32_t open(Op op, uint8_t block_type);

  Function function_;
  uint32_t depth_ = 0;
};

}  // namespace fx2wasm::wasm
