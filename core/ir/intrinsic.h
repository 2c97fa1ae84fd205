// The scalar functions that a TensorIR expression can call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fx2wasm::tir {

enum class Intrinsic : uint8_t {
  IfThenElse,  // if_then_else(condition, a, b): only the chosen one is evaluated
  Likely,
  Exp,
  Exp2,
  Exp10,
  Log,
  Log2,
  Log10,
  Log1p,
  Sqrt,
  Rsqrt,
  Sigmoid,
  Tanh,
  Sin,
  Cos,
  Tan,
  Sinh,
  Cosh,
  Asin,
  Acos,
  Atan,
  Asinh,
  Acosh,
  Atanh,
  Atan2,
  Erf,
  Pow,
  Fmod,
  Fabs,
  Abs,  // of integers
  Floor,
  Ceil,
  Trunc,
  Round,      // ties to even, as PyTorch's
  Nearbyint,  // ties to even
  IsNan,
  IsInf,
  IsFinite,
  BitwiseAnd,
  BitwiseOr,
  BitwiseXor,
  BitwiseNot,
  ShiftLeft,
  ShiftRight,  // arithmetic on signed integers
  Popcount,
  Clz,
  Reinterpret,
  Infinity,  // no arguments; the dtype says which
  Ret,
};

// The name as TVMScript prints it after `T.`: "exp", "if_then_else", "fabs". Operators that print
// infix (bitwise_and as `&`) have TVM's name here too.
std::string_view intrinsic_name(Intrinsic intrinsic);

// The number of arguments.
int intrinsic_arity(Intrinsic intrinsic);

// The intrinsic of a TVMScript name.
std::optional<Intrinsic> find_intrinsic(std::string_view name);

}  // namespace fx2wasm::tir
