// Expressions over four neighbouring values of `lane`: float32 and int32 as four lanes, bool as a
// mask of all ones or zeros per lane. Other dtypes stay scalar.
#include <limits>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "lower/emitter.h"
#include "lower/instructions.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::BinaryOp;
using tir::Intrinsic;
using tir::PrimExpr;

namespace {

bool has_lanes(DType dtype) {
  return dtype == DType::Float32 || dtype == DType::Int32 || dtype == DType::Bool;
}

bool is_load(const PrimExpr& expr) { return std::holds_alternative<tir::BufferLoad>(expr->kind); }

// Comparisons of four lanes: a mask.
struct LaneComparison {
  BinaryOp op;
  Op f32x4, i32x4;
};
constexpr LaneComparison kLaneComparisons[] = {
    {BinaryOp::EQ, Op::F32x4Eq, Op::I32x4Eq},  {BinaryOp::NE, Op::F32x4Ne, Op::I32x4Ne},
    {BinaryOp::LT, Op::F32x4Lt, Op::I32x4LtS}, {BinaryOp::LE, Op::F32x4Le, Op::I32x4LeS},
    {BinaryOp::GT, Op::F32x4Gt, Op::I32x4GtS}, {BinaryOp::GE, Op::F32x4Ge, Op::I32x4GeS},
};

// What emit_call does in another way than by an instruction or a function of floats.
bool is_float_function(Intrinsic intrinsic) {
  return intrinsic != Intrinsic::IsInf && intrinsic != Intrinsic::IsFinite &&
         intrinsic != Intrinsic::Reinterpret && intrinsic != Intrinsic::Ret;
}

}  // namespace

bool Emitter::depends_on_lane(const PrimExpr& expr) const {
  for (const tir::Var& var : tir::free_vars(expr)) {
    if (var == lane) return true;
    const auto found = vars.find(var.get());
    if (found != vars.end() && code.local_type(found->second) == ValType::V128) return true;
  }
  return false;
}

bool Emitter::vectorizable_load(const tir::BufferLoad& e) const {
  if (e.buffer->dtype != DType::Float32 && e.buffer->dtype != DType::Int32) return false;
  return !opaque_uses(element_offset(e.buffer, e.indices), lane);
}

bool Emitter::vectorizable_call(const tir::Call& e) const {
  for (const PrimExpr& arg : e.args) {
    if (!vectorizable(arg)) return false;
  }
  // A lane that was not chosen may read where nothing is.
  if (e.op == Intrinsic::IfThenElse) return !depends_on_lane(e.args[0]);
  if (e.op == Intrinsic::Likely || e.op == Intrinsic::IsNan || e.op == Intrinsic::Infinity) {
    return true;
  }
  if (e.args.empty() || !is_float(e.args[0]->dtype)) return false;
  return is_float_function(e.op);
}

bool Emitter::vectorizable(const PrimExpr& expr) const {
  if (!has_lanes(expr->dtype)) {
    // Index arithmetic in int64 is fine when it fits and ends as a lane's number.
    if (expr->dtype != DType::Int64 || !bounds.fits_int32(expr)) return false;
  }
  if (!depends_on_lane(expr)) return true;
  return match(
      expr->kind, [](const tir::Var&) { return true; }, [](const tir::IntImm&) { return true; },
      [](const tir::FloatImm&) { return true; }, [](const tir::StringImm&) { return false; },
      [&](const tir::Binary& e) {
        const bool integer_division =
            !is_float(e.a->dtype) && (e.op == BinaryOp::Div || e.op == BinaryOp::Mod ||
                                      e.op == BinaryOp::FloorDiv || e.op == BinaryOp::FloorMod);
        const bool bool_compare =
            e.a->dtype == DType::Bool && e.op != BinaryOp::And && e.op != BinaryOp::Or;
        return !integer_division && !bool_compare && e.op != BinaryOp::Mod &&
               e.op != BinaryOp::FloorMod && vectorizable(e.a) && vectorizable(e.b);
      },
      [&](const tir::Not& e) { return vectorizable(e.a); },
      [&](const tir::Cast& e) { return vectorizable(e.value); },
      [&](const tir::Select& e) {
        return vectorizable(e.condition) && vectorizable(e.true_value) &&
               vectorizable(e.false_value);
      },
      [&](const tir::Call& e) { return has_lanes(expr->dtype) && vectorizable_call(e); },
      [&](const tir::BufferLoad& e) { return vectorizable_load(e); },
      [](const tir::Let&) { return false; }, [](const tir::ProducerLoad&) { return false; },
      [](const tir::Reduce&) { return false; });
}

