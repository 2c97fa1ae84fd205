#include "encode/code.h"

#include <utility>

#include "support/check.h"

namespace fx2wasm::wasm {
namespace {

constexpr uint8_t kNoResult = 0x40;

void append_little_endian(std::vector<std::byte>& bytes, uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
}

}  // namespace

Code::Code(std::string name, FuncType type) {
  function_.name = std::move(name);
  function_.type = std::move(type);
}

uint32_t Code::add_local(ValType type) {
  function_.locals.push_back(type);
  return static_cast<uint32_t>(function_.type.params.size() + function_.locals.size() - 1);
}

ValType Code::local_type(uint32_t local) const {
  const size_t params = function_.type.params.size();
  return local < params ? function_.type.params[local] : function_.locals[local - params];
}

void Code::op(Op op) {
  const auto number = static_cast<uint32_t>(op);
  if (number < 0x100) {
    function_.code.push_back(static_cast<std::byte>(number));
    return;
  }
  function_.code.push_back(static_cast<std::byte>(number >> 16));
  append_unsigned(function_.code, number & 0xffff);
}

void Code::indexed(Op op, uint32_t index) {
  this->op(op);
  append_unsigned(function_.code, index);
}

void Code::i32(int32_t value) {
  op(Op::I32Const);
  append_signed(function_.code, value);
}

void Code::i64(int64_t value) {
  op(Op::I64Const);
  append_signed(function_.code, value);
}

void Code::f32(float value) {
  op(Op::F32Const);
  append_little_endian(function_.code, __builtin_bit_cast(uint32_t, value), 4);
}

void Code::f64(double value) {
  op(Op::F64Const);
  append_little_endian(function_.code, __builtin_bit_cast(uint64_t, value), 8);
}

void Code::v128_i32(const std::array<int32_t, 4>& lanes) {
  op(Op::V128Const);
  for (const int32_t value : lanes) {
    append_little_endian(function_.code, static_cast<uint32_t>(value), 4);
  }
}

void Code::memory(Op op, uint32_t align_log2, uint32_t offset) {
  this->op(op);
  append_unsigned(function_.code, align_log2);
  append_unsigned(function_.code, offset);
}

void Code::memory_lane(Op op, uint32_t align_log2, uint32_t offset, uint8_t lane) {
  memory(op, align_log2, offset);
  function_.code.push_back(static_cast<std::byte>(lane));
}

void Code::lane(Op op, uint8_t lane) {
  this->op(op);
  function_.code.push_back(static_cast<std::byte>(lane));
}

void Code::shuffle(const std::array<uint8_t, 16>& lanes) {
  op(Op::I8x16Shuffle);
  for (const uint8_t lane : lanes) function_.code.push_back(static_cast<std::byte>(lane));
}

void Code::memory_grow() { indexed(Op::MemoryGrow, 0); }
void Code::memory_size() { indexed(Op::MemorySize, 0); }
void Code::memory_copy() {
  indexed(Op::MemoryCopy, 0);
  append_unsigned(function_.code, 0);
}

uint32_t Code::open(Op op, uint8_t block_type) {
  this->op(op);
  function_.code.push_back(static_cast<std::byte>(block_type));
  return ++depth_;
}

uint32_t Code::block() { return open(Op::Block, kNoResult); }
uint32_t Code::loop() { return open(Op::Loop, kNoResult); }
uint32_t Code::if_() { return open(Op::If, kNoResult); }
uint32_t Code::if_(ValType result) { return open(Op::If, static_cast<uint8_t>(result)); }
void Code::else_() { op(Op::Else); }

void Code::end() {
  FX_CHECK(depth_ > 0, "no open block");
  --depth_;
  op(Op::End);
}

void Code::br(uint32_t depth) { indexed(Op::Br, depth_ - depth); }
void Code::br_if(uint32_t depth) { indexed(Op::BrIf, depth_ - depth); }

void Code::mark(std::string label) {
  function_.marks.push_back(CodeMark{function_.code.size(), std::move(label)});
}

Function Code::finish() {
  FX_CHECK(depth_ == 0, "a block is still open");
  op(Op::End);
  return std::move(function_);
}

}  // namespace fx2wasm::wasm
