// What the builder did, recorded at the moment it did it: one Step per FX node (or per statement of
// a builder program), each with its events. A state of the translation is a prefix of this record;
// replaying the events alone rebuilds the module (builder/replay.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/module.h"
#include "support/diagnostic.h"
#include "te/tensor.h"

namespace fx2wasm {

// A translation rule was chosen: from which map, under which key, and why that one.
struct RuleChosen {
  std::string map;       // "call_module_map", "call_function_map", "call_method_map", "" (built in)
  std::string key;       // "torch.nn.Linear", "matmul"
  std::string rule_set;  // "lecture" or "tvm"
  std::string rule;      // the rule's function name, "map_linear"
  std::string why;       // one sentence for the page
  std::string source;    // the rule's text where it is the small Python; else empty
  int source_line = 0;   // 1-based line of `source` in its file, or 0
};
struct ArgumentLookedUp {
  std::string fx_node;
  std::string value;  // the variable that node_map holds for it, as printed
};
struct ParameterMapped {
  std::string tensor;  // qualified name
  bool as_input = false;
  relax::Expr value;  // a parameter variable or a Constant
};
// A node that no IR came from: a size, a shape, an assertion. `value` is what it is worth.
struct EvaluatedWhileTranslating {
  std::string value;
};
struct EmitTeBegun {
  std::string te_func;  // the TE function's name
};
struct PlaceholderMade {
  te::Tensor tensor;
  std::string text;  // "A = te.placeholder((1, 784), \"float32\")"
};
struct ComputeMade {
  te::Tensor tensor;
  std::string text;  // "T_matmul_NT[i0, i1] = sum over k of …"
};
struct PrimFuncCreated {
  std::string name_hint;
  tir::PrimFunc func;
};
struct PrimFuncReused {
  std::string name;  // of the equal function that the module has already
};
struct FunctionInserted {
  std::string name;
  tir::PrimFunc func;
};
struct CallEmitted {
  relax::Expr value;  // the call_tir or operator call
  std::string text;   // "R.call_tir(cls.dense, …)", "R.nn.relu(…)"
};
struct FunctionBegun {
  std::string name;
  std::vector<relax::Var> params;
  Attrs attrs;
};
struct DataflowBegun {};
struct VariableBound {
  relax::Binding binding;
};
struct NodeMapAdded {
  std::string fx_node;
  std::string value;  // as printed: "lv2", "x", "(lv, lv1)", "784"
  std::string type;   // as printed: "R.Tensor((1, 128), dtype=\"float32\")"
};
struct DataflowEnded {};
struct FunctionEnded {
  std::vector<relax::Var> params;
  relax::Expr body;
  relax::Type ret_type;
  std::string name;  // under which the module has it; another than begun when that was taken
};
struct DiagnosticRaised {
  Diagnostic diagnostic;
};

using Event =
    std::variant<RuleChosen, ArgumentLookedUp, ParameterMapped, EvaluatedWhileTranslating,
                 EmitTeBegun, PlaceholderMade, ComputeMade, PrimFuncCreated, PrimFuncReused,
                 FunctionInserted, CallEmitted, FunctionBegun, DataflowBegun, VariableBound,
                 NodeMapAdded, DataflowEnded, FunctionEnded, DiagnosticRaised>;

struct Step {
  std::string fx_node;  // empty in a builder program
  int fx_number = 0;    // 1-based place in the graph, 0 when there is none
  std::vector<Event> events;
};

// The append-only record. Events that come before the first begin_step belong to a step of their
// own without a node.
class StepRecorder {
 public:
  void begin_step(std::string fx_node, int fx_number);
  void record(Event event);
  const std::vector<Step>& steps() const { return steps_; }
  int current_step() const { return static_cast<int>(steps_.size()) - 1; }

 private:
  std::vector<Step> steps_;
};

}  // namespace fx2wasm
