// The rules of the `tvm` set as tables: one file per family of operators. A rule gives what its
// node becomes; names, order and attributes of what it emits are those of apache-tvm 0.27's
// importer, except where that disagrees with PyTorch (docs/tvm-deviations.md).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "translate/call.h"
#include "translate/view_rule.h"

namespace fx2wasm::translate {

// How a result relates to the node's first argument.
enum class Sharing {
  Own,       // a tensor (or value) of its own
  Same,      // that tensor itself
  View,      // a view of it
  Reshaped,  // a view of it where its elements lie one after the other, else perhaps a copy
  Packed,    // that tensor itself where they do, else a copy
  Written,   // that tensor, written in place
};
struct Mapped {
  Value value;
  Sharing sharing = Sharing::Own;
  // Of a view: how it is worked out anew after a write to its base, and its base after one to it.
  // Null: reading the other one after a write is refused.
  ViewRulePtr view = nullptr;
};

using RuleFunction = Result<Mapped> (*)(Call& call);
struct RuleEntry {
  std::string_view key;        // "torch.nn.Linear", "add"
  std::string_view name;       // "map_linear": what the steps show
  std::string_view signature;  // of the arguments (Call::bind)
  RuleFunction rule;
};
using RuleTable = std::span<const RuleEntry>;

// call_module_map, by class.
RuleTable linear_module_rules();               // linear.cpp
RuleTable activation_module_rules();           // activation.cpp
RuleTable shape_module_rules();                // shape.cpp
RuleTable identity_module_rules();             // identity.cpp
RuleTable activation_function_module_rules();  // activation_functions.cpp
RuleTable attention_module_rules();            // attention.cpp
RuleTable convolution_module_rules();          // convolution.cpp
RuleTable embedding_module_rules();            // embedding.cpp
RuleTable loss_module_rules();                 // loss.cpp
RuleTable normalization_module_rules();        // normalization.cpp
RuleTable padding_module_rules();              // padding.cpp
RuleTable pooling_module_rules();              // pooling.cpp
RuleTable recurrent_module_rules();            // recurrent.cpp
RuleTable resize_module_rules();               // resize.cpp

// call_function_map and call_method_map: one table, by the function's own name.
RuleTable linear_rules();
RuleTable activation_rules();
RuleTable shape_rules();
RuleTable arithmetic_rules();  // arithmetic.cpp
RuleTable identity_rules();
RuleTable size_rules();  // sizes.cpp: values that are known while translating
RuleTable activation_function_rules();
RuleTable attention_rules();
RuleTable binary_rules();       // binary.cpp
RuleTable cast_rules();         // cast.cpp
RuleTable contraction_rules();  // contraction.cpp
RuleTable convolution_rules();
RuleTable creation_rules();  // creation.cpp
RuleTable diagonal_rules();  // diagonal.cpp
RuleTable embedding_rules();
RuleTable extreme_rules();   // extreme.cpp: largest, smallest, any, all
RuleTable getitem_rules();   // getitem.cpp
RuleTable in_place_rules();  // in_place.cpp
RuleTable indexing_rules();  // indexing.cpp
RuleTable loss_rules();
RuleTable normalization_rules();
RuleTable ordering_rules();  // ordering.cpp
RuleTable padding_rules();
RuleTable permute_rules();  // permute.cpp
RuleTable pooling_rules();
RuleTable rearrange_rules();  // rearrange.cpp
RuleTable reduction_rules();  // reduction.cpp
RuleTable resize_rules();
RuleTable split_rules();  // split.cpp
RuleTable unary_rules();  // unary.cpp

const RuleEntry* find_module_rule(std::string_view type);
// The entry for a call_function's qualified name ("torch.add", "operator.add") or a method's name.
const RuleEntry* find_function_rule(std::string_view target);
const RuleEntry* find_method_rule(std::string_view name);
// The key under which call_function_map has a function: its `__name__`.
std::string_view function_key(std::string_view target);

// All entries of a map, sorted by key.
std::vector<const RuleEntry*> module_entries();
std::vector<const RuleEntry*> function_entries();
std::vector<std::string_view> module_keys();    // sorted
std::vector<std::string_view> function_keys();  // sorted

}  // namespace fx2wasm::translate
