#include "script/value.h"

#include <cmath>
#include <cstdio>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "script/errors.h"
#include "support/check.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

constexpr int kMaxReprDepth = 3;
constexpr int kMaxKeyDepth = 16;
constexpr size_t kMaxReprItems = 6;

std::string repr_at(const Value& value, int depth);

std::string repr_items(const std::vector<Value>& items, int depth) {
  std::string out;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    if (i == kMaxReprItems) return out + "…";
    out += repr_at(items[i], depth + 1);
  }
  return out;
}

std::string repr_at(const Value& value, int depth) {
  if (depth > kMaxReprDepth) return "…";
  if (value.is_none()) return "None";
  if (const auto* b = value.as<bool>()) return *b ? "True" : "False";
  if (const auto* i = value.as<int64_t>()) return std::to_string(*i);
  if (const auto* d = value.as<double>()) return python_float(*d);
  if (const auto* s = value.as<Text>()) return quote(**s);
  if (const auto* t = value.as<TupleValue>()) {
    const std::string inner = repr_items(t->items->items, depth);
    return "(" + inner + (t->items->items.size() == 1 ? ",)" : ")");
  }
  if (const auto* l = value.as<ListObject*>()) return "[" + repr_items((*l)->items, depth) + "]";
  if (const auto* r = value.as<RangeValue>()) {
    return "range(" + std::to_string(r->start) + ", " + std::to_string(r->stop) + ")";
  }
  return describe(value);
}

std::string with_article(const std::string& noun) {
  const bool vowel = noun.find_first_of("aeioAEIO") == 0;
  return (vowel ? "an " : "a ") + noun;
}

}  // namespace

ListObject* Heap::list(std::vector<Value> items) {
  lists_.push_back({std::move(items)});
  return &lists_.back();
}

Value Heap::tuple(std::vector<Value> items) { return Value(TupleValue{list(std::move(items))}); }

Scope* Heap::scope(Scope* parent) {
  Scope& scope = scopes_.emplace_back();
  scope.parent = parent;
  return &scope;
}

const Builtin* Heap::builtin(Builtin builtin) {
  builtins_.push_back(std::move(builtin));
  return &builtins_.back();
}

std::vector<const HostObject*> Heap::hosts(HostKind kind) const {
  std::vector<const HostObject*> found;
  for (const auto& host : hosts_) {
    if (host->kind() == kind) found.push_back(host.get());
  }
  return found;
}

Namespace* Heap::space(std::string name) {
  Namespace& space = spaces_.emplace_back();
  space.name = std::move(name);
  return &space;
}

Result<Value> HostObject::attribute(Interpreter&, const std::string& name) {
  return script_error(codes::kScriptType, type_name() + " has no attribute " + quote(name));
}
Result<Value> HostObject::item(Interpreter&, const Value&) {
  return script_error(codes::kScriptType, type_name() + " has no items");
}
Result<Value> HostObject::call(Interpreter&, const CallArgs&) {
  return script_error(codes::kScriptType, type_name() + " cannot be called");
}
Result<Value> HostObject::enter(Interpreter&) {
  return script_error(codes::kScriptType,
                      "'with' needs bb.function(…) or bb.dataflow(), not " + type_name());
}
Result<Unit> HostObject::exit(Interpreter&) { return Unit{}; }

Builtin make_builtin(std::string_view signature, Builtin::Body body) {
  Builtin builtin;
  const size_t open = signature.find('(');
  FX_CHECK(open != std::string_view::npos && signature.back() == ')', "a signature has brackets");
  builtin.name = std::string(signature.substr(0, open));
  builtin.short_name = builtin.name.substr(builtin.name.rfind('.') + 1);
  std::string word;
  for (char c : signature.substr(open + 1)) {
    if (c == ',' || c == ')') {
      if (!word.empty()) builtin.params.push_back(std::move(word));
      word.clear();
    } else if (c != ' ') {
      word += c;
    }
  }
  builtin.body = std::move(body);
  return builtin;
}

Value text(std::string value) {
  return Value(Text(std::make_shared<const std::string>(std::move(value))));
}

