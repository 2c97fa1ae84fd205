#include <algorithm>
#include <string>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "print/literal.h"
#include "print/printer.h"
#include "support/check.h"

namespace fx2wasm::print {

using tir::BinaryOp;
using tir::Intrinsic;
using tir::PrimExpr;

namespace {

struct Operator {
  std::string_view symbol;  // empty: none, it prints as a call
  Precedence precedence = Precedence::Atom;
  std::string_view call_name;  // after `T.`
};

Operator operator_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
      return {"+", Precedence::Sum, "Add"};
    case BinaryOp::Sub:
      return {"-", Precedence::Sum, "Sub"};
    case BinaryOp::Mul:
      return {"*", Precedence::Product, "Mul"};
    case BinaryOp::Div:
      return {"/", Precedence::Product, "Div"};
    case BinaryOp::Mod:
      return {"", Precedence::Atom, "truncmod"};
    case BinaryOp::FloorDiv:
      return {"//", Precedence::Product, "FloorDiv"};
    case BinaryOp::FloorMod:
      return {"%", Precedence::Product, "FloorMod"};
    case BinaryOp::Min:
      return {"", Precedence::Atom, "min"};
    case BinaryOp::Max:
      return {"", Precedence::Atom, "max"};
    case BinaryOp::EQ:
      return {"==", Precedence::Comparison, "EQ"};
    case BinaryOp::NE:
      return {"!=", Precedence::Comparison, "NE"};
    case BinaryOp::LT:
      return {"<", Precedence::Comparison, "LT"};
    case BinaryOp::LE:
      return {"<=", Precedence::Comparison, "LE"};
    case BinaryOp::GT:
      return {">", Precedence::Comparison, "GT"};
    case BinaryOp::GE:
      return {">=", Precedence::Comparison, "GE"};
    case BinaryOp::And:
      return {"and", Precedence::And, "And"};
    case BinaryOp::Or:
      return {"or", Precedence::Or, "Or"};
  }
  return {};
}

// Infix only where reading the text builds the same node again: `T.Add(1, 2)` would fold.
Operator operator_of(const tir::Binary& e) {
  Operator op = operator_of(e.op);
  const bool integer_division = e.op == BinaryOp::Div && !is_float(e.a->dtype);
  if (integer_division || tir::try_fold(e.op, e.a, e.b)) {
    op.symbol = {};
    op.precedence = Precedence::Atom;
  }
  return op;
}

Operator operator_of(const tir::Call& call) {
  const std::string_view name = tir::intrinsic_name(call.op);
  if (call.op == Intrinsic::BitwiseAnd) return {"&", Precedence::BitAnd, name};
  if (call.op == Intrinsic::BitwiseOr) return {"|", Precedence::BitOr, name};
  if (call.op == Intrinsic::BitwiseXor) return {"^", Precedence::BitXor, name};
  if (call.op == Intrinsic::ShiftLeft) return {"<<", Precedence::Shift, name};
  if (call.op == Intrinsic::ShiftRight) return {">>", Precedence::Shift, name};
  if (call.op == Intrinsic::BitwiseNot) return {"~", Precedence::Unary, name};
  return {"", Precedence::Atom, name};
}

Precedence precedence_of(const PrimExpr& expr) {
  if (const auto* e = std::get_if<tir::Binary>(&expr->kind)) return operator_of(*e).precedence;
  if (const auto* e = std::get_if<tir::Call>(&expr->kind)) return operator_of(*e).precedence;
  if (std::holds_alternative<tir::Not>(expr->kind)) return Precedence::Not;
  return Precedence::Atom;
}

void write_operand(Printer& p, const PrimExpr& operand, Precedence parent, bool right) {
  const Precedence own = precedence_of(operand);
  if (own < parent || (right && own == parent)) {
    write(p, "(");
    write_expr(p, operand);
    write(p, ")");
  } else {
    write_expr(p, operand);
  }
}

void write_infix(Printer& p, const Operator& op, const PrimExpr& a, const PrimExpr& b) {
  write_operand(p, a, op.precedence, false);
  write(p, " ");
  write(p, op.symbol);
  write(p, " ");
  write_operand(p, b, op.precedence, true);
}

