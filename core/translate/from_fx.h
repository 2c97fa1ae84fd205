// fx::Graph → IRModule, node by node: the lecture's from_fx.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "builder/block_builder.h"
#include "builder/step.h"
#include "fx/graph.h"
#include "ir/module.h"
#include "support/result.h"

namespace fx2wasm {

enum class RuleSet { Tvm, Lecture };             // --rules
enum class Emission { RelaxOperators, EmitTe };  // --ops relax | emit_te
enum class ParamsMode { Inputs, Inline };        // --params

struct TranslateOptions {
  RuleSet rules = RuleSet::Tvm;
  Emission ops = Emission::RelaxOperators;
  std::map<std::string, Emission> ops_by_node;  // overrides `ops` for single FX nodes
  ParamsMode params = ParamsMode::Inputs;
  LegalizeMode emit_te = LegalizeMode::AsTvm;  // Complete for what is going to run
  // The small Python that holds the rules of the lecture set; empty: the built-in text of `ops`
  // (lecture_rules below).
  std::string rules_text;
  std::string rules_file;  // for places in it
  bool unwrap_unit_return_tuple = false;
  bool no_bind_return_tuple = false;
  std::string default_image_layout = "NCHW";
};

// `steps` are there even when the translation failed: what was done until then, and the diagnostic
// at its node. All unsupported operators of a graph are reported at once.
struct Translation {
  IRModule module;
  std::vector<Step> steps;
  Diagnostics diagnostics;
  bool ok() const { return !has_errors(diagnostics); }
};

Translation from_fx(const fx::Graph& graph, const TranslateOptions& options);

// The built-in rules of the lecture set as text: rules_te.py or rules_ops.py.
std::string_view lecture_rules(Emission emission);

// What is supported, for messages and the page: (map, key) sorted.
struct SupportedOperator {
  std::string map;  // call_module_map, call_function_map (functions and methods share it)
  std::string key;
};
std::vector<SupportedOperator> supported_operators(RuleSet rules);

}  // namespace fx2wasm
