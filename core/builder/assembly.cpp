#include "builder/assembly.h"

#include <memory>
#include <utility>

#include "ir/match.h"
#include "support/check.h"

namespace fx2wasm {

ModuleAssembly::ModuleAssembly(IRModule start) : finished_(std::move(start)) {}

void ModuleAssembly::apply(const Event& event) {
  match(
      event, [](const RuleChosen&) {}, [](const ArgumentLookedUp&) {},
      [](const ParameterMapped&) {}, [](const EvaluatedWhileTranslating&) {},
      [](const EmitTeBegun&) {}, [](const PlaceholderMade&) {}, [](const ComputeMade&) {},
      [](const PrimFuncCreated&) {}, [](const PrimFuncReused&) {},
      [&](const FunctionInserted& inserted) { apply(inserted); }, [](const CallEmitted&) {},
      [&](const FunctionBegun& begun) { apply(begun); },
      [&](const DataflowBegun& begun) { apply(begun); },
      [&](const VariableBound& bound) { apply(bound); }, [](const NodeMapAdded&) {},
      [&](const DataflowEnded& ended) { apply(ended); },
      [&](const FunctionEnded& ended) { apply(ended); }, [](const DiagnosticRaised&) {});
}

void ModuleAssembly::apply(const FunctionInserted& event) {
  finished_.functions.emplace_back(event.name, event.func);
  snapshot_is_current_ = false;
}

void ModuleAssembly::apply(const FunctionBegun& event) {
  FX_CHECK(!open_, "one function at a time");
  open_name_ = event.name;
  open_.emplace();
  open_->params = event.params;
  open_->attrs = event.attrs;
  snapshot_is_current_ = false;
}

void ModuleAssembly::apply(const DataflowBegun&) {
  FX_CHECK(open_ && !in_dataflow_, "a dataflow block stands in a function");
  in_dataflow_ = true;
  block_is_open_ = false;
}

void ModuleAssembly::apply(const VariableBound& event) {
  FX_CHECK(open_.has_value(), "a binding stands in a function");
  // Blocks without a binding leave no trace, as in TVM.
  if (!block_is_open_) open_->blocks.push_back({in_dataflow_, {}});
  block_is_open_ = true;
  open_->blocks.back().bindings.push_back(event.binding);
  snapshot_is_current_ = false;
}

void ModuleAssembly::apply(const DataflowEnded&) {
  in_dataflow_ = false;
  block_is_open_ = false;
}

void ModuleAssembly::apply(const FunctionEnded& event) {
  FX_CHECK(open_.has_value(), "a function ends once");
  open_->params = event.params;
  open_->body = event.body;
  open_->ret_type = event.ret_type;
  // An equal function of the module stands for this one.
  if (find_function(finished_, event.name) == nullptr) {
    finished_.functions.emplace_back(event.name,
                                     std::make_shared<relax::FunctionNode>(*std::move(open_)));
  }
  open_.reset();
  block_is_open_ = false;
  snapshot_is_current_ = false;
}

const IRModule& ModuleAssembly::module() const {
  if (!open_) return finished_;
  if (!snapshot_is_current_) {
    snapshot_ = finished_;
    snapshot_.functions.emplace_back(open_name_, std::make_shared<relax::FunctionNode>(*open_));
    snapshot_is_current_ = true;
  }
  return snapshot_;
}

}  // namespace fx2wasm
