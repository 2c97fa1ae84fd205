// Calls of intrinsics, loads, stores and addresses.
#include <bit>
#include <limits>

#include "ir/tir_build.h"
#include "lower/emitter.h"
#include "lower/instructions.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::Intrinsic;
using tir::PrimExpr;

namespace {

bool is_wide(ValType type) { return type == ValType::I64 || type == ValType::F64; }

}  // namespace

uint32_t align_of(DType dtype) {
  return static_cast<uint32_t>(std::countr_zero(static_cast<uint32_t>(dtype_bytes(dtype))));
}

void Emitter::emit_call(const PrimExpr& expr, const tir::Call& e) {
  const ValType type = representation(expr);
  switch (e.op) {
    case Intrinsic::IfThenElse:
      emit(e.args[0]);
      code.if_(type);
      ++conditional_;
      emit_as(e.args[1], type);
      code.else_();
      emit_as(e.args[2], type);
      --conditional_;
      return code.end();
    case Intrinsic::Likely:
    case Intrinsic::Ret:
      return emit_as(e.args[0], type);
    case Intrinsic::Infinity:
      if (type == ValType::F64) return code.f64(std::numeric_limits<double>::infinity());
      return code.f32(std::numeric_limits<float>::infinity());
    case Intrinsic::IsNan:
    case Intrinsic::IsInf:
    case Intrinsic::IsFinite:
      return emit_classification(e);
    case Intrinsic::Abs:
      if (is_float(expr->dtype)) return emit_float_call(expr, e);
      return emit_integer_call(expr, e);
    case Intrinsic::BitwiseAnd:
    case Intrinsic::BitwiseOr:
    case Intrinsic::BitwiseXor:
    case Intrinsic::BitwiseNot:
    case Intrinsic::ShiftLeft:
    case Intrinsic::ShiftRight:
    case Intrinsic::Popcount:
    case Intrinsic::Clz:
    case Intrinsic::Reinterpret:
      return emit_integer_call(expr, e);
    case Intrinsic::Exp:
    case Intrinsic::Exp2:
    case Intrinsic::Exp10:
    case Intrinsic::Log:
    case Intrinsic::Log2:
    case Intrinsic::Log10:
    case Intrinsic::Log1p:
    case Intrinsic::Sqrt:
    case Intrinsic::Rsqrt:
    case Intrinsic::Sigmoid:
    case Intrinsic::Tanh:
    case Intrinsic::Sin:
    case Intrinsic::Cos:
    case Intrinsic::Tan:
    case Intrinsic::Sinh:
    case Intrinsic::Cosh:
    case Intrinsic::Asin:
    case Intrinsic::Acos:
    case Intrinsic::Atan:
    case Intrinsic::Asinh:
    case Intrinsic::Acosh:
    case Intrinsic::Atanh:
    case Intrinsic::Atan2:
    case Intrinsic::Erf:
    case Intrinsic::Pow:
    case Intrinsic::Fmod:
    case Intrinsic::Fabs:
    case Intrinsic::Floor:
    case Intrinsic::Ceil:
    case Intrinsic::Trunc:
    case Intrinsic::Round:
    case Intrinsic::Nearbyint:
      return emit_float_call(expr, e);
  }
}

void Emitter::emit_classification(const tir::Call& e) {
  const ValType type = representation(e.args[0]);
  if (!is_float(e.args[0]->dtype)) return code.i32(e.op == Intrinsic::IsFinite ? 1 : 0);
  const bool single = type == ValType::F32;
  emit(e.args[0]);
  if (e.op == Intrinsic::IsNan) {
    const uint32_t value = code.add_local(type);
    code.tee(value);
    code.get(value);
    return code.op(single ? Op::F32Ne : Op::F64Ne);
  }
  code.op(single ? Op::F32Abs : Op::F64Abs);
  if (single) {
    code.f32(std::numeric_limits<float>::infinity());
  } else {
    code.f64(std::numeric_limits<double>::infinity());
  }
  // NaN is less than nothing, so `<` alone says finite.
  if (e.op == Intrinsic::IsInf) return code.op(single ? Op::F32Eq : Op::F64Eq);
  code.op(single ? Op::F32Lt : Op::F64Lt);
}

