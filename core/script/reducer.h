// te.sum, te.max, … and te.comm_reducer.
#pragma once

#include "script/interpreter.h"

namespace fx2wasm::script {

// sum, prod, min, max and comm_reducer.
void add_reducers(Interpreter& interpreter, Namespace& space);

}  // namespace fx2wasm::script
