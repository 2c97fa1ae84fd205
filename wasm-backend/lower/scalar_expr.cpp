// Scalar expressions.
#include <limits>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/emitter.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::BinaryOp;
using tir::PrimExpr;

namespace {

bool is_wide_int(DType dtype) { return dtype == DType::Int64 || dtype == DType::UInt64; }
bool is_unsigned_word(DType dtype) { return dtype == DType::UInt32 || dtype == DType::UInt64; }

// The same instruction for i32 and i64, or f32 and f64.
Op by_type(ValType type, Op i32, Op i64, Op f32, Op f64) {
  switch (type) {
    case ValType::I32:
      return i32;
    case ValType::I64:
      return i64;
    case ValType::F32:
      return f32;
    case ValType::F64:
      return f64;
    case ValType::V128:
      break;
  }
  FX_CHECK(false, "no scalar instruction for a vector");
  return i32;
}

std::optional<int> log2_exact(int64_t value) {
  if (value <= 0 || (value & (value - 1)) != 0) return std::nullopt;
  return __builtin_ctzll(static_cast<unsigned long long>(value));
}

// True when evaluating it although it is not needed is harmless and cheap.
bool is_speculable(const PrimExpr& expr) {
  bool harmless = true;
  tir::walk(expr, [&](const PrimExpr& e) {
    if (std::holds_alternative<tir::BufferLoad>(e->kind)) harmless = false;
    if (std::holds_alternative<tir::Call>(e->kind)) harmless = false;
    if (const auto* binary = std::get_if<tir::Binary>(&e->kind)) {
      const bool divides = binary->op == BinaryOp::Div || binary->op == BinaryOp::Mod ||
                           binary->op == BinaryOp::FloorDiv || binary->op == BinaryOp::FloorMod;
      if (divides && !is_float(e->dtype)) harmless = false;
    }
    return harmless;
  });
  return harmless;
}

}  // namespace

ValType Emitter::representation(const PrimExpr& expr) const {
  switch (expr->dtype) {
    case DType::Bool:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
      return ValType::I32;
    case DType::Int64:
      return bounds.fits_int32(expr) ? ValType::I32 : ValType::I64;
    case DType::UInt64:
      return ValType::I64;
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
      return ValType::F32;
    case DType::Float64:
      return ValType::F64;
  }
  return ValType::I32;
}

uint32_t Emitter::define(const tir::Var& var, Interval interval) {
  bounds.bind(var, interval);
  const uint32_t local = code.add_local(representation(tir::var_expr(var)));
  vars[var.get()] = local;
  return local;
}

void Emitter::emit_as(const PrimExpr& expr, ValType type) {
  if (const auto value = tir::as_int(expr); value && type == ValType::I64) return code.i64(*value);
  const ValType own = representation(expr);
  emit(expr);
  if (own == type) return;
  if (own == ValType::I32 && type == ValType::I64) {
    return code.op(expr->dtype == DType::UInt32 ? Op::I64ExtendI32U : Op::I64ExtendI32S);
  }
  FX_CHECK(own == ValType::I64 && type == ValType::I32, "a value of another kind");
  code.op(Op::I32WrapI64);
}

void Emitter::emit_var(const tir::Var& var) {
  const auto found = vars.find(var.get());
  FX_CHECK(found != vars.end(), "a variable that is not in scope");
  code.get(found->second);
}

void Emitter::emit(const PrimExpr& expr) {
  const ValType type = representation(expr);
  match(
      expr->kind, [&](const tir::Var& var) { emit_var(var); },
      [&](const tir::IntImm& imm) {
        if (type == ValType::I64) return code.i64(imm.value);
        code.i32(static_cast<int32_t>(imm.value));
      },
      [&](const tir::FloatImm& imm) {
        if (type == ValType::F64) return code.f64(imm.value);
        code.f32(static_cast<float>(imm.value));
      },
      [&](const tir::StringImm&) { FX_CHECK(false, "a string is no scalar value"); },
      [&](const tir::Binary& e) { emit_binary(expr, e); },
      [&](const tir::Not& e) {
        emit(e.a);
        code.op(Op::I32Eqz);
      },
      [&](const tir::Cast& e) { emit_cast(expr, e); },
      [&](const tir::Select& e) {
        emit_as(e.true_value, type);
        emit_as(e.false_value, type);
        emit(e.condition);
        code.op(Op::Select);
      },
      [&](const tir::Call& e) { emit_call(expr, e); },
      [&](const tir::BufferLoad& e) { emit_load(expr, e); },
      [&](const tir::Let& e) {
        const uint32_t local = define(e.var, bounds.of(e.value));
        emit_as(e.value, code.local_type(local));
        code.set(local);
        emit_as(e.body, type);
      },
      [&](const tir::ProducerLoad&) { FX_CHECK(false, "a tensor expression in a PrimFunc"); },
      [&](const tir::Reduce&) { FX_CHECK(false, "a tensor expression in a PrimFunc"); });
}

