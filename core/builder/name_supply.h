// Names that a BlockBuilder hands out once each, as TVM's UniqueNameSupply does: variables and
// functions share one supply.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace fx2wasm {

class NameSupply {
 public:
  // The name itself at its first use (dots become underscores, an empty one is "v"), then the name
  // with the next free number behind it: lv, lv1, lv2. What is given out is taken from then on.
  std::string fresh(std::string name);

 private:
  std::unordered_map<std::string, int64_t> last_number_;
};

}  // namespace fx2wasm