Value prim(tir::PrimExpr expr) { return Value(std::move(expr)); }

std::string describe(const Value& value) {
  return match(
      value.kind, [](const None&) -> std::string { return "None"; },
      [](bool) -> std::string { return "a boolean"; },
      [](int64_t) -> std::string { return "an integer"; },
      [](double) -> std::string { return "a float"; },
      [](const Text&) -> std::string { return "a string"; },
      [](const TupleValue&) -> std::string { return "a tuple"; },
      [](ListObject*) -> std::string { return "a list"; },
      [](DictObject*) -> std::string { return "a dict"; },
      [](const RangeValue&) -> std::string { return "a range"; },
      [](FunctionObject* f) {
        return f->body ? std::string("a lambda") : "the function " + f->name;
      },
      [](const Builtin* b) { return "the function " + b->name; },
      [](const Namespace* n) { return "the module " + n->name; },
      [](HostObject* h) { return with_article(h->type_name()); },
      [](const tir::PrimExpr&) -> std::string { return "a scalar expression"; },
      [](const IterVarValue&) -> std::string { return "a reduce axis"; },
      [](const te::Tensor&) -> std::string { return "a te tensor"; },
      [](const tir::PrimFunc&) -> std::string { return "a PrimFunc"; },
      [](const relax::Type&) -> std::string { return "a relax type"; },
      [](const relax::Expr& e) -> std::string {
        return std::holds_alternative<relax::Var>(e->kind) ? "a relax variable"
                                                           : "a relax expression";
      },
      [](const std::shared_ptr<const ModuleValue>&) -> std::string { return "an IRModule"; });
}

std::string repr(const Value& value) { return repr_at(value, 0); }

std::optional<std::string> key_text(const Value& value, int depth) {
  if (depth > kMaxKeyDepth) return std::nullopt;
  const auto pointer = [](const char* tag, const void* address) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%s%p", tag, address);
    return std::string(buffer);
  };
  if (value.is_none()) return "none";
  if (const auto* b = value.as<bool>()) return *b ? "#1" : "#0";  // True == 1 in Python
  if (const auto* i = value.as<int64_t>()) return "#" + std::to_string(*i);
  if (const auto* d = value.as<double>()) {
    // Past 2^53 the neighbours of an integer have no double of their own.
    if (std::floor(*d) == *d && std::fabs(*d) < 9e15) {
      return "#" + std::to_string(static_cast<int64_t>(*d));
    }
    return "#" + python_float(*d);
  }
  if (const auto* s = value.as<Text>()) return "'" + **s;
  if (const auto* t = value.as<TupleValue>()) {
    std::string out = "(";
    for (const Value& item : t->items->items) {
      const std::optional<std::string> part = key_text(item, depth + 1);
      if (!part) return std::nullopt;
      out += std::to_string(part->size()) + ":" + *part;
    }
    return out;
  }
  if (const auto* h = value.as<HostObject*>()) return (*h)->key();
  if (const auto* f = value.as<FunctionObject*>()) return pointer("f", *f);
  if (const auto* b = value.as<const Builtin*>()) return pointer("b", *b);
  if (const auto* n = value.as<const Namespace*>()) return pointer("n", *n);
  return std::nullopt;
}

const std::vector<Value>* items_of(const Value& value) {
  if (const auto* tuple = value.as<TupleValue>()) return &tuple->items->items;
  if (const auto* list = value.as<ListObject*>()) return &(*list)->items;
  return nullptr;
}

const Value* dict_find(const DictObject& dict, const Value& key) {
  const std::optional<std::string> text = key_text(key);
  if (!text) return nullptr;
  const auto found = dict.index.find(*text);
  return found == dict.index.end() ? nullptr : &dict.items[found->second].second;
}

bool dict_set(DictObject& dict, const Value& key, Value value) {
  const std::optional<std::string> text = key_text(key);
  if (!text) return false;
  const auto [place, added] = dict.index.emplace(*text, dict.items.size());
  if (added) {
    dict.items.emplace_back(key, std::move(value));
  } else {
    dict.items[place->second].second = std::move(value);
  }
  return true;
}

}  // namespace fx2wasm::script
