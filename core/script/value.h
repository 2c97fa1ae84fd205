// The values that a program of the small Python handles.
//
// Lists, dicts, functions and host objects are owned by the interpreter's Heap and live as long as
// it does; values point to them. So a list that contains itself is no leak, and letting go of a
// value never recurses.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "ir/module.h"
#include "script/ast.h"
#include "support/result.h"
#include "te/tensor.h"

namespace fx2wasm::script {

class Interpreter;
struct ListObject;
struct DictObject;
struct FunctionObject;
struct Builtin;
struct Namespace;
class HostObject;
struct ModuleValue;

struct None {};
using Text = std::shared_ptr<const std::string>;
struct TupleValue {
  const ListObject* items = nullptr;  // never changed once made
};
struct RangeValue {
  int64_t start = 0, stop = 0, step = 1;
};
struct IterVarValue {
  std::shared_ptr<const te::IterVar> axis;
};

struct Value {
  using Kind = std::variant<None, bool, int64_t, double, Text, TupleValue, ListObject*, DictObject*,
                            RangeValue, FunctionObject*, const Builtin*, const Namespace*,
                            HostObject*, tir::PrimExpr, IterVarValue, te::Tensor, tir::PrimFunc,
                            relax::Type, relax::Expr, std::shared_ptr<const ModuleValue>>;
  Kind kind;

  Value() = default;
  Value(Kind k) : kind(std::move(k)) {}
  template <class T>
  const T* as() const {
    return std::get_if<T>(&kind);
  }
  bool is_none() const { return kind.index() == 0; }
};

struct ListObject {
  std::vector<Value> items;
};
// In order of insertion, as Python's.
struct DictObject {
  std::vector<std::pair<Value, Value>> items;
  std::unordered_map<std::string, size_t> index;  // key_text of the key → its place in `items`
};

// An IRModule and, where a BlockBuilder made it, that builder.
struct ModuleValue {
  IRModule module;
  const HostObject* builder = nullptr;
};

struct Scope {
  std::unordered_map<std::string, Value> names;
  Scope* parent = nullptr;
};

// A def or lambda with the scope in which it stands. `body` is a lambda's expression, `def` a
// def's statement; the other is null.
struct FunctionObject {
  std::string name;
  const std::vector<Parameter>* params = nullptr;
  std::vector<Value> defaults;  // one per parameter that has one, in order
  ExprRef body;
  std::shared_ptr<const StmtNode> def;
  Scope* scope = nullptr;
};

struct CallArgs {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> named;
};

// A builtin's arguments by parameter, as its signature says.
struct BoundArgs {
  std::vector<Value> values;  // None where nothing was given
  std::vector<bool> given;
  std::vector<Value> rest;                            // of "*rest"
  std::vector<std::pair<std::string, Value>> others;  // of "**others"

  const Value& operator[](size_t i) const { return values[i]; }
};

// A function of ours. Errors that it gives without a place get the call's.
struct Builtin {
  using Body = std::function<Result<Value>(Interpreter&, const BoundArgs&)>;
  std::string name;                 // as shown: "te.placeholder"
  std::string short_name;           // Python's __name__: "placeholder"
  std::vector<std::string> params;  // "shape", "dtype?" (may be left out), "*rest", "**others"
  Body body;
};

// A module: te, relax.op, … `hints` are names of older or other versions, with what to write today.
struct Namespace {
  std::string name;
  std::unordered_map<std::string, Value> names;
  std::unordered_map<std::string, std::string> hints;
};

enum class HostKind { Builder, BuilderScope, Reducer, Symbol, Node, FxModule, NodeMap, Weight };

// An object of the world outside the language: a BlockBuilder, an FX node, …
class HostObject {
 public:
  explicit HostObject(HostKind kind) : kind_(kind) {}
  virtual ~HostObject() = default;
  HostKind kind() const { return kind_; }

  virtual std::string type_name() const = 0;
  // The default of each is an error that names the type.
  virtual Result<Value> attribute(Interpreter& interpreter, const std::string& name);
  virtual Result<Value> item(Interpreter& interpreter, const Value& key);
  virtual Result<Value> call(Interpreter& interpreter, const CallArgs& args);
  virtual Result<Value> enter(Interpreter& interpreter);
  virtual Result<Unit> exit(Interpreter& interpreter);
  // Equal keys are the same dict key; nothing when it cannot be one.
  virtual std::optional<std::string> key() const { return std::nullopt; }

 private:
  HostKind kind_;
};

// Owns what values point to.
class Heap {
 public:
  ListObject* list(std::vector<Value> items = {});
  Value tuple(std::vector<Value> items);
  DictObject* dict() { return &dicts_.emplace_back(); }
  FunctionObject* function() { return &functions_.emplace_back(); }
  Scope* scope(Scope* parent);
  const Builtin* builtin(Builtin builtin);
  Namespace* space(std::string name);
  // The host objects of a kind, in the order in which they were made.
  std::vector<const HostObject*> hosts(HostKind kind) const;
  template <class T, class... Args>
  T* host(Args&&... args) {
    auto object = std::make_unique<T>(std::forward<Args>(args)...);
    T* raw = object.get();
    hosts_.push_back(std::move(object));
    return raw;
  }

 private:
  std::deque<ListObject> lists_;
  std::deque<DictObject> dicts_;
  std::deque<FunctionObject> functions_;
  std::deque<Scope> scopes_;
  std::deque<Builtin> builtins_;
  std::deque<Namespace> spaces_;
  std::vector<std::unique_ptr<HostObject>> hosts_;
};

// A builtin from its signature in one string: "te.placeholder(shape, dtype?, name?)".
Builtin make_builtin(std::string_view signature, Builtin::Body body);

Value text(std::string value);
Value prim(tir::PrimExpr expr);

// "an integer", "a list", "a te tensor": for messages.
std::string describe(const Value& value);
// As Python's repr shows it, cut short: "(1, 'a')".
std::string repr(const Value& value);
// A text that equal keys share; nothing when the value cannot be a dict's key.
std::optional<std::string> key_text(const Value& value, int depth = 0);
// The items of a tuple or list, else null.
const std::vector<Value>* items_of(const Value& value);

const Value* dict_find(const DictObject& dict, const Value& key);
// False when the key cannot be one.
bool dict_set(DictObject& dict, const Value& key, Value value);

}  // namespace fx2wasm::script
