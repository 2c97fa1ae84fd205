#include "print/tvmscript.h"

#include <algorithm>
#include <map>
#include <set>

#include "print/printer.h"

namespace fx2wasm {
namespace {

using print::Printer;

// PrimFuncs, then Relax functions, each by name; `main` last whatever it is.
int rank_of(const std::pair<std::string, BaseFunc>& entry) {
  if (entry.first == "main") return 2;
  return std::holds_alternative<tir::PrimFunc>(entry.second) ? 0 : 1;
}

std::vector<const std::pair<std::string, BaseFunc>*> sorted_functions(const IRModule& module) {
  std::vector<const std::pair<std::string, BaseFunc>*> sorted;
  for (const auto& entry : module.functions) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
    const int rank_a = rank_of(*a), rank_b = rank_of(*b);
    return rank_a != rank_b ? rank_a < rank_b : a->first < b->first;
  });
  return sorted;
}

// For each PrimFunc the FX nodes of all its calls: equal PrimFuncs are shared by several nodes.
std::map<std::string, std::vector<int>> origins_of(const IRModule& module) {
  std::map<std::string, std::set<int>> sets;
  for (const auto& [name, function] : module.functions) {
    const auto* relax_function = std::get_if<relax::Function>(&function);
    if (!relax_function) continue;
    for (const relax::BindingBlock& block : (*relax_function)->blocks) {
      for (const relax::Binding& binding : block.bindings) {
        const auto* call = std::get_if<relax::CallTIR>(&binding.value->kind);
        if (!call) continue;
        sets[call->func.name].insert(binding.origin.fx_nodes.begin(),
                                     binding.origin.fx_nodes.end());
      }
    }
  }
  std::map<std::string, std::vector<int>> origins;
  for (const auto& [name, nodes] : sets) origins[name].assign(nodes.begin(), nodes.end());
  return origins;
}

// The comments that say what the text imports, and the type variables.
std::string header_of(const Printer& p, bool module) {
  std::string header;
  if (!p.type_vars.empty()) header += "# from typing import TypeVar\n";
  if (module) header += "# from tvm.script import ir as I\n";
  if (p.uses_tirx) {
    header += "# from tvm.script import tirx as T\n# from tvm.tirx.layout import Axis\n";
  }
  if (p.uses_relax) header += "# from tvm.script import relax as R\n";
  header += "\n";
  for (const std::string& name : p.type_vars) header += name + " = TypeVar(\"" + name + "\")\n";
  return header;
}

PrintedText finish(Printer& p, bool module) {
  if (!p.metadata.empty()) {
    p.text += "\n# Metadata omitted. Use show_meta=True in script() method to show it.";
  } else if (!p.text.empty() && p.text.back() == '\n') {
    p.text.pop_back();
  }
  print::insert_at(p, 0, header_of(p, module));
  std::stable_sort(p.spans.begin(), p.spans.end(), [](const Span& a, const Span& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<TensorDataRef> constants;
  for (const relax::ConstantNode* constant : p.metadata) constants.push_back(constant->data);
  return {std::move(p.text), std::move(p.spans), std::move(constants)};
}

}  // namespace

PrintedText print_module(const IRModule& module) {
  Printer p;
  p.names.reserve("Module");
  p.text = "@I.ir_module\nclass Module:";
  p.indent = 1;
  const auto origins = origins_of(module);
  for (const auto* entry : sorted_functions(module)) {
    const auto& [name, function] = *entry;
    print::new_line(p);
    const auto origin = origins.find(name);
    print::begin_function(p, name, origin == origins.end() ? std::vector<int>{} : origin->second);
    if (const auto* prim_func = std::get_if<tir::PrimFunc>(&function)) {
      print::write_prim_func(p, name, *prim_func);
    } else {
      print::write_relax_function(p, name, std::get<relax::Function>(function));
    }
    p.text += '\n';  // the empty line between functions has no indentation
  }
  if (module.functions.empty()) {
    print::new_line(p);
    print::write(p, "pass");
  }
  return finish(p, true);
}

PrintedText print_prim_func(const tir::PrimFunc& func) {
  Printer p;
  std::string name = "main";
  if (const AttrValue* symbol = find_attr(func->attrs, "global_symbol")) {
    if (const auto* text = std::get_if<std::string>(&symbol->value)) name = *text;
  }
  print::begin_function(p, name, {});
  print::write_prim_func(p, name, func);
  return finish(p, false);
}

std::string print_expr(const tir::PrimExpr& expr) {
  Printer p;
  p.own_names = true;
  print::write_expr(p, expr);
  return p.text;
}

std::string print_type(const relax::Type& type) {
  Printer p;
  p.own_names = true;
  p.relax_mode = true;
  p.in_signature = true;
  print::write_type(p, type);
  return p.text;
}

std::string print_relax_expr(const relax::Expr& expr) {
  Printer p;
  p.own_names = true;
  p.relax_mode = true;
  print::write_relax_expr(p, expr);
  return p.text;
}

}  // namespace fx2wasm
