// sin, cos, tan and their inverses.
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "lower/math_functions.h"
#include "lower/math_writer.h"

namespace fx2wasm::wasm {

using tir::Intrinsic;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 2/π in words of 32 bits: enough for the largest float32.
constexpr std::array<uint32_t, 8> kTwoOverPi = {0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
                                                0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561};

// Pushes word `index + shift` of 2/π as an i64; `index` is an i32 local.
void push_word(Code& code, uint32_t index, int shift) {
  code.i64(0);
  for (size_t word = 0; word < kTwoOverPi.size(); ++word) {
    code.i64(kTwoOverPi[word]);
    code.get(index);
    code.i32(static_cast<int32_t>(word) - shift);
    code.op(Op::I32Ne);
    code.op(Op::Select);  // the value so far unless this is the word
  }
}

// For a finite float32 x ≥ 2^25 in `x` (f64): sets r in [−π/4, π/4] and the quadrant, both f64.
// x = m·2^e with a 24-bit m; x·2/π modulo 4 needs only the bits of 2/π from e − 2 on (Payne and
// Hanek): 64 of them, times m, keep 40 bits after the point even for the worst x.
void write_large_reduction(Code& code, uint32_t x, uint32_t r, uint32_t quadrant) {
  const uint32_t bits = code.add_local(ValType::I32);
  const uint32_t skip = code.add_local(ValType::I32);
  const uint32_t index = code.add_local(ValType::I32);
  const uint32_t shift = code.add_local(ValType::I64);
  const uint32_t mantissa = code.add_local(ValType::I64);
  const uint32_t high = code.add_local(ValType::I64), low = code.add_local(ValType::I64);
  const uint32_t whole = code.add_local(ValType::F64);
  code.get(x);
  code.op(Op::F32DemoteF64);
  code.op(Op::I32ReinterpretF32);
  code.tee(bits);
  code.i32(0x7fffff);
  code.op(Op::I32And);
  code.i32(0x800000);
  code.op(Op::I32Or);
  code.op(Op::I64ExtendI32U);
  code.set(mantissa);
  // The fraction 2/π starts after the point; m·2^e times bit number b (from 0) weighs
  // m·2^(e − 1 − b). Bits that weigh a multiple of 4 times m are skipped: b < e − 2.
  code.get(bits);
  code.i32(23);
  code.op(Op::I32ShrU);
  code.i32(127 + 23 + 2);
  code.op(Op::I32Sub);
  code.tee(skip);
  code.i32(5);
  code.op(Op::I32ShrU);
  code.set(index);
  code.get(skip);
  code.i32(31);
  code.op(Op::I32And);
  code.op(Op::I64ExtendI32U);
  code.set(shift);
  // high, low: the 64 and the next 32 bits of 2/π from `skip` on.
  const auto window = [&](int word) {  // 32 bits from word `index + word`, shifted
    push_word(code, index, word);
    code.i64(32);
    code.op(Op::I64Shl);
    push_word(code, index, word + 1);
    code.op(Op::I64Or);
    code.get(shift);
    code.op(Op::I64Shl);
    code.i64(32);
    code.op(Op::I64ShrU);
  };
  window(0);
  code.i64(32);
  code.op(Op::I64Shl);
  window(1);
  code.op(Op::I64Or);
  code.set(high);
  window(2);
  code.set(low);
  // m·2^e·(2/π) mod 4 with e = skip + 2: the product's low 64 bits, the point after the first two.
  code.get(high);
  code.get(mantissa);
  code.op(Op::I64Mul);
  code.get(low);
  code.get(mantissa);
  code.op(Op::I64Mul);
  code.i64(32);
  code.op(Op::I64ShrU);
  code.op(Op::I64Add);
  code.set(high);
  // Nearest whole quadrant, and what is left, signed.
  code.get(high);
  code.i64(int64_t{1} << 61);
  code.op(Op::I64Add);
  code.i64(62);
  code.op(Op::I64ShrU);
  code.op(Op::F64ConvertI64U);
  code.set(whole);
  code.get(high);
  code.i64(2);
  code.op(Op::I64Shl);  // the quadrant's bits fall out: a signed fraction of 2^64
  code.op(Op::F64ConvertI64S);
  code.f64(std::numbers::pi / 2 / 18446744073709551616.0);
  code.op(Op::F64Mul);
  code.set(r);
  code.get(whole);
  code.set(quadrant);
}

// sin(r) and cos(r) for |r| ≤ π/4.
Value sine(Value r) {
  std::vector<double> coefficients;
  double factorial = 1;
  for (int i = 0; i <= 8; ++i) {
    if (i > 0) factorial *= -(2 * i) * (2 * i + 1);
    coefficients.push_back(1 / factorial);
  }
  return r * polynomial(r * r, coefficients);
}

Value cosine(Value r) {
  std::vector<double> coefficients;
  double factorial = 1;
  for (int i = 0; i <= 9; ++i) {
    if (i > 0) factorial *= -(2 * i - 1) * (2 * i);
    coefficients.push_back(1 / factorial);
  }
  return polynomial(r * r, coefficients);
}

}  // namespace

Function write_quadrant(bool tangent) {
  MathWriter w(tangent ? "tan_of_quadrant" : "sin_of_quadrant", ValType::F64, 2);
  const Value r = w.param(0);
  // q modulo 4, as 0, 1, 2, 3.
  const Value q = w.param(1) - floor(w.param(1) * 0.25) * 4;
  const Value sin = sine(r), cos = cosine(r);
  const Value odd = w.either(equal(q, w.constant(1)), equal(q, w.constant(3)));
  if (tangent) return w.finish(w.select(odd, 0 - cos / sin, sin / cos));
  const Value value = w.select(odd, cos, sin);
  return w.finish(w.select(q > 1.5, 0 - value, value));
}

