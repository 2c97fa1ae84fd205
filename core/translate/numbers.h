// Python's operators on values that are known while translating: integers, symbolic sizes, bools,
// floats, and lists of them.
#pragma once

#include "translate/call.h"

namespace fx2wasm::translate {

enum class NumberOp {
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Modulo,    // has the divisor's sign
  Truncate,  // the quotient rounded to zero
  Fmod,      // has the dividend's sign
  Power,
  Maximum,
  Minimum,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  And,
  Or,
  Xor,
  LeftShift,
  RightShift,
};

// The operator on two values that are no tensors; FX4003 where Python has none, and where the
// answer depends on a size that is known only when the function runs.
Result<Value> evaluate_number_op(const Call& call, NumberOp op, const Value& a, const Value& b);

// Whether two values are the same in Python's sense; absent when sizes decide that are not known.
std::optional<bool> same_value(const Value& a, const Value& b);

}  // namespace fx2wasm::translate
