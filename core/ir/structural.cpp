#include "ir/structural.h"

#include <algorithm>
#include <string>

#include "ir/match.h"
#include "ir/op.h"
#include "ir/structural_match.h"

namespace fx2wasm {
namespace {

std::string describe(const relax::Expr& expr) {
  return match(
      expr->kind, [](const relax::Var& e) { return "variable " + e->name_hint; },
      [](const relax::Constant& e) { return "constant " + e->name; },
      [](const relax::ShapeExpr&) { return std::string("R.shape"); },
      [](const relax::PrimValue&) { return std::string("prim value"); },
      [](const relax::StringImm& e) { return "R.str(\"" + e.value + "\")"; },
      [](const relax::DataTypeImm& e) {
        return "R.dtype(\"" + std::string(dtype_name(e.value)) + "\")";
      },
      [](const relax::Tuple& e) { return "tuple of " + std::to_string(e.fields.size()); },
      [](const relax::TupleGetItem& e) { return "item " + std::to_string(e.index); },
      [](const relax::OpCall& e) { return "R." + std::string(e.op->name); },
      [](const relax::CallTIR& e) { return "R.call_tir(cls." + e.func.name + ")"; },
      [](const relax::CallDPSPacked& e) {
        return "R.call_dps_packed(\"" + e.func.global_symbol + "\")";
      });
}

}  // namespace

bool same_constant(const relax::Constant& a, const relax::Constant& b) {
  if (a == b) return true;
  if (a->dtype != b->dtype || a->shape != b->shape || !a->data || !b->data) return false;
  return a->data == b->data || a->data->bytes == b->data->bytes;
}

bool StructuralMatch::differ(std::string where) {
  where_ = std::move(where);
  return false;
}

bool StructuralMatch::type_lists(const std::vector<relax::Type>& a,
                                 const std::vector<relax::Type>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!types(a[i], b[i])) return false;
  }
  return true;
}

bool StructuralMatch::types(const relax::Type& a, const relax::Type& b) {
  if (!a || !b) return a == b;
  if (a->kind.index() != b->kind.index()) return false;
  return match(
      a->kind,
      [&](const relax::TensorType& x) {
        const auto& y = std::get<relax::TensorType>(b->kind);
        return x.ndim == y.ndim && x.dtype == y.dtype &&
               x.shape.has_value() == y.shape.has_value() &&
               (!x.shape || expr_lists(*x.shape, *y.shape));
      },
      [&](const relax::ShapeType& x) {
        const auto& y = std::get<relax::ShapeType>(b->kind);
        return x.ndim == y.ndim && x.values.has_value() == y.values.has_value() &&
               (!x.values || expr_lists(*x.values, *y.values));
      },
      [&](const relax::PrimType& x) {
        const auto& y = std::get<relax::PrimType>(b->kind);
        return x.dtype == y.dtype && exprs(x.value, y.value);
      },
      [&](const relax::TupleType& x) {
        return type_lists(x.fields, std::get<relax::TupleType>(b->kind).fields);
      },
      [&](const relax::FuncType& x) {
        const auto& y = std::get<relax::FuncType>(b->kind);
        return type_lists(x.params, y.params) && types(x.ret, y.ret);
      },
      [&](const relax::AnyType&) { return true; });
}

bool StructuralMatch::relax_lists(const std::vector<relax::Expr>& a,
                                  const std::vector<relax::Expr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!relax_exprs(a[i], b[i])) return false;
  }
  return true;
}

bool StructuralMatch::relax_exprs(const relax::Expr& a, const relax::Expr& b) {
  if (!a || !b) return a == b;
  if (a->kind.index() != b->kind.index()) return false;
  return match(
      a->kind,
      [&](const relax::Var& x) { return same(x.get(), std::get<relax::Var>(b->kind).get()); },
      [&](const relax::Constant& x) {
        return same_constant(x, std::get<relax::Constant>(b->kind));
      },
      [&](const relax::ShapeExpr& x) {
        return expr_lists(x.values, std::get<relax::ShapeExpr>(b->kind).values);
      },
      [&](const relax::PrimValue& x) {
        return exprs(x.value, std::get<relax::PrimValue>(b->kind).value);
      },
      [&](const relax::StringImm& x) {
        return x.value == std::get<relax::StringImm>(b->kind).value;
      },
      [&](const relax::DataTypeImm& x) {
        return x.value == std::get<relax::DataTypeImm>(b->kind).value;
      },
      [&](const relax::Tuple& x) {
        return relax_lists(x.fields, std::get<relax::Tuple>(b->kind).fields);
      },
      [&](const relax::TupleGetItem& x) {
        const auto& y = std::get<relax::TupleGetItem>(b->kind);
        return x.index == y.index && relax_exprs(x.tuple, y.tuple);
      },
      [&](const relax::OpCall& x) {
        const auto& y = std::get<relax::OpCall>(b->kind);
        return x.op == y.op && x.attrs == y.attrs && relax_lists(x.args, y.args);
      },
      [&](const relax::CallTIR& x) {
        const auto& y = std::get<relax::CallTIR>(b->kind);
        return x.func.name == y.func.name && relax_lists(x.args, y.args) &&
               expr_lists(x.tir_vars, y.tir_vars) && type_lists(x.out_types, y.out_types);
      },
      [&](const relax::CallDPSPacked& x) {
        const auto& y = std::get<relax::CallDPSPacked>(b->kind);
        return x.func.global_symbol == y.func.global_symbol && relax_lists(x.args, y.args) &&
               type_lists(x.out_types, y.out_types);
      });
}

