// Rules that PyTorch offers in two forms: `sqrt`, whose result is a tensor of its own, and `sqrt_`,
// which writes into its input. `inplace=True`, as argument or as a module's setting, means the
// second form too.
//
//   constexpr RuleEntry kRows[] = {{"sqrt_", "map_sqrt", "input", map_sqrt}, …};
//   constexpr auto kRules = both_forms<kRows>();  // "sqrt" and "sqrt_"
#pragma once

#include <array>
#include <utility>

#include "translate/in_place.h"
#include "translate/rules.h"

namespace fx2wasm::translate {

// The argument or setting `inplace`; false where there is none.
Result<bool> wants_in_place(const Call& call);

template <RuleFunction rule>
Result<Mapped> as_flagged(Call& call) {
  FX_TRY(in_place, wants_in_place(call));
  FX_TRY(mapped, rule(call));
  if (!in_place) return mapped;
  return written(call, mapped.value);
}

template <RuleFunction rule>
Result<Mapped> as_in_place(Call& call) {
  FX_TRY(mapped, rule(call));
  return written(call, mapped.value);
}

constexpr bool names_in_place(std::string_view key) { return key.back() == '_'; }

template <const auto& rows>
constexpr size_t count_forms() {
  size_t count = std::size(rows);
  for (const RuleEntry& row : rows) count += names_in_place(row.key) ? 1 : 0;
  return count;
}

template <const auto& rows, size_t i, size_t n>
constexpr void add_forms(std::array<RuleEntry, n>& table, size_t& next) {
  constexpr RuleEntry row = rows[i];
  constexpr bool both = names_in_place(row.key);
  constexpr std::string_view own_key = row.key.substr(0, row.key.size() - (both ? 1 : 0));
  table[next++] = {own_key, row.name, row.signature, as_flagged<row.rule>};
  if constexpr (both) {
    table[next++] = {row.key, row.name, row.signature, as_in_place<row.rule>};
  }
}

template <const auto& rows, size_t... i>
constexpr auto build_forms(std::index_sequence<i...>) {
  std::array<RuleEntry, count_forms<rows>()> table{};
  size_t next = 0;
  (add_forms<rows, i>(table, next), ...);
  return table;
}

// The rows, and for every key that ends in `_` the form without it. A row's rule gives a result of
// its own; both forms answer to `inplace`.
template <const auto& rows>
constexpr auto both_forms() {
  return build_forms<rows>(std::make_index_sequence<std::size(rows)>());
}

}  // namespace fx2wasm::translate
