// The module that a sequence of events builds. The BlockBuilder acts by applying events to one, and
// replay applies the recorded events to another: so the record can't miss anything the builder did.
#pragma once

#include <optional>
#include <string>

#include "builder/step.h"
#include "ir/module.h"

namespace fx2wasm {

class ModuleAssembly {
 public:
  explicit ModuleAssembly(IRModule start = {});

  // Events that do not change the module are ignored. The order of events must be one that the
  // BlockBuilder lets through (a binding needs an open function, and so on).
  void apply(const Event& event);

  // With the function that is still open, without body and result, as the last one.
  const IRModule& module() const;
  // Without it.
  const IRModule& finished() const { return finished_; }

  bool in_function() const { return open_.has_value(); }
  bool in_dataflow() const { return in_dataflow_; }

 private:
  void apply(const FunctionInserted& event);
  void apply(const FunctionBegun& event);
  void apply(const DataflowBegun& event);
  void apply(const VariableBound& event);
  void apply(const DataflowEnded& event);
  void apply(const FunctionEnded& event);

  IRModule finished_;
  std::string open_name_;
  std::optional<relax::FunctionNode> open_;
  bool in_dataflow_ = false;
  bool block_is_open_ = false;  // the last block takes the next binding
  mutable IRModule snapshot_;
  mutable bool snapshot_is_current_ = false;
};

}  // namespace fx2wasm
