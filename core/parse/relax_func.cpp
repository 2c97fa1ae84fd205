// Relax functions: signature, dataflow blocks, bindings.
#include <string>
#include <utility>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "parse/reader.h"
#include "support/text.h"

namespace fx2wasm::parse {
namespace {

bool is_relax_function(const Definition& def) {
  for (const ExprRef& decorator : def.decorators) {
    const std::optional<NamedCall> call = named_call(decorator);
    if (dotted(decorator) == "R.function" || (call && call->name == "R.function")) return true;
  }
  return false;
}

// A parameter `n: T.int64` is a symbol of the shapes too.
void read_params(Reader& r, const Definition& def, std::vector<relax::Var>& params) {
  params.resize(def.params.size());
  for (size_t i = 0; i < params.size(); ++i) {
    const Parameter& param = def.params[i];
    if (!param.annotation) {
      fail(r, param.at, codes::kTextType,
           "the parameter " + quote(param.name) + " has no type: R.Tensor(…)");
      return;
    }
    const std::optional<DType> dtype = dtype_name_of(dotted(param.annotation));
    if (!dtype) continue;
    const tir::Var symbol = tir::make_var(param.name, *dtype);
    params[i] = relax::make_var(param.name,
                                relax::make_type(relax::PrimType{*dtype, tir::var_expr(symbol)}));
    define(r, param.name, {symbol, nullptr, params[i]});
  }
  for (size_t i = 0; i < params.size() && !failed(r); ++i) {
    if (params[i]) continue;
    relax::Type param_type = type(r, def.params[i].annotation);
    if (!param_type) return;
    params[i] = relax::make_var(def.params[i].name, std::move(param_type));
  }
  // Only now: a tensor's name does not hide the symbol of the same name in a shape.
  for (size_t i = 0; i < params.size() && !failed(r); ++i) {
    if (!std::get_if<relax::PrimType>(&params[i]->type->kind)) {
      define(r, def.params[i].name, {nullptr, nullptr, params[i]});
    }
  }
}

class BodyReader {
 public:
  BodyReader(Reader& r, relax::FunctionNode& func) : r_(r), func_(func) {}

  void read(const Body& body, Position at) {
    for (const Statement& s : body) {
      if (failed(r_)) return;
      if (func_.body) {
        fail(r_, s.at, codes::kTextStructure, "nothing can follow the function's return");
        return;
      }
      statement(s);
    }
    if (!func_.body) {
      fail(r_, at, codes::kTextStructure, "the function has no return at its end");
    }
  }

 private:
  void statement(const Statement& s) {
    if (const auto* x = std::get_if<WithBlock>(&s.kind)) {
      dataflow(*x, s.at);
    } else if (const auto* x = std::get_if<ReturnLine>(&s.kind)) {
      result(*x, s.at);
    } else if (const auto* x = std::get_if<AssignLine>(&s.kind)) {
      if (!prelude(*x)) binding(*x, false);
    } else if (const auto* x = std::get_if<ExprLine>(&s.kind)) {
      if (!func_attr(*x)) call(*x, s.at, false);
    } else if (!std::holds_alternative<PassLine>(s.kind)) {
      fail(r_, s.at, codes::kTextStructure, "this statement cannot stand in a Relax function");
    }
  }

  // `cls = Module`, `n = T.int64()`
  bool prelude(const AssignLine& line) {
    const auto* target = std::get_if<script::Name>(&line.target->kind);
    const auto* source = std::get_if<script::Name>(&line.value->kind);
    if (target && source && !line.annotation && source->name == r_.module_name &&
        !r_.module_name.empty()) {
      r_.module_alias = target->name;
      return true;
    }
    return define_symbols(r_, line);
  }

  bool func_attr(const ExprLine& line) {
    const std::optional<NamedCall> head = named_call(line.value);
    if (!head || head->name != "R.func_attr") return false;
    const std::vector<ExprRef> args = bind(r_, *head, {"attrs"}, 1);
    if (!failed(r_)) func_.attrs = attribute_dict(r_, args[0]);
    return true;
  }

  void result(const ReturnLine& line, Position at) {
    if (!line.value) {
      fail(r_, at, codes::kTextStructure, "a Relax function returns a value");
      return;
    }
    func_.body = argument(r_, line.value);
    if (func_.body && !func_.ret_type) func_.ret_type = func_.body->type;
  }

  // The names that R.output makes visible; it is the last statement of the block.
  std::vector<std::string> outputs_of(const Body& body) {
    std::vector<std::string> names;
    const auto* line = body.empty() ? nullptr : std::get_if<ExprLine>(&body.back().kind);
    const std::optional<NamedCall> head = line ? named_call(line->value) : std::nullopt;
    if (!head || head->name != "R.output") return names;
    const std::optional<std::vector<ExprRef>> args = positional(r_, *head);
    for (size_t i = 0; args && i < args->size(); ++i) {
      const auto* name = std::get_if<script::Name>(&(*args)[i]->kind);
      if (!name) fail(r_, (*args)[i]->at, codes::kTextArgument, "R.output takes variables");
      if (name) names.push_back(name->name);
    }
    return names;
  }