// The same value in every lane.
void Emitter::emit_splat(const PrimExpr& expr) {
  if (expr->dtype == DType::Bool) {
    code.i32(0);
    emit(expr);
    code.op(Op::I32Sub);  // 1 → all ones
    return code.op(Op::I32x4Splat);
  }
  if (const auto* imm = std::get_if<tir::FloatImm>(&expr->kind)) {
    const auto bits = __builtin_bit_cast(int32_t, static_cast<float>(imm->value));
    return code.v128_i32({bits, bits, bits, bits});
  }
  if (const auto value = tir::as_int(expr)) {
    const auto bits = static_cast<int32_t>(*value);
    return code.v128_i32({bits, bits, bits, bits});
  }
  if (is_load(expr)) return emit_vector_load(std::get<tir::BufferLoad>(expr->kind));
  emit(expr);
  code.op(is_float(expr->dtype) ? Op::F32x4Splat : Op::I32x4Splat);
}

void Emitter::emit_vector(const PrimExpr& expr) {
  if (!depends_on_lane(expr)) return emit_splat(expr);
  match(
      expr->kind,
      [&](const tir::Var& var) {
        emit_var(var);
        if (var != lane) return;  // a vector already
        code.op(Op::I32x4Splat);
        code.v128_i32({0, 1, 2, 3});
        code.op(Op::I32x4Add);
      },
      [&](const tir::Binary& e) { emit_vector_binary(e); },
      [&](const tir::Not& e) {
        emit_vector(e.a);
        code.op(Op::V128Not);
      },
      [&](const tir::Cast& e) { emit_vector_cast(expr, e); },
      [&](const tir::Select& e) {
        emit_vector(e.true_value);
        emit_vector(e.false_value);
        emit_vector(e.condition);
        code.op(Op::V128Bitselect);
      },
      [&](const tir::Call& e) { emit_vector_call(expr, e); },
      [&](const tir::BufferLoad& e) { emit_vector_load(e); },
      [&](const tir::IntImm&) { FX_CHECK(false, "a constant does not depend on the lane"); },
      [&](const tir::FloatImm&) { FX_CHECK(false, "a constant does not depend on the lane"); },
      [&](const tir::StringImm&) { FX_CHECK(false, "not vectorizable"); },
      [&](const tir::Let&) { FX_CHECK(false, "not vectorizable"); },
      [&](const tir::ProducerLoad&) { FX_CHECK(false, "not vectorizable"); },
      [&](const tir::Reduce&) { FX_CHECK(false, "not vectorizable"); });
}

void Emitter::emit_vector_compare(const tir::Binary& e) {
  for (const LaneComparison& entry : kLaneComparisons) {
    if (entry.op == e.op) return code.op(is_float(e.a->dtype) ? entry.f32x4 : entry.i32x4);
  }
  FX_CHECK(false, "not a comparison");
}

void Emitter::emit_vector_binary(const tir::Binary& e) {
  const bool floats = is_float(e.a->dtype);
  if (floats && e.op == BinaryOp::Add && options.simd == Simd::Relaxed) {
    // a + b·c may round once here: the variant's bargain.
    const auto* product = std::get_if<tir::Binary>(&e.b->kind);
    if (product != nullptr && product->op == BinaryOp::Mul) {
      emit_vector(product->a);
      emit_vector(product->b);
      emit_vector(e.a);
      return code.op(Op::F32x4RelaxedMadd);
    }
  }
  if (floats && (e.op == BinaryOp::Max || e.op == BinaryOp::Min)) {
    // With a constant that is no NaN, pmax(x, c) = x < c ? c : x keeps x's NaN and is one
    // instruction on x86, where f32x4.max takes several.
    const auto* constant = std::get_if<tir::FloatImm>(&e.b->kind);
    if (constant != nullptr && constant->value == constant->value) {
      emit_vector(e.a);
      emit_vector(e.b);
      return code.op(e.op == BinaryOp::Max ? Op::F32x4Pmax : Op::F32x4Pmin);
    }
  }
  emit_vector(e.a);
  emit_vector(e.b);
  switch (e.op) {
    case BinaryOp::Add:
      return code.op(floats ? Op::F32x4Add : Op::I32x4Add);
    case BinaryOp::Sub:
      return code.op(floats ? Op::F32x4Sub : Op::I32x4Sub);
    case BinaryOp::Mul:
      return code.op(floats ? Op::F32x4Mul : Op::I32x4Mul);
    case BinaryOp::Div:
      return code.op(Op::F32x4Div);
    case BinaryOp::FloorDiv:
      code.op(Op::F32x4Div);
      return code.op(Op::F32x4Floor);
    case BinaryOp::Min:
      return code.op(floats ? Op::F32x4Min : Op::I32x4MinS);
    case BinaryOp::Max:
      return code.op(floats ? Op::F32x4Max : Op::I32x4MaxS);
    case BinaryOp::And:
      return code.op(Op::V128And);
    case BinaryOp::Or:
      return code.op(Op::V128Or);
    case BinaryOp::EQ:
    case BinaryOp::NE:
    case BinaryOp::LT:
    case BinaryOp::LE:
    case BinaryOp::GT:
    case BinaryOp::GE:
      return emit_vector_compare(e);
    case BinaryOp::Mod:
    case BinaryOp::FloorMod:
      FX_CHECK(false, "not vectorizable");
  }
}

