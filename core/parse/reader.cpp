#include "parse/reader.h"

#include <algorithm>
#include <utility>

#include "support/text.h"

namespace fx2wasm::parse {
namespace {

// Loops and lets around each other. A person nests ten; passes recurse once a level, on Wasm's
// small stack.
constexpr int kMaxNesting = 200;

}  // namespace

std::nullptr_t fail(Reader& r, Position at, std::string_view code, std::string message,
                    std::string note) {
  if (r.error) return nullptr;
  r.error = error_at(Place{"", at.line, at.column, ""}, code, std::move(message));
  if (!note.empty()) r.error->notes.push_back(std::move(note));
  return nullptr;
}

void fail(Reader& r, const Diagnostics& diagnostics) {
  if (!r.error) r.error = diagnostics.front();
}

bool enter(Reader& r, Position at) {
  if (++r.nesting <= kMaxNesting) return true;
  fail(r, at, codes::kTextLimit,
       "loops and lets are nested more than " + std::to_string(kMaxNesting) + " levels deep");
  return false;
}

const Named* find_name(const Reader& r, std::string_view name) {
  const std::string key(name);
  for (auto scope = r.scopes.rbegin(); scope != r.scopes.rend(); ++scope) {
    const auto found = scope->find(key);
    if (found != scope->end()) return &found->second;
  }
  return nullptr;
}

void define(Reader& r, const std::string& name, Named named) {
  r.scopes.back()[name] = std::move(named);
}

std::string near_names(const Reader& r, std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& scope : r.scopes) {
    for (const auto& entry : scope) known.push_back(entry.first);
  }
  std::sort(known.begin(), known.end());
  return did_you_mean(name, known);
}

std::string dotted(const ExprRef& e) {
  if (!e) return "";
  if (const auto* name = std::get_if<script::Name>(&e->kind)) return name->name;
  const auto* attribute = std::get_if<script::Attribute>(&e->kind);
  if (!attribute) return "";
  const std::string object = dotted(attribute->object);
  return object.empty() ? "" : object + "." + attribute->name;
}

std::optional<NamedCall> named_call(const ExprRef& e) {
  const auto* call = e ? std::get_if<script::Call>(&e->kind) : nullptr;
  if (!call) return std::nullopt;
  std::string name = dotted(call->callee);
  if (name.empty()) return std::nullopt;
  return NamedCall{std::move(name), call, e->at};
}

std::vector<ExprRef> bind(Reader& r, const NamedCall& call,
                          std::initializer_list<std::string_view> params, size_t required) {
  const std::vector<std::string_view> names(params);
  std::vector<ExprRef> bound(names.size());
  size_t next = 0;
  const auto wrong = [&](Position at, std::string message) {
    fail(r, at, codes::kTextArgument, call.name + ": " + std::move(message));
    return std::vector<ExprRef>{};
  };
  for (const script::CallArgument& arg : call.call->args) {
    if (arg.star) return wrong(arg.value->at, "'*' cannot stand here");
    size_t index = next++;
    if (!arg.name.empty()) {
      index = static_cast<size_t>(std::find(names.begin(), names.end(), arg.name) - names.begin());
      if (index == names.size()) {
        return wrong(arg.value->at,
                     "no argument is named " + quote(arg.name) + did_you_mean(arg.name, names));
      }
    }
    if (index >= names.size()) {
      return wrong(arg.value->at, "more than " + std::to_string(names.size()) + " arguments");
    }
    if (bound[index]) return wrong(arg.value->at, quote(names[index]) + " is given twice");
    bound[index] = arg.value;
  }
  for (size_t i = 0; i < required; ++i) {
    if (!bound[i]) return wrong(call.at, "the argument " + quote(names[i]) + " is missing");
  }
  return bound;
}

std::optional<std::vector<ExprRef>> positional(Reader& r, const NamedCall& call) {
  std::vector<ExprRef> args;
  for (const script::CallArgument& arg : call.call->args) {
    if (arg.star || !arg.name.empty()) {
      fail(r, arg.value->at, codes::kTextArgument,
           call.name + ": takes arguments without names only");
      return std::nullopt;
    }
    args.push_back(arg.value);
  }
  return args;
}

const std::vector<ExprRef>* items_of(const ExprRef& e) {
  if (!e) return nullptr;
  if (const auto* tuple = std::get_if<script::TupleDisplay>(&e->kind)) return &tuple->items;
  if (const auto* list = std::get_if<script::ListDisplay>(&e->kind)) return &list->items;
  return nullptr;
}

std::vector<ExprRef> listed(const ExprRef& e) {
  const std::vector<ExprRef>* items = items_of(e);
  return items ? *items : std::vector<ExprRef>{e};
}

std::optional<std::variant<bool, int64_t, double>> literal(const ExprRef& e) {
  using Number = std::variant<bool, int64_t, double>;
  if (const auto* v = std::get_if<bool>(&e->kind)) return Number(*v);
  if (const auto* v = std::get_if<int64_t>(&e->kind)) return Number(*v);
  if (const auto* v = std::get_if<double>(&e->kind)) return Number(*v);
  const auto* unary = std::get_if<script::Unary>(&e->kind);
  if (!unary || unary->op != script::UnaryOperator::Minus) return std::nullopt;
  if (const auto* v = std::get_if<int64_t>(&unary->operand->kind)) {
    int64_t negative = 0;
    if (__builtin_sub_overflow(int64_t{0}, *v, &negative)) return std::nullopt;
    return Number(negative);
  }
  if (const auto* v = std::get_if<double>(&unary->operand->kind)) return Number(-*v);
  return std::nullopt;
}

std::string string_of(Reader& r, const ExprRef& e, std::string_view what) {
  if (const auto* text = e ? std::get_if<std::string>(&e->kind) : nullptr) return *text;
  if (e) fail(r, e->at, codes::kTextArgument, std::string(what) + " is a string in quotes");
  return "";
}

std::optional<DType> dtype_of(Reader& r, const ExprRef& e) {
  const std::string name = string_of(r, e, "a dtype");
  if (failed(r)) return std::nullopt;
  const std::optional<DType> dtype = parse_dtype(name);
  if (!dtype) fail(r, e->at, codes::kTextType, "there is no dtype " + quote(name));
  return dtype;
}

std::optional<DType> dtype_name_of(std::string_view dotted_name) {
  if (dotted_name.substr(0, 2) != "T.") return std::nullopt;
  return parse_dtype(dotted_name.substr(2));
}

void begin_function(Reader& r) {
  r.scopes.clear();
  r.module_alias.clear();
  r.relax = false;
  r.in_signature = false;
  r.symbols.clear();
  r.loops.clear();
  r.nesting = 0;
}

}  // namespace fx2wasm::parse