  // The last binding of each name that R.output gives is the one that stays visible.
  std::unordered_set<const Statement*> visible_bindings(const Body& body) {
    std::unordered_map<std::string, const Statement*> last;
    for (const Statement& s : body) {
      const auto* line = std::get_if<AssignLine>(&s.kind);
      const auto* name = line ? std::get_if<script::Name>(&line->target->kind) : nullptr;
      if (name) last[name->name] = &s;
    }
    std::unordered_set<const Statement*> visible;
    for (const std::string& name : outputs_of(body)) {
      const auto found = last.find(name);
      if (found != last.end()) {
        visible.insert(found->second);
      } else {
        fail(r_, body.back().at, codes::kTextName,
             "R.output: no variable " + quote(name) + " is bound in this block");
      }
    }
    return visible;
  }

  void dataflow(const WithBlock& with, Position at) {
    const std::optional<NamedCall> head = named_call(with.context);
    if (!head || head->name != "R.dataflow") {
      fail(r_, at, codes::kTextStructure, "expected R.dataflow() after 'with'");
      return;
    }
    const std::unordered_set<const Statement*> visible = visible_bindings(with.body);
    func_.blocks.push_back({true, {}});
    in_dataflow_ = true;
    for (size_t i = 0; i < with.body.size() && !failed(r_); ++i) {
      const Statement& s = with.body[i];
      if (const auto* x = std::get_if<AssignLine>(&s.kind)) {
        binding(*x, visible.count(&s) == 0);
      } else if (const auto* x = std::get_if<ExprLine>(&s.kind)) {
        const std::optional<NamedCall> output = named_call(x->value);
        if (!output || output->name != "R.output") {
          call(*x, s.at, true);
        } else if (i + 1 != with.body.size()) {
          fail(r_, s.at, codes::kTextStructure, "R.output is the last line of its block");
        }
      } else if (!std::holds_alternative<PassLine>(s.kind)) {
        fail(r_, s.at, codes::kTextStructure, "a dataflow block holds bindings only");
      }
    }
    in_dataflow_ = false;
  }

  // Dataflow blocks are opened by their `with`; a binding outside one opens a plain block.
  void add(relax::Var var, relax::Expr bound) {
    const bool plain = func_.blocks.empty() || func_.blocks.back().dataflow;
    if (!in_dataflow_ && plain) func_.blocks.push_back({false, {}});
    func_.blocks.back().bindings.push_back({std::move(var), std::move(bound), {}});
  }

  void binding(const AssignLine& line, bool dataflow_var) {
    const auto* name = std::get_if<script::Name>(&line.target->kind);
    if (!name) {
      fail(r_, line.target->at, codes::kTextSyntax, "a binding names one variable");
      return;
    }
    relax::Type annotated = line.annotation ? type(r_, line.annotation) : nullptr;
    relax::Expr bound = value(r_, line.value, annotated);
    if (failed(r_) || !bound) return;
    relax::Var var = relax::make_var(name->name, annotated ? annotated : bound->type, dataflow_var);
    define(r_, name->name, {nullptr, nullptr, var});
    add(std::move(var), std::move(bound));
  }

  // A call for its effect, whose result is the empty tuple.
  void call(const ExprLine& line, Position at, bool dataflow_var) {
    const relax::Type nothing = relax::make_type(relax::TupleType{});
    const std::optional<NamedCall> head = named_call(line.value);
    if (!head) {
      fail(r_, at, codes::kTextStructure, "this value is not used");
      return;
    }
    relax::Expr bound = value(r_, line.value, nothing);
    if (bound) add(relax::make_var("_", nothing, dataflow_var), std::move(bound));
  }

  Reader& r_;
  relax::FunctionNode& func_;
  bool in_dataflow_ = false;
};

}  // namespace

relax::Function relax_function(Reader& r, const Definition& def, Position at) {
  begin_function(r);
  r.relax = true;
  const Scope signature(r);
  if (!is_relax_function(def)) {
    return fail(r, at, codes::kTextStructure, "a function begins with @R.function or @T.prim_func");
  }
  find_symbols(r, def.body);
  auto func = std::make_shared<relax::FunctionNode>();
  read_params(r, def, func->params);
  if (def.returns) func->ret_type = type(r, def.returns);
  if (failed(r)) return nullptr;
  const Scope scope(r);
  BodyReader(r, *func).read(def.body, at);
  return failed(r) ? nullptr : func;
}

}  // namespace fx2wasm::parse
