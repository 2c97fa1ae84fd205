// The names that a printed text gives to variables: TVM's second naming mechanism, after the
// builder's own name supply.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fx2wasm::print {

// Scopes of names. A name is unique among all open scopes and free again when its scope closes.
class NameScopes {
 public:
  NameScopes();

  void open();
  void close();  // forgets the objects that the innermost scope defined

  // Gives `object` a name in the innermost open scope: the hint with every character outside
  // [A-Za-z0-9_] replaced by `_`, then `_1`, `_2`, … until it is free. An object that has a name
  // keeps it.
  const std::string& define(const void* object, std::string_view hint);
  // Lets `object` go by the name that `other` has.
  void alias(const void* object, const void* other);
  // Takes a name without an object ("Module").
  void reserve(std::string_view name);

  // The name of an object, or null.
  const std::string* find(const void* object) const;

 private:
  std::unordered_map<const void*, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::vector<std::vector<const void*>> scopes_;
};

// Opens a scope for as long as it lives.
class NameScope {
 public:
  explicit NameScope(NameScopes& names) : names_(names) { names_.open(); }
  ~NameScope() { names_.close(); }
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;

 private:
  NameScopes& names_;
};

}  // namespace fx2wasm::print
