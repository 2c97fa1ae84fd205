// node_map: what each FX node became, and which nodes share a tensor's storage. An in-place
// operation changes what later readers of the same tensor see; a view taken before would see it
// too, which can't be expressed, so reading such a view is refused.
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
    std::string stale;  // not empty: the node whose in-place write this view can't show
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

 private:
  void insert(const std::string& node, Entry entry);

  StepRecorder& recorder_;
  std::unordered_map<std::string, Entry> entries_;
  int next_ = 0;
};

}  // namespace fx2wasm::translate
