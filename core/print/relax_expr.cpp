// Relax types and expressions.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "ir/match.h"
#include "ir/op.h"
#include "ir/tir_visit.h"
#include "print/literal.h"
#include "print/printer.h"

namespace fx2wasm::print {

using tir::PrimExpr;

namespace {

// One dimension. In a signature a compound one is in quotes, as Python would have to evaluate it
// before its symbols exist; so is a symbol that is a parameter.
void write_dim(Printer& p, const PrimExpr& dim) {
  if (!p.in_signature) return write_expr(p, dim);
  const std::vector<tir::Var> vars = tir::free_vars(dim);
  const std::string text = capture(p, [&] { write_expr(p, dim); });
  const auto* bare = std::get_if<tir::Var>(&dim->kind);
  const bool type_var = bare && (p.own_names || p.signature_symbols.count(bare->get()) != 0);
  write(p, vars.empty() || type_var ? text : string_literal(text));
}

void write_dims(Printer& p, const std::vector<PrimExpr>& dims) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) write(p, ", ");
    write_dim(p, dims[i]);
  }
}

void write_types(Printer& p, const std::vector<relax::Type>& types) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) write(p, ", ");
    write_type(p, types[i]);
  }
}

void write_tensor_type(Printer& p, const relax::TensorType& type) {
  write_relax(p, "Tensor");
  if (!type.shape && !type.dtype && type.ndim < 0) return;
  write(p, "(");
  std::string_view separator;
  if (type.shape) {
    write(p, "(");
    write_dims(p, *type.shape);
    write(p, type.shape->size() == 1 ? ",)" : ")");
    separator = ", ";
  }
  if (type.dtype) {
    write(p, separator);
    write(p, "dtype=" + dtype_literal(*type.dtype));
    separator = ", ";
  }
  if (!type.shape && type.ndim >= 0) {
    write(p, separator);
    write(p, "ndim=" + std::to_string(type.ndim));
  }
  write(p, ")");
}

template <class T>
T read_scalar(const TensorData& data) {
  T value;
  std::memcpy(&value, data.bytes.data(), sizeof value);
  return value;
}

double float16_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction | 1024, exponent - 25);
  }
  return bits & 0x8000 ? -value : value;
}

// A constant without dimensions as a literal; nothing for the dtypes that TVM keeps as metadata.
std::optional<std::string> scalar_literal(const TensorData& data) {
  switch (data.dtype) {
    case DType::Bool:
      return read_scalar<uint8_t>(data) != 0 ? "True" : "False";
    case DType::Int8:
      return std::to_string(read_scalar<int8_t>(data));
    case DType::Int16:
      return std::to_string(read_scalar<int16_t>(data));
    case DType::Int32:
      return std::to_string(read_scalar<int32_t>(data));
    case DType::Int64:
      return std::to_string(read_scalar<int64_t>(data));
    case DType::Float16:
      return float_literal(float16_value(read_scalar<uint16_t>(data)));
    case DType::Float32:
      return float_literal(static_cast<double>(read_scalar<float>(data)));
    case DType::Float64:
      return float_literal(read_scalar<double>(data));
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64:
    case DType::BFloat16:
      return std::nullopt;
  }
  return std::nullopt;
}

void write_constant(Printer& p, const relax::Constant& constant) {
  if (constant->shape.empty() && constant->data) {
    if (const std::optional<std::string> literal = scalar_literal(*constant->data)) {
      write_relax(p, "const(" + *literal + ", " + dtype_literal(constant->dtype) + ")");
      return;
    }
  }
  const auto found = std::find(p.metadata.begin(), p.metadata.end(), constant.get());
  const auto index = static_cast<int>(found - p.metadata.begin());
  if (found == p.metadata.end()) p.metadata.push_back(constant.get());
  const size_t begin = p.text.size();
  write(p, "metadata[\"ir.GenericConst\"][" + std::to_string(index) + "]");
  add_span(p, begin, SpanKind::Constant, index, constant->name);
}

void write_relax_var(Printer& p, const relax::Var& var) {
  const std::string name = p.own_names ? var->name_hint : p.names.define(var.get(), var->name_hint);
  const size_t begin = p.text.size();
  write(p, name);
  const auto index = p.var_index.find(var.get());
  if (index == p.var_index.end()) return;
  const auto origin = p.var_origin.find(var.get());
  add_span(p, begin, SpanKind::Var, index->second, name,
           origin == p.var_origin.end() ? std::vector<int>{} : *origin->second);
}

