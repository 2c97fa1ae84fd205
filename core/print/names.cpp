#include "print/names.h"

#include "support/check.h"

namespace fx2wasm::print {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

NameScopes::NameScopes() : taken_{"I", "T", "R", "cls"}, scopes_(1) {}

void NameScopes::open() { scopes_.emplace_back(); }

void NameScopes::close() {
  FX_CHECK(scopes_.size() > 1, "no scope is open");
  for (const void* object : scopes_.back()) {
    const auto found = names_.find(object);
    taken_.erase(found->second);
    names_.erase(found);
  }
  scopes_.pop_back();
}

const std::string& NameScopes::define(const void* object, std::string_view hint) {
  if (const std::string* known = find(object)) return *known;
  std::string base(hint.empty() ? "v" : hint);
  for (char& c : base) {
    if (!is_name_character(c)) c = '_';
  }
  std::string name = base;
  for (int i = 1; taken_.count(name) != 0; ++i) name = base + "_" + std::to_string(i);
  taken_.insert(name);
  scopes_.back().push_back(object);
  return names_.emplace(object, std::move(name)).first->second;
}

void NameScopes::alias(const void* object, const void* other) {
  const std::string* name = find(other);
  FX_CHECK(name != nullptr, "the other object has no name");
  if (!names_.emplace(object, *name).second) return;
  scopes_.back().push_back(object);
}

void NameScopes::reserve(std::string_view name) { taken_.emplace(name); }

const std::string* NameScopes::find(const void* object) const {
  const auto found = names_.find(object);
  return found == names_.end() ? nullptr : &found->second;
}

}  // namespace fx2wasm::print