void Emitter::emit_vector_cast(const PrimExpr& expr, const tir::Cast& e) {
  const DType from = e.value->dtype, to = expr->dtype;
  emit_vector(e.value);
  if (from == to) return;
  if (from == DType::Bool) {  // the mask's lane is −1 or 0
    if (is_float(to)) {
      const auto one = __builtin_bit_cast(int32_t, 1.0f);
      code.v128_i32({one, one, one, one});
    } else {
      code.v128_i32({1, 1, 1, 1});
    }
    return code.op(Op::V128And);
  }
  if (to == DType::Bool) {
    code.v128_i32({0, 0, 0, 0});
    return code.op(is_float(from) ? Op::F32x4Ne : Op::I32x4Ne);
  }
  if (is_float(to)) return code.op(Op::F32x4ConvertI32x4S);
  if (is_float(from)) code.op(Op::I32x4TruncSatF32x4S);
}

void Emitter::emit_vector_call(const PrimExpr& expr, const tir::Call& e) {
  if (e.op == Intrinsic::IfThenElse) {
    emit(e.args[0]);
    code.if_(ValType::V128);
    ++conditional_;
    emit_vector(e.args[1]);
    code.else_();
    emit_vector(e.args[2]);
    --conditional_;
    return code.end();
  }
  if (e.op == Intrinsic::Likely) return emit_vector(e.args[0]);
  if (e.op == Intrinsic::IsNan) {
    const uint32_t value = code.add_local(ValType::V128);
    emit_vector(e.args[0]);
    code.tee(value);
    code.get(value);
    return code.op(Op::F32x4Ne);
  }
  if (const auto instruction = find_float_instruction(e.op)) {
    emit_vector(e.args[0]);
    return code.op(instruction->f32x4);
  }
  if (MathFunctions::has_vector(e.op)) {
    for (const PrimExpr& arg : e.args) emit_vector(arg);
    return code.call(math.intrinsic(e.op, ValType::V128));
  }
  FX_CHECK(expr->dtype == DType::Float32, "only float32 functions have lanes");
  emit_lane_by_lane(e);
}

// A function without a vector form: once per lane.
void Emitter::emit_lane_by_lane(const tir::Call& e) {
  std::vector<uint32_t> args;
  for (const PrimExpr& arg : e.args) {
    emit_vector(arg);
    args.push_back(code.add_local(ValType::V128));
    code.set(args.back());
  }
  const uint32_t function = math.intrinsic(e.op, ValType::F32);
  for (uint8_t number = 0; number < 4; ++number) {
    for (const uint32_t arg : args) {
      code.get(arg);
      code.lane(Op::F32x4ExtractLane, number);
    }
    code.call(function);
    if (number == 0) {
      code.op(Op::F32x4Splat);
    } else {
      code.lane(Op::F32x4ReplaceLane, number);
    }
  }
}

void Emitter::emit_vector_load(const tir::BufferLoad& e) {
  const Affine affine = element_offset(e.buffer, e.indices);
  const int64_t stride = lane ? coefficient(affine, lane) : 0;
  const auto kind = stride == 0 ? Pointers::Kind::Splat : Pointers::Kind::Vector;
  Pointers::Kept* kept = nullptr;
  if (pointers != nullptr && conditional_ == 0) {
    if (const auto place = pointers->find(e.buffer, affine)) kept = pointers->kept(*place, kind);
    if (kept != nullptr && kept->loaded) return code.get(kept->local);
    if (kept != nullptr && kept->local == 0) kept->local = code.add_local(ValType::V128);
  }
  const uint32_t offset = push_address(e.buffer, e.indices);
  const uint32_t align = align_of(e.buffer->dtype);
  if (stride == 0) {
    code.memory(Op::V128Load32Splat, align, offset);
  } else if (stride == 1) {
    code.memory(Op::V128Load, align, offset);
  } else {
    const uint32_t address = code.add_local(ValType::I32);
    const auto bytes = static_cast<int32_t>(stride * dtype_bytes(e.buffer->dtype));
    code.tee(address);
    code.memory(Op::V128Load32Zero, align, offset);
    const uint32_t value = code.add_local(ValType::V128);
    code.set(value);
    for (uint8_t number = 1; number < 4; ++number) {
      code.get(address);
      code.i32(bytes * number);
      code.op(Op::I32Add);
      code.get(value);
      code.memory_lane(Op::V128Load32Lane, align, offset, number);
      code.set(value);
    }
    code.get(value);
  }
  if (kept == nullptr) return;
  code.tee(kept->local);
  kept->loaded = true;
}

void Emitter::store_vector(const tir::Buffer& buffer, const std::vector<PrimExpr>& indices,
                           uint32_t value_local) {
  const uint32_t offset = push_address(buffer, indices);
  code.get(value_local);
  code.memory(Op::V128Store, align_of(buffer->dtype), offset);
}

}  // namespace fx2wasm::wasm
