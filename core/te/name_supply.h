// Names that are used once each, as TVM's UniqueNameSupply gives them inside one PrimFunc.
#pragma once

#include <map>
#include <string>

namespace fx2wasm::te {

class NameSupply {
 public:
  // The name itself at its first use, then with _1, _2, …; what is given out is taken from then on.
  // A dot becomes an underscore.
  std::string fresh(std::string name);

 private:
  std::map<std::string, int> next_;
};

}  // namespace fx2wasm::te
