// Relax functions: signature, bindings, dataflow blocks.
#include <algorithm>
#include <string>

#include "ir/relax_build.h"
#include "print/literal.h"
#include "print/printer.h"

namespace fx2wasm::print {
namespace {

// Numbers the variables for their spans: parameters from -1 downwards, bindings from 0.
void number_variables(Printer& p, const relax::FunctionNode& func) {
  int index = -1;
  for (const relax::Var& param : func.params) p.var_index.emplace(param.get(), index--);
  index = 0;
  for (const relax::BindingBlock& block : func.blocks) {
    for (const relax::Binding& binding : block.bindings) {
      p.var_index.emplace(binding.var.get(), index++);
      p.var_origin.emplace(binding.var.get(), &binding.origin.fx_nodes);
    }
  }
}

// Defines the variable and writes its name, with a span, at an earlier offset.
void define_at(Printer& p, size_t offset, const relax::Var& var, std::string_view suffix) {
  const std::string name = p.names.define(var.get(), var->name_hint);
  insert_at(p, offset, name + std::string(suffix));
  Span span;
  span.begin = static_cast<uint32_t>(offset);
  span.end = static_cast<uint32_t>(offset + name.size());
  span.kind = SpanKind::Var;
  span.function = p.function;
  span.index = p.var_index.at(var.get());
  span.name = name;
  const auto origin = p.var_origin.find(var.get());
  if (origin != p.var_origin.end()) span.fx_nodes = *origin->second;
  p.spans.push_back(std::move(span));
}

void write_signature(Printer& p, const relax::FunctionNode& func) {
  p.in_signature = true;
  for (const relax::Var& param : func.params) {
    // A symbol that is itself a parameter is defined as one, so it is no type variable.
    const auto* type = std::get_if<relax::PrimType>(&param->type->kind);
    const auto* var = type && type->value ? std::get_if<tir::Var>(&type->value->kind) : nullptr;
    if (!var) continue;
    p.names.define(var->get(), (*var)->name);
    p.names.alias(param.get(), var->get());
  }
  write(p, "(");
  for (size_t i = 0; i < func.params.size(); ++i) {
    if (i > 0) write(p, ", ");
    const size_t begin = p.text.size();
    write_type(p, func.params[i]->type);
    // The symbols of the type are named before the parameter.
    define_at(p, begin, func.params[i], ": ");
  }
  write(p, ")");
  if (func.ret_type) {
    write(p, " -> ");
    write_type(p, func.ret_type);
  }
  write(p, ":");
  std::vector<std::string> symbols;
  for (const tir::VarNode* var : p.signature_symbols) symbols.push_back(*p.names.find(var));
  std::sort(symbols.begin(), symbols.end());
  for (const std::string& symbol : symbols) {
    if (std::find(p.type_vars.begin(), p.type_vars.end(), symbol) == p.type_vars.end()) {
      p.type_vars.push_back(symbol);
    }
  }
  p.in_signature = false;
}

bool is_void(const relax::Type& type) {
  const auto* tuple = type ? std::get_if<relax::TupleType>(&type->kind) : nullptr;
  return tuple && tuple->fields.empty();
}

void write_binding(Printer& p, const relax::Binding& binding, int index) {
  new_line(p);
  const size_t begin = p.text.size();
  p.binding_origin = &binding.origin.fx_nodes;
  // The value is printed before the variable gets its name, and so before its annotation.
  const auto* tuple = std::get_if<relax::Tuple>(&binding.value->kind);
  if (tuple && tuple->fields.size() > 1) {
    for (size_t i = 0; i < tuple->fields.size(); ++i) {
      if (i > 0) write(p, ", ");
      write_relax_expr(p, tuple->fields[i]);
    }
  } else {
    write_relax_expr(p, binding.value);
  }
  if (!is_void(binding.value->type) || !is_void(binding.var->type)) {
    const bool typed_by_call = std::holds_alternative<relax::CallTIR>(binding.value->kind) ||
                               std::holds_alternative<relax::CallDPSPacked>(binding.value->kind);
    std::string middle;
    if (!typed_by_call && binding.var->type) {
      middle = ": " + capture(p, [&] { write_type(p, binding.var->type); });
    }
    define_at(p, begin, binding.var, middle + " = ");
  }
  p.binding_origin = nullptr;
  add_span(p, begin, SpanKind::Binding, index, {}, binding.origin.fx_nodes);
}

void write_output(Printer& p, const relax::BindingBlock& block, bool finished) {
  std::vector<relax::Var> outputs;
  for (const relax::Binding& binding : block.bindings) {
    if (!binding.var->dataflow) outputs.push_back(binding.var);
  }
  if (outputs.empty() && !finished) return;
  new_line(p);
  write_relax(p, "output(");
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (i > 0) write(p, ", ");
    write_relax_expr(p, relax::var_expr(outputs[i]));
  }
  write(p, ")");
}

}  // namespace

void write_relax_function(Printer& p, const std::string& name, const relax::Function& func) {
  NameScope scope(p.names);
  number_variables(p, *func);
  p.relax_mode = true;
  const size_t begin = p.text.size();
  write(p, "@");
  write_relax(p, "function");
  new_line(p);
  write(p, "def ");
  const size_t name_begin = p.text.size();
  write(p, name);
  add_span(p, name_begin, SpanKind::FunctionName, -1, name, p.fx_nodes);
  write_signature(p, *func);
  ++p.indent;
  const size_t body_begin = p.text.size();
  Attrs shown;
  for (const auto& attr : func->attrs) {
    if (attr.first != "global_symbol") shown.push_back(attr);
  }
  if (!shown.empty()) {
    new_line(p);
    write_relax(p, "func_attr(");
    write_attr_dict(p, shown);
    write(p, ")");
  }
  set_prelude_here(p);
  {
    NameScope body_scope(p.names);
    int index = 0;
    for (const relax::BindingBlock& block : func->blocks) {
      if (block.dataflow) {
        new_line(p);
        write(p, "with ");
        write_relax(p, "dataflow():");
        ++p.indent;
      }
      for (const relax::Binding& binding : block.bindings) write_binding(p, binding, index++);
      if (block.dataflow) {
        write_output(p, block, func->body != nullptr);
        if (block.bindings.empty() && !func->body) {
          new_line(p);
          write(p, "pass");
        }
        --p.indent;
      }
    }
    if (func->body) {
      new_line(p);
      write(p, "return ");
      write_relax_expr(p, func->body);
    }
  }
  flush_prelude(p);
  if (p.text.size() == body_begin) {
    new_line(p);
    write(p, "pass");
  }
  --p.indent;
  p.relax_mode = false;
  add_span(p, begin, SpanKind::Function, -1, name, p.fx_nodes);
}

}  // namespace fx2wasm::print
