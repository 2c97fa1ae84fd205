#include "builder/block_builder.h"

#include <unordered_set>
#include <utility>

#include "builder/assembly.h"
#include "builder/call_te.h"
#include "builder/infer_type.h"
#include "builder/legalize_rules.h"
#include "builder/name_supply.h"
#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/structural.h"
#include "print/tvmscript.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm {

using relax::Expr;

namespace {

Diagnostic misuse(std::string message) {
  return error_at({}, codes::kBuilderMisuse, std::move(message));
}

// What a call may take as an argument without a binding of its own.
bool is_leaf_or_tuple(const Expr& expr) {
  return match(
      expr->kind, [](const relax::Var&) { return true; },
      [](const relax::Constant&) { return true; }, [](const relax::ShapeExpr&) { return true; },
      [](const relax::PrimValue&) { return true; }, [](const relax::StringImm&) { return true; },
      [](const relax::DataTypeImm&) { return true; }, [](const relax::Tuple&) { return true; },
      [](const relax::TupleGetItem&) { return false; }, [](const relax::OpCall&) { return false; },
      [](const relax::CallTIR&) { return false; },
      [](const relax::CallDPSPacked&) { return false; });
}

relax::Type type_of_results(const std::vector<relax::Type>& types) {
  if (types.size() == 1) return types[0];
  return relax::make_type(relax::TupleType{types});
}

}  // namespace

struct BlockBuilder::State {
  BlockBuilder& builder;
  StepRecorder* recorder = nullptr;
  ModuleAssembly assembly;
  NameSupply names;
  Origin origin;
  LegalizeMode legalize = LegalizeMode::Off;
  std::unordered_map<size_t, std::vector<std::string>> prim_funcs_by_hash;

  // The open function.
  std::string function_name;
  std::optional<std::vector<relax::Var>> params;
  bool in_scope = false;                               // between begin_function and end_function
  bool has_output = false;                             // emit_func_output was called
  std::unordered_set<const relax::VarNode*> visible;   // parameters and Vars bound so far
  std::unordered_set<const relax::VarNode*> in_block;  // DataflowVars of the open block
  std::vector<relax::Var> assumed_params;              // used before parameters were named
  // Nested expressions that the open block has bound already (kept alive by the key).
  std::unordered_map<Expr, Expr> bound_in_block;
  std::unordered_map<const relax::VarNode*, Expr> tuples;  // what variables of tuples stand for

  State(BlockBuilder& builder, IRModule module, StepRecorder* recorder)
      : builder(builder), recorder(recorder), assembly(std::move(module)) {
    for (const auto& [name, func] : assembly.finished().functions) {
      if (const auto* prim_func = std::get_if<tir::PrimFunc>(&func)) {
        prim_funcs_by_hash[structural_hash(*prim_func)].push_back(name);
      }
    }
  }

  void act(Event event) {
    assembly.apply(event);
    if (recorder != nullptr) recorder->record(std::move(event));
  }

  Result<Unit> require_function(std::string_view what) const {
    if (!in_scope) {
      return misuse(std::string(what) +
                    " needs an open function: begin one first (with bb.function(\"main\", [x]):)");
    }
    if (has_output) {
      return misuse(std::string(what) + " comes after emit_func_output, which is a function's end");
    }
    return Unit{};
  }

  void enter_block() {
    in_block.clear();
    bound_in_block.clear();
  }

  std::string unique_function_name(const std::string& hint) {
    std::string name = names.fresh(hint);
    while (find_function(assembly.finished(), name) != nullptr) name = names.fresh(hint);
    return name;
  }

  Result<Unit> check_use(const relax::Var& var) {
    if (var->dataflow) {
      if (in_block.count(var.get()) != 0) return Unit{};
      return misuse("'" + var->name_hint +
                    "' is a variable of a dataflow block and is used outside of it: make it "
                    "visible with emit_output before the block ends");
    }
    if (visible.count(var.get()) != 0) return Unit{};
    if (params) {
      return misuse("'" + var->name_hint + "' is neither a parameter of the function '" +
                    function_name + "' nor bound in it: give it to bb.function as a parameter");
    }
    visible.insert(var.get());
    assumed_params.push_back(var);
    return Unit{};
  }

  Result<std::vector<Expr>> normalize_arguments(const std::vector<Expr>& args) {
    std::vector<Expr> normalized;
    for (const Expr& arg : args) {
      FX_TRY(value, normalize_argument(arg));
      normalized.push_back(std::move(value));
    }
    return normalized;
  }