void Emitter::emit_integer_call(const PrimExpr& expr, const tir::Call& e) {
  const ValType type = representation(expr);
  const bool wide = is_wide(type);
  const auto constant = [&](int64_t value) {
    if (wide) {
      code.i64(value);
    } else {
      code.i32(static_cast<int32_t>(value));
    }
  };
  if (e.op == Intrinsic::Reinterpret) {
    const ValType from = representation(e.args[0]);
    emit(e.args[0]);
    if (from == ValType::F32 && type == ValType::I32) return code.op(Op::I32ReinterpretF32);
    if (from == ValType::I32 && type == ValType::F32) return code.op(Op::F32ReinterpretI32);
    if (from == ValType::F64 && type == ValType::I64) return code.op(Op::I64ReinterpretF64);
    if (from == ValType::I64 && type == ValType::F64) return code.op(Op::F64ReinterpretI64);
    return normalize(expr->dtype);
  }
  if (e.op == Intrinsic::Popcount || e.op == Intrinsic::Clz) {
    const ValType from = representation(e.args[0]);
    emit(e.args[0]);
    if (e.op == Intrinsic::Popcount) {
      code.op(from == ValType::I64 ? Op::I64Popcnt : Op::I32Popcnt);
    } else {
      code.op(from == ValType::I64 ? Op::I64Clz : Op::I32Clz);
    }
    if (from == ValType::I64 && type == ValType::I32) code.op(Op::I32WrapI64);
    if (from == ValType::I32 && type == ValType::I64) code.op(Op::I64ExtendI32U);
    return;
  }
  emit_as(e.args[0], type);
  if (e.op == Intrinsic::Abs) {  // (x ^ s) - s with s all ones for a negative x
    const uint32_t value = code.add_local(type), sign = code.add_local(type);
    code.tee(value);
    code.get(value);
    constant(wide ? 63 : 31);
    code.op(wide ? Op::I64ShrS : Op::I32ShrS);
    code.tee(sign);
    code.op(wide ? Op::I64Xor : Op::I32Xor);
    code.get(sign);
    code.op(wide ? Op::I64Sub : Op::I32Sub);
    return normalize(expr->dtype);
  }
  if (e.op == Intrinsic::BitwiseNot) {
    constant(-1);
    code.op(wide ? Op::I64Xor : Op::I32Xor);
    return normalize(expr->dtype);
  }
  emit_as(e.args[1], type);
  if (e.op == Intrinsic::BitwiseAnd) return code.op(wide ? Op::I64And : Op::I32And);
  if (e.op == Intrinsic::BitwiseOr) return code.op(wide ? Op::I64Or : Op::I32Or);
  if (e.op == Intrinsic::BitwiseXor) return code.op(wide ? Op::I64Xor : Op::I32Xor);
  if (e.op == Intrinsic::ShiftLeft) {
    code.op(wide ? Op::I64Shl : Op::I32Shl);
    return normalize(expr->dtype);
  }
  FX_CHECK(e.op == Intrinsic::ShiftRight, "not an intrinsic on integers");
  if (is_uint(expr->dtype)) return code.op(wide ? Op::I64ShrU : Op::I32ShrU);
  code.op(wide ? Op::I64ShrS : Op::I32ShrS);
}

void Emitter::emit_float_call(const PrimExpr& expr, const tir::Call& e) {
  const ValType type = representation(expr);
  FX_CHECK(is_float(expr->dtype), "an intrinsic of floats on integers");
  const bool single = type == ValType::F32;
  for (const PrimExpr& arg : e.args) emit_as(arg, type);
  if (const auto instruction = find_float_instruction(e.op)) {
    return code.op(single ? instruction->f32 : instruction->f64);
  }
  code.call(math.intrinsic(e.op, type));
}

// ---- memory ----

void Emitter::load(DType dtype, uint32_t offset) {
  const uint32_t align = align_of(dtype);
  switch (dtype) {
    case DType::Bool:
    case DType::UInt8:
      return code.memory(Op::I32Load8U, align, offset);
    case DType::Int8:
      return code.memory(Op::I32Load8S, align, offset);
    case DType::Int16:
      return code.memory(Op::I32Load16S, align, offset);
    case DType::UInt16:
      return code.memory(Op::I32Load16U, align, offset);
    case DType::Int32:
    case DType::UInt32:
      return code.memory(Op::I32Load, align, offset);
    case DType::Int64:
    case DType::UInt64:
      return code.memory(Op::I64Load, align, offset);
    case DType::Float32:
      return code.memory(Op::F32Load, align, offset);
    case DType::Float64:
      return code.memory(Op::F64Load, align, offset);
    case DType::Float16:
      code.memory(Op::I32Load16U, align, offset);
      return code.call(math.helper(Helper::HalfToFloat));
    case DType::BFloat16:
      code.memory(Op::I32Load16U, align, offset);
      code.i32(16);
      code.op(Op::I32Shl);
      return code.op(Op::F32ReinterpretI32);
  }
}

