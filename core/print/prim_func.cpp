// A PrimFunc's decorator, signature, attributes and root block.
#include <algorithm>
#include <string>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "print/literal.h"
#include "print/printer.h"

namespace fx2wasm::print {

using tir::PrimExpr;
using VarSet = std::unordered_set<const tir::VarNode*>;

namespace {

std::vector<PrimExpr> extents_of(const tir::BufferNode& buffer) {
  std::vector<PrimExpr> exprs = buffer.shape;
  exprs.insert(exprs.end(), buffer.strides.begin(), buffer.strides.end());
  if (buffer.elem_offset) exprs.push_back(buffer.elem_offset);
  return exprs;
}

// The int64 symbols that buffers bind, in order of first occurrence: they become type variables.
std::vector<tir::Var> type_vars_of(const tir::PrimFuncNode& func) {
  VarSet known;
  for (const tir::Param& param : func.params) {
    if (const auto* var = std::get_if<tir::Var>(&param)) known.insert(var->get());
  }
  std::vector<tir::Var> result;
  for (const tir::Param& param : func.params) {
    const auto* buffer = std::get_if<tir::Buffer>(&param);
    if (!buffer) continue;
    for (const PrimExpr& expr : extents_of(**buffer)) {
      for (const tir::Var& var : tir::free_vars(expr)) {
        if (var->dtype == DType::Int64 && known.insert(var.get()).second) result.push_back(var);
      }
    }
  }
  return result;
}

// A symbol's first use in a signature is in quotes: the shapes there are read as patterns that bind
// it, and a bare name would be unknown to Python.
struct Signature {
  VarSet type_vars;
  VarSet bound;

  void write_shape(Printer& p, const tir::BufferNode& buffer) {
    VarSet unbound, here;
    for (const PrimExpr& extent : buffer.shape) {
      for (const tir::Var& var : tir::free_vars(extent)) {
        here.insert(var.get());
        if (!bound.count(var.get()) && !type_vars.count(var.get())) unbound.insert(var.get());
      }
    }
    std::vector<tir::Var> declared;
    write(p, "(");
    for (size_t i = 0; i < buffer.shape.size(); ++i) {
      const PrimExpr& extent = buffer.shape[i];
      const std::vector<tir::Var> vars = tir::free_vars(extent);
      const auto* bare = std::get_if<tir::Var>(&extent->kind);
      bool quoted = false;
      for (const tir::Var& var : vars) {
        quoted |= unbound.count(var.get()) != 0 || (!bare && type_vars.count(var.get()) != 0);
      }
      if (bare && !p.names.find(bare->get())) {
        p.names.define(bare->get(), (*bare)->name);
        declared.push_back(*bare);
      }
      if (i > 0) write(p, ", ");
      quoted ? write_expr_string(p, extent) : write_expr(p, extent);
      for (const tir::Var& var : vars) unbound.erase(var.get());
    }
    write(p, buffer.shape.size() == 1 ? ",)" : ")");
    declare(p, declared);
    bound.insert(here.begin(), here.end());
  }