  // Binds a nested value; what was bound in this block already is used again.
  Result<Expr> normalize_argument(const Expr& arg) {
    if (is_leaf_or_tuple(arg)) return normalize(arg);
    const auto known = bound_in_block.find(arg);
    if (known != bound_in_block.end()) return known->second;
    FX_TRY(value, normalize(arg));
    if (is_leaf_or_tuple(value)) return value;
    FX_TRY(ready, require_function("a nested call"));
    static_cast<void>(ready);
    Expr var = bind(fresh_var(value, "", assembly.in_dataflow()), value);
    bound_in_block.emplace(arg, var);
    return var;
  }

  // The value in A-normal form, with its type.
  Result<Expr> normalize(const Expr& expr) {
    using Answer = Result<Expr>;
    return match(
        expr->kind,
        [&](const relax::Var& var) -> Answer {
          const Result<Unit> usable = check_use(var);
          if (!usable.ok()) return usable.diagnostics();
          return expr;
        },
        [&](const relax::Constant&) -> Answer { return expr; },
        [&](const relax::ShapeExpr&) -> Answer { return expr; },
        [&](const relax::PrimValue&) -> Answer { return expr; },
        [&](const relax::StringImm&) -> Answer { return expr; },
        [&](const relax::DataTypeImm&) -> Answer { return expr; },
        [&](const relax::Tuple& tuple) -> Answer {
          FX_TRY(fields, normalize_arguments(tuple.fields));
          return relax::tuple_expr(std::move(fields));
        },
        [&](const relax::TupleGetItem& item) { return normalize_item(item); },
        [&](const relax::OpCall& call) { return normalize_call(call, expr->type); },
        [&](const relax::CallTIR& call) -> Answer {
          relax::CallTIR copy = call;
          FX_TRY(args, normalize_arguments(call.args));
          copy.args = std::move(args);
          relax::Type type = type_of_results(copy.out_types);
          return relax::make_expr(std::move(type), std::move(copy));
        },
        [&](const relax::CallDPSPacked& call) -> Answer {
          relax::CallDPSPacked copy = call;
          FX_TRY(args, normalize_arguments(call.args));
          copy.args = std::move(args);
          relax::Type type = type_of_results(copy.out_types);
          return relax::make_expr(std::move(type), std::move(copy));
        });
  }

  Result<Expr> normalize_item(const relax::TupleGetItem& item) {
    FX_TRY(tuple, normalize_argument(item.tuple));
    const relax::TupleType* type = relax::as_tuple(tuple->type);
    if (type == nullptr) return misuse("only a tuple has items, t[0]");
    if (item.index < 0 || static_cast<size_t>(item.index) >= type->fields.size()) {
      return misuse("the tuple has " + std::to_string(type->fields.size()) + " items, none at " +
                    std::to_string(item.index));
    }
    return relax::tuple_get_item(tuple, item.index);
  }

  Result<Expr> normalize_call(const relax::OpCall& call, relax::Type type) {
    relax::OpCall copy = call;
    FX_TRY(args, normalize_arguments(call.args));
    copy.args = std::move(args);
    if (type == nullptr) {
      FX_TRY(inferred, infer_type(copy));
      type = std::move(inferred);
    }
    if (legalize != LegalizeMode::Off) {
      FX_TRY(replacement, legalize_call(builder, copy, type, legalize));
      if (replacement != nullptr) return normalize(replacement);
    }
    return relax::make_expr(std::move(type), std::move(copy));
  }

  relax::Var fresh_var(const Expr& value, const std::string& name_hint, bool dataflow) {
    std::string hint = name_hint;
    if (hint.empty()) hint = dataflow ? "lv" : "gv";
    return relax::make_var(names.fresh(std::move(hint)), value->type, dataflow);
  }

  // The tuple that an expression is, or that its variable stands for, where it is written out.
  Expr written_tuple(const Expr& expr) const {
    if (std::holds_alternative<relax::Tuple>(expr->kind)) return expr;
    const auto* var = std::get_if<relax::Var>(&expr->kind);
    const auto known = var == nullptr ? tuples.end() : tuples.find(var->get());
    return known == tuples.end() ? nullptr : known->second;
  }

