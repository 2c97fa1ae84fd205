// Operators on whole tensors and graph expressions, and the checks that topi leaves to its caller.
#pragma once

#include <string_view>

#include "script/interpreter.h"
#include "topi/topi.h"

namespace fx2wasm::script {

// A + B of te tensors (topi) and of relax expressions (relax.op).
Result<Value> tensor_operation(Interpreter& interpreter, Operator op, const Value& a,
                               const Value& b);
Result<Value> graph_operation(Interpreter& interpreter, Operator op, const Value& a,
                              const Value& b);
Result<Value> negate(Interpreter& interpreter, const Value& a);

// topi's broadcasting of two operands (tensors, scalars or numbers; at least one tensor), with the
// shapes checked.
Result<Value> broadcast(Interpreter& interpreter, std::string_view name, topi::BroadcastOp op,
                        const Value& a, const Value& b);

// "(1, 784)": for messages.
std::string shape_text(const std::vector<tir::PrimExpr>& shape);

}  // namespace fx2wasm::script
