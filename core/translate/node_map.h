// node_map: what each FX node became, and which nodes share a tensor's storage. An in-place
// operation changes what later readers of the same tensor see, and of its views: those are stale
// until they are taken again (translate/views.h).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "builder/step.h"
#include "translate/value.h"

namespace fx2wasm::translate {

class NodeMap {
 public:
  explicit NodeMap(StepRecorder& recorder) : recorder_(recorder) {}

  struct Entry {
    Value value;
    int storage = 0;    // nodes of one number share storage
    int view = 0;       // … and see it in the same shape when this is equal too
    std::string stale;  // not empty: the node whose in-place write this value lacks
  };
  // Of the views that are no whole tensors.
  struct View {
    int base = 0;           // the view that it is one of
    std::string made_by;    // the node whose rule takes it
    std::string base_node;  // … of this node
  };

  // Null for a node that has no value (its translation failed).
  const Entry* find(std::string_view node) const;

  // A result of its own.
  void add(const std::string& node, Value value);
  // The same tensor as another node's (dropout in inference, contiguous).
  void add_same(const std::string& node, Value value, std::string_view other);
  // A view of another node's tensor (reshape, flatten).
  void add_view(const std::string& node, Value value, std::string_view other);
  // `node` wrote `value` into `target` in place: all that are the same tensor become the value, the
  // views of it stale.
  void add_written(const std::string& node, Value value, std::string_view target);

  // Null for the number of a whole tensor.
  const View* find_view(int view) const;
  // The view of a storage that was written last.
  int written_view(int storage) const;
  // All nodes of a view have this value now, and lack nothing.
  void set_view(int view, const Value& value);
  // For a while: a single node's value, and the entry that it had before.
  void put_value(const std::string& node, Value value);
  void restore(const std::string& node, Entry entry);

 private:
  void insert(const std::string& node, Entry entry);

  StepRecorder& recorder_;
  std::unordered_map<std::string, Entry> entries_;
  std::unordered_map<int, View> views_;
  std::unordered_map<int, int> written_;  // by storage
  int next_ = 0;
};

}  // namespace fx2wasm::translate
