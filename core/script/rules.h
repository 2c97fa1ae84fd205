// Translation rules as text in the small Python: three dicts from what an FX node calls to the
// function that translates it.
//
//   def map_relu(bb, node_map, node):
//       return bb.emit(relax.op.nn.relu(node_map[node.args[0]]))
//   call_function_map = {torch.relu: map_relu}        # names of torch are only names here
//   call_module_map = {nn.Linear: map_linear}         # rules with (bb, node_map, node, module)
//   call_method_map = {"relu": map_relu}
//
// This folder knows no FX graph: who translates gives the rule its node as plain values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "builder/block_builder.h"
#include "script/limits.h"
#include "support/result.h"

namespace fx2wasm::script {

// ---- what a rule sees, and what it gives ----

struct NodeReference {
  std::string name;
};
// A tensor of a module (module.weight), which map_param takes.
struct WeightReference {
  std::string name;  // qualified: "linear0.weight"
  std::vector<int64_t> shape;
  DType dtype = DType::Float32;
};
struct RuleValue;
using RuleList = std::vector<RuleValue>;
using RuleItems = std::vector<std::pair<std::string, RuleValue>>;
struct RuleDict;
struct RuleValue {
  std::variant<std::nullptr_t, bool, int64_t, double, std::string, tir::PrimExpr, relax::Expr,
               NodeReference, WeightReference, RuleList, std::shared_ptr<const RuleDict>>
      value = nullptr;
};
struct RuleDict {
  RuleItems items;
};

struct RuleNode {  // node.name, .op, .target, .args, .kwargs
  std::string name, op, target;
  RuleList args;
  RuleItems kwargs;
};
struct RuleModule {  // module.in_features, module.weight; an absent bias is None
  std::string name, type;
  RuleItems attributes;
};

// The translator, as the rule's node_map and map_param reach it.
class RuleHost {
 public:
  virtual ~RuleHost() = default;
  virtual Result<RuleValue> look_up(const std::string& node) = 0;  // node_map[node]
  virtual Result<relax::Expr> map_param(const std::string& tensor) = 0;
};

// ---- the rules ----

struct Rule {
  std::string map;     // "call_function_map", "call_module_map", "call_method_map"
  std::string key;     // "torch.relu", "torch.nn.Linear"; a string key as it is: "relu"
  std::string name;    // of the function
  std::string source;  // its text
  int first_line = 0, last_line = 0;
};

class RuleBook {
 public:
  // Runs the text, which may print nothing and build nothing: it defines functions and the maps.
  // Errors as run_program's, in `file`; FX5007 when it defines none of the maps.
  static Result<std::unique_ptr<RuleBook>> load(std::string_view text, std::string file,
                                                const Limits& limits = {});
  ~RuleBook();
  RuleBook(const RuleBook&) = delete;
  RuleBook& operator=(const RuleBook&) = delete;

  // In the order of the maps.
  const std::vector<Rule>& rules() const;
  // The rule for what a node calls, or null: the full name ("torch.relu", "torch.nn.Linear", the
  // method "relu"), else a string key that is its last part. A method without a rule of its own
  // takes a string key of call_function_map, as in TVM.
  const Rule* find(std::string_view map, std::string_view target) const;

  // Runs a rule; it emits through `builder`. The answer is an expression, a number, or a list.
  // Errors have their place in the rules' text.
  Result<RuleValue> call(const Rule& rule, BlockBuilder& builder, const RuleNode& node,
                         const RuleModule* module, RuleHost& host);

 private:
  struct State;
  explicit RuleBook(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace fx2wasm::script
