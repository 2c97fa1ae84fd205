#include "translate/rules.h"

#include <algorithm>

namespace fx2wasm::translate {
namespace {

std::vector<RuleTable> module_tables() {
  return {linear_module_rules(),    activation_module_rules(),  activation_function_module_rules(),
          attention_module_rules(), convolution_module_rules(), embedding_module_rules(),
          identity_module_rules(),  loss_module_rules(),        normalization_module_rules(),
          padding_module_rules(),   pooling_module_rules(),     recurrent_module_rules(),
          resize_module_rules(),    shape_module_rules()};
}

std::vector<RuleTable> function_tables() {
  return {arithmetic_rules(),
          linear_rules(),
          activation_rules(),
          shape_rules(),
          identity_rules(),
          size_rules(),
          activation_function_rules(),
          attention_rules(),
          binary_rules(),
          cast_rules(),
          contraction_rules(),
          convolution_rules(),
          creation_rules(),
          embedding_rules(),
          getitem_rules(),
          in_place_rules(),
          indexing_rules(),
          loss_rules(),
          normalization_rules(),
          ordering_rules(),
          padding_rules(),
          pooling_rules(),
          rearrange_rules(),
          reduction_rules(),
          resize_rules(),
          unary_rules(),
          extreme_rules(),
          permute_rules(),
          split_rules(),
          diagonal_rules()};
}

// Python's own conversions want a number: tensors' methods of these names are casts.
bool asks_for_value(std::string_view target) {
  return target == "builtins.bool" || target == "builtins.float" || target == "builtins.int";
}

const RuleEntry* find_in(const std::vector<RuleTable>& tables, std::string_view key) {
  for (const RuleTable& table : tables) {
    for (const RuleEntry& entry : table) {
      if (entry.key == key) return &entry;
    }
  }
  return nullptr;
}

std::vector<const RuleEntry*> entries_of(const std::vector<RuleTable>& tables) {
  std::vector<const RuleEntry*> entries;
  for (const RuleTable& table : tables) {
    for (const RuleEntry& entry : table) entries.push_back(&entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const RuleEntry* a, const RuleEntry* b) { return a->key < b->key; });
  return entries;
}

std::vector<std::string_view> keys_of(const std::vector<RuleTable>& tables) {
  std::vector<std::string_view> keys;
  for (const RuleEntry* entry : entries_of(tables)) keys.push_back(entry->key);
  return keys;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

std::string_view function_key(std::string_view target) {
  size_t dot = target.rfind('.');
  if (dot == std::string_view::npos) return target;
  // The `__name__` of an operator's overload has its name too: `sym_size.int`.
  if (starts_with(target, "torch.ops.")) dot = target.rfind('.', dot - 1);
  std::string_view key = target.substr(dot + 1);
  // torch.special's functions are called `special_erf` where PyTorch defines them.
  constexpr std::string_view kSpecial = "special_";
  if (starts_with(target, "torch._C._special.") && starts_with(key, kSpecial)) {
    key.remove_prefix(kSpecial.size());
  }
  return key;
}

const RuleEntry* find_module_rule(std::string_view type) { return find_in(module_tables(), type); }

const RuleEntry* find_function_rule(std::string_view target) {
  // Functions of other libraries have names like PyTorch's and another meaning.
  const bool known = starts_with(target, "torch.") || starts_with(target, "operator.") ||
                     starts_with(target, "_operator.") ||
                     (starts_with(target, "builtins.") && !asks_for_value(target)) ||
                     starts_with(target, "torchvision.ops.stochastic_depth");
  if (!known) return nullptr;
  // A few functions of `torch` take their arguments in another order than the function of the same
  // name in torch.nn.functional.
  const RuleEntry* own = find_in(function_tables(), target);
  return own != nullptr ? own : find_in(function_tables(), function_key(target));
}

const RuleEntry* find_method_rule(std::string_view name) {
  return find_in(function_tables(), name);
}

std::vector<const RuleEntry*> module_entries() { return entries_of(module_tables()); }
std::vector<const RuleEntry*> function_entries() { return entries_of(function_tables()); }
std::vector<std::string_view> module_keys() { return keys_of(module_tables()); }
std::vector<std::string_view> function_keys() { return keys_of(function_tables()); }

}  // namespace fx2wasm::translate