void Emitter::normalize(DType dtype) {
  switch (dtype) {
    case DType::Int8:
      return code.op(Op::I32Extend8S);
    case DType::Int16:
      return code.op(Op::I32Extend16S);
    case DType::UInt8:
      code.i32(0xff);
      return code.op(Op::I32And);
    case DType::UInt16:
      code.i32(0xffff);
      return code.op(Op::I32And);
    case DType::Bool:
      code.i32(1);
      return code.op(Op::I32And);
    case DType::Int32:
    case DType::UInt32:
    case DType::Int64:
    case DType::UInt64:
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
      return;
  }
}

void Emitter::emit_binary(const PrimExpr& expr, const tir::Binary& e) {
  const ValType type = representation(expr);
  switch (e.op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
      return emit_arithmetic(expr, e, type);
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
      return emit_division(expr, e, type);
    case BinaryOp::Min:
    case BinaryOp::Max:
      return emit_min_max(expr, e, type);
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
      return emit_comparison(e);
    case BinaryOp::And:
    case BinaryOp::Or:
      return emit_logic(e);
  }
}

void Emitter::emit_arithmetic(const PrimExpr& expr, const tir::Binary& e, ValType type) {
  emit_as(e.a, type);
  emit_as(e.b, type);
  if (e.op == BinaryOp::Add) {
    code.op(by_type(type, Op::I32Add, Op::I64Add, Op::F32Add, Op::F64Add));
  } else if (e.op == BinaryOp::Sub) {
    code.op(by_type(type, Op::I32Sub, Op::I64Sub, Op::F32Sub, Op::F64Sub));
  } else {
    code.op(by_type(type, Op::I32Mul, Op::I64Mul, Op::F32Mul, Op::F64Mul));
  }
  normalize(expr->dtype);
}

void Emitter::emit_division(const PrimExpr& expr, const tir::Binary& e, ValType type) {
  const bool floored = e.op == BinaryOp::FloorDiv || e.op == BinaryOp::FloorMod;
  const bool remainder = e.op == BinaryOp::Mod || e.op == BinaryOp::FloorMod;
  if (is_float(expr->dtype)) {
    if (e.op == BinaryOp::Mod) {
      emit(e.a);
      emit(e.b);
      return code.call(math.intrinsic(tir::Intrinsic::Fmod, type));
    }
    emit(e.a);
    if (e.op == BinaryOp::FloorMod) {  // a - floor(a / b) * b
      const uint32_t a = code.add_local(type), b = code.add_local(type);
      code.tee(a);
      code.get(a);
      emit(e.b);
      code.tee(b);
      code.op(type == ValType::F32 ? Op::F32Div : Op::F64Div);
      code.op(type == ValType::F32 ? Op::F32Floor : Op::F64Floor);
      code.get(b);
      code.op(type == ValType::F32 ? Op::F32Mul : Op::F64Mul);
      return code.op(type == ValType::F32 ? Op::F32Sub : Op::F64Sub);
    }
    emit(e.b);
    code.op(type == ValType::F32 ? Op::F32Div : Op::F64Div);
    if (floored) code.op(type == ValType::F32 ? Op::F32Floor : Op::F64Floor);
    return;
  }
  emit_as(e.a, type);
  const auto divisor = tir::as_int(e.b);
  const auto shift = divisor ? log2_exact(*divisor) : std::nullopt;
  if (floored && shift && !is_unsigned_word(expr->dtype)) {
    // An arithmetic shift rounds down and a mask is never negative: just what "floored" says.
    const int64_t operand = remainder ? *divisor - 1 : *shift;
    if (type == ValType::I64) {
      code.i64(operand);
    } else {
      code.i32(static_cast<int32_t>(operand));
    }
    return code.op(remainder ? by_type(type, Op::I32And, Op::I64And, Op::Br, Op::Br)
                             : by_type(type, Op::I32ShrS, Op::I64ShrS, Op::Br, Op::Br));
  }
  emit_as(e.b, type);
  const bool no_signs =
      is_unsigned_word(expr->dtype) || (bounds.of(e.a).min >= 0 && bounds.of(e.b).min >= 0);
  if (no_signs) {
    code.op(remainder ? by_type(type, Op::I32RemU, Op::I64RemU, Op::Br, Op::Br)
                      : by_type(type, Op::I32DivU, Op::I64DivU, Op::Br, Op::Br));
  } else if (!floored) {
    code.op(remainder ? by_type(type, Op::I32RemS, Op::I64RemS, Op::Br, Op::Br)
                      : by_type(type, Op::I32DivS, Op::I64DivS, Op::Br, Op::Br));
  } else if (type == ValType::I64) {
    code.call(math.helper(remainder ? Helper::FloorModI64 : Helper::FloorDivI64));
  } else {
    code.call(math.helper(remainder ? Helper::FloorModI32 : Helper::FloorDivI32));
  }
  normalize(expr->dtype);
}

