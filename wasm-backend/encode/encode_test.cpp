#include <gtest/gtest.h>

#include "encode/code.h"
#include "encode/listing.h"
#include "encode/module.h"
#include "encode/opcode.h"

namespace fx2wasm::wasm {
namespace {

std::vector<int> bytes_of(const std::vector<std::byte>& bytes) {
  std::vector<int> numbers;
  for (const std::byte byte : bytes) numbers.push_back(static_cast<int>(byte));
  return numbers;
}

// The examples of the WebAssembly specification's and DWARF's definition of LEB128.
TEST(Leb128, UnsignedAndSigned) {
  std::vector<std::byte> bytes;
  append_unsigned(bytes, 624485);
  EXPECT_EQ(bytes_of(bytes), (std::vector<int>{0xe5, 0x8e, 0x26}));
  bytes.clear();
  append_signed(bytes, -123456);
  EXPECT_EQ(bytes_of(bytes), (std::vector<int>{0xc0, 0xbb, 0x78}));
  bytes.clear();
  append_signed(bytes, 64);  // one byte would read back as −64
  EXPECT_EQ(bytes_of(bytes), (std::vector<int>{0xc0, 0x00}));
}

TEST(Opcode, TextOfNumber) {
  EXPECT_EQ(find_opcode(0x6a)->text, "i32.add");
  EXPECT_EQ(find_opcode(0xfd0105)->text, "f32x4.relaxed_madd");
  EXPECT_EQ(find_opcode(0xff), nullptr);
}

Module module_of(Function function) {
  Module module;
  const std::string name = function.name;
  module.exports.push_back({name, add_function(module, std::move(function))});
  return module;
}

Function add_one() {
  Code code("add_one", FuncType{{ValType::I32}, {ValType::I32}});
  const uint32_t local = code.add_local(ValType::I32);
  code.get(0);
  code.i32(1);
  code.op(Op::I32Add);
  code.tee(local);
  return code.finish();
}

// The smallest module, byte by byte.
TEST(Encode, WholeModule) {
  Module module = module_of(add_one());
  module.memory.max_pages = 2;
  const EncodedModule encoded = encode(module);
  const std::vector<int> expected = {
      0x00, 0x61, 0x73, 0x6d, 1,    0,    0,    0,     // magic, version
      1,    6,    1,    0x60, 1,    0x7f, 1,    0x7f,  // type (i32) → (i32)
      3,    2,    1,    0,                             // function 0 has type 0
      5,    4,    1,    1,    1,    2,                 // memory 1 … 2 pages
      7,    20,   2,    6,    'm',  'e',  'm',  'o',  'r', 'y', 2,
      0,    7,    'a',  'd',  'd',  '_',  'o',  'n',  'e', 0,   0,  // exports
      10,   13,   1,    11,   1,    1,    0x7f,                     // code: one i32 local
      0x20, 0,    0x41, 1,    0x6a, 0x22, 1,    0x0b,               // …
      0,    17,   4,    'n',  'a',  'm',  'e',  1,    10,  1,   0,
      7,    'a',  'd',  'd',  '_',  'o',  'n',  'e'};
  std::vector<int> actual = bytes_of(encoded.binary);
  EXPECT_EQ(actual, expected);
  EXPECT_EQ(encoded.functions.size(), 1U);
  EXPECT_EQ(actual[encoded.functions[0].code_begin], 0x20);
  EXPECT_EQ(actual[encoded.functions[0].end - 1], 0x0b);
}

TEST(Encode, BranchesCountOpenBlocks) {
  Code code("loop", FuncType{});
  const uint32_t exit = code.block();
  const uint32_t again = code.loop();
  code.i32(0);
  code.br_if(exit);
  code.br(again);
  code.end();
  code.end();
  const Listing listing = list_module(encode(module_of(code.finish())).binary, "loop");
  EXPECT_NE(listing.text.find("br_if 1"), std::string::npos) << listing.text;
  EXPECT_NE(listing.text.find("br 0"), std::string::npos) << listing.text;
}

TEST(Listing, ShowsOffsetsOfTheBinary) {
  const EncodedModule encoded = encode(module_of(add_one()));
  const Listing listing = list_module(encoded.binary, "add_one");
  ASSERT_EQ(listing.lines.size(), 5U);
  EXPECT_EQ(listing.lines[0].code_offset, encoded.functions[0].code_begin);
  const auto line = [&](size_t i) {
    return listing.text.substr(listing.lines[i].begin,
                               listing.lines[i].end - listing.lines[i].begin);
  };
  EXPECT_NE(line(0).find("local.get 0"), std::string::npos);
  EXPECT_NE(line(1).find("i32.const 1"), std::string::npos);
  EXPECT_NE(line(2).find("i32.add"), std::string::npos);
  EXPECT_EQ(list_module(encoded.binary, "nothing").text, "");
}

}  // namespace
}  // namespace fx2wasm::wasm
