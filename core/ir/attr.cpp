#include "ir/attr.h"

namespace fx2wasm {

bool operator==(const AttrValue& a, const AttrValue& b) { return a.value == b.value; }
bool operator==(const NamedAttr& a, const NamedAttr& b) {
  return a.first == b.first && a.second == b.second;
}

const AttrValue* find_attr(const Attrs& attrs, std::string_view key) {
  for (const auto& [name, value] : attrs) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace fx2wasm
