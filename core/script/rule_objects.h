// The objects that a rule meets: node, module, node_map, weights, and the names of torch.
#pragma once

#include <optional>
#include <string>

#include "script/interpreter.h"
#include "script/rules.h"

namespace fx2wasm::script {

// A name of another Python library, as a key: torch.matmul, nn.Linear, operator.add.
class SymbolObject : public HostObject {
 public:
  explicit SymbolObject(std::string path) : HostObject(HostKind::Symbol), path_(std::move(path)) {}
  const std::string& path() const { return path_; }
  std::string type_name() const override { return path_; }
  Result<Value> attribute(Interpreter& interpreter, const std::string& name) override;
  Result<Value> call(Interpreter& interpreter, const CallArgs& args) override;
  std::optional<std::string> key() const override { return "s" + path_; }

 private:
  std::string path_;
};

// An FX node: the rule's own one knows everything, its arguments only their names.
class NodeObject : public HostObject {
 public:
  explicit NodeObject(std::string name, const RuleNode* node = nullptr)
      : HostObject(HostKind::Node), name_(std::move(name)) {
    if (node != nullptr) node_ = *node;
  }
  const std::string& name() const { return name_; }
  std::string type_name() const override { return "FX node"; }
  Result<Value> attribute(Interpreter& interpreter, const std::string& name) override;
  std::optional<std::string> key() const override { return "n" + name_; }

 private:
  std::string name_;
  std::optional<RuleNode> node_;
};

class ModuleObject : public HostObject {
 public:
  explicit ModuleObject(RuleModule module)
      : HostObject(HostKind::FxModule), module_(std::move(module)) {}
  std::string type_name() const override { return module_.type + " module"; }
  Result<Value> attribute(Interpreter& interpreter, const std::string& name) override;

 private:
  RuleModule module_;
};

class WeightObject : public HostObject {
 public:
  explicit WeightObject(WeightReference weight)
      : HostObject(HostKind::Weight), weight_(std::move(weight)) {}
  const std::string& name() const { return weight_.name; }
  std::string type_name() const override { return "module's tensor"; }
  Result<Value> attribute(Interpreter& interpreter, const std::string& name) override;

 private:
  WeightReference weight_;
};

// node_map of one call of a rule; `host` is null once the call is over.
class NodeMapObject : public HostObject {
 public:
  explicit NodeMapObject(RuleHost* host) : HostObject(HostKind::NodeMap), host_(host) {}
  void end() { host_ = nullptr; }
  std::string type_name() const override { return "node_map"; }
  Result<Value> item(Interpreter& interpreter, const Value& key) override;

 private:
  RuleHost* host_;
};

Result<Value> value_of_rule(Interpreter& interpreter, const RuleValue& value);
// What a rule gave; `what` names the rule in the error.
Result<RuleValue> rule_value_of(const Value& value, const std::string& what, int depth = 0);

}  // namespace fx2wasm::script
