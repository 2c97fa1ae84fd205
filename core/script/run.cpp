#include "script/run.h"

#include "script/builder_object.h"
#include "script/names.h"
#include "script/parser.h"

namespace fx2wasm::script {
namespace {

// The last place where a name is assigned at the top level: where a wrong ARGS is reported.
Position assigned_at(const Block& block, std::string_view name) {
  Position at{1, 1};
  for (const auto& stmt : block) {
    const auto* assign = std::get_if<Assign>(&stmt->kind);
    if (assign == nullptr) continue;
    for (const ExprRef& target : assign->targets) {
      const auto* word = std::get_if<Name>(&target->kind);
      if (word != nullptr && word->name == name) at = target->at;
    }
  }
  return at;
}

// The program's last builder that did something: whose steps are shown when it failed.
const BuilderObject* last_builder(const Interpreter& interpreter) {
  const BuilderObject* found = nullptr;
  for (const HostObject* host : interpreter.heap().hosts(HostKind::Builder)) {
    found = static_cast<const BuilderObject*>(host);
  }
  return found;
}

Result<ScriptValue> result_of(Interpreter& interpreter, const Block& block, ScriptRun& run) {
  const auto& names = interpreter.globals().names;
  const auto module = names.find("MODULE");
  if (module != names.end()) {
    if (const auto* func = module->second.as<tir::PrimFunc>()) return ScriptValue(*func);
    const auto* value = module->second.as<std::shared_ptr<const ModuleValue>>();
    if (value == nullptr) {
      return script_error_at(
          assigned_at(block, "MODULE"), codes::kScriptNoResult,
          "MODULE is an IRModule, as bb.get() gives it, not " + describe(module->second));
    }
    if ((*value)->builder != nullptr) {
      run.steps = static_cast<const BuilderObject*>((*value)->builder)->steps();
    }
    return ScriptValue((*value)->module);
  }
  const auto args = names.find("ARGS");
  if (args == names.end()) {
    return script_error_at(
        block.empty() ? Position{1, 1} : block.back()->at, codes::kScriptNoResult,
        "the program has no result: end with ARGS = […], the tensors of a PrimFunc, or with "
        "MODULE = bb.get()");
  }
  const Position at = assigned_at(block, "ARGS");
  if (const auto* func = args->second.as<tir::PrimFunc>()) return ScriptValue(*func);
  if (items_of(args->second) == nullptr && args->second.as<te::Tensor>() == nullptr) {
    return script_error_at(at, codes::kScriptNoResult,
                           "ARGS is a list of tensors, not " + describe(args->second));
  }
  FX_TRY(func, placed(prim_func_of(args->second, "ARGS"), at));
  return ScriptValue(func);
}

}  // namespace

ScriptRun run_script(std::string_view text, const std::string& file, const Limits& limits) {
  ScriptRun run;
  Interpreter interpreter(limits);
  add_modules(interpreter);
  const Result<ScriptValue> result = [&]() -> Result<ScriptValue> {
    FX_TRY(block, parse_program(text));
    FX_TRY(done, interpreter.run(block));
    static_cast<void>(done);
    return result_of(interpreter, block, run);
  }();
  if (result.ok()) {
    run.value = result.value();
    return run;
  }
  run.diagnostics = result.diagnostics();
  for (Diagnostic& diagnostic : run.diagnostics) diagnostic.place.file = file;
  if (const BuilderObject* builder = last_builder(interpreter)) run.steps = builder->steps();
  return run;
}

Result<ScriptResult> run_program(std::string_view text, const std::string& file,
                                 const Limits& limits) {
  ScriptRun run = run_script(text, file, limits);
  if (!run.value) return std::move(run.diagnostics);
  return ScriptResult{*std::move(run.value), std::move(run.steps)};
}

}  // namespace fx2wasm::script
