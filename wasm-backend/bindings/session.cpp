#include "bindings/session.h"

#include <algorithm>
#include <span>
#include <utility>

#include "bindings/session_json.h"
#include "builder/replay.h"
#include "fx/read_json.h"
#include "fx/safetensors.h"
#include "print/tvmscript.h"
#include "report/report.h"
#include "support/diagnostic_codes.h"
#include "transform/legalize.h"

namespace fx2wasm {
namespace {

Diagnostics nothing_open(std::string_view what) {
  return {error_at({}, codes::kUsage, std::string(what))};
}

// A prefix of a record, its numbers brought into range: the page may ask while it is behind.
PrintedText prefix_text(const std::vector<Step>& steps, int step_count, int event_count) {
  const auto whole =
      static_cast<size_t>(std::clamp<int64_t>(step_count, 0, static_cast<int64_t>(steps.size())));
  size_t events = 0;
  if (whole < steps.size()) {
    events = static_cast<size_t>(
        std::clamp<int64_t>(event_count, 0, static_cast<int64_t>(steps[whole].events.size())));
  }
  return print_module(replay(steps, whole, events));
}

}  // namespace

std::string Session::open_graph(std::string text, std::string file) {
  graph_.reset();
  translation_.reset();
  compiled_.reset();
  Result<fx::Graph> graph = fx::read_json(std::move(text), std::move(file));
  if (!graph.ok()) return report::open_graph_answer(nullptr, graph.diagnostics());
  graph_ = std::move(graph.value());
  return report::open_graph_answer(&*graph_, {});
}

std::string Session::add_weights(const std::string& bytes, std::string file) {
  if (!graph_) return report::open_graph_answer(nullptr, nothing_open("no graph is open"));
  const auto tensors =
      fx::read_safetensors(std::as_bytes(std::span<const char>(bytes.data(), bytes.size())), file);
  if (!tensors.ok()) return report::open_graph_answer(&*graph_, tensors.diagnostics());
  const auto attached = fx::attach_weights(*graph_, tensors.value(), file);
  return report::open_graph_answer(&*graph_,
                                   attached.ok() ? Diagnostics{} : attached.diagnostics());
}

std::string Session::translate(const std::string& options_json) {
  translation_.reset();
  if (!graph_) return report::translate_answer({}, nothing_open("no graph is open"));
  const Result<TranslateOptions> options = parse_translate_options(options_json);
  if (!options.ok()) return report::translate_answer({}, options.diagnostics());
  options_ = options.value();
  translation_ = from_fx(*graph_, options_);
  return report::translate_answer(translation_->steps, translation_->diagnostics);
}

std::string Session::state_text(int steps, int events) {
  if (!translation_) return report::text_answer({}, nothing_open("nothing is translated"));
  return report::text_answer(prefix_text(translation_->steps, steps, events), {});
}

std::string Session::event_text(int step, int event) {
  if (translation_ && step >= 0 && static_cast<size_t>(step) < translation_->steps.size()) {
    const auto& events = translation_->steps[static_cast<size_t>(step)].events;
    if (event >= 0 && static_cast<size_t>(event) < events.size()) {
      const Event& made = events[static_cast<size_t>(event)];
      if (const auto* created = std::get_if<PrimFuncCreated>(&made)) {
        return report::text_answer(print_prim_func(created->func), {});
      }
      if (const auto* inserted = std::get_if<FunctionInserted>(&made)) {
        return report::text_answer(print_prim_func(inserted->func), {});
      }
    }
  }
  return report::text_answer({}, nothing_open("that event made no PrimFunc"));
}

std::string Session::stage_text(const std::string& stage) {
  if (!translation_ || !translation_->ok()) {
    return report::text_answer({}, nothing_open("nothing is translated"));
  }
  if (stage == "translated") return report::text_answer(print_module(translation_->module), {});
  const Result<IRModule> legalized = legalize_ops(translation_->module);
  if (!legalized.ok()) return report::text_answer({}, legalized.diagnostics());
  return report::text_answer(print_module(legalized.value()), {});
}

std::string Session::compile(const std::string& options_json) {
  compiled_.reset();
  const auto failed = [](const Diagnostics& diagnostics) {
    return compile_answer(nullptr, diagnostics);
  };
  if (!graph_ || !translation_) return failed(nothing_open("nothing is translated"));
  const Result<PageCompileOptions> options = parse_compile_options(options_json);
  if (!options.ok()) return failed(options.diagnostics());
  const std::vector<std::string>& library_nodes = options.value().library_nodes;

  // Weights go into the module, and a node for a library kernel must still be a Relax operator.
  TranslateOptions how = options_;
  how.params = ParamsMode::Inline;
  how.emit_te = LegalizeMode::Complete;
  std::vector<int> numbers;
  for (const std::string& name : library_nodes) {
    how.ops_by_node[name] = Emission::RelaxOperators;
    if (const fx::Node* node = fx::find_node(*graph_, name)) numbers.push_back(node->number);
  }
  Translation translation = from_fx(*graph_, how);
  if (!translation.ok()) return failed(translation.diagnostics);
  IRModule module = std::move(translation.module);
  if (!numbers.empty()) {
    Result<IRModule> dispatched = wasm::dispatch_to_library(module, numbers);
    if (!dispatched.ok()) return failed(dispatched.diagnostics());
    module = std::move(dispatched.value());
  }
  const Result<IRModule> legalized = legalize_to_compile(module);
  if (!legalized.ok()) return failed(legalized.diagnostics());
  Result<wasm::CompiledModule> compiled = wasm::compile(legalized.value(), options.value().compile);
  if (!compiled.ok()) return failed(compiled.diagnostics());
  compiled_ = std::move(compiled.value());
  return compile_answer(&*compiled_, {});
}

const std::vector<std::byte>& Session::wasm_bytes() const {
  static const std::vector<std::byte> none;
  return compiled_ ? compiled_->binary : none;
}

std::string Session::disassembly(const std::string& function_name) {
  if (!compiled_) return report::text_answer({}, nothing_open("nothing is compiled"));
  return report::text_answer(wasm::disassemble(*compiled_, function_name), {});
}

std::string Session::run_program(std::string text, std::string file) {
  program_.reset();
  Result<script::ScriptResult> result = script::run_program(text, std::move(file));
  if (!result.ok()) return report::te_answer("", {}, {}, result.diagnostics());
  program_ = std::move(result.value());
  if (const auto* func = std::get_if<tir::PrimFunc>(&program_->value)) {
    return report::te_answer("prim_func", print_prim_func(*func), program_->steps, {});
  }
  const auto& module = *std::get_if<IRModule>(&program_->value);
  return report::te_answer("module", print_module(module), program_->steps, {});
}

std::string Session::program_state_text(int steps, int events) {
  if (!program_) return report::text_answer({}, nothing_open("no program has run"));
  return report::text_answer(prefix_text(program_->steps, steps, events), {});
}

std::string Session::rules_text(const std::string& ops) const {
  return std::string(lecture_rules(ops == "emit_te" ? Emission::EmitTe : Emission::RelaxOperators));
}

std::string Session::supported_operators(const std::string& rules) const {
  const RuleSet set = rules == "lecture" ? RuleSet::Lecture : RuleSet::Tvm;
  return report::supported_operators_answer(fx2wasm::supported_operators(set));
}

}  // namespace fx2wasm