void Emitter::emit_min_max(const PrimExpr& expr, const tir::Binary& e, ValType type) {
  const bool max = e.op == BinaryOp::Max;
  emit_as(e.a, type);
  if (is_float(expr->dtype)) {
    emit_as(e.b, type);
    return code.op(max ? by_type(type, Op::Br, Op::Br, Op::F32Max, Op::F64Max)
                       : by_type(type, Op::Br, Op::Br, Op::F32Min, Op::F64Min));
  }
  const uint32_t a = code.add_local(type), b = code.add_local(type);
  code.tee(a);
  emit_as(e.b, type);
  code.tee(b);
  code.get(a);
  code.get(b);
  const bool no_sign = is_unsigned_word(expr->dtype);
  const Op greater = no_sign ? by_type(type, Op::I32GtU, Op::I64GtU, Op::Br, Op::Br)
                             : by_type(type, Op::I32GtS, Op::I64GtS, Op::Br, Op::Br);
  const Op less = no_sign ? by_type(type, Op::I32LtU, Op::I64LtU, Op::Br, Op::Br)
                          : by_type(type, Op::I32LtS, Op::I64LtS, Op::Br, Op::Br);
  code.op(max ? greater : less);
  code.op(Op::Select);
}

void Emitter::emit_comparison(const tir::Binary& e) {
  const ValType left = representation(e.a), right = representation(e.b);
  const ValType type = left == right ? left : ValType::I64;
  emit_as(e.a, type);
  emit_as(e.b, type);
  const bool no_sign = is_unsigned_word(e.a->dtype);
  switch (e.op) {
    case BinaryOp::EQ:
      return code.op(by_type(type, Op::I32Eq, Op::I64Eq, Op::F32Eq, Op::F64Eq));
    case BinaryOp::NE:
      return code.op(by_type(type, Op::I32Ne, Op::I64Ne, Op::F32Ne, Op::F64Ne));
    case BinaryOp::LT:
      return code.op(no_sign ? by_type(type, Op::I32LtU, Op::I64LtU, Op::Br, Op::Br)
                             : by_type(type, Op::I32LtS, Op::I64LtS, Op::F32Lt, Op::F64Lt));
    case BinaryOp::LE:
      return code.op(no_sign ? by_type(type, Op::I32LeU, Op::I64LeU, Op::Br, Op::Br)
                             : by_type(type, Op::I32LeS, Op::I64LeS, Op::F32Le, Op::F64Le));
    case BinaryOp::GT:
      return code.op(no_sign ? by_type(type, Op::I32GtU, Op::I64GtU, Op::Br, Op::Br)
                             : by_type(type, Op::I32GtS, Op::I64GtS, Op::F32Gt, Op::F64Gt));
    case BinaryOp::GE:
      return code.op(no_sign ? by_type(type, Op::I32GeU, Op::I64GeU, Op::Br, Op::Br)
                             : by_type(type, Op::I32GeS, Op::I64GeS, Op::F32Ge, Op::F64Ge));
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::FloorDiv:
    case BinaryOp::FloorMod:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::And:
    case BinaryOp::Or:
      FX_CHECK(false, "not a comparison");
  }
}