bool StructuralMatch::relax_params(const relax::FunctionNode& a, const relax::FunctionNode& b) {
  if (a.params.size() != b.params.size()) {
    return differ(std::to_string(a.params.size()) + " parameters against " +
                  std::to_string(b.params.size()));
  }
  map_free_ = true;  // symbols in the types of parameters are bound there
  for (size_t i = 0; i < a.params.size(); ++i) {
    if (!types(a.params[i]->type, b.params[i]->type)) {
      return differ("parameter " + a.params[i]->name_hint + ": another type");
    }
    pair(a.params[i].get(), b.params[i].get());
  }
  map_free_ = false;
  return true;
}

bool StructuralMatch::bindings(const relax::Binding& a, const relax::Binding& b, size_t index) {
  const std::string place = "binding " + std::to_string(index) + ": ";
  if (!relax_exprs(a.value, b.value)) {
    const std::string left = describe(a.value), right = describe(b.value);
    if (left != right) return differ(place + left + " against " + right);
    return differ(place + left + " with other arguments or attributes");
  }
  if (!types(a.var->type, b.var->type)) return differ(place + "another type");
  if (a.var->dataflow != b.var->dataflow) return differ(place + "only one is a dataflow variable");
  pair(a.var.get(), b.var.get());
  return true;
}

bool StructuralMatch::functions(const relax::Function& a, const relax::Function& b) {
  if (!relax_params(*a, *b)) return false;
  if (a->attrs != b->attrs) return differ("other attributes");
  size_t index = 0;
  const size_t blocks = std::min(a->blocks.size(), b->blocks.size());
  for (size_t k = 0; k < blocks; ++k) {
    const relax::BindingBlock &x = a->blocks[k], &y = b->blocks[k];
    const size_t count = std::min(x.bindings.size(), y.bindings.size());
    for (size_t i = 0; i < count; ++i) {
      if (!bindings(x.bindings[i], y.bindings[i], index++)) return false;
    }
    if (x.dataflow != y.dataflow || x.bindings.size() != y.bindings.size()) {
      return differ("block " + std::to_string(k) + ": " + std::to_string(x.bindings.size()) +
                    " bindings against " + std::to_string(y.bindings.size()));
    }
  }
  if (a->blocks.size() != b->blocks.size()) {
    return differ(std::to_string(a->blocks.size()) + " blocks against " +
                  std::to_string(b->blocks.size()));
  }
  if (!relax_exprs(a->body, b->body)) return differ("another result");
  if (!types(a->ret_type, b->ret_type)) return differ("another result type");
  return true;
}

bool structural_equal(const tir::PrimFunc& a, const tir::PrimFunc& b) {
  return StructuralMatch(false).prim_funcs(a, b);
}

bool structural_equal(const relax::Function& a, const relax::Function& b) {
  return StructuralMatch(false).functions(a, b);
}

bool structural_equal(const tir::PrimExpr& a, const tir::PrimExpr& b, bool map_free_vars) {
  return StructuralMatch(map_free_vars).exprs(a, b);
}

bool structural_equal(const relax::Type& a, const relax::Type& b, bool map_free_vars) {
  return StructuralMatch(map_free_vars).types(a, b);
}

std::optional<std::string> first_difference(const IRModule& a, const IRModule& b) {
  for (const auto& [name, function] : a.functions) {
    const BaseFunc* other = find_function(b, name);
    if (!other) return name + ": only in the first module";
    if (function.index() != other->index()) return name + ": a PrimFunc against a Relax function";
    StructuralMatch matcher(false);
    if (const auto* prim_func = std::get_if<tir::PrimFunc>(&function)) {
      if (!matcher.prim_funcs(*prim_func, std::get<tir::PrimFunc>(*other))) {
        return name + ": another PrimFunc";
      }
    } else if (!matcher.functions(std::get<relax::Function>(function),
                                  std::get<relax::Function>(*other))) {
      return name + ", " + matcher.where();
    }
  }
  for (const auto& [name, function] : b.functions) {
    if (!find_function(a, name)) return name + ": only in the second module";
  }
  return std::nullopt;
}

bool structural_equal(const IRModule& a, const IRModule& b) {
  return !first_difference(a, b).has_value();
}

}  // namespace fx2wasm
