// WebAssembly's instructions, as far as this compiler writes or lists them: WebAssembly core 2.0
// with fixed-width SIMD, and relaxed SIMD's final opcodes (Emscripten 3.1.6 still has older ones).
#pragma once

#include <cstdint>
#include <string_view>

namespace fx2wasm::wasm {

// What follows the opcode in the binary.
enum class Immediate : uint8_t {
  None,
  BlockType,
  Label,
  Function,
  Local,
  Global,
  Memory,      // alignment and offset
  MemoryLane,  // alignment, offset and lane
  Lane,
  I32,
  I64,
  F32,
  F64,
  V128,
  Shuffle,      // sixteen lane numbers
  MemoryIndex,  // one zero byte
  MemoryPair,   // two zero bytes
};

// X(name, prefix << 16 | number, text, immediate)
#define FX2WASM_OPCODES(X)                                          \
  X(Unreachable, 0x00, "unreachable", None)                         \
  X(Block, 0x02, "block", BlockType)                                \
  X(Loop, 0x03, "loop", BlockType)                                  \
  X(If, 0x04, "if", BlockType)                                      \
  X(Else, 0x05, "else", None)                                       \
  X(End, 0x0b, "end", None)                                         \
  X(Br, 0x0c, "br", Label)                                          \
  X(BrIf, 0x0d, "br_if", Label)                                     \
  X(Return, 0x0f, "return", None)                                   \
  X(Call, 0x10, "call", Function)                                   \
  X(Drop, 0x1a, "drop", None)                                       \
  X(Select, 0x1b, "select", None)                                   \
  X(LocalGet, 0x20, "local.get", Local)                             \
  X(LocalSet, 0x21, "local.set", Local)                             \
  X(LocalTee, 0x22, "local.tee", Local)                             \
  X(GlobalGet, 0x23, "global.get", Global)                          \
  X(GlobalSet, 0x24, "global.set", Global)                          \
  X(I32Load, 0x28, "i32.load", Memory)                              \
  X(I64Load, 0x29, "i64.load", Memory)                              \
  X(F32Load, 0x2a, "f32.load", Memory)                              \
  X(F64Load, 0x2b, "f64.load", Memory)                              \
  X(I32Load8S, 0x2c, "i32.load8_s", Memory)                         \
  X(I32Load8U, 0x2d, "i32.load8_u", Memory)                         \
  X(I32Load16S, 0x2e, "i32.load16_s", Memory)                       \
  X(I32Load16U, 0x2f, "i32.load16_u", Memory)                       \
  X(I32Store, 0x36, "i32.store", Memory)                            \
  X(I64Store, 0x37, "i64.store", Memory)                            \
  X(F32Store, 0x38, "f32.store", Memory)                            \
  X(F64Store, 0x39, "f64.store", Memory)                            \
  X(I32Store8, 0x3a, "i32.store8", Memory)                          \
  X(I32Store16, 0x3b, "i32.store16", Memory)                        \
  X(MemorySize, 0x3f, "memory.size", MemoryIndex)                   \
  X(MemoryGrow, 0x40, "memory.grow", MemoryIndex)                   \
  X(I32Const, 0x41, "i32.const", I32)                               \
  X(I64Const, 0x42, "i64.const", I64)                               \
  X(F32Const, 0x43, "f32.const", F32)                               \
  X(F64Const, 0x44, "f64.const", F64)                               \
  X(I32Eqz, 0x45, "i32.eqz", None)                                  \
  X(I32Eq, 0x46, "i32.eq", None)                                    \
  X(I32Ne, 0x47, "i32.ne", None)                                    \
  X(I32LtS, 0x48, "i32.lt_s", None)                                 \
  X(I32LtU, 0x49, "i32.lt_u", None)                                 \
  X(I32GtS, 0x4a, "i32.gt_s", None)                                 \
  X(I32GtU, 0x4b, "i32.gt_u", None)                                 \
  X(I32LeS, 0x4c, "i32.le_s", None)                                 \
  X(I32LeU, 0x4d, "i32.le_u", None)                                 \
  X(I32GeS, 0x4e, "i32.ge_s", None)                                 \
  X(I32GeU, 0x4f, "i32.ge_u", None)                                 \
  X(I64Eqz, 0x50, "i64.eqz", None)                                  \
  X(I64Eq, 0x51, "i64.eq", None)                                    \
  X(I64Ne, 0x52, "i64.ne", None)                                    \
  X(I64LtS, 0x53, "i64.lt_s", None)                                 \
  X(I64LtU, 0x54, "i64.lt_u", None)                                 \
  X(I64GtS, 0x55, "i64.gt_s", None)                                 \
  X(I64GtU, 0x56, "i64.gt_u", None)                                 \
  X(I64LeS, 0x57, "i64.le_s", None)                                 \
  X(I64LeU, 0x58, "i64.le_u", None)                                 \
  X(I64GeS, 0x59, "i64.ge_s", None)                                 \
  X(I64GeU, 0x5a, "i64.ge_u", None)                                 \
  X(F32Eq, 0x5b, "f32.eq", None)                                    \
  X(F32Ne, 0x5c, "f32.ne", None)                                    \
  X(F32Lt, 0x5d, "f32.lt", None)                                    \
  X(F32Gt, 0x5e, "f32.gt", None)                                    \
  X(F32Le, 0x5f, "f32.le", None)                                    \
  X(F32Ge, 0x60, "f32.ge", None)                                    \
  X(F64Eq, 0x61, "f64.eq", None)                                    \
  X(F64Ne, 0x62, "f64.ne", None)                                    \
  X(F64Lt, 0x63, "f64.lt", None)                                    \
  X(F64Gt, 0x64, "f64.gt", None)                                    \
  X(F64Le, 0x65, "f64.le", None)                                    \
  X(F64Ge, 0x66, "f64.ge", None)                                    \
  X(I32Clz, 0x67, "i32.clz", None)                                  \
  X(I32Popcnt, 0x69, "i32.popcnt", None)                            \
  X(I32Add, 0x6a, "i32.add", None)                                  \
  X(I32Sub, 0x6b, "i32.sub", None)                                  \
  X(I32Mul, 0x6c, "i32.mul", None)                                  \
  X(I32DivS, 0x6d, "i32.div_s", None)                               \
  X(I32DivU, 0x6e, "i32.div_u", None)                               \
  X(I32RemS, 0x6f, "i32.rem_s", None)                               \
  X(I32RemU, 0x70, "i32.rem_u", None)                               \
  X(I32And, 0x71, "i32.and", None)                                  \
  X(I32Or, 0x72, "i32.or", None)                                    \
  X(I32Xor, 0x73, "i32.xor", None)                                  \
  X(I32Shl, 0x74, "i32.shl", None)                                  \
  X(I32ShrS, 0x75, "i32.shr_s", None)                               \
  X(I32ShrU, 0x76, "i32.shr_u", None)                               \
  X(I64Clz, 0x79, "i64.clz", None)                                  \
  X(I64Popcnt, 0x7b, "i64.popcnt", None)                            \
  X(I64Add, 0x7c, "i64.add", None)                                  \
  X(I64Sub, 0x7d, "i64.sub", None)                                  \
  X(I64Mul, 0x7e, "i64.mul", None)                                  \
  X(I64DivS, 0x7f, "i64.div_s", None)                               \
  X(I64DivU, 0x80, "i64.div_u", None)                               \
  X(I64RemS, 0x81, "i64.rem_s", None)                               \
  X(I64RemU, 0x82, "i64.rem_u", None)                               \
  X(I64And, 0x83, "i64.and", None)                                  \
  X(I64Or, 0x84, "i64.or", None)                                    \
  X(I64Xor, 0x85, "i64.xor", None)                                  \
  X(I64Shl, 0x86, "i64.shl", None)                                  \
  X(I64ShrS, 0x87, "i64.shr_s", None)                               \
  X(I64ShrU, 0x88, "i64.shr_u", None)                               \
  X(F32Abs, 0x8b, "f32.abs", None)                                  \
  X(F32Neg, 0x8c, "f32.neg", None)                                  \
  X(F32Ceil, 0x8d, "f32.ceil", None)                                \
  X(F32Floor, 0x8e, "f32.floor", None)                              \
  X(F32Trunc, 0x8f, "f32.trunc", None)                              \
  X(F32Nearest, 0x90, "f32.nearest", None)                          \
  X(F32Sqrt, 0x91, "f32.sqrt", None)                                \
  X(F32Add, 0x92, "f32.add", None)                                  \
  X(F32Sub, 0x93, "f32.sub", None)                                  \
  X(F32Mul, 0x94, "f32.mul", None)                                  \
  X(F32Div, 0x95, "f32.div", None)                                  \
  X(F32Min, 0x96, "f32.min", None)                                  \
  X(F32Max, 0x97, "f32.max", None)                                  \
  X(F32Copysign, 0x98, "f32.copysign", None)                        \
  X(F64Abs, 0x99, "f64.abs", None)                                  \
  X(F64Neg, 0x9a, "f64.neg", None)                                  \
  X(F64Ceil, 0x9b, "f64.ceil", None)                                \
  X(F64Floor, 0x9c, "f64.floor", None)                              \
  X(F64Trunc, 0x9d, "f64.trunc", None)                              \
  X(F64Nearest, 0x9e, "f64.nearest", None)                          \
  X(F64Sqrt, 0x9f, "f64.sqrt", None)                                \
  X(F64Add, 0xa0, "f64.add", None)                                  \
  X(F64Sub, 0xa1, "f64.sub", None)                                  \
  X(F64Mul, 0xa2, "f64.mul", None)                                  \
  X(F64Div, 0xa3, "f64.div", None)                                  \
  X(F64Min, 0xa4, "f64.min", None)                                  \
  X(F64Max, 0xa5, "f64.max", None)                                  \
  X(F64Copysign, 0xa6, "f64.copysign", None)                        \
  X(I32WrapI64, 0xa7, "i32.wrap_i64", None)                         \
  X(I64ExtendI32S, 0xac, "i64.extend_i32_s", None)                  \
  X(I64ExtendI32U, 0xad, "i64.extend_i32_u", None)                  \
  X(F32ConvertI32S, 0xb2, "f32.convert_i32_s", None)                \
  X(F32ConvertI32U, 0xb3, "f32.convert_i32_u", None)                \
  X(F32ConvertI64S, 0xb4, "f32.convert_i64_s", None)                \
  X(F32ConvertI64U, 0xb5, "f32.convert_i64_u", None)                \
  X(F32DemoteF64, 0xb6, "f32.demote_f64", None)                     \
  X(F64ConvertI32S, 0xb7, "f64.convert_i32_s", None)                \
  X(F64ConvertI32U, 0xb8, "f64.convert_i32_u", None)                \
  X(F64ConvertI64S, 0xb9, "f64.convert_i64_s", None)                \
  X(F64ConvertI64U, 0xba, "f64.convert_i64_u", None)                \
  X(F64PromoteF32, 0xbb, "f64.promote_f32", None)                   \
  X(I32ReinterpretF32, 0xbc, "i32.reinterpret_f32", None)           \
  X(I64ReinterpretF64, 0xbd, "i64.reinterpret_f64", None)           \
  X(F32ReinterpretI32, 0xbe, "f32.reinterpret_i32", None)           \
  X(F64ReinterpretI64, 0xbf, "f64.reinterpret_i64", None)           \
  X(I32Extend8S, 0xc0, "i32.extend8_s", None)                       \
  X(I32Extend16S, 0xc1, "i32.extend16_s", None)                     \
  X(I32TruncSatF32S, 0xfc0000, "i32.trunc_sat_f32_s", None)         \
  X(I32TruncSatF32U, 0xfc0001, "i32.trunc_sat_f32_u", None)         \
  X(I32TruncSatF64S, 0xfc0002, "i32.trunc_sat_f64_s", None)         \
  X(I32TruncSatF64U, 0xfc0003, "i32.trunc_sat_f64_u", None)         \
  X(I64TruncSatF32S, 0xfc0004, "i64.trunc_sat_f32_s", None)         \
  X(I64TruncSatF32U, 0xfc0005, "i64.trunc_sat_f32_u", None)         \
  X(I64TruncSatF64S, 0xfc0006, "i64.trunc_sat_f64_s", None)         \
  X(I64TruncSatF64U, 0xfc0007, "i64.trunc_sat_f64_u", None)         \
  X(MemoryCopy, 0xfc000a, "memory.copy", MemoryPair)                \
  X(MemoryFill, 0xfc000b, "memory.fill", MemoryIndex)               \
  X(V128Load, 0xfd0000, "v128.load", Memory)                        \
  X(V128Load32Splat, 0xfd0009, "v128.load32_splat", Memory)         \
  X(V128Store, 0xfd000b, "v128.store", Memory)                      \
  X(V128Const, 0xfd000c, "v128.const", V128)                        \
  X(I8x16Shuffle, 0xfd000d, "i8x16.shuffle", Shuffle)               \
  X(I32x4Splat, 0xfd0011, "i32x4.splat", None)                      \
  X(F32x4Splat, 0xfd0013, "f32x4.splat", None)                      \
  X(I32x4ExtractLane, 0xfd001b, "i32x4.extract_lane", Lane)         \
  X(I32x4ReplaceLane, 0xfd001c, "i32x4.replace_lane", Lane)         \
  X(F32x4ExtractLane, 0xfd001f, "f32x4.extract_lane", Lane)         \
  X(F32x4ReplaceLane, 0xfd0020, "f32x4.replace_lane", Lane)         \
  X(I32x4Eq, 0xfd0037, "i32x4.eq", None)                            \
  X(I32x4Ne, 0xfd0038, "i32x4.ne", None)                            \
  X(I32x4LtS, 0xfd0039, "i32x4.lt_s", None)                         \
  X(I32x4GtS, 0xfd003b, "i32x4.gt_s", None)                         \
  X(I32x4LeS, 0xfd003d, "i32x4.le_s", None)                         \
  X(I32x4GeS, 0xfd003f, "i32x4.ge_s", None)                         \
  X(F32x4Eq, 0xfd0041, "f32x4.eq", None)                            \
  X(F32x4Ne, 0xfd0042, "f32x4.ne", None)                            \
  X(F32x4Lt, 0xfd0043, "f32x4.lt", None)                            \
  X(F32x4Gt, 0xfd0044, "f32x4.gt", None)                            \
  X(F32x4Le, 0xfd0045, "f32x4.le", None)                            \
  X(F32x4Ge, 0xfd0046, "f32x4.ge", None)                            \
  X(V128Not, 0xfd004d, "v128.not", None)                            \
  X(V128And, 0xfd004e, "v128.and", None)                            \
  X(V128Andnot, 0xfd004f, "v128.andnot", None)                      \
  X(V128Or, 0xfd0050, "v128.or", None)                              \
  X(V128Xor, 0xfd0051, "v128.xor", None)                            \
  X(V128Bitselect, 0xfd0052, "v128.bitselect", None)                \
  X(V128Load32Lane, 0xfd0056, "v128.load32_lane", MemoryLane)       \
  X(V128Store32Lane, 0xfd005a, "v128.store32_lane", MemoryLane)     \
  X(V128Load32Zero, 0xfd005c, "v128.load32_zero", Memory)           \
  X(F32x4Ceil, 0xfd0067, "f32x4.ceil", None)                        \
  X(F32x4Floor, 0xfd0068, "f32x4.floor", None)                      \
  X(F32x4Trunc, 0xfd0069, "f32x4.trunc", None)                      \
  X(F32x4Nearest, 0xfd006a, "f32x4.nearest", None)                  \
  X(I32x4Abs, 0xfd00a0, "i32x4.abs", None)                          \
  X(I32x4Shl, 0xfd00ab, "i32x4.shl", None)                          \
  X(I32x4ShrS, 0xfd00ac, "i32x4.shr_s", None)                       \
  X(I32x4ShrU, 0xfd00ad, "i32x4.shr_u", None)                       \
  X(I32x4Add, 0xfd00ae, "i32x4.add", None)                          \
  X(I32x4Sub, 0xfd00b1, "i32x4.sub", None)                          \
  X(I32x4Mul, 0xfd00b5, "i32x4.mul", None)                          \
  X(I32x4MinS, 0xfd00b6, "i32x4.min_s", None)                       \
  X(I32x4MaxS, 0xfd00b8, "i32x4.max_s", None)                       \
  X(F32x4Abs, 0xfd00e0, "f32x4.abs", None)                          \
  X(F32x4Neg, 0xfd00e1, "f32x4.neg", None)                          \
  X(F32x4Sqrt, 0xfd00e3, "f32x4.sqrt", None)                        \
  X(F32x4Add, 0xfd00e4, "f32x4.add", None)                          \
  X(F32x4Sub, 0xfd00e5, "f32x4.sub", None)                          \
  X(F32x4Mul, 0xfd00e6, "f32x4.mul", None)                          \
  X(F32x4Div, 0xfd00e7, "f32x4.div", None)                          \
  X(F32x4Min, 0xfd00e8, "f32x4.min", None)                          \
  X(F32x4Max, 0xfd00e9, "f32x4.max", None)                          \
  X(F32x4Pmin, 0xfd00ea, "f32x4.pmin", None)                        \
  X(F32x4Pmax, 0xfd00eb, "f32x4.pmax", None)                        \
  X(I32x4TruncSatF32x4S, 0xfd00f8, "i32x4.trunc_sat_f32x4_s", None) \
  X(F32x4ConvertI32x4S, 0xfd00fa, "f32x4.convert_i32x4_s", None)    \
  X(F32x4RelaxedMadd, 0xfd0105, "f32x4.relaxed_madd", None)         \
  X(F32x4RelaxedNmadd, 0xfd0106, "f32x4.relaxed_nmadd", None)

enum class Op : uint32_t {
#define FX2WASM_ENUMERATOR(name, code, text, immediate) name = code,
  FX2WASM_OPCODES(FX2WASM_ENUMERATOR)
#undef FX2WASM_ENUMERATOR
};

struct OpcodeInfo {
  Op op;
  std::string_view text;
  Immediate immediate;
};

// The instruction of a number as Op has it; null for one that this compiler does not know.
const OpcodeInfo* find_opcode(uint32_t number);

}  // namespace fx2wasm::wasm
