#include "cli/input.h"

#include <utility>

#include "builder/infer_type.h"
#include "cli/files.h"
#include "fx/read_json.h"
#include "fx/safetensors.h"
#include "ir/match.h"
#include "parse/tvmscript.h"
#include "print/tvmscript.h"
#include "script/run.h"
#include "support/diagnostic_codes.h"
#include "transform/legalize.h"

namespace fx2wasm::cli {
namespace {

bool has_line_that_begins(std::string_view text, std::string_view with) {
  if (text.substr(0, with.size()) == with) return true;
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    if (text.substr(at + 1, with.size()) == with) return true;
  }
  return false;
}

std::string shown_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

// The weights that the options or the graph name, attached. Only compile and run insist on them.
Result<Unit> attach_weights(fx::Graph& graph, const Options& options) {
  std::string path = options.weights;
  if (path.empty() && !graph.weights.empty() && options.input != "-") {
    const std::string named = beside(options.input, graph.weights);
    if (file_exists(named)) path = named;
  }
  if (!path.empty()) {
    FX_TRY(bytes, read_file(path));
    FX_TRY(tensors, fx::read_safetensors(as_bytes(bytes), path));
    FX_TRY(attached, fx::attach_weights(graph, tensors, path));
    (void)attached;
  }
  const bool needed = options.command == Command::Compile || options.command == Command::Run;
  const std::vector<std::string> missing = fx::missing_weights(graph);
  if (!needed || missing.empty() || options.params == ParamsMode::Inputs) return Unit{};
  std::string message = "the weights are missing:";
  for (size_t i = 0; i < missing.size() && i < 8; ++i) message += (i ? ", " : " ") + missing[i];
  if (missing.size() > 8) message += " and " + std::to_string(missing.size() - 8) + " more";
  Diagnostic diagnostic =
      error_at({graph.file, 1, 1, ""}, codes::kWeightsMissing, std::move(message));
  diagnostic.notes.push_back(graph.weights.empty()
                                 ? "give them with --weights W.safetensors"
                                 : "the graph names " + graph.weights +
                                       ": put it beside the graph or give --weights");
  return diagnostic;
}

Result<fx::Graph> load_graph(std::string text, const Options& options) {
  FX_TRY(graph, fx::read_json(std::move(text), shown_name(options.input)));
  FX_TRY(attached, attach_weights(graph, options));
  (void)attached;
  return std::move(graph);
}

Result<TranslateOptions> translate_options(const Options& options) {
  TranslateOptions translate = options.translate;
  const bool runs = options.command == Command::Compile || options.command == Command::Run;
  translate.emit_te = runs ? LegalizeMode::Complete : LegalizeMode::AsTvm;
  translate.params = options.params.value_or(runs ? ParamsMode::Inline : ParamsMode::Inputs);
  if (!options.rules_path.empty()) {
    FX_TRY(rules, read_file(options.rules_path));
    translate.rules_text = rules;
    translate.rules_file = options.rules_path;
  }
  return translate;
}

Result<Loaded> load_program(const std::string& text, const Options& options) {
  FX_TRY(result, script::run_program(text, shown_name(options.input)));
  Loaded loaded;
  loaded.steps = std::move(result.steps);
  if (const auto* func = std::get_if<tir::PrimFunc>(&result.value)) {
    loaded.func = *func;
  } else {
    loaded.module = *std::get_if<IRModule>(&result.value);
  }
  return loaded;
}

// The tensors of `metadata["ir.GenericConst"][k]`, which the weights file names `constant.k`.
Result<std::vector<TensorDataRef>> load_constants(const Options& options) {
  std::vector<TensorDataRef> constants;
  if (options.weights.empty()) return constants;
  FX_TRY(bytes, read_file(options.weights));
  FX_TRY(tensors, fx::read_safetensors(as_bytes(bytes), options.weights));
  const auto named = [&](const std::string& name) -> TensorDataRef {
    for (const NamedTensor& tensor : tensors) {
      if (tensor.name == name) return tensor.data;
    }
    return nullptr;
  };
  for (size_t k = 0; k < tensors.size(); ++k) {
    constants.push_back(named("constant." + std::to_string(k)));
  }
  return constants;
}

Result<Loaded> load_tvmscript(const std::string& text, const Options& options) {
  ParseOptions parse;
  FX_TRY(constants, load_constants(options));
  parse.constants = constants;
  parse.infer_type = infer_type;
  FX_TRY(parsed, parse_tvmscript(text, shown_name(options.input), parse));
  Loaded loaded;
  if (const auto* func = std::get_if<tir::PrimFunc>(&parsed)) {
    loaded.func = *func;
    return loaded;
  }
  loaded.module = std::move(*std::get_if<IRModule>(&parsed));
  const bool runs = options.command == Command::Compile || options.command == Command::Run;
  if (!runs) return loaded;
  const std::vector<TensorDataRef> used = print_module(loaded.module).constants;
  for (size_t k = 0; k < used.size(); ++k) {
    if (used[k]) continue;
    Diagnostic diagnostic =
        error_at({shown_name(options.input), 1, 1, ""}, codes::kWeightsMissing,
                 "metadata[\"ir.GenericConst\"][" + std::to_string(k) + "] has no data");
    diagnostic.notes.push_back("give the tensors with --weights W.safetensors, named constant." +
                               std::to_string(k) + " and so on");
    return diagnostic;
  }
  return loaded;
}

}  // namespace

