#include "builder/name_supply.h"

#include <algorithm>

namespace fx2wasm {

std::string NameSupply::fresh(std::string name) {
  if (name.empty()) name = "v";
  std::replace(name.begin(), name.end(), '.', '_');
  const auto [entry, is_new] = last_number_.try_emplace(name, 0);
  if (is_new) return name;
  int64_t number = entry->second;
  std::string numbered;
  do {
    numbered = name + std::to_string(++number);
  } while (last_number_.count(numbered) != 0);
  entry->second = number;
  last_number_.emplace(numbered, 0);
  return numbered;
}

}  // namespace fx2wasm
