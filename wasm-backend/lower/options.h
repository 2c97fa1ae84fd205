// What the lowering may use.
#pragma once

namespace fx2wasm::wasm {

enum class Simd { Off, Simd128, Relaxed };

struct LowerOptions {
  Simd simd = Simd::Simd128;
  bool schedule = true;  // off: the loops in their own order, one element at a time
};

}  // namespace fx2wasm::wasm
