#include "script/rules.h"

#include "script/builder_object.h"
#include "script/names.h"
#include "script/parser.h"
#include "script/rule_objects.h"
#include "support/text.h"

namespace fx2wasm::script {
namespace {

constexpr std::string_view kMaps[] = {"call_function_map", "call_module_map", "call_method_map"};

std::string lines_of(std::string_view text, int first, int last) {
  size_t begin = 0;
  for (int line = 1; line < first; ++line) begin = text.find('\n', begin) + 1;
  size_t end = begin;
  for (int line = first; line <= last && end < text.size(); ++line) {
    const size_t next = text.find('\n', end);
    end = next == std::string_view::npos ? text.size() : next + 1;
  }
  std::string out(text.substr(begin, end - begin));
  while (!out.empty() && (out.back() == '\n' || out.back() == '\r')) out.pop_back();
  return out;
}

std::string_view last_part(std::string_view target) { return target.substr(target.rfind('.') + 1); }

}  // namespace

struct RuleBook::State {
  explicit State(const Limits& limits) : interpreter(limits) {}

  struct Entry {
    bool is_symbol = false;  // a name of torch, against a string
    Value function;
  };

  Interpreter interpreter;
  Block block;  // the functions point into it
  std::string file;
  std::vector<Rule> rules;
  std::vector<Entry> entries;  // one per rule
  RuleHost* host = nullptr;    // while a rule runs: map_param reaches it

  void add_names();
  Result<Unit> collect(std::string_view text);
  Result<Unit> add_rule(std::string_view map, const Value& key, const Value& function,
                        std::string_view text);
  Diagnostics in_file(Diagnostics diagnostics) const {
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.place.line != 0) diagnostic.place.file = file;
    }
    return diagnostics;
  }
};

void RuleBook::State::add_names() {
  add_modules(interpreter);
  const auto symbol = [&](const std::string& name, const std::string& path) {
    HostObject* object = interpreter.heap().host<SymbolObject>(path);
    interpreter.globals().names[name] = Value(object);
    interpreter.make_importable(path, Value(object));
  };
  symbol("torch", "torch");
  symbol("nn", "torch.nn");
  symbol("F", "torch.nn.functional");
  symbol("operator", "operator");
  symbol("math", "math");
  const auto map_param = [this](Interpreter&, const BoundArgs& args) -> Result<Value> {
    if (host == nullptr) {
      return script_error(codes::kScriptValue, "map_param is there only while a rule runs");
    }
    if (args[0].is_none()) {
      return type_error("the module has no such tensor: its attribute is None");
    }
    const auto* object = args[0].as<HostObject*>();
    if (object == nullptr || (*object)->kind() != HostKind::Weight) {
      return type_error("map_param takes a tensor of the module, like module.weight, not " +
                        describe(args[0]));
    }
    FX_TRY(expr, host->map_param(static_cast<const WeightObject*>(*object)->name()));
    return Value(expr);
  };
  interpreter.globals().names["map_param"] =
      Value(interpreter.heap().builtin(make_builtin("map_param(tensor)", map_param)));
}

Result<Unit> RuleBook::State::add_rule(std::string_view map, const Value& key,
                                       const Value& function, std::string_view text) {
  Rule rule;
  rule.map = std::string(map);
  Entry entry;
  const auto* host_key = key.as<HostObject*>();
  if (host_key != nullptr && (*host_key)->kind() == HostKind::Symbol) {
    rule.key = static_cast<const SymbolObject*>(*host_key)->path();
    entry.is_symbol = true;
  } else if (const auto* word = key.as<Text>()) {
    rule.key = **word;
  } else {
    return type_error("a key of " + rule.map + " is a name like torch.relu or a string, not " +
                      describe(key));
  }
  const auto* object = function.as<FunctionObject*>();
  if (object == nullptr) {
    return type_error("the rule of " + quote(rule.key) + " in " + rule.map +
                      " is a function, not " + describe(function));
  }
  rule.name = (*object)->name;
  if ((*object)->def) {
    const auto& def = *std::get_if<Def>(&(*object)->def->kind);
    rule.first_line = def.first_line;
    rule.last_line = def.last_line;
  } else {
    rule.first_line = rule.last_line = (*object)->body->at.line;
  }
  rule.source = lines_of(text, rule.first_line, rule.last_line);
  entry.function = function;
  rules.push_back(std::move(rule));
  entries.push_back(std::move(entry));
  return Unit{};
}