  Expr bind(const relax::Var& var, const Expr& value) {
    if (recorder != nullptr && !is_leaf_or_tuple(value)) {
      recorder->record(CallEmitted{value, print_relax_expr(value)});
    }
    (var->dataflow ? in_block : visible).insert(var.get());
    const Expr tuple = written_tuple(value);
    if (tuple != nullptr) tuples[var.get()] = tuple;
    act(VariableBound{{var, value, origin}});
    return relax::var_expr(var);
  }
};

BlockBuilder::BlockBuilder(StepRecorder* recorder) : BlockBuilder(IRModule{}, recorder) {}
BlockBuilder::BlockBuilder(IRModule module, StepRecorder* recorder)
    : state_(std::make_unique<State>(*this, std::move(module), recorder)) {}
BlockBuilder::~BlockBuilder() = default;

Result<Unit> BlockBuilder::begin_function(std::string name,
                                          std::optional<std::vector<relax::Var>> params,
                                          Attrs attrs) {
  if (state_->in_scope) {
    return misuse("the function '" + state_->function_name +
                  "' is still open: end it before the function '" + name + "' begins");
  }
  state_->in_scope = true;
  state_->has_output = false;
  state_->function_name = name;
  state_->params = std::move(params);
  state_->visible.clear();
  state_->assumed_params.clear();
  state_->tuples.clear();
  state_->enter_block();
  for (const relax::Var& param : state_->params.value_or(std::vector<relax::Var>{})) {
    state_->visible.insert(param.get());
  }
  state_->act(FunctionBegun{std::move(name), state_->params.value_or(std::vector<relax::Var>{}),
                            std::move(attrs)});
  return Unit{};
}

Result<Unit> BlockBuilder::begin_dataflow() {
  FX_TRY(ready, state_->require_function("a dataflow block"));
  if (state_->assembly.in_dataflow()) {
    return misuse("a dataflow block is open already: dataflow blocks do not nest");
  }
  state_->enter_block();
  state_->act(DataflowBegun{});
  return ready;
}

Result<Unit> BlockBuilder::end_dataflow() {
  if (!state_->assembly.in_dataflow()) return misuse("no dataflow block is open to be ended");
  state_->enter_block();
  state_->act(DataflowEnded{});
  return Unit{};
}

Result<Unit> BlockBuilder::end_function() {
  if (!state_->in_scope) return misuse("no function is open to be ended");
  if (state_->assembly.in_dataflow()) {
    return misuse("the dataflow block is still open: end it before the function ends");
  }
  if (!state_->has_output) {
    return misuse("the function '" + state_->function_name +
                  "' has no output: call emit_func_output with its result");
  }
  state_->in_scope = false;
  return Unit{};
}

Result<Expr> BlockBuilder::emit(const Expr& value, std::string name_hint) {
  FX_TRY(ready, state_->require_function("emit"));
  static_cast<void>(ready);
  FX_TRY(normalized, state_->normalize(value));
  const relax::Var var = state_->fresh_var(normalized, name_hint, state_->assembly.in_dataflow());
  return state_->bind(var, normalized);
}

Result<Expr> BlockBuilder::normalize(const Expr& value) {
  FX_TRY(ready, state_->require_function("normalize"));
  static_cast<void>(ready);
  return state_->normalize(value);
}

Expr BlockBuilder::written_tuple(const Expr& tuple) const { return state_->written_tuple(tuple); }

Result<Unit> BlockBuilder::emit_binding(const relax::Var& var, const Expr& value) {
  FX_TRY(ready, state_->require_function("emit_binding"));
  if (var->dataflow && !state_->assembly.in_dataflow()) {
    return misuse("'" + var->name_hint + "' is a dataflow variable: bind it in a dataflow block");
  }
  FX_TRY(normalized, state_->normalize(value));
  state_->bind(var, normalized);
  return ready;
}

Result<Expr> BlockBuilder::call_te(const TeFunction& func, const std::string& name_hint,
                                   const TeArgumentList& args, const EmitTeOptions& options) {
  // Nested calls among the arguments are bound first: the placeholder has their variable's name.
  TeArgumentList normalized = args;
  for (TeArgument& argument : normalized) {
    auto* expr = std::get_if<Expr>(&argument.value);
    if (expr == nullptr || *expr == nullptr) continue;
    FX_TRY(value, state_->normalize_argument(*expr));
    argument.value = std::move(value);
  }
  if (state_->recorder != nullptr) state_->recorder->record(EmitTeBegun{name_hint});
  FX_TRY(call, make_te_call(func, normalized, options, state_->recorder));
  if (state_->recorder != nullptr) {
    state_->recorder->record(PrimFuncCreated{name_hint, call.func});
  }
  relax::CallTIR call_tir;
  call_tir.func.name = add_func(call.func, name_hint);
  call_tir.args = std::move(call.args);
  call_tir.tir_vars = std::move(call.tir_vars);
  call_tir.out_types = std::move(call.out_types);
  relax::Type type = type_of_results(call_tir.out_types);
  return relax::make_expr(std::move(type), std::move(call_tir));
}

