// exp, log and what is made of them. Coefficients are Taylor's on a reduced range, with as many
// terms as the type needs, so that each can be checked by hand.
#include <cmath>
#include <limits>
#include <numbers>

#include "lower/math_functions.h"
#include "lower/math_writer.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::Intrinsic;

namespace {

std::string name_of(const char* base, ValType type) {
  const char* suffix = type == ValType::F32 ? "_f32" : type == ValType::F64 ? "_f64" : "_f32x4";
  return std::string(base) + suffix;
}

// 2^n for an integer n whose biased exponent is in range, by building the bits.
Value power_of_two(MathWriter& w, Value n) {
  const bool wide = w.is_double();
  const Value biased =
      w.int_binary(Op::I32Add, Op::I64Add, Op::I32x4Add, n, w.integer(wide ? 1023 : 127));
  return w.from_bits(w.shift(Op::I32Shl, Op::I64Shl, Op::I32x4Shl, biased, wide ? 52 : 23));
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// x = n·ln 2 + r with |r| ≤ ln 2 / 2; e^x = 2^n · e^r. 2^n is multiplied in two halves, so that the
// results near overflow and below the normal numbers come out right.
Function write_exp(ValType type) {
  MathWriter w(name_of("exp", type), type, 1);
  const bool wide = w.is_double();
  const Value x = min(max(w.param(0), wide ? -760 : -110), wide ? 720 : 95);
  const Value n = nearest(x * std::numbers::log2e);
  // ln 2 in two parts: the first has so few bits that n times it is exact.
  const double high = wide ? 0x1.62e42fee00000p-1 : 0x1.62e400p-1;
  const double low = wide ? 1.90821492927058770002e-10 : 1.42860682030941723212e-6;
  const Value r = (x - n * high) - n * low;
  std::vector<double> coefficients;
  double factorial = 1;
  for (int i = 0; i <= (wide ? 13 : 7); ++i) {
    if (i > 1) factorial *= i;
    coefficients.push_back(1 / factorial);
  }
  const Value power = polynomial(r, coefficients);
  const Value exponent = w.to_integer(n);
  const Value half = w.shift(Op::I32ShrS, Op::I64ShrS, Op::I32x4ShrS, exponent, 1);
  const Value rest = w.int_binary(Op::I32Sub, Op::I64Sub, Op::I32x4Sub, exponent, half);
  return w.finish(power * power_of_two(w, half) * power_of_two(w, rest));
}

// x = 2^e · m with m around 1; log m = 2·artanh((m − 1) / (m + 1)) as a series.
Function write_log(ValType type) {
  MathWriter w(name_of("log", type), type, 1);
  const bool wide = w.is_double();
  const Value x = w.param(0);
  const double tiny = wide ? 0x1p-1022 : 0x1p-126;
  const double lift = wide ? 0x1p52 : 0x1p23;
  const Value subnormal = x < tiny;
  const Value normal = w.select(subnormal, x * lift, x);
  const Value bits = w.bits(normal);
  const int mantissa_bits = wide ? 52 : 23;
  const int64_t mantissa_mask = (int64_t{1} << mantissa_bits) - 1;
  const int64_t one_bits = wide ? 0x3ff0000000000000 : 0x3f800000;
  const Value mantissa = w.from_bits(w.int_binary(
      Op::I32Or, Op::I64Or, Op::V128Or,
      w.int_binary(Op::I32And, Op::I64And, Op::V128And, bits, w.integer(mantissa_mask)),
      w.integer(one_bits)));
  const Value biased = w.shift(Op::I32ShrU, Op::I64ShrU, Op::I32x4ShrU, bits, mantissa_bits);
  const Value exponent = w.from_integer(
      w.int_binary(Op::I32Sub, Op::I64Sub, Op::I32x4Sub, biased, w.integer(wide ? 1023 : 127)));
  const Value lifted = w.select(subnormal, exponent - mantissa_bits, exponent);
  const Value upper = mantissa > std::numbers::sqrt2;
  const Value m = w.select(upper, mantissa * 0.5, mantissa);
  const Value e = w.select(upper, lifted + 1, lifted);
  const Value f = m - 1;
  const Value s = f / (f + 2);
  std::vector<double> coefficients;  // of 2·artanh(s) / s, in s²
  for (int i = 0; i <= (wide ? 11 : 5); ++i) coefficients.push_back(2.0 / (2 * i + 1));
  const Value log_m = s * polynomial(s * s, coefficients);
  const double high = wide ? 0x1.62e42fee00000p-1 : 0x1.62e400p-1;
  const double low = wide ? 1.90821492927058770002e-10 : 1.42860682030941723212e-6;
  Value result = e * high + (e * low + log_m);
  const Value infinity = w.constant(kInfinite);
  result = w.select(equal(x, infinity), infinity, result);
  result = w.select(equal(x, w.constant(0)), w.constant(-kInfinite), result);
  result = w.select(x < 0, w.constant(kNan), result);
  return w.finish(w.select(is_nan(x), x, result));
}

// Small |x|: the continued fraction x/(1 + x²/(3 + x²/(5 + …))); else 1 − 2/(e^2|x| + 1).
Function write_tanh(ValType type, MathFunctions& math) {
  MathWriter w(name_of("tanh", type), type, 1);
  const Value x = w.param(0);
  const Value magnitude = abs(x);
  const Value square = x * x;
  const uint32_t exp = math.intrinsic(Intrinsic::Exp, type);
  Value small = x;
  if (w.is_double()) {
    Value fraction = w.constant(21);
    for (int odd = 19; odd >= 1; odd -= 2) fraction = w.constant(odd) + square / fraction;
    small = x / fraction;
  } else {
    small = x * polynomial(square, {10395, 1260, 21}) / polynomial(square, {10395, 4725, 210, 1});
  }
  const Value large = 1 - 2 / (w.call(exp, {magnitude + magnitude}) + 1);
  return w.finish(w.select(magnitude < 0.625, small, copysign(large, x)));
}

Function write_sigmoid(ValType type, MathFunctions& math) {
  MathWriter w(name_of("sigmoid", type), type, 1);
  const Value power = w.call(math.intrinsic(Intrinsic::Exp, type), {0 - w.param(0)});
  return w.finish(1 / (power + 1));
}

Function write_rsqrt(ValType type) {
  MathWriter w(name_of("rsqrt", type), type, 1);
  return w.finish(1 / sqrt(w.param(0)));
}

// Small |x|: Taylor's series (f32), or the series 2/√π · e^−x² · Σ 2ⁿ x^(2n+1) / (2n+1)!! whose
// terms are all positive (f64). Large: Abramowitz and Stegun 7.1.26, 1.5e-7 absolute.
Function write_erf(ValType type, MathFunctions& math) {
  MathWriter w(name_of("erf", type), type, 1);
  const double scale = 2 / std::sqrt(std::numbers::pi);
  const Value x = w.param(0);
  const Value magnitude = min(abs(x), 10);
  const Value square = magnitude * magnitude;
  const Value gauss = w.call(math.intrinsic(Intrinsic::Exp, type), {0 - square});
  Value small = x;
  if (w.is_double()) {
    Value term = x * scale;
    Value sum = term;
    for (int n = 1; n <= 60; ++n) {
      term = term * square * (2.0 / (2 * n + 1));
      sum = sum + term;
    }
    small = sum * gauss;
  } else {
    std::vector<double> coefficients;
    double factorial = 1;
    for (int n = 0; n <= 11; ++n) {
      if (n > 1) factorial *= n;
      coefficients.push_back((n % 2 == 0 ? scale : -scale) / (factorial * (2 * n + 1)));
    }
    small = x * polynomial(square, coefficients);
  }
  const Value t = 1 / (magnitude * 0.3275911 + 1);
  const Value tail =
      t * polynomial(t, {0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429});
  const Value large = copysign(1 - tail * gauss, x);
  const Value result = w.select(magnitude < (w.is_double() ? 3 : 1), small, large);
  return w.finish(w.select(is_nan(x), x, result));
}

Function write_exp_of_base(Intrinsic intrinsic, MathFunctions& math) {
  const bool two = intrinsic == Intrinsic::Exp2;
  MathWriter w(two ? "exp2_f64" : "exp10_f64", ValType::F64, 1);
  const uint32_t exp = math.intrinsic(Intrinsic::Exp, ValType::F64);
  return w.finish(w.call(exp, {w.param(0) * (two ? std::numbers::ln2 : std::numbers::ln10)}));
}

Function write_log_of_base(Intrinsic intrinsic, MathFunctions& math) {
  const bool two = intrinsic == Intrinsic::Log2;
  MathWriter w(two ? "log2_f64" : "log10_f64", ValType::F64, 1);
  const uint32_t log = math.intrinsic(Intrinsic::Log, ValType::F64);
  return w.finish(w.call(log, {w.param(0)}) * (two ? std::numbers::log2e : std::numbers::log10e));
}

// log(1 + x), corrected by what rounding 1 + x lost.
Function write_log1p(MathFunctions& math) {
  MathWriter w("log1p_f64", ValType::F64, 1);
  const Value x = w.param(0);
  const Value sum = x + 1;
  const Value log = w.call(math.intrinsic(Intrinsic::Log, ValType::F64), {sum});
  const Value corrected = log * (x / (sum - 1));
  const Value unchanged = equal(sum, w.constant(1));
  const Value limit = w.either(equal(sum, w.constant(kInfinite)), equal(sum, w.constant(0)));
  return w.finish(w.select(unchanged, x, w.select(limit, log, corrected)));
}

Function write_hyperbolic(Intrinsic intrinsic, MathFunctions& math) {
  const std::string name(tir::intrinsic_name(intrinsic));
  MathWriter w(name + "_f64", ValType::F64, 1);
  const Value x = w.param(0);
  const Value magnitude = abs(x);
  if (intrinsic == Intrinsic::Sinh || intrinsic == Intrinsic::Cosh) {
    const Value power = w.call(math.intrinsic(Intrinsic::Exp, ValType::F64), {magnitude});
    const Value inverse = 1 / power;
    if (intrinsic == Intrinsic::Cosh) return w.finish((power + inverse) * 0.5);
    std::vector<double> coefficients;
    double factorial = 1;
    for (int i = 0; i <= 9; ++i) {
      if (i > 0) factorial *= (2 * i) * (2 * i + 1);
      coefficients.push_back(1 / factorial);
    }
    const Value small = x * polynomial(x * x, coefficients);
    const Value large = copysign((power - inverse) * 0.5, x);
    return w.finish(w.select(magnitude < 1, small, large));
  }
  const uint32_t log1p = math.intrinsic(Intrinsic::Log1p, ValType::F64);
  if (intrinsic == Intrinsic::Asinh) {
    const Value square = x * x;
    const Value sum = magnitude + square / (sqrt(square + 1) + 1);
    const Value finite = w.call(log1p, {sum});
    return w.finish(
        copysign(w.select(equal(magnitude, w.constant(kInfinite)), magnitude, finite), x));
  }
  if (intrinsic == Intrinsic::Acosh) {
    const Value t = x - 1;
    const Value result = w.call(log1p, {t + sqrt(t * (t + 2))});
    return w.finish(w.select(x < 1, w.constant(kNan), result));
  }
  FX_CHECK(intrinsic == Intrinsic::Atanh, "not a hyperbolic function");
  const Value positive = w.call(log1p, {magnitude * 2 / (1 - magnitude)}) * 0.5;
  return w.finish(copysign(positive, x));
}

// |x|^y = e^(y log |x|), then the signs and the special cases of C's pow.
Function write_pow(MathFunctions& math) {
  MathWriter w("pow_f64", ValType::F64, 2);
  const Value x = w.param(0), y = w.param(1);
  const Value one = w.constant(1), zero = w.constant(0);
  const Value log = w.call(math.intrinsic(Intrinsic::Log, ValType::F64), {abs(x)});
  const Value power = w.call(math.intrinsic(Intrinsic::Exp, ValType::F64), {y * log});
  const Value whole = equal(trunc(y), y);
  const Value half = y * 0.5;
  const Value even = equal(trunc(half), half);
  const Value negated = w.select(even, power, 0 - power);
  const Value infinite_base = equal(abs(x), w.constant(kInfinite));
  const Value of_fraction = w.select(infinite_base, power, w.constant(kNan));
  const Value of_negative = w.select(whole, negated, of_fraction);
  Value result = w.select(x < 0, of_negative, power);
  // An infinite exponent is an even whole number; |x| = 1 gives 1 then.
  const Value endless = equal(abs(y), w.constant(kInfinite));
  result = w.select(w.both(endless, equal(abs(x), one)), one, result);
  result = w.select(w.either(equal(y, zero), equal(x, one)), one, result);
  return w.finish(result);
}

}  // namespace fx2wasm::wasm
