// Functions that WebAssembly has no instruction for, written into the module when first used.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "encode/module.h"
#include "ir/intrinsic.h"

namespace fx2wasm::wasm {

// What the compiler needs beside the intrinsics.
enum class Helper : uint8_t {
  FloorDivI32,
  FloorModI32,
  FloorDivI64,
  FloorModI64,
  HalfToFloat,    // (i32 bits) → f32
  FloatToHalf,    // (f32) → i32 bits, rounded to nearest even
  FloatToBrain,   // (f32) → i32 bits of a bfloat16, rounded to nearest even
  SinOfQuadrant,  // (f64 r, f64 q) → sin(r + q·π/2)
  TanOfQuadrant,
};

class MathFunctions {
 public:
  explicit MathFunctions(Module& module) : module_(module) {}

  // Index of a function (type, …) → type for F32, F64, or V128 (four float32 lanes). Accurate to
  // 1e-6 relative over the whole range (F64: to 1e-14 for most).
  uint32_t intrinsic(tir::Intrinsic intrinsic, ValType type);
  static bool has_vector(tir::Intrinsic intrinsic);
  uint32_t helper(Helper helper);

 private:
  Function write(tir::Intrinsic intrinsic, ValType type);

  Module& module_;
  std::map<std::pair<tir::Intrinsic, ValType>, uint32_t> intrinsics_;
  std::map<Helper, uint32_t> helpers_;
};

}  // namespace fx2wasm::wasm
