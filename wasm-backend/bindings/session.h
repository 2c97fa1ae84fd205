// The compiler as the page calls it: one object that holds what was opened, translated and compiled
// last. Every answer is JSON; its type is named beside the method and stands in
// web/src/engine/core-types.ts. Knows no Embind, so that native tests can use it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "compile.h"
#include "fx/graph.h"
#include "script/run.h"
#include "translate/from_fx.h"

namespace fx2wasm {

class Session {
 public:
  std::string open_graph(std::string text, std::string file);           // OpenGraphAnswer
  std::string add_weights(const std::string& bytes, std::string file);  // OpenGraphAnswer
  std::string translate(const std::string& options_json);               // TranslateAnswer
  std::string state_text(int steps, int events);                        // TextAnswer
  std::string event_text(int step, int event);                          // TextAnswer
  std::string stage_text(const std::string& stage);                     // TextAnswer
  std::string compile(const std::string& options_json);                 // CompileAnswer
  const std::vector<std::byte>& wasm_bytes() const;
  std::string disassembly(const std::string& function_name);        // TextAnswer
  std::string run_program(std::string text, std::string file);      // TeAnswer
  std::string program_state_text(int steps, int events);            // TextAnswer
  std::string rules_text(const std::string& ops) const;             // plain text
  std::string supported_operators(const std::string& rules) const;  // {map, key}[]

 private:
  std::optional<fx::Graph> graph_;
  std::optional<Translation> translation_;
  TranslateOptions options_;  // of translation_
  std::optional<wasm::CompiledModule> compiled_;
  std::optional<script::ScriptResult> program_;
};

}  // namespace fx2wasm