InputKind classify(std::string_view text) {
  const bool program = has_line_that_begins(text, "ARGS =") ||
                       has_line_that_begins(text, "MODULE =") ||
                       has_line_that_begins(text, "def ") || has_line_that_begins(text, "import ");
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  if (json) return InputKind::FxJson;
  if (is_tvmscript(text)) return InputKind::TvmScript;
  return program ? InputKind::Program : InputKind::FxJson;
}

Result<Loaded> load(const Options& options) {
  FX_TRY(text, read_file(options.input));
  const InputKind kind = classify(text);
  const bool program = options.command == Command::Te || kind == InputKind::Program;
  Result<Loaded> loaded = [&]() -> Result<Loaded> {
    if (program) return load_program(text, options);
    if (kind == InputKind::TvmScript) return load_tvmscript(text, options);
    FX_TRY(graph, load_graph(std::move(text), options));
    FX_TRY(how, translate_options(options));
    Translation translation = from_fx(graph, how);
    if (!translation.ok()) return translation.diagnostics;
    return Loaded{std::move(translation.module), std::move(translation.steps), std::move(graph),
                  nullptr};
  }();
  if (!loaded.ok() || !options.legalize || loaded.value().func) return loaded;
  FX_TRY(legalized, legalize_ops(loaded.value().module));
  loaded.value().module = std::move(legalized);
  return loaded;
}

LoadedSteps load_steps(const Options& options) {
  const auto failed = [](const Diagnostics& diagnostics) { return LoadedSteps{{}, diagnostics}; };
  Result<std::string> text = read_file(options.input);
  if (!text.ok()) return failed(text.diagnostics());
  const InputKind kind = classify(text.value());
  if (kind != InputKind::FxJson) {  // TVMScript has no steps, but may be wrong
    Result<Loaded> loaded = kind == InputKind::Program ? load_program(text.value(), options)
                                                       : load_tvmscript(text.value(), options);
    if (!loaded.ok()) return failed(loaded.diagnostics());
    return {std::move(loaded.value().steps), {}};
  }
  Result<fx::Graph> graph = load_graph(std::move(text.value()), options);
  if (!graph.ok()) return failed(graph.diagnostics());
  Result<TranslateOptions> how = translate_options(options);
  if (!how.ok()) return failed(how.diagnostics());
  Translation translation = from_fx(graph.value(), how.value());
  return {std::move(translation.steps), std::move(translation.diagnostics)};
}

}  // namespace fx2wasm::cli
