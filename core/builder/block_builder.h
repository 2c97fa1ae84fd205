// BlockBuilder: builds a Relax function binding by binding, as the lecture and TVM's
// relax.BlockBuilder do.
//
//   BlockBuilder bb;
//   bb.begin_function("main", {{x}});         with bb.function("main", [x]):
//   bb.begin_dataflow();                          with bb.dataflow():
//   auto y = bb.emit_te(relu, "relu", {x});           y = bb.emit_te(relu, x)
//   auto out = bb.emit_output(y);                     out = bb.emit_output(y)
//   bb.end_dataflow();
//   bb.emit_func_output(out);                     bb.emit_func_output(out)
//   bb.end_function();
//   auto module = bb.get();
//
// Misuse is a diagnostic (FX5006) without a place; who calls adds it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "builder/step.h"
#include "ir/module.h"
#include "support/result.h"
#include "te/create_prim_func.h"

namespace fx2wasm {

// An argument of emit_te: an expression becomes a te placeholder (a 0-d constant an immediate when
// `scalar_constants_as_immediates`), everything else is passed as it is.
struct TeArgument;
using TeArgumentList = std::vector<TeArgument>;
struct TeArgument {
  std::variant<relax::Expr, int64_t, double, std::string, std::nullptr_t, DType, TeArgumentList>
      value;
};

// What the TE function receives in the argument's place.
struct TeValue;
using TeValueList = std::vector<TeValue>;
struct TeValue {
  std::variant<te::Tensor, tir::PrimExpr, int64_t, double, std::string, std::nullptr_t, DType,
               TeValueList>
      value;
};
using TeFunction = std::function<Result<std::vector<te::Tensor>>(const TeValueList& args)>;

struct EmitTeOptions {
  Attrs primfunc_attrs;
  bool scalar_constants_as_immediates = false;  // LegalizeOps does so
};

// Whether operators are emitted as call_tir of their tensor expressions.
enum class LegalizeMode {
  Off,
  AsTvm,     // what LegalizeOps would make of them afterwards
  Complete,  // what is going to run: also functions of our own for what TVM leaves, and those that
             // keep digits that TVM's lose (the variance as a difference of squares)
};

class BlockBuilder {
 public:
  // `recorder` may be null; it outlives the builder.
  explicit BlockBuilder(StepRecorder* recorder = nullptr);
  // Goes on with a module: its functions are there to be reused, their names are taken.
  explicit BlockBuilder(IRModule module, StepRecorder* recorder = nullptr);
  ~BlockBuilder();
  BlockBuilder(const BlockBuilder&) = delete;
  BlockBuilder& operator=(const BlockBuilder&) = delete;

  // ---- scopes ----
  Result<Unit> begin_function(std::string name, std::optional<std::vector<relax::Var>> params,
                              Attrs attrs = {});
  Result<Unit> begin_dataflow();
  Result<Unit> end_dataflow();
  Result<Unit> end_function();

  // ---- bindings ----
  // Binds a value to a fresh variable (`lv`, `lv1`, … inside a dataflow block, `gv`, … outside) and
  // gives that variable. Nested calls are bound first, in evaluation order (A-normal form). The
  // value's type is inferred here; what does not fit is a diagnostic.
  Result<relax::Expr> emit(const relax::Expr& value, std::string name_hint = "");
  // The value with its nested calls bound and its type, itself not bound yet.
  Result<relax::Expr> normalize(const relax::Expr& value);
  // Placeholders for the arguments, `func` of them, create_prim_func, an equal PrimFunc reused or a
  // new one inserted under a fresh name, call_tir emitted (tvm-map.md section 6). `name_hint` names
  // the PrimFunc. With several results the answer is the tuple's variable.
  Result<relax::Expr> emit_te(const TeFunction& func, const std::string& name_hint,
                              const TeArgumentList& args, const EmitTeOptions& options = {});
  // The call_tir without binding it (TVM's call_te).
  Result<relax::Expr> call_te(const TeFunction& func, const std::string& name_hint,
                              const TeArgumentList& args, const EmitTeOptions& options = {});
  // The tuple with its fields that an expression is, or that its variable was bound to; null where
  // neither is written out.
  relax::Expr written_tuple(const relax::Expr& tuple) const;
  // Binds a variable that exists already: for passes, which keep names.
  Result<Unit> emit_binding(const relax::Var& var, const relax::Expr& value);
  // Makes a value (or tuple) visible outside its dataflow block: a Var `gv`.
  Result<relax::Expr> emit_output(const relax::Expr& value, std::string name_hint = "");
  // The function's result; `params` when begin_function got none.
  Result<Unit> emit_func_output(const relax::Expr& value,
                                std::optional<std::vector<relax::Var>> params = std::nullopt);

  // ---- the module ----
  // Adds a PrimFunc or finds an equal one; gives the name under which the module has it.
  std::string add_func(const tir::PrimFunc& func, const std::string& name_hint);
  // The module so far; fails when a function is still open or has no output.
  Result<IRModule> get();
  // The same without that check.
  const IRModule& peek() const;

  StepRecorder* recorder();
  // How operators are emitted from now on (builder/legalize_rules.h).
  void set_legalize(LegalizeMode mode);
  LegalizeMode legalize_mode() const;
  // The Origin that bindings emitted from now on carry.
  void set_origin(Origin origin);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fx2wasm
