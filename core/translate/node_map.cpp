#include "translate/node_map.h"

#include <utility>

#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {
namespace {

constexpr std::string_view kInsteadOf =
    "; such a view is not supported: take it again after the write, or write out of place";

Diagnostic lost_view(std::string_view node, const std::string& writer) {
  return error_at({}, codes::kArgument,
                  "'" + std::string(node) + "' is a view of a tensor that '" + writer +
                      "' wrote in place after the view was taken" + std::string(kInsteadOf));
}

Diagnostic lost_base(std::string_view node, const std::string& writer) {
  return error_at({}, codes::kArgument,
                  "'" + writer + "' wrote in place into what is perhaps a view of '" +
                      std::string(node) + "', perhaps a copy" + std::string(kInsteadOf));
}

}  // namespace

const int* NodeMap::find(std::string_view node) const {
  const auto found = entries_.find(std::string(node));
  return found == entries_.end() ? nullptr : &found->second;
}

Result<Value> NodeMap::read(std::string_view node, BlockBuilder& builder) {
  const int* index = find(node);
  if (index != nullptr) return current(node, *index, builder);
  return error_at({}, codes::kArgument, "the argument '" + std::string(node) + "' has no value");
}

Result<Value> NodeMap::current(std::string_view node, int index, BlockBuilder& builder) {
  const View view = view_at(index);
  Value value;
  switch (view.state) {
    case View::State::Current:
      return view.value;
    case View::State::BaseWritten: {
      if (view.rule == nullptr || !view.rule->take) return lost_view(node, view.writer);
      FX_TRY(base, current(node, view.base, builder));
      FX_TRY(taken, view.rule->take(builder, base));
      value = taken;
      break;
    }
    case View::State::ViewWritten: {
      const ViewRulePtr rule = view_at(view.written).rule;
      if (rule == nullptr || !rule->put) return lost_base(node, view.writer);
      FX_TRY(written, current(node, view.written, builder));
      FX_TRY(changed, rule->put(builder, view.value, written));
      value = changed;
      break;
    }
  }
  View& changed = view_at(index);
  changed.value = value;
  changed.state = View::State::Current;
  return value;
}

Packing NodeMap::packing(std::string_view node) const {
  const int* index = find(node);
  return index == nullptr ? Packing::Packed : views_[static_cast<size_t>(*index)].packing;
}

int NodeMap::append(View view) {
  views_.push_back(std::move(view));
  return static_cast<int>(views_.size()) - 1;
}

void NodeMap::insert(const std::string& node, int index) {
  const Value& value = view_at(index).value;
  recorder_.record(NodeMapAdded{node, describe(value), describe_type(value)});
  entries_[node] = index;
}

void NodeMap::add(const std::string& node, Value value, Packing packing) {
  View view;
  view.value = std::move(value);
  view.storage = ++storages_;
  view.packing = packing;
  insert(node, append(std::move(view)));
}

void NodeMap::add_same(const std::string& node, Value value, std::string_view other) {
  const int* index = find(other);
  if (index == nullptr) return add(node, std::move(value));
  insert(node, *index);
}

void NodeMap::add_view(const std::string& node, Value value, std::string_view other,
                       ViewRulePtr rule) {
  const int* base = find(other);
  if (base == nullptr) return add(node, std::move(value));
  View view;
  view.value = std::move(value);
  view.storage = view_at(*base).storage;
  view.base = *base;
  view.packing = packing_of_view(view_at(*base).packing, rule.get());
  view.rule = std::move(rule);
  insert(node, append(std::move(view)));
}

Result<Unit> NodeMap::add_written(const std::string& node, Value value, std::string_view target) {
  const int* index = find(target);
  if (index == nullptr) {
    add(node, std::move(value));
    return Unit{};
  }
  const int written = *index;
  for (int at = written; at >= 0; at = view_at(at).base) {
    const ViewRulePtr& rule = view_at(at).rule;
    if (rule == nullptr || rule->refuses_writes.empty()) continue;
    return error_at(
        {}, codes::kArgument,
        "can't write in place into '" + std::string(target) + "': " + rule->refuses_writes);
  }
  const int storage = view_at(written).storage;
  for (View& view : views_) {
    if (view.storage != storage || view.state == View::State::ViewWritten) continue;
    view.state = View::State::BaseWritten;
    view.writer = node;
  }
  // What the view was taken of keeps its last value, the written part apart.
  for (int at = written; view_at(at).base >= 0; at = view_at(at).base) {
    View& base = view_at(view_at(at).base);
    base.state = View::State::ViewWritten;
    base.written = at;
    base.writer = node;
  }
  View& view = view_at(written);
  view.value = std::move(value);
  view.state = View::State::Current;
  insert(node, written);
  return Unit{};
}

}  // namespace fx2wasm::translate
