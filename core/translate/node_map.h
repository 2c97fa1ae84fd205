// node_map: what each FX node became, and which nodes share a tensor's storage. An in-place
// operation changes what later readers of the same tensor see, and of its views and its base: these
// are worked out anew when they are read. Where that is not possible, reading them is refused.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "builder/step.h"
#include "translate/value.h"
#include "translate/view_rule.h"

namespace fx2wasm::translate {

class NodeMap {
 public:
  explicit NodeMap(StepRecorder& recorder) : recorder_(recorder) {}

  // False for a node that has no value (its translation failed).
  bool has(std::string_view node) const { return find(node) != nullptr; }
  // What the node stands for now; the builder is for what must be worked out anew. FX4003 for a
  // node without a value, and for one whose tensor was written through another in a way that can't
  // be followed.
  Result<Value> read(std::string_view node, BlockBuilder& builder);
  Packing packing(std::string_view node) const;

  // A result of its own.
  void add(const std::string& node, Value value, Packing packing = Packing::Packed);
  // The same tensor as another node's (dropout in inference).
  void add_same(const std::string& node, Value value, std::string_view other);
  // A view of another node's tensor (reshape, flatten); perhaps one, perhaps a copy, where the rule
  // is null.
  void add_view(const std::string& node, Value value, std::string_view other, ViewRulePtr rule);
  // `node` wrote `value` into `target` in place. FX4003 where PyTorch refuses the write.
  Result<Unit> add_written(const std::string& node, Value value, std::string_view target);

 private:
  // A tensor as seen in one shape, by any number of nodes.
  struct View {
    Value value;
    int storage = 0;
    int base = -1;     // of a view, the one it was taken of
    ViewRulePtr rule;  // … and how
    Packing packing = Packing::Unknown;
    enum class State { Current, BaseWritten, ViewWritten } state = State::Current;
    int written = -1;    // of ViewWritten: the view through which it was
    std::string writer;  // of both: the node that wrote
  };

  const int* find(std::string_view node) const;
  View& view_at(int index) { return views_[static_cast<size_t>(index)]; }
  Result<Value> current(std::string_view node, int index, BlockBuilder& builder);
  void insert(const std::string& node, int index);
  int append(View view);

  StepRecorder& recorder_;
  std::unordered_map<std::string, int> entries_;  // to views_
  std::vector<View> views_;
  int storages_ = 0;
};

}  // namespace fx2wasm::translate
