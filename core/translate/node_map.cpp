#include "translate/node_map.h"

#include <utility>

namespace fx2wasm::translate {

const NodeMap::Entry* NodeMap::find(std::string_view node) const {
  const auto found = entries_.find(std::string(node));
  return found == entries_.end() ? nullptr : &found->second;
}

void NodeMap::insert(const std::string& node, Entry entry) {
  recorder_.record(NodeMapAdded{node, describe(entry.value), describe_type(entry.value)});
  entries_[node] = std::move(entry);
}

void NodeMap::add(const std::string& node, Value value) {
  const int fresh = ++next_;
  insert(node, {std::move(value), fresh, fresh, {}});
}

void NodeMap::add_same(const std::string& node, Value value, std::string_view other) {
  const Entry* entry = find(other);
  if (entry == nullptr) return add(node, std::move(value));
  insert(node, {std::move(value), entry->storage, entry->view, {}});
}

void NodeMap::add_view(const std::string& node, Value value, std::string_view other) {
  const Entry* entry = find(other);
  if (entry == nullptr) return add(node, std::move(value));
  insert(node, {std::move(value), entry->storage, ++next_, {}});
}

void NodeMap::add_written(const std::string& node, Value value, std::string_view target) {
  const Entry* written = find(target);
  if (written == nullptr) return add(node, std::move(value));
  const int storage = written->storage, view = written->view;
  for (auto& [name, entry] : entries_) {
    if (entry.storage != storage) continue;
    if (entry.view == view) {
      entry.value = value;
    } else {
      entry.stale = node;
    }
  }
  insert(node, {std::move(value), storage, view, {}});
}

}  // namespace fx2wasm::translate
