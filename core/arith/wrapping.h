// int64 arithmetic that wraps, as TensorIR's does: constants of an expression may be anything.
#pragma once

#include <cstdint>

namespace fx2wasm::arith {

constexpr int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
constexpr int64_t wrapping_sub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
constexpr int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// Truncating division for a divisor that is not 0; the one quotient that does not fit wraps.
constexpr int64_t wrapping_div(int64_t a, int64_t b) {
  return b == -1 ? wrapping_sub(0, a) : a / b;
}
constexpr int64_t wrapping_mod(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

}  // namespace fx2wasm::arith
