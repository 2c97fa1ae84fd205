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
  const int storage = entry->storage, view = ++next_;
  views_[view] = {entry->view, node, std::string(other)};
  insert(node, {std::move(value), storage, view, {}});
}

void NodeMap::add_written(const std::string& node, Value value, std::string_view target) {
  const Entry* written = find(target);
  if (written == nullptr) return add(node, std::move(value));
  const int storage = written->storage, view = written->view;
  for (auto& [name, entry] : entries_) {
    if (entry.storage == storage && entry.view != view) entry.stale = node;
  }
  set_view(view, value);
  written_[storage] = view;
  insert(node, {std::move(value), storage, view, {}});
}

const NodeMap::View* NodeMap::find_view(int view) const {
  const auto found = views_.find(view);
  return found == views_.end() ? nullptr : &found->second;
}

int NodeMap::written_view(int storage) const {
  const auto found = written_.find(storage);
  return found == written_.end() ? 0 : found->second;
}

void NodeMap::set_view(int view, const Value& value) {
  for (auto& [name, entry] : entries_) {
    if (entry.view != view) continue;
    entry.value = value;
    entry.stale.clear();
  }
}

void NodeMap::put_value(const std::string& node, Value value) {
  Entry& entry = entries_[node];
  entry.value = std::move(value);
  entry.stale.clear();
}

void NodeMap::restore(const std::string& node, Entry entry) { entries_[node] = std::move(entry); }

}  // namespace fx2wasm::translate
