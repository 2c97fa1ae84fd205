// relax.BlockBuilder as an object of the small Python.
#pragma once

#include <memory>

#include "builder/block_builder.h"
#include "script/interpreter.h"

namespace fx2wasm::script {

class BuilderObject : public HostObject {
 public:
  // A builder of the program: it records its steps, one per call.
  BuilderObject();
  // The translator's builder, lent to a rule: it emits, but begins and ends nothing.
  explicit BuilderObject(BlockBuilder& lent);

  std::string type_name() const override { return "BlockBuilder"; }
  Result<Value> attribute(Interpreter& interpreter, const std::string& name) override;

  BlockBuilder& builder() { return *builder_; }
  const std::vector<Step>& steps() const { return recorder_.steps(); }
  // Every call that acts is a step of a program; its number is the call's source line.
  void begin_step(const Interpreter& interpreter);

 private:
  StepRecorder recorder_;
  std::unique_ptr<BlockBuilder> own_;
  BlockBuilder* builder_;
  bool lent_;
};

// relax.BlockBuilder().
Result<Value> make_block_builder(Interpreter& interpreter, const BoundArgs& args);

}  // namespace fx2wasm::script
