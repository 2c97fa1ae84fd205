#include "parse/tvmscript.h"

#include <utility>

#include "ir/well_formed.h"
#include "parse/reader.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm {
namespace {

using namespace parse;

struct Function {
  const Definition* def = nullptr;
  Position at;
  bool is_prim_func = false;
};

bool decorated_with(const std::vector<ExprRef>& decorators, std::string_view name) {
  for (const ExprRef& decorator : decorators) {
    const std::optional<NamedCall> call = named_call(decorator);
    if (dotted(decorator) == name || (call && call->name == name)) return true;
  }
  return false;
}

// `n = TypeVar("n")` above the module; true when the line is one.
bool declares_type_var(Reader& r, const AssignLine& line) {
  const auto* target = std::get_if<script::Name>(&line.target->kind);
  const std::optional<NamedCall> call = named_call(line.value);
  if (!target || line.annotation || !call) return false;
  if (call->name != "TypeVar" && call->name != "typing.TypeVar") return false;
  r.type_vars.insert(target->name);
  return true;
}

// The functions of the text in their order; the module's name is in the reader, if it has one.
std::vector<Function> find_functions(Reader& r, const Body& body, bool inside) {
  std::vector<Function> functions;
  for (const Statement& s : body) {
    if (failed(r)) return functions;
    if (const auto* def = std::get_if<Definition>(&s.kind)) {
      if (!r.functions.insert(def->name).second) {
        fail(r, s.at, codes::kTextName, "two functions are named " + quote(def->name));
      }
      functions.push_back({def, s.at, decorated_with(def->decorators, "T.prim_func")});
      continue;
    }
    if (std::holds_alternative<PassLine>(s.kind)) continue;
    const auto* line = std::get_if<AssignLine>(&s.kind);
    if (line && !inside && declares_type_var(r, *line)) continue;
    if (const auto* module = std::get_if<ClassBlock>(&s.kind)) {
      const bool first = !inside && r.module_name.empty() && functions.empty();
      if (first && decorated_with(module->decorators, "I.ir_module")) {
        r.module_name = module->name;
        functions = find_functions(r, module->body, true);
        continue;
      }
    }
    // `I.module_attrs({})` and the like carry nothing that is kept here, so they are refused.
    fail(r, s.at, codes::kTextStructure,
         inside ? "a module holds functions: @T.prim_func or @R.function, def"
                : "expected one @I.ir_module class, or one @T.prim_func function");
  }
  return functions;
}

Diagnostics broken_rules(const IRModule& module, const std::vector<Function>& functions) {
  Diagnostics diagnostics = check_well_formed(module);
  for (Diagnostic& diagnostic : diagnostics) {
    for (const Function& function : functions) {
      const std::string begin = function.def->name + ": ";
      if (diagnostic.message.compare(0, begin.size(), begin) != 0) continue;
      diagnostic.place.line = function.at.line;
      diagnostic.place.column = function.at.column;
    }
  }
  return diagnostics;
}

Result<ParsedText> read_text(std::string_view text, const ParseOptions& options) {
  if (text.size() > limits::kMaxTextBytes) {
    return error_at({}, codes::kTextLimit, "the text is too large");
  }
  FX_TRY(statements, parse_statements(text));
  Reader r(options);
  const std::vector<Function> functions = find_functions(r, statements, false);
  const bool alone = r.module_name.empty();
  if (!failed(r) && alone && functions.size() != 1) {
    fail(r, {1, 1}, codes::kTextStructure,
         "expected one @I.ir_module class, or one @T.prim_func function");
  }
  IRModule module;
  for (const Function& function : functions) {
    module.functions.emplace_back(function.def->name, BaseFunc{});
  }
  // PrimFuncs first: they tell the shapes of constants that Relax functions hand to them.
  for (const bool prim_funcs : {true, false}) {
    for (size_t i = 0; i < functions.size() && !failed(r); ++i) {
      const auto& [def, at, is_prim_func] = functions[i];
      if (is_prim_func != prim_funcs) continue;
      if (!is_prim_func) {
        module.functions[i].second = relax_function(r, *def, at);
        continue;
      }
      tir::PrimFunc func = prim_func(r, *def, at);
      r.prim_funcs.emplace(def->name, func);
      module.functions[i].second = std::move(func);
    }
  }
  if (r.error) return *r.error;
  Diagnostics broken = broken_rules(module, functions);
  if (has_errors(broken)) return broken;
  if (alone && functions[0].is_prim_func) {
    return ParsedText(std::get<tir::PrimFunc>(module.functions[0].second));
  }
  return ParsedText(std::move(module));
}

}  // namespace

bool is_tvmscript(std::string_view text) {
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    std::string_view line = text.substr(begin, end - begin);
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos) line.remove_prefix(first);
    for (std::string_view mark : {"@I.ir_module", "@T.prim_func", "@R.function"}) {
      if (line.substr(0, mark.size()) == mark) return true;
    }
    begin = end + 1;
  }
  return false;
}

Result<ParsedText> parse_tvmscript(std::string_view text, std::string file,
                                   const ParseOptions& options) {
  Result<ParsedText> result = read_text(text, options);
  if (result.ok()) return result;
  Diagnostics diagnostics = result.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) diagnostic.place.file = file;
  return diagnostics;
}

Result<IRModule> parse_module(std::string_view text, std::string file,
                              const ParseOptions& options) {
  FX_TRY(parsed, parse_tvmscript(text, std::move(file), options));
  if (IRModule* module = std::get_if<IRModule>(&parsed)) return std::move(*module);
  const tir::PrimFunc& func = std::get<tir::PrimFunc>(parsed);
  const AttrValue* symbol = find_attr(func->attrs, "global_symbol");
  const auto* name = symbol ? std::get_if<std::string>(&symbol->value) : nullptr;
  IRModule module;
  module.functions.emplace_back(name ? *name : "main", func);
  return module;
}

}  // namespace fx2wasm