void write_call(Printer& p, std::string_view name, const std::vector<PrimExpr>& args) {
  write_tirx(p, name);
  write(p, "(");
  write_exprs(p, args);
  write(p, ")");
}

void write_int(Printer& p, DType dtype, int64_t value) {
  if (dtype == DType::Bool) {
    const std::string_view text = value != 0 ? "True" : "False";
    if (p.relax_mode) return write(p, text);
    write_tirx(p, "bool(");
    write(p, text);
    return write(p, ")");
  }
  if (p.relax_mode || dtype == DType::Int32) return write(p, std::to_string(value));
  write_tirx(p, dtype_name(dtype));
  write(p, "(" + std::to_string(value) + ")");
}

void write_float(Printer& p, DType dtype, double value) {
  write_tirx(p, dtype_name(dtype));
  write(p, "(" + float_literal(value) + ")");
}

std::string_view iter_kind_name(tir::IterKind kind) {
  switch (kind) {
    case tir::IterKind::Spatial:
      return "DataPar";
    case tir::IterKind::Reduce:
      return "CommReduce";
    case tir::IterKind::Opaque:
      return "Opaque";
  }
  return "";
}

void write_reducer(Printer& p, const tir::CommReducer& reducer) {
  write_tirx(p, "comm_reducer(lambda ");
  NameScope scope(p.names);
  bool first = true;
  for (const auto* vars : {&reducer.lhs, &reducer.rhs}) {
    for (const tir::Var& var : *vars) {
      if (!first) write(p, ", ");
      first = false;
      write(p, p.own_names ? var->name : p.names.define(var.get(), var->name));
    }
  }
  write(p, ": ");
  const bool single = reducer.result.size() == 1;
  if (!single) write(p, "(");
  write_exprs(p, reducer.result);
  if (!single) write(p, ")");
  write(p, ", [");
  write_exprs(p, reducer.identity);
  write(p, "])");
}

void write_reduce(Printer& p, const tir::Reduce& e) {
  write_tirx(p, "reduce(");
  write_reducer(p, *e.combiner);
  write(p, ", source=[");
  write_exprs(p, e.source);
  write(p, "], init=[");
  write_exprs(p, e.init);
  write(p, "], axis=[");
  for (size_t i = 0; i < e.axis.size(); ++i) {
    const tir::IterVar& axis = e.axis[i];
    if (i > 0) write(p, ", ");
    write_tirx(p, "iter_var(");
    write(p, name_of(p, axis.var));
    write(p, ", ");
    write_call(p, "Range", {axis.dom.min, tir::add(axis.dom.min, axis.dom.extent)});
    write(p, ", \"" + std::string(iter_kind_name(axis.kind)) + "\", \"\")");
  }
  write(p, "], condition=");
  write_expr(p, e.condition ? e.condition : tir::bool_imm(true));
  write(p, ", value_index=" + std::to_string(e.value_index) + ")");
}

}  // namespace

std::string name_of(Printer& p, const tir::Var& var) {
  if (p.own_names) return var->name;
  if (const std::string* known = p.names.find(var.get())) return *known;
  const std::string name = p.names.define(var.get(), var->name);
  if (p.in_signature) {
    p.signature_symbols.insert(var.get());
  } else {
    p.uses_tirx = true;
    p.prelude.push_back(name + " = T." + std::string(dtype_name(var->dtype)) + "()");
  }
  return name;
}

void write_exprs(Printer& p, const std::vector<PrimExpr>& exprs) {
  for (size_t i = 0; i < exprs.size(); ++i) {
    if (i > 0) write(p, ", ");
    write_expr(p, exprs[i]);
  }
}

void write_expr_string(Printer& p, const PrimExpr& expr) {
  write(p, string_literal(capture(p, [&] { write_expr(p, expr); })));
}

void write_buffer_name(Printer& p, const tir::Buffer& buffer) {
  const std::string name = p.own_names ? buffer->name : p.names.define(buffer.get(), buffer->name);
  const size_t begin = p.text.size();
  write(p, name);
  add_span(p, begin, SpanKind::Buffer, -1, name);
}

void write_indices(Printer& p, const std::vector<PrimExpr>& indices) {
  if (indices.empty()) return write(p, "[()]");
  write(p, "[");
  write_exprs(p, indices);
  write(p, "]");
}

