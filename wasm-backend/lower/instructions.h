// Intrinsics of floats that are one WebAssembly instruction.
#pragma once

#include <optional>

#include "encode/opcode.h"
#include "ir/intrinsic.h"

namespace fx2wasm::wasm {

struct FloatInstruction {
  tir::Intrinsic intrinsic;
  Op f32, f64, f32x4;
};

inline constexpr FloatInstruction kFloatInstructions[] = {
    {tir::Intrinsic::Fabs, Op::F32Abs, Op::F64Abs, Op::F32x4Abs},
    {tir::Intrinsic::Abs, Op::F32Abs, Op::F64Abs, Op::F32x4Abs},
    {tir::Intrinsic::Sqrt, Op::F32Sqrt, Op::F64Sqrt, Op::F32x4Sqrt},
    {tir::Intrinsic::Floor, Op::F32Floor, Op::F64Floor, Op::F32x4Floor},
    {tir::Intrinsic::Ceil, Op::F32Ceil, Op::F64Ceil, Op::F32x4Ceil},
    {tir::Intrinsic::Trunc, Op::F32Trunc, Op::F64Trunc, Op::F32x4Trunc},
    {tir::Intrinsic::Round, Op::F32Nearest, Op::F64Nearest, Op::F32x4Nearest},
    {tir::Intrinsic::Nearbyint, Op::F32Nearest, Op::F64Nearest, Op::F32x4Nearest},
};

inline std::optional<FloatInstruction> find_float_instruction(tir::Intrinsic intrinsic) {
  for (const FloatInstruction& entry : kFloatInstructions) {
    if (entry.intrinsic == intrinsic) return entry;
  }
  return std::nullopt;
}

}  // namespace fx2wasm::wasm
