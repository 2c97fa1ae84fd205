#include "bindings/session_json.h"

#include <nlohmann/json.hpp>

#include "report/event_json.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm {
namespace {

using json = nlohmann::ordered_json;

Diagnostic bad_options(const std::string& field) {
  return error_at({"<options>", 0, 0, ""}, codes::kUsage, "the option " + field + " is malformed");
}

// The string under `key`, or `otherwise` when it is absent or no string.
std::string text_of(const json& object, const char* key, const std::string& otherwise) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

std::optional<Emission> emission_of(const std::string& word) {
  if (word == "emit_te") return Emission::EmitTe;
  if (word == "relax") return Emission::RelaxOperators;
  return std::nullopt;
}

}  // namespace

Result<TranslateOptions> parse_translate_options(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return bad_options("object");
  TranslateOptions options;
  options.rules = text_of(object, "rules", "tvm") == "lecture" ? RuleSet::Lecture : RuleSet::Tvm;
  const std::optional<Emission> ops = emission_of(text_of(object, "ops", "relax"));
  if (!ops) return bad_options("ops");
  options.ops = *ops;
  options.params =
      text_of(object, "params", "inputs") == "inline" ? ParamsMode::Inline : ParamsMode::Inputs;
  options.rules_text = text_of(object, "rulesText", "");
  if (!options.rules_text.empty()) options.rules_file = "rules.py";
  if (const auto by_node = object.find("opsByNode"); by_node != object.end()) {
    for (const auto& [name, word] : by_node->items()) {
      const std::optional<Emission> emission =
          emission_of(word.is_string() ? word.get<std::string>() : std::string());
      if (!emission) return bad_options("opsByNode." + name);
      options.ops_by_node[name] = *emission;
    }
  }
  return options;
}

Result<PageCompileOptions> parse_compile_options(const std::string& text) {
  const json object = json::parse(text, nullptr, false);
  if (!object.is_object()) return bad_options("object");
  PageCompileOptions options;
  const std::string simd = text_of(object, "simd", "simd128");
  if (simd == "relaxed") {
    options.compile.simd = wasm::Simd::Relaxed;
  } else if (simd == "off") {
    options.compile.simd = wasm::Simd::Off;
  } else if (simd != "simd128") {
    return bad_options("simd");
  }
  options.compile.schedule = text_of(object, "schedule", "on") == "on";
  if (const auto keep = object.find("keepIntermediates"); keep != object.end()) {
    if (!keep->is_boolean()) return bad_options("keepIntermediates");
    options.compile.keep_intermediates = keep->get<bool>();
  }
  if (const auto nodes = object.find("libraryNodes"); nodes != object.end()) {
    for (const json& name : *nodes) {
      if (!name.is_string()) return bad_options("libraryNodes");
      options.library_nodes.push_back(name.get<std::string>());
    }
  }
  return options;
}

std::string compile_answer(const wasm::CompiledModule* compiled, const Diagnostics& diagnostics) {
  json list = json::array();
  for (const Diagnostic& diagnostic : diagnostics) {
    list.push_back(report::diagnostic_json(diagnostic));
  }
  json functions = json::array();
  json memory = {{"weightBytes", 0}, {"arenaBytes", 0}, {"totalBytes", 0}};
  if (compiled) {
    for (const wasm::CompiledFunction& function : compiled->functions) {
      functions.push_back(
          {{"name", function.name},
           {"codeBegin", function.code_begin},
           {"codeEnd", function.code_end},
           {"fxNodes", function.fx_nodes},
           {"library", function.library.empty() ? json(nullptr) : json(function.library)}});
    }
    memory = {{"weightBytes", compiled->weight_bytes},
              {"arenaBytes", compiled->arena_bytes},
              {"totalBytes", compiled->total_bytes}};
  }
  const json answer = {{"ok", compiled != nullptr},
                       {"diagnostics", std::move(list)},
                       {"bytes", compiled ? compiled->binary.size() : 0},
                       {"needsLibrary", compiled && compiled->needs_library},
                       {"functions", std::move(functions)},
                       {"memory", std::move(memory)}};
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace fx2wasm
