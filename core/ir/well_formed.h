// The rules that every IRModule keeps. Each has a number, which is its diagnostic code (FX6001 is
// rule 1), and a test.
//
//  1. A Relax variable is bound once.
//  2. A Relax variable is used only after its binding, in the same function.
//  3. A DataflowVar is used only inside its own DataflowBlock (R.output makes Vars visible).
//  4. A function's result is not a DataflowVar.
//  5. The arguments of calls are variables, constants, tuples of them, shapes or prim values
//     (A-normal form).
//  6. A GlobalVar names a function of the module; call_tir names a PrimFunc.
//  7. call_tir passes as many arguments as the PrimFunc has parameters less its outputs.
//  8. The shape and dtype of each call_tir argument and result are those of the PrimFunc's buffer.
//  9. An operator call has the operator's number of arguments and exactly its attributes.
// 10. Every expression has a type.
// 11. Names of functions in a module are unique.
// 12. A TensorIR variable is bound once and used only where it is in scope.
// 13. A buffer is a parameter or allocated by an enclosing block before it is read or written.
// 14. A load or store has as many indices as its buffer has dimensions.
// 15. A stored value has the buffer's dtype; both operands of an operation have the same dtype.
// 16. A block realisation gives one value for each iteration variable.
// 17. No tensor-expression form (ProducerLoad, Reduce) remains in a PrimFunc.
#pragma once

#include "ir/module.h"
#include "support/diagnostic.h"

namespace fx2wasm {

// Empty when all rules hold. Every broken rule is reported, in the order of the module.
Diagnostics check_well_formed(const IRModule& module);

}  // namespace fx2wasm
