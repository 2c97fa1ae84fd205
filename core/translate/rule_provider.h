// Rules that are asked before the tables of the `tvm` set: the `lecture` rules, which are text in
// the small Python (lecture_rules.cpp).
#pragma once

#include <memory>
#include <optional>

#include "builder/block_builder.h"
#include "fx/graph.h"
#include "translate/call.h"
#include "translate/from_fx.h"
#include "translate/node_map.h"

namespace fx2wasm::translate {

class RuleProvider {
 public:
  virtual ~RuleProvider() = default;
  // The rule for a call_module, call_function or call_method node; nothing where the set has none,
  // and then the tvm tables are asked. `emission` is the node's own (--ops, chosen per node).
  virtual std::optional<RuleChosen> find(const fx::Graph& graph, const fx::Node& node,
                                         Emission emission) const = 0;
  // Runs that rule. Diagnostics without a place get the node's.
  virtual Result<Value> apply(const fx::Graph& graph, const fx::Node& node, Emission emission,
                              BlockBuilder& builder, NodeMap& node_map, ParamSource& params) = 0;
};

// The rules of options.rules_text, or the built-in ones when it is empty.
Result<std::unique_ptr<RuleProvider>> make_lecture_rules(const TranslateOptions& options);

}  // namespace fx2wasm::translate
