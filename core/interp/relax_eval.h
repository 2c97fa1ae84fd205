// Evaluates one Relax function: bindings in order, operators by their evaluators.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interp/relax_op.h"
#include "interp/tir_machine.h"
#include "ir/module.h"

namespace fx2wasm::interp {

class FunctionEvaluator {
 public:
  explicit FunctionEvaluator(const IRModule& module) : module_(module), sizes_("main") {}

  // Runs the function and flattens its result.
  Result<std::vector<TensorDataRef>> run(const relax::Function& function,
                                         const std::vector<TensorDataRef>& inputs);

 private:
  Result<Unit> bind_inputs(const relax::Function& function,
                           const std::vector<TensorDataRef>& inputs);
  Result<Value> evaluate(const relax::Expr& expr, const relax::Type& type);
  Result<Value> evaluate_op(const relax::OpCall& call, const relax::Type& type);
  Result<Value> evaluate_call_tir(const relax::CallTIR& call);
  Result<std::vector<Value>> evaluate_all(const std::vector<relax::Expr>& exprs);
  // The tensor types of a result, one after another.
  Result<Unit> concrete_types(const relax::Type& type, std::vector<ConcreteType>& types);
  Result<Shape> concrete_shape(const std::vector<relax::PrimExpr>& extents);
  Result<Scalar> number(const relax::PrimExpr& expr);

  const IRModule& module_;
  Machine sizes_;  // the symbolic sizes of this run
  std::map<const relax::VarNode*, Value> variables_;
};

}  // namespace fx2wasm::interp