void write_expr(Printer& p, const PrimExpr& expr) {
  match(
      expr->kind, [&](const tir::Var& var) { write(p, name_of(p, var)); },
      [&](const tir::IntImm& e) { write_int(p, expr->dtype, e.value); },
      [&](const tir::FloatImm& e) { write_float(p, expr->dtype, e.value); },
      [&](const tir::StringImm& e) { write(p, string_literal(e.value)); },
      [&](const tir::Binary& e) {
        const Operator op = operator_of(e);
        if (op.symbol.empty()) return write_call(p, op.call_name, {e.a, e.b});
        write_infix(p, op, e.a, e.b);
      },
      [&](const tir::Not& e) {
        write(p, "not ");
        write_operand(p, e.a, Precedence::Not, false);
      },
      [&](const tir::Cast& e) {
        write_tirx(p, "Cast(" + dtype_literal(expr->dtype) + ", ");
        write_expr(p, e.value);
        write(p, ")");
      },
      [&](const tir::Select& e) {
        write_call(p, "Select", {e.condition, e.true_value, e.false_value});
      },
      [&](const tir::Call& e) {
        const Operator op = operator_of(e);
        if (op.precedence == Precedence::Unary) {
          write(p, op.symbol);
          write_operand(p, e.args[0], Precedence::Unary, false);
        } else if (!op.symbol.empty()) {
          write_infix(p, op, e.args[0], e.args[1]);
        } else if (e.op == Intrinsic::Reinterpret || e.op == Intrinsic::Infinity) {
          write_tirx(p, op.call_name);
          write(p, "(" + dtype_literal(expr->dtype));
          for (const PrimExpr& arg : e.args) {
            write(p, ", ");
            write_expr(p, arg);
          }
          write(p, ")");
        } else {
          write_call(p, op.call_name, e.args);
        }
      },
      [&](const tir::BufferLoad& e) {
        write_buffer_name(p, e.buffer);
        write_indices(p, e.indices);
      },
      [&](const tir::Let& e) {
        NameScope scope(p.names);
        const std::string name =
            p.own_names ? e.var->name : p.names.define(e.var.get(), e.var->name);
        write_tirx(p, "Let(");
        write_expr(p, e.body);
        write(p, ", where={" + name + ": ");
        write_expr(p, e.value);
        write(p, "})");
      },
      [&](const tir::ProducerLoad& e) {
        // The producer's name is the tensor expression's business (te/), which resolves it first.
        write(p, "producer");
        write_indices(p, e.indices);
      },
      [&](const tir::Reduce& e) { write_reduce(p, e); });
}

void write_attr_dict(Printer& p, const Attrs& attrs) {
  std::vector<const NamedAttr*> sorted;
  for (const auto& attr : attrs) sorted.push_back(&attr);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->first < b->first; });
  write(p, "{");
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0) write(p, ", ");
    write(p, string_literal(sorted[i]->first) + ": ");
    write_attr(p, sorted[i]->second);
  }
  write(p, "}");
}

void write_attr(Printer& p, const AttrValue& value) {
  match(
      value.value, [&](const AttrNone&) { write(p, "None"); },
      [&](const bool& v) { write(p, v ? "True" : "False"); },
      [&](const int64_t& v) { write(p, std::to_string(v)); },
      [&](const double& v) { write(p, float_literal(v)); },
      [&](const AttrFloat32& v) { write_float(p, DType::Float32, v.value); },
      [&](const AttrReadBuffer& v) {
        FX_CHECK(p.block != nullptr && v.read < p.block->reads.size(),
                 "an attribute that names a buffer stands in the block that reads it");
        write_buffer_name(p, p.block->reads[v.read].buffer);
      },
      [&](const std::string& v) { write(p, string_literal(v)); },
      [&](const DType& v) { write(p, dtype_literal(v)); },
      [&](const AttrList& list) {
        write(p, "[");
        for (size_t i = 0; i < list.size(); ++i) {
          if (i > 0) write(p, ", ");
          write_attr(p, list[i]);
        }
        write(p, "]");
      },
      [&](const Attrs& attrs) { write_attr_dict(p, attrs); });
}

}  // namespace fx2wasm::print