Result<Unit> RuleBook::State::collect(std::string_view text) {
  bool found = false;
  for (std::string_view map : kMaps) {
    const auto& names = interpreter.globals().names;
    const auto value = names.find(std::string(map));
    if (value == names.end()) continue;
    found = true;
    Position at{1, 1};
    for (const auto& stmt : block) {
      const auto* assign = std::get_if<Assign>(&stmt->kind);
      if (assign == nullptr) continue;
      const auto* name = std::get_if<Name>(&assign->targets[0]->kind);
      if (name != nullptr && name->name == map) at = stmt->at;
    }
    const auto* dict = value->second.as<DictObject*>();
    if (dict == nullptr) {
      return script_error_at(at, codes::kScriptType,
                             std::string(map) + " is a dict, not " + describe(value->second));
    }
    for (const auto& [key, function] : (*dict)->items) {
      FX_TRY(added, placed(add_rule(map, key, function, text), at));
      static_cast<void>(added);
    }
  }
  if (found) return Unit{};
  return script_error_at(block.empty() ? Position{1, 1} : block.back()->at, codes::kScriptNoResult,
                         "the rules define call_function_map, call_module_map or "
                         "call_method_map: a dict from names to functions");
}

RuleBook::RuleBook(std::unique_ptr<State> state) : state_(std::move(state)) {}
RuleBook::~RuleBook() = default;

Result<std::unique_ptr<RuleBook>> RuleBook::load(std::string_view text, std::string file,
                                                 const Limits& limits) {
  auto state = std::make_unique<State>(limits);
  state->file = std::move(file);
  state->add_names();
  const Result<Unit> done = [&]() -> Result<Unit> {
    FX_TRY(block, parse_program(text));
    state->block = block;
    FX_TRY(ran, state->interpreter.run(state->block));
    static_cast<void>(ran);
    return state->collect(text);
  }();
  if (!done.ok()) return state->in_file(done.diagnostics());
  return std::unique_ptr<RuleBook>(new RuleBook(std::move(state)));
}

const std::vector<Rule>& RuleBook::rules() const { return state_->rules; }

const Rule* RuleBook::find(std::string_view map, std::string_view target) const {
  const auto search = [&](std::string_view where, std::string_view key, bool symbols,
                          bool strings) -> const Rule* {
    // A later entry of a dict replaces an earlier one, so at most one fits.
    for (size_t i = 0; i < state_->rules.size(); ++i) {
      const bool kind_fits = state_->entries[i].is_symbol ? symbols : strings;
      if (kind_fits && state_->rules[i].map == where && state_->rules[i].key == key) {
        return &state_->rules[i];
      }
    }
    return nullptr;
  };
  if (const Rule* rule = search(map, target, true, true)) return rule;
  if (map == "call_method_map") {
    if (const Rule* rule = search(map, "torch.Tensor." + std::string(target), true, false)) {
      return rule;
    }
    return search("call_function_map", target, false, true);
  }
  return search(map, last_part(target), false, true);
}

Result<RuleValue> RuleBook::call(const Rule& rule, BlockBuilder& builder, const RuleNode& node,
                                 const RuleModule* module, RuleHost& host) {
  State& state = *state_;
  const auto index = static_cast<size_t>(&rule - state.rules.data());
  FX_CHECK(index < state.entries.size(), "a rule of another book");
  Interpreter& interpreter = state.interpreter;
  interpreter.renew_limits();
  auto* node_map = interpreter.heap().host<NodeMapObject>(&host);
  CallArgs args;
  const auto pass = [&args](HostObject* object) { args.positional.push_back(Value(object)); };
  pass(interpreter.heap().host<BuilderObject>(builder));
  pass(node_map);
  pass(interpreter.heap().host<NodeObject>(node.name, &node));
  if (module != nullptr) pass(interpreter.heap().host<ModuleObject>(*module));
  state.host = &host;
  const Result<RuleValue> result = [&]() -> Result<RuleValue> {
    const Position at{rule.first_line, 1};
    FX_TRY(value, placed(interpreter.call(state.entries[index].function, args), at));
    return placed(rule_value_of(value, "the rule " + rule.name), at);
  }();
  state.host = nullptr;
  node_map->end();
  if (!result.ok()) return state.in_file(result.diagnostics());
  return result;
}

}  // namespace fx2wasm::script
