// PrimFuncs: signature, attributes, the root block.
#include <string>
#include <utility>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "parse/open_block.h"
#include "support/text.h"

namespace fx2wasm::parse {
namespace {

// The targets and values of `n = T.int32()` and `n, m = T.int32(), T.int32()`; nothing for others.
std::vector<std::pair<std::string, DType>> symbols_of(const AssignLine& line) {
  std::vector<std::pair<std::string, DType>> symbols;
  if (line.annotation) return {};
  const std::vector<ExprRef> targets = listed(line.target), values = listed(line.value);
  if (targets.size() != values.size()) return {};
  for (size_t i = 0; i < targets.size(); ++i) {
    const auto* name = std::get_if<script::Name>(&targets[i]->kind);
    const std::optional<NamedCall> call = named_call(values[i]);
    const std::optional<DType> dtype = call ? dtype_name_of(call->name) : std::nullopt;
    if (!name || !dtype || !call->call->args.empty()) return {};
    symbols.emplace_back(name->name, *dtype);
  }
  return symbols;
}

bool is_private(Reader& r, const std::vector<ExprRef>& decorators, Position at) {
  for (const ExprRef& decorator : decorators) {
    if (dotted(decorator) == "T.prim_func") return false;
    const std::optional<NamedCall> call = named_call(decorator);
    if (!call || call->name != "T.prim_func") continue;
    const std::vector<ExprRef> args = bind(r, *call, {"private", "s_tir", "check_well_formed"}, 0);
    if (failed(r) || !args[0]) return false;
    const bool* flag = std::get_if<bool>(&args[0]->kind);
    if (!flag) fail(r, args[0]->at, codes::kTextArgument, "private is True or False");
    return flag && *flag;
  }
  fail(r, at, codes::kTextStructure, "a PrimFunc begins with @T.prim_func");
  return false;
}

std::vector<tir::Param> read_params(Reader& r, const Definition& def) {
  std::vector<tir::Param> params(def.params.size());
  // Scalars first: the shapes of buffers before them may use them, in quotes.
  for (size_t i = 0; i < params.size(); ++i) {
    const Parameter& param = def.params[i];
    if (!param.annotation) {
      fail(r, param.at, codes::kTextType,
           "the parameter " + quote(param.name) + " has no type: T.Buffer(…) or T.int64");
      return params;
    }
    const std::optional<DType> dtype = dtype_name_of(dotted(param.annotation));
    if (!dtype) continue;
    tir::Var var = tir::make_var(param.name, *dtype);
    define(r, param.name, {var, nullptr, nullptr});
    params[i] = std::move(var);
  }
  for (size_t i = 0; i < params.size() && !failed(r); ++i) {
    const Parameter& param = def.params[i];
    if (std::holds_alternative<tir::Var>(params[i]) && std::get<tir::Var>(params[i])) continue;
    const std::optional<NamedCall> call = named_call(param.annotation);
    if (!call || call->name != "T.Buffer") {
      fail(r, param.annotation->at, codes::kTextType,
           "a parameter of a PrimFunc is T.Buffer(shape, dtype) or a scalar such as T.int64");
      return params;
    }
    tir::Buffer buffer = read_buffer(r, param.name, *call);
    if (!buffer) return params;
    define(r, param.name, {nullptr, buffer, nullptr});
    params[i] = std::move(buffer);
  }
  return params;
}

bool contains_block(const tir::Stmt& stmt) {
  bool found = false;
  tir::walk(
      stmt,
      [&](const tir::Stmt& s) { found |= std::holds_alternative<tir::SBlockRealize>(s->kind); },
      nullptr);
  return found;
}

// The root block prints as a comment where it says no more than that it is one, and so is put back.
tir::Stmt with_root(tir::Stmt body, std::vector<tir::Buffer> alloc_buffers) {
  const auto* realize = std::get_if<tir::SBlockRealize>(&body->kind);
  const bool has_blocks = realize ? !realize->block->iter_vars.empty() : contains_block(body);
  if (!has_blocks && alloc_buffers.empty()) return body;
  tir::SBlock root;
  root.name_hint = "root";
  root.alloc_buffers = std::move(alloc_buffers);
  root.body = std::move(body);
  tir::SBlockRealize outer;
  outer.block = std::make_shared<tir::SBlock>(std::move(root));
  return tir::make_stmt(std::move(outer));
}

}  // namespace

void find_symbols(Reader& r, const Body& body) {
  for (const Statement& s : body) {
    const auto* line = std::get_if<AssignLine>(&s.kind);
    if (!line) continue;
    for (const auto& [name, dtype] : symbols_of(*line)) r.symbols.emplace(name, dtype);
  }
}

bool define_symbols(Reader& r, const AssignLine& line) {
  const std::vector<std::pair<std::string, DType>> symbols = symbols_of(line);
  for (const auto& [name, dtype] : symbols) {
    if (find_name(r, name)) continue;  // the signature has used it
    define(r, name, {tir::make_var(name, dtype), nullptr, nullptr});
  }
  return !symbols.empty();
}

tir::PrimFunc prim_func(Reader& r, const Definition& def, Position at) {
  begin_function(r);
  const Scope signature(r);
  const bool hidden = is_private(r, def.decorators, at);
  find_symbols(r, def.body);
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->params = read_params(r, def);
  if (failed(r)) return nullptr;
  const Scope scope(r);
  OpenBlock root;
  root.is_function = true;
  tir::Stmt body = read_statements(r, def.body, at, &root);
  if (!body) return nullptr;
  if (!hidden && !find_attr(root.func_attrs, "global_symbol")) {
    func->attrs.emplace_back("global_symbol", AttrValue{def.name});
  }
  for (auto& attr : root.func_attrs) func->attrs.push_back(std::move(attr));
  func->body = with_root(std::move(body), std::move(root.alloc_buffers));
  return func;
}

}  // namespace fx2wasm::parse