Function write_trigonometric(Intrinsic intrinsic, ValType type, uint32_t quadrant_function) {
  const bool single = type == ValType::F32;
  std::string name(tir::intrinsic_name(intrinsic));
  name += single ? "_f32" : "_f64";
  Code code(std::move(name), FuncType{{type}, {type}});
  const uint32_t x = code.add_local(ValType::F64), magnitude = code.add_local(ValType::F64);
  const uint32_t r = code.add_local(ValType::F64), quadrant = code.add_local(ValType::F64);
  code.get(0);
  if (single) code.op(Op::F64PromoteF32);
  code.tee(x);
  code.op(Op::F64Abs);
  code.set(magnitude);
  // Cody and Waite: x less n·π/2, with π/2 in three parts; n times the first two is exact.
  code.get(magnitude);
  code.f64(2 / std::numbers::pi);
  code.op(Op::F64Mul);
  code.op(Op::F64Nearest);
  code.set(quadrant);
  code.get(magnitude);
  for (const double part : {0x1.921fb4p0, 0x1.4442d0p-24, 0x1.8469898cc5170p-48}) {
    code.get(quadrant);
    code.f64(part);
    code.op(Op::F64Mul);
    code.op(Op::F64Sub);
  }
  code.set(r);
  if (single) {
    code.get(magnitude);
    code.f64(0x1p25);
    code.op(Op::F64Ge);
    code.get(magnitude);
    code.f64(kInfinity);
    code.op(Op::F64Lt);
    code.op(Op::I32And);
    code.if_();
    write_large_reduction(code, magnitude, r, quadrant);
    code.end();
  }
  code.get(r);
  code.get(quadrant);
  if (intrinsic == Intrinsic::Cos) {  // cos x = sin(|x| + π/2)
    code.f64(1);
    code.op(Op::F64Add);
  }
  code.call(quadrant_function);
  if (intrinsic != Intrinsic::Cos) {  // odd functions
    code.f64(1);
    code.get(x);
    code.op(Op::F64Copysign);
    code.op(Op::F64Mul);
  }
  if (single) code.op(Op::F32DemoteF64);
  return code.finish();
}

// |x| > 1: π/2 − atan(1/|x|). Above tan(π/8): π/4 + atan((x − 1)/(x + 1)). Then the series.
Function write_atan() {
  MathWriter w("atan_f64", ValType::F64, 1);
  const Value x = w.param(0);
  const Value magnitude = abs(x);
  const Value inverted = magnitude > 1;
  const Value a = w.select(inverted, 1 / magnitude, magnitude);
  const Value turned = a > std::sqrt(2.0) - 1;
  const Value t = w.select(turned, (a - 1) / (a + 1), a);
  std::vector<double> coefficients;
  for (int i = 0; i <= 21; ++i) coefficients.push_back((i % 2 == 0 ? 1.0 : -1.0) / (2 * i + 1));
  const Value series = t * polynomial(t * t, coefficients);
  const Value angle = w.select(turned, series + std::numbers::pi / 4, series);
  const Value result = w.select(inverted, std::numbers::pi / 2 - angle, angle);
  return w.finish(copysign(result, x));
}

Function write_asin_acos(Intrinsic intrinsic, MathFunctions& math) {
  const bool asin = intrinsic == Intrinsic::Asin;
  MathWriter w(asin ? "asin_f64" : "acos_f64", ValType::F64, 1);
  const Value x = w.param(0);
  const uint32_t atan = math.intrinsic(Intrinsic::Atan, ValType::F64);
  const Value below = 1 - x, above = x + 1;
  if (asin) return w.finish(w.call(atan, {x / sqrt(below * above)}));
  return w.finish(w.call(atan, {sqrt(below / above)}) * 2);
}

Function write_atan2(MathFunctions& math) {
  MathWriter w("atan2_f64", ValType::F64, 2);
  const Value y = w.param(0), x = w.param(1);
  const Value infinity = w.constant(kInfinity), zero = w.constant(0);
  const Value ratio = abs(y) / abs(x);
  const Value both_zero = w.both(equal(y, zero), equal(x, zero));
  const Value both_infinite = w.both(equal(abs(y), infinity), equal(abs(x), infinity));
  const Value safe = w.select(both_zero, zero, w.select(both_infinite, w.constant(1), ratio));
  const Value angle = w.call(math.intrinsic(Intrinsic::Atan, ValType::F64), {safe});
  const Value left = copysign(w.constant(1), x) < 0;  // −0 too
  return w.finish(copysign(w.select(left, std::numbers::pi - angle, angle), y));
}

Function write_by_double(Intrinsic intrinsic, uint32_t function, int params) {
  std::string name(tir::intrinsic_name(intrinsic));
  const std::vector<ValType> types(static_cast<size_t>(params), ValType::F32);
  Code code(name + "_f32", FuncType{types, {ValType::F32}});
  for (int i = 0; i < params; ++i) {
    code.get(static_cast<uint32_t>(i));
    code.op(Op::F64PromoteF32);
  }
  code.call(function);
  code.op(Op::F32DemoteF64);
  return code.finish();
}

}  // namespace fx2wasm::wasm
