// Evaluates the small Python.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "script/errors.h"
#include "script/limits.h"
#include "script/value.h"

namespace fx2wasm::script {

// One program, or one text of rules, with all its values. Not to be used by two threads.
class Interpreter {
 public:
  explicit Interpreter(Limits limits) : limits_(limits), steps_left_(limits.max_steps) {}
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  Heap& heap() { return heap_; }
  const Heap& heap() const { return heap_; }

  // The names that every program sees; `importable` are dotted paths for `import`.
  Scope& globals() { return globals_; }
  void make_importable(const std::string& path, Value value) {
    importable_[path] = std::move(value);
    modules_.push_back(path);
  }
  // A name inside a module, for `from module import name`.
  void make_importable_name(const std::string& path, Value value) {
    importable_[path] = std::move(value);
  }

  // Runs statements in the global scope.
  Result<Unit> run(const Block& block);

  // Calls a function, builtin or host object from C++. Errors keep the place they have.
  Result<Value> call(const Value& callee, const CallArgs& args);

  // ---- for builtins ----
  // Takes work from the step limit; FX5005 when it is used up.
  Result<Unit> charge(int64_t steps);
  // Starts a new account of steps and tensors: each call of a rule has its own.
  void renew_limits();
  // Values made of trees: FX5005 when the tree is too large to be walked.
  Result<Value> scalar(tir::PrimExpr expr);
  Result<Value> graph(relax::Expr expr);
  Result<Value> tensor(te::Tensor tensor);
  Result<Value> list(std::vector<Value> items);
  Result<Value> tuple(std::vector<Value> items);
  Result<Value> string(std::string value);
  // The items of anything that can be looped over.
  Result<std::vector<Value>> iterate(const Value& value);
  Result<bool> truth(const Value& value);
  // Where the innermost call stands.
  Position call_at() const { return call_at_; }

  // Loop variables belong to one compute or reduction. `claim` remembers a variable as such;
  // `foreign_axis` gives the first variable of `expr` that is a loop variable but none of `own`.
  void claim(const tir::Var& var) { loop_vars_[var.get()] = var; }
  tir::Var foreign_axis(const tir::PrimExpr& expr, const std::vector<tir::Var>& own) const;

  // Attributes and items of values (attributes.cpp), operators (operators.cpp).
  Result<Value> attribute(const Value& object, const std::string& name);
  Result<Value> item(const Value& object, const Value& key);
  Result<Value> slice(const Value& object, const Value& start, const Value& stop,
                      const Value& step);
  Result<Value> binary(Operator op, const Value& a, const Value& b);
  Result<Value> unary(UnaryOperator op, const Value& a);
  Result<Value> compare(Comparison op, const Value& a, const Value& b);

 private:
  enum class Flow { Next, Return, Break, Continue };

  // ---- evaluate.cpp ----
  Result<Value> evaluate(const ExprRef& expr, Scope& scope);
  Result<Value> evaluate_kind(const ExprNode& expr, Scope& scope);
  Result<Value> evaluate_items(const std::vector<ExprRef>& items, Scope& scope, bool as_tuple);
  Result<Value> evaluate_dict(const DictDisplay& dict, Scope& scope);
  Result<Value> evaluate_compare(const Compare& compare, Position at, Scope& scope);
  Result<Value> evaluate_call(const Call& call, Position at, Scope& scope);
  Result<Value> evaluate_subscript(const Subscript& subscript, Position at, Scope& scope);
  Result<Value> evaluate_comprehension(const ListComprehension& comprehension, Scope& scope);
  Result<Value> look_up(const std::string& name, Position at, Scope& scope);
  Result<Value> make_function(std::string name, const std::vector<Parameter>& params, Scope& scope);
  // ---- execute.cpp ----
  Result<Flow> execute(const Block& block, Scope& scope);
  Result<Flow> execute_one(const std::shared_ptr<const StmtNode>& stmt, Scope& scope);
  Result<Flow> execute_for(const ForLoop& loop, Scope& scope);
  Result<Flow> execute_with(const With& with, size_t from, Scope& scope);
  Result<Unit> execute_import(const Import& import, Position at, Scope& scope);
  Result<Unit> assign(const ExprRef& target, const Value& value, Scope& scope);
  Result<Unit> assign_item(const Subscript& target, const Value& value, Scope& scope);
  Result<Value> call_function(const FunctionObject& function, const CallArgs& args);
  Result<Unit> bind_parameters(const FunctionObject& function, const CallArgs& args, Scope& scope);
  Result<Value> call_builtin(const Builtin& builtin, const CallArgs& args);

  Limits limits_;
  int64_t steps_left_;
  int tensors_left_ = kMaxTensors;
  int depth_ = 0;
  int call_depth_ = 0;
  Position call_at_;
  Value returned_;
  Heap heap_;
  Scope globals_;
  std::unordered_map<std::string, Value> importable_;
  std::vector<std::string> modules_;  // of importable_, for messages
  std::unordered_map<const tir::VarNode*, tir::Var> loop_vars_;
};

// Gives a place to errors that have none yet.
Diagnostics with_place(Diagnostics diagnostics, Position at);

template <class T>
Result<T> placed(Result<T> result, Position at) {
  if (result.ok()) return result;
  return with_place(result.diagnostics(), at);
}

}  // namespace fx2wasm::script