void Emitter::store(DType dtype, uint32_t offset) {
  const uint32_t align = align_of(dtype);
  switch (dtype) {
    case DType::Bool:
    case DType::Int8:
    case DType::UInt8:
      return code.memory(Op::I32Store8, align, offset);
    case DType::Int16:
    case DType::UInt16:
      return code.memory(Op::I32Store16, align, offset);
    case DType::Int32:
    case DType::UInt32:
      return code.memory(Op::I32Store, align, offset);
    case DType::Int64:
    case DType::UInt64:
      return code.memory(Op::I64Store, align, offset);
    case DType::Float32:
      return code.memory(Op::F32Store, align, offset);
    case DType::Float64:
      return code.memory(Op::F64Store, align, offset);
    case DType::Float16:
      code.call(math.helper(Helper::FloatToHalf));
      return code.memory(Op::I32Store16, align, offset);
    case DType::BFloat16:
      code.call(math.helper(Helper::FloatToBrain));
      return code.memory(Op::I32Store16, align, offset);
  }
}

bool Emitter::terms_not_negative(const Affine& affine) const {
  int64_t least = 0;
  const auto add = [&](Interval interval, int64_t factor) {
    int64_t low = 0;
    const int64_t end = factor > 0 ? interval.min : interval.max;
    if (__builtin_mul_overflow(end, factor, &low)) return false;
    return !__builtin_add_overflow(least, low, &least);
  };
  for (const auto& term : affine.terms) {
    if (!add(bounds.of(tir::var_expr(term.first)), term.second)) return false;
  }
  for (const auto& term : affine.opaque) {
    if (!add(bounds.of(term.first), term.second)) return false;
  }
  return least >= 0;
}

void Emitter::add_terms(const Affine& affine, int32_t bytes) {
  const auto add_scaled = [&](int64_t factor) {
    const int64_t scale = factor * bytes;
    const auto magnitude = static_cast<uint64_t>(scale);
    if (scale > 1 && std::has_single_bit(magnitude)) {
      code.i32(std::countr_zero(magnitude));
      code.op(Op::I32Shl);
    } else if (scale != 1) {
      code.i32(static_cast<int32_t>(scale));
      code.op(Op::I32Mul);
    }
    code.op(Op::I32Add);
  };
  for (const auto& term : affine.terms) {
    emit_index(tir::var_expr(term.first));
    add_scaled(term.second);
  }
  for (const auto& term : affine.opaque) {
    emit_index(term.first);
    add_scaled(term.second);
  }
}

uint32_t Emitter::push_address(const tir::Buffer& buffer, const std::vector<PrimExpr>& indices) {
  const Affine affine = element_offset(buffer, indices);
  if (pointers != nullptr) {
    if (const auto place = pointers->find(buffer, affine)) {
      code.get(place->local);
      return place->offset;
    }
  }
  const auto base = buffers.find(buffer.get());
  FX_CHECK(base != buffers.end(), "a buffer that is not in scope");
  const int bytes = dtype_bytes(buffer->dtype);
  code.get(base->second);
  add_terms(affine, bytes);
  const int64_t constant = affine.constant * bytes;
  if (constant == 0) return 0;
  // An offset is added without wrapping: only right when what it is added to is a true address.
  if (constant > 0 && terms_not_negative(affine)) return static_cast<uint32_t>(constant);
  code.i32(static_cast<int32_t>(constant));
  code.op(Op::I32Add);
  return 0;
}

void Emitter::emit_load(const PrimExpr& expr, const tir::BufferLoad& e) {
  Pointers::Kept* kept = nullptr;
  if (pointers != nullptr && conditional_ == 0) {
    if (const auto place = pointers->find(e.buffer, element_offset(e.buffer, e.indices))) {
      kept = pointers->kept(*place, Pointers::Kind::Scalar);
      if (kept != nullptr && kept->loaded) return code.get(kept->local);
      if (kept != nullptr && kept->local == 0) {
        kept->local = code.add_local(representation(expr));
      }
    }
  }
  const uint32_t offset = push_address(e.buffer, e.indices);
  load(e.buffer->dtype, offset);
  if (kept != nullptr) {
    code.tee(kept->local);
    kept->loaded = true;
  }
}

}  // namespace fx2wasm::wasm
