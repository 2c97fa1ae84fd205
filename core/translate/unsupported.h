// Operators that no rule translates: found before anything is translated, all of them at once.
#pragma once

#include "fx/graph.h"
#include "support/diagnostic.h"
#include "translate/from_fx.h"
#include "translate/rule_provider.h"

namespace fx2wasm::translate {

// A diagnostic (FX4001) for each node without a rule, in the order of the graph, with what is
// supported instead. `provider` may be null.
Diagnostics find_unsupported(const fx::Graph& graph, const TranslateOptions& options,
                             const RuleProvider* provider);

// --ops, or what was chosen for the node.
Emission emission_of(const TranslateOptions& options, const fx::Node& node);

}  // namespace fx2wasm::translate
