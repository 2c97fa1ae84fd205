// Floored integer division, the remainder of floats, and the 16-bit floats.
#include <limits>

#include "lower/math_functions.h"
#include "lower/math_writer.h"

namespace fx2wasm::wasm {
namespace {

struct IntegerOps {
  Op div, rem, add, sub, mul, xor_, and_, eq, ne, lt, shr;
};

IntegerOps ops_of(ValType type) {
  if (type == ValType::I64) {
    return {Op::I64DivS, Op::I64RemS, Op::I64Add, Op::I64Sub, Op::I64Mul, Op::I64Xor,
            Op::I64And,  Op::I64Eq,   Op::I64Ne,  Op::I64LtS, Op::I64ShrS};
  }
  return {Op::I32DivS, Op::I32RemS, Op::I32Add, Op::I32Sub, Op::I32Mul, Op::I32Xor,
          Op::I32And,  Op::I32Eq,   Op::I32Ne,  Op::I32LtS, Op::I32ShrS};
}

void push_zero(Code& code, ValType type) {
  if (type == ValType::I64) {
    code.i64(0);
  } else {
    code.i32(0);
  }
}

// Pushes 1 where the remainder in `rem` is not 0 and its sign is not the divisor's.
void push_needs_correction(Code& code, ValType type, const IntegerOps& ops, uint32_t rem) {
  code.get(rem);
  push_zero(code, type);
  code.op(ops.ne);
  code.get(rem);
  code.get(1);
  code.op(ops.xor_);
  push_zero(code, type);
  code.op(ops.lt);
  code.op(Op::I32And);
}

}  // namespace

Function write_floor_div(ValType type) {
  const IntegerOps ops = ops_of(type);
  Code code(type == ValType::I64 ? "floor_div_i64" : "floor_div_i32",
            FuncType{{type, type}, {type}});
  const uint32_t rem = code.add_local(type);
  code.get(0);
  code.get(1);
  code.op(ops.rem);
  code.set(rem);
  code.get(0);
  code.get(1);
  code.op(ops.div);
  push_needs_correction(code, type, ops, rem);
  if (type == ValType::I64) code.op(Op::I64ExtendI32U);
  code.op(ops.sub);
  return code.finish();
}

Function write_floor_mod(ValType type) {
  const IntegerOps ops = ops_of(type);
  Code code(type == ValType::I64 ? "floor_mod_i64" : "floor_mod_i32",
            FuncType{{type, type}, {type}});
  const uint32_t rem = code.add_local(type);
  code.get(0);
  code.get(1);
  code.op(ops.rem);
  code.tee(rem);
  code.get(1);
  code.op(ops.add);
  code.get(rem);
  push_needs_correction(code, type, ops, rem);
  code.op(Op::Select);
  return code.finish();
}

// |x| less the largest multiples of |y|·2^k, exactly: every subtraction is exact.
Function write_fmod() {
  Code code("fmod_f64", FuncType{{ValType::F64, ValType::F64}, {ValType::F64}});
  const uint32_t rest = code.add_local(ValType::F64), divisor = code.add_local(ValType::F64);
  const uint32_t multiple = code.add_local(ValType::F64);
  const auto less = [&](uint32_t a, Op op, uint32_t b) {
    code.get(a);
    code.get(b);
    code.op(op);
  };
  code.get(0);
  code.op(Op::F64Abs);
  code.set(rest);
  code.get(1);
  code.op(Op::F64Abs);
  code.tee(divisor);
  code.set(multiple);
  // x infinite, y zero, or a NaN: NaN.
  code.get(rest);
  code.f64(std::numeric_limits<double>::infinity());
  code.op(Op::F64Lt);
  code.get(divisor);
  code.f64(0);
  code.op(Op::F64Gt);
  code.op(Op::I32And);
  code.op(Op::I32Eqz);
  code.if_();
  code.f64(std::numeric_limits<double>::quiet_NaN());
  code.op(Op::Return);
  code.end();
  const uint32_t up = code.block();
  const uint32_t up_again = code.loop();
  code.get(multiple);
  code.f64(2);
  code.op(Op::F64Mul);
  code.get(rest);
  code.op(Op::F64Gt);
  code.br_if(up);
  code.get(multiple);
  code.f64(2);
  code.op(Op::F64Mul);
  code.set(multiple);
  code.br(up_again);
  code.end();
  code.end();
  const uint32_t down = code.block();
  const uint32_t down_again = code.loop();
  less(multiple, Op::F64Lt, divisor);
  code.br_if(down);
  less(multiple, Op::F64Le, rest);
  code.if_();
  code.get(rest);
  code.get(multiple);
  code.op(Op::F64Sub);
  code.set(rest);
  code.end();
  code.get(multiple);
  code.f64(0.5);
  code.op(Op::F64Mul);
  code.set(multiple);
  code.br(down_again);
  code.end();
  code.end();
  code.get(rest);
  code.get(0);
  code.op(Op::F64Copysign);
  return code.finish();
}

// The half's exponent is shifted into place and corrected by a multiplication, which also handles
// its subnormals; infinity and NaN have the largest exponent.
Function write_half_to_float() {
  Code code("half_to_float", FuncType{{ValType::I32}, {ValType::F32}});
  const uint32_t magnitude = code.add_local(ValType::I32);
  code.get(0);
  code.i32(0x7fff);
  code.op(Op::I32And);
  code.i32(13);
  code.op(Op::I32Shl);
  code.set(magnitude);
  // Infinity and NaN.
  code.get(magnitude);
  code.i32(0x7f800000);
  code.op(Op::I32Or);
  code.op(Op::F32ReinterpretI32);
  // Everything else: as if its exponent were biased by 127, times 2^(127 − 15).
  code.get(magnitude);
  code.op(Op::F32ReinterpretI32);
  code.f32(0x1p112f);
  code.op(Op::F32Mul);
  code.get(magnitude);
  code.i32(0x7c00 << 13);
  code.op(Op::I32GeU);
  code.op(Op::Select);
  code.get(0);
  code.i32(16);
  code.op(Op::I32Shl);
  code.op(Op::F32ReinterpretI32);
  code.op(Op::F32Copysign);
  return code.finish();
}

Function write_float_to_half() {
  Code code("float_to_half", FuncType{{ValType::F32}, {ValType::I32}});
  const uint32_t bits = code.add_local(ValType::I32), magnitude = code.add_local(ValType::I32);
  const uint32_t result = code.add_local(ValType::I32);
  code.get(0);
  code.op(Op::I32ReinterpretF32);
  code.tee(bits);
  code.i32(0x7fffffff);
  code.op(Op::I32And);
  code.tee(magnitude);
  code.i32(0x7f800000);
  code.op(Op::I32GtU);
  code.if_();
  code.i32(0x7e00);  // NaN
  code.set(result);
  code.else_();
  code.get(magnitude);
  code.i32(0x38800000);  // 2^-14, the smallest normal half
  code.op(Op::I32LtU);
  code.if_();
  // Adding 0.5 leaves the half's subnormal, rounded to even, in the low bits.
  code.get(magnitude);
  code.op(Op::F32ReinterpretI32);
  code.f32(0.5f);
  code.op(Op::F32Add);
  code.op(Op::I32ReinterpretF32);
  code.i32(0x3f000000);
  code.op(Op::I32Sub);
  code.set(result);
  code.else_();
  // Rebias the exponent and round to even on the 13 bits that fall off.
  code.get(magnitude);
  code.i32(static_cast<int32_t>(0xc8000fffU));  // −112·2^23 + 0xfff
  code.op(Op::I32Add);
  code.get(magnitude);
  code.i32(13);
  code.op(Op::I32ShrU);
  code.i32(1);
  code.op(Op::I32And);
  code.op(Op::I32Add);
  code.i32(13);
  code.op(Op::I32ShrU);
  code.tee(result);
  code.i32(0x7c00);
  code.get(result);
  code.i32(0x7c00);
  code.op(Op::I32LtU);
  code.op(Op::Select);
  code.set(result);
  code.end();
  code.end();
  code.get(result);
  code.get(bits);
  code.i32(16);
  code.op(Op::I32ShrU);
  code.i32(0x8000);
  code.op(Op::I32And);
  code.op(Op::I32Or);
  return code.finish();
}

Function write_float_to_brain() {
  Code code("float_to_brain", FuncType{{ValType::F32}, {ValType::I32}});
  const uint32_t bits = code.add_local(ValType::I32);
  code.i32(0x7fc0);  // NaN
  code.get(0);
  code.op(Op::I32ReinterpretF32);
  code.tee(bits);
  code.i32(0x7fff);
  code.op(Op::I32Add);
  code.get(bits);
  code.i32(16);
  code.op(Op::I32ShrU);
  code.i32(1);
  code.op(Op::I32And);
  code.op(Op::I32Add);
  code.i32(16);
  code.op(Op::I32ShrU);
  code.get(0);
  code.get(0);
  code.op(Op::F32Ne);
  code.op(Op::Select);
  return code.finish();
}

}  // namespace fx2wasm::wasm
