// Values that are known while translating: integers, symbolic sizes, lists of them.
#pragma once

#include "translate/call.h"

namespace fx2wasm::translate {

enum class NumberOp { Add, Subtract, Multiply, Divide, FloorDivide, Modulo };

// Python's operator on two values that are no tensors; FX4003 where Python has none.
Result<Value> evaluate_number_op(const Call& call, NumberOp op, const Value& a, const Value& b);

}  // namespace fx2wasm::translate