void write_elements(Printer& p, const std::vector<relax::Expr>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i > 0) write(p, ", ");
    write_relax_expr(p, exprs[i]);
  }
}

// `(a,)`, `(a, b, n)`; `symbols` follow the tensors.
void write_tuple(Printer& p, const std::vector<relax::Expr>& fields,
                 const std::vector<PrimExpr>& symbols) {
  if (fields.empty() && symbols.empty()) return write_relax(p, "tuple()");
  write(p, "(");
  write_elements(p, fields);
  if (!fields.empty() && !symbols.empty()) write(p, ", ");
  write_exprs(p, symbols);
  write(p, fields.size() + symbols.size() == 1 ? ",)" : ")");
}

void write_out_types(Printer& p, const std::vector<relax::Type>& types) {
  write(p, ", out_ty=");
  if (types.size() == 1) return write_type(p, types[0]);
  write(p, "[");
  write_types(p, types);
  write(p, "]");
}

void write_call_tir(Printer& p, const relax::CallTIR& call) {
  write_relax(p, "call_tir(");
  if (!p.module_alias_defined) {
    p.prelude.push_back("cls = Module");
    p.module_alias_defined = true;
  }
  const size_t begin = p.text.size();
  write(p, "cls." + call.func.name);
  add_span(p, begin, SpanKind::GlobalVar, -1, call.func.name,
           p.binding_origin ? *p.binding_origin : std::vector<int>{});
  write(p, ", ");
  write_tuple(p, call.args, call.tir_vars);
  write_out_types(p, call.out_types);
  write(p, ")");
}

}  // namespace

void write_type(Printer& p, const relax::Type& type) {
  match(
      type->kind, [&](const relax::TensorType& t) { write_tensor_type(p, t); },
      [&](const relax::ShapeType& t) {
        write_relax(p, "Shape(");
        if (t.values) {
          write(p, "[");
          write_dims(p, *t.values);
          write(p, "])");
        } else {
          write(p, "ndim=" + std::to_string(t.ndim) + ")");
        }
      },
      [&](const relax::PrimType& t) { write_tirx(p, dtype_name(t.dtype)); },
      [&](const relax::TupleType& t) {
        write_relax(p, "Tuple");
        if (t.fields.empty()) return;
        write(p, "(");
        write_types(p, t.fields);
        write(p, ")");
      },
      [&](const relax::FuncType& t) {
        write_relax(p, "Callable((");
        write_types(p, t.params);
        write(p, t.params.size() == 1 ? ",), " : "), ");
        write_type(p, t.ret);
        write(p, ", True)");
      },
      [&](const relax::AnyType&) { write_relax(p, "Any"); });
}

void write_relax_expr(Printer& p, const relax::Expr& expr) {
  match(
      expr->kind, [&](const relax::Var& var) { write_relax_var(p, var); },
      [&](const relax::Constant& constant) { write_constant(p, constant); },
      [&](const relax::ShapeExpr& e) {
        write_relax(p, "shape([");
        write_dims(p, e.values);
        write(p, "])");
      },
      [&](const relax::PrimValue& e) { write_expr(p, e.value); },
      [&](const relax::StringImm& e) { write_relax(p, "str(" + string_literal(e.value) + ")"); },
      [&](const relax::DataTypeImm& e) { write_relax(p, "dtype(" + dtype_literal(e.value) + ")"); },
      [&](const relax::Tuple& e) { write_tuple(p, e.fields, {}); },
      [&](const relax::TupleGetItem& e) {
        write_relax_expr(p, e.tuple);
        write(p, "[" + std::to_string(e.index) + "]");
      },
      [&](const relax::OpCall& call) {
        write_relax(p, call.op->name);
        write(p, "(");
        write_elements(p, call.args);
        std::string_view separator = call.args.empty() ? "" : ", ";
        for (const auto& [name, value] : call.attrs) {
          write(p, separator);
          write(p, name + "=");
          write_attr(p, value);
          separator = ", ";
        }
        write(p, ")");
      },
      [&](const relax::CallTIR& call) { write_call_tir(p, call); },
      [&](const relax::CallDPSPacked& call) {
        write_relax(p, "call_dps_packed(" + string_literal(call.func.global_symbol) + ", ");
        write_tuple(p, call.args, {});
        write_out_types(p, call.out_types);
        write(p, ")");
      });
}

}  // namespace fx2wasm::print