void Emitter::emit_logic(const tir::Binary& e) {
  const bool is_and = e.op == BinaryOp::And;
  emit(e.a);
  if (is_speculable(e.b)) {
    emit(e.b);
    return code.op(is_and ? Op::I32And : Op::I32Or);
  }
  // The right operand may only be looked at when the left one does not decide.
  code.if_(ValType::I32);
  ++conditional_;
  if (is_and) {
    emit(e.b);
    code.else_();
    code.i32(0);
  } else {
    code.i32(1);
    code.else_();
    emit(e.b);
  }
  --conditional_;
  code.end();
}

void Emitter::emit_float_to_int(DType to, ValType from) {
  const bool single = from == ValType::F32;
  switch (to) {
    case DType::Int64:
      return code.op(single ? Op::I64TruncSatF32S : Op::I64TruncSatF64S);
    case DType::UInt64:
      return code.op(single ? Op::I64TruncSatF32U : Op::I64TruncSatF64U);
    case DType::UInt32:
      return code.op(single ? Op::I32TruncSatF32U : Op::I32TruncSatF64U);
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::UInt8:
    case DType::UInt16:
      code.op(single ? Op::I32TruncSatF32S : Op::I32TruncSatF64S);
      return normalize(to);
    case DType::Bool:
      if (single) {
        code.f32(0);
      } else {
        code.f64(0);
      }
      return code.op(single ? Op::F32Ne : Op::F64Ne);
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
      FX_CHECK(false, "not an integer");
  }
}

void Emitter::emit_cast(const PrimExpr& expr, const tir::Cast& e) {
  const DType from = e.value->dtype, to = expr->dtype;
  const ValType have = representation(e.value), want = representation(expr);
  emit(e.value);
  if (is_float(from)) {
    if (!is_float(to)) {
      emit_float_to_int(to, have);
      if (is_wide_int(to) && want == ValType::I32) code.op(Op::I32WrapI64);
      return;
    }
    if (have == ValType::F32 && want == ValType::F64) return code.op(Op::F64PromoteF32);
    if (have == ValType::F64 && want == ValType::F32) code.op(Op::F32DemoteF64);
    if (to == from) return;
    if (to == DType::Float16) {
      code.call(math.helper(Helper::FloatToHalf));
      code.call(math.helper(Helper::HalfToFloat));
    } else if (to == DType::BFloat16) {
      code.call(math.helper(Helper::FloatToBrain));
      code.i32(16);
      code.op(Op::I32Shl);
      code.op(Op::F32ReinterpretI32);
    }
    return;
  }
  if (is_float(to)) {
    const bool no_sign = is_unsigned_word(from);
    if (have == ValType::I32) {
      code.op(want == ValType::F32 ? (no_sign ? Op::F32ConvertI32U : Op::F32ConvertI32S)
                                   : (no_sign ? Op::F64ConvertI32U : Op::F64ConvertI32S));
    } else {
      code.op(want == ValType::F32 ? (no_sign ? Op::F32ConvertI64U : Op::F32ConvertI64S)
                                   : (no_sign ? Op::F64ConvertI64U : Op::F64ConvertI64S));
    }
    return;
  }
  if (to == DType::Bool) {
    if (from == DType::Bool) return;
    if (have == ValType::I64) {
      code.op(Op::I64Eqz);
    } else {
      code.op(Op::I32Eqz);
    }
    return code.op(Op::I32Eqz);
  }
  if (have == ValType::I32 && want == ValType::I64) {
    return code.op(from == DType::UInt32 ? Op::I64ExtendI32U : Op::I64ExtendI32S);
  }
  if (have == ValType::I64 && want == ValType::I32) code.op(Op::I32WrapI64);
  normalize(to);
}

}  // namespace fx2wasm::wasm