Result<Expr> BlockBuilder::emit_te(const TeFunction& func, const std::string& name_hint,
                                   const TeArgumentList& args, const EmitTeOptions& options) {
  FX_TRY(ready, state_->require_function("emit_te"));
  static_cast<void>(ready);
  FX_TRY(call, call_te(func, name_hint, args, options));
  return emit(call);
}

Result<Expr> BlockBuilder::emit_output(const Expr& value, std::string name_hint) {
  FX_TRY(ready, state_->require_function("emit_output"));
  static_cast<void>(ready);
  if (!state_->assembly.in_dataflow()) {
    return misuse(
        "emit_output stands inside a dataflow block (with bb.dataflow():); outside of one, values "
        "are visible already");
  }
  FX_TRY(normalized, state_->normalize(value));
  return state_->bind(state_->fresh_var(normalized, name_hint, false), normalized);
}

Result<Unit> BlockBuilder::emit_func_output(const Expr& value,
                                            std::optional<std::vector<relax::Var>> params) {
  State& state = *state_;
  if (state.in_scope && state.has_output) {
    return misuse(
        "emit_func_output was called before: a function has one result (give several "
        "values as a tuple)");
  }
  FX_TRY(ready, state.require_function("emit_func_output"));
  if (state.assembly.in_dataflow()) {
    return misuse("emit_func_output stands behind the dataflow block: end the block first");
  }
  if (params && state.params) {
    return misuse("the function '" + state.function_name +
                  "' has its parameters from bb.function: leave out `params` here");
  }
  FX_TRY(body, state.normalize_argument(value));
  if (!state.params) {
    state.params = params.value_or(std::vector<relax::Var>{});
    for (const relax::Var& used : state.assumed_params) {
      bool known = false;
      for (const relax::Var& param : *state.params) known |= param == used;
      if (known) continue;
      return misuse("'" + used->name_hint + "' is used in the function '" + state.function_name +
                    "' but is not among its parameters: give them to bb.function or, as `params`, "
                    "to emit_func_output");
    }
  }
  state.has_output = true;
  state.act(FunctionEnded{*state.params, body, body->type,
                          state.unique_function_name(state.function_name)});
  return ready;
}

std::string BlockBuilder::add_func(const tir::PrimFunc& func, const std::string& name_hint) {
  std::vector<std::string>& candidates = state_->prim_funcs_by_hash[structural_hash(func)];
  const std::string* reused = nullptr;
  for (const std::string& name : candidates) {
    const tir::PrimFunc* known = find_prim_func(state_->assembly.finished(), name);
    const bool equal = known != nullptr && structural_equal(*known, func);
    if (equal && (reused == nullptr || name < *reused)) reused = &name;
  }
  if (reused != nullptr) {
    if (state_->recorder != nullptr) state_->recorder->record(PrimFuncReused{*reused});
    return *reused;
  }
  std::string name = state_->unique_function_name(name_hint);
  candidates.push_back(name);
  state_->act(FunctionInserted{name, func});
  return name;
}

Result<IRModule> BlockBuilder::get() {
  if (state_->in_scope) {
    if (!state_->has_output) {
      return misuse("the function '" + state_->function_name +
                    "' has no output: call emit_func_output and end it before bb.get()");
    }
    return misuse("the function '" + state_->function_name +
                  "' is still open: end it before bb.get()");
  }
  return state_->assembly.finished();
}

const IRModule& BlockBuilder::peek() const { return state_->assembly.module(); }

StepRecorder* BlockBuilder::recorder() { return state_->recorder; }

void BlockBuilder::set_legalize(LegalizeMode mode) { state_->legalize = mode; }
LegalizeMode BlockBuilder::legalize_mode() const { return state_->legalize; }

void BlockBuilder::set_origin(Origin origin) { state_->origin = std::move(origin); }

}  // namespace fx2wasm