  // `n, m = T.int32(), T.int32()`: symbols that are no type variables.
  static void declare(Printer& p, const std::vector<tir::Var>& vars) {
    if (vars.empty()) return;
    std::string names, makers;
    for (const tir::Var& var : vars) {
      if (!names.empty()) names += ", ", makers += ", ";
      names += *p.names.find(var.get());
      makers += "T." + std::string(dtype_name(var->dtype)) + "()";
    }
    p.prelude.push_back(names + " = " + makers);
  }
};

void write_signature(Printer& p, const tir::PrimFuncNode& func) {
  Signature signature;
  std::vector<std::string> names;
  for (const tir::Var& var : type_vars_of(func)) {
    names.push_back(p.names.define(var.get(), var->name));
    signature.type_vars.insert(var.get());
  }
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (std::find(p.type_vars.begin(), p.type_vars.end(), name) == p.type_vars.end()) {
      p.type_vars.push_back(name);
    }
  }
  for (const tir::Param& param : func.params) {
    if (const auto* var = std::get_if<tir::Var>(&param)) p.names.define(var->get(), (*var)->name);
  }
  write(p, "(");
  for (size_t i = 0; i < func.params.size(); ++i) {
    if (i > 0) write(p, ", ");
    if (const auto* var = std::get_if<tir::Var>(&func.params[i])) {
      write(p, name_of(p, *var) + ": ");
      write_tirx(p, dtype_name((*var)->dtype));
      signature.bound.insert(var->get());
      continue;
    }
    const auto& buffer = std::get<tir::Buffer>(func.params[i]);
    write_buffer_name(p, buffer);
    write(p, ": ");
    write_tirx(p, "Buffer(");
    signature.write_shape(p, *buffer);
    write_buffer_rest(p, *buffer, true);
    write(p, ")");
  }
  write(p, "):");
}

bool contains_block(const tir::Stmt& stmt) {
  bool found = false;
  tir::walk(
      stmt,
      [&](const tir::Stmt& s) { found |= std::holds_alternative<tir::SBlockRealize>(s->kind); },
      nullptr);
  return found;
}

// The root block, where it says no more than that it is one: it then prints as a comment.
const tir::SBlock* implicit_root(const tir::Stmt& body) {
  const auto* realize = std::get_if<tir::SBlockRealize>(&body->kind);
  if (!realize || !realize->iter_values.empty()) return nullptr;
  if (realize->predicate && !tir::is_one(realize->predicate)) return nullptr;
  const tir::SBlock& root = *realize->block;
  if (!root.annotations.empty() || !root.reads.empty() || !root.writes.empty() || root.init ||
      !root.body) {
    return nullptr;
  }
  const auto* inner = std::get_if<tir::SBlockRealize>(&root.body->kind);
  const bool has_blocks = inner ? !inner->block->iter_vars.empty() : contains_block(root.body);
  return has_blocks || !root.alloc_buffers.empty() ? &root : nullptr;
}

void write_func_attrs(Printer& p, const std::string& name, const Attrs& attrs) {
  Attrs shown;
  for (const auto& attr : attrs) {
    const auto* symbol = std::get_if<std::string>(&attr.second.value);
    if (attr.first == "global_symbol" && symbol && *symbol == name) continue;
    shown.push_back(attr);
  }
  if (shown.empty()) return;
  new_line(p);
  write_tirx(p, "func_attr(");
  write_attr_dict(p, shown);
  write(p, ")");
}

}  // namespace

void write_buffer_rest(Printer& p, const tir::BufferNode& buffer, bool always_dtype) {
  if (always_dtype || buffer.dtype != DType::Float32) {
    write(p, ", " + dtype_literal(buffer.dtype));
  }
  if (!buffer.strides.empty()) {
    write(p, ", strides=(");
    write_exprs(p, buffer.strides);
    write(p, buffer.strides.size() == 1 ? ",)" : ")");
  }
  if (buffer.elem_offset && !tir::is_zero(buffer.elem_offset)) {
    write(p, ", elem_offset=");
    write_expr(p, buffer.elem_offset);
  }
  if (buffer.scope != "global") write(p, ", scope=" + string_literal(buffer.scope));
}

void write_alloc(Printer& p, const tir::Buffer& buffer) {
  new_line(p);
  write_buffer_name(p, buffer);
  write(p, " = ");
  write_tirx(p, "sblock_alloc_buffer((");
  write_exprs(p, buffer->shape);
  write(p, buffer->shape.size() == 1 ? ",)" : ")");
  write_buffer_rest(p, *buffer, false);
  write(p, ")");
}

void write_local_alloc(Printer& p, const tir::Buffer& buffer) {
  new_line(p);
  write_buffer_name(p, buffer);
  write(p, " = ");
  write_tirx(p, "alloc_local((");
  write_exprs(p, buffer->shape);
  write(p, buffer->shape.size() == 1 ? ",)" : ")");
  if (buffer->dtype != DType::Float32) write(p, ", " + dtype_literal(buffer->dtype));
  write(p, ")");
}

void write_prim_func(Printer& p, const std::string& name, const tir::PrimFunc& func) {
  NameScope scope(p.names);
  const size_t begin = p.text.size();
  write(p, "@");
  write_tirx(p, find_attr(func->attrs, "global_symbol") ? "prim_func(s_tir=True)"
                                                        : "prim_func(private=True, s_tir=True)");
  new_line(p);
  write(p, "def ");
  const size_t name_begin = p.text.size();
  write(p, name);
  add_span(p, name_begin, SpanKind::FunctionName, -1, name, p.fx_nodes);
  write_signature(p, *func);
  ++p.indent;
  set_prelude_here(p);
  write_func_attrs(p, name, func->attrs);
  if (!func->body) {
    new_line(p);
    write(p, "pass");
  } else if (const tir::SBlock* root = implicit_root(func->body)) {
    new_line(p);
    write(p, "# with T.sblock(\"root\"):");
    for (const tir::Buffer& buffer : root->alloc_buffers) write_alloc(p, buffer);
    write_body(p, root->body);
  } else {
    write_body(p, func->body);
  }
  --p.indent;
  flush_prelude(p);
  add_span(p, begin, SpanKind::Function, -1, name, p.fx_nodes);
}

}  // namespace fx2wasm::print
