#include "te/name_supply.h"

#include <algorithm>

namespace fx2wasm::te {

std::string NameSupply::fresh(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  const auto [entry, is_new] = next_.try_emplace(name, 0);
  if (is_new) return name;
  std::string candidate;
  do {
    candidate = name + "_" + std::to_string(++entry->second);
  } while (next_.count(candidate) != 0);
  next_.emplace(candidate, 0);
  return candidate;
}

}  // namespace fx2wasm::te
