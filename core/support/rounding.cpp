#include "support/rounding.h"

#include <cmath>
#include <cstring>

#include "support/check.h"

namespace fx2wasm {
namespace {

// A small float format: sign, exponent, fraction, from the highest bit.
struct SmallFloat {
  int exponent_bits;
  int fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

constexpr SmallFloat kFloat16 = {5, 10};
constexpr SmallFloat kBFloat16 = {8, 7};

double round_small(SmallFloat format, double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent = 0;
  std::frexp(value, &exponent);  // value = m * 2^exponent, 0.5 <= |m| < 1
  const int smallest = 1 - format.bias();
  const int quantum = (exponent - 1 < smallest ? smallest : exponent - 1) - format.fraction_bits;
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  const double limit = std::ldexp(1.0, format.bias() + 1);
  return std::fabs(rounded) >= limit ? std::copysign(HUGE_VAL, value) : rounded;
}

uint16_t encode_small(SmallFloat format, double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000U : 0U;
  const uint32_t infinity = ((1U << format.exponent_bits) - 1U) << format.fraction_bits;
  if (std::isnan(value)) return static_cast<uint16_t>(infinity | 1U << (format.fraction_bits - 1));
  const double magnitude = std::fabs(round_small(format, value));
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | infinity);
  if (magnitude == 0) return static_cast<uint16_t>(sign);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int biased = exponent - 1 + format.bias();
  const int scale = (biased < 1 ? 1 : biased) - format.bias() - format.fraction_bits;
  const auto fraction = static_cast<uint32_t>(std::ldexp(magnitude, -scale));
  // A normal number's leading one carries into the exponent field.
  const uint32_t field = biased < 1 ? 0U : static_cast<uint32_t>(biased - 1);
  return static_cast<uint16_t>(sign | ((field << format.fraction_bits) + fraction));
}

double decode_small(SmallFloat format, uint16_t bits) {
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const int exponent = (bits >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << format.exponent_bits) - 1) {
    return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  }
  const int implicit = exponent == 0 ? 0 : 1 << format.fraction_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - format.bias() - format.fraction_bits;
  return sign * std::ldexp(implicit + fraction, scale);
}

template <class T>
T load_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void store_as(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

double round_float(DType dtype, double value) {
  FX_CHECK(is_float(dtype), "rounding to a dtype that is no float");
  if (dtype == DType::Float32) return static_cast<double>(static_cast<float>(value));
  if (dtype == DType::Float16) return round_small(kFloat16, value);
  if (dtype == DType::BFloat16) return round_small(kBFloat16, value);
  return value;
}

int64_t wrap_integer(DType dtype, int64_t value) {
  if (dtype == DType::Bool) return value != 0 ? 1 : 0;
  const int unused = 64 - dtype_bits(dtype);
  const uint64_t high = static_cast<uint64_t>(value) << unused;
  return is_uint(dtype) ? static_cast<int64_t>(high >> unused)
                        : static_cast<int64_t>(high) >> unused;
}

double integer_to_double(DType dtype, int64_t value) {
  return dtype == DType::UInt64 ? static_cast<double>(static_cast<uint64_t>(value))
                                : static_cast<double>(value);
}

int64_t float_to_integer(DType dtype, double value) {
  if (dtype == DType::Bool) return value != 0 ? 1 : 0;  // NaN is not 0
  if (std::isnan(value)) return 0;
  const int bits = dtype_bits(dtype);
  const double truncated = std::trunc(value);
  if (is_uint(dtype)) {
    if (truncated <= 0) return 0;
    if (truncated >= std::ldexp(1.0, bits)) return wrap_integer(dtype, -1);
    return static_cast<int64_t>(static_cast<uint64_t>(truncated));
  }
  const double limit = std::ldexp(1.0, bits - 1);
  const int64_t largest = static_cast<int64_t>(UINT64_MAX >> (65 - bits));
  if (truncated >= limit) return largest;
  if (truncated < -limit) return -largest - 1;
  return static_cast<int64_t>(truncated);
}

double load_float(DType dtype, const std::byte* from) {
  if (dtype == DType::Float32) return static_cast<double>(load_as<float>(from));
  if (dtype == DType::Float64) return load_as<double>(from);
  FX_CHECK(is_float(dtype), "loading an integer as a float");
  return decode_small(dtype == DType::Float16 ? kFloat16 : kBFloat16, load_as<uint16_t>(from));
}

int64_t load_integer(DType dtype, const std::byte* from) {
  uint64_t bits = 0;
  for (int i = 0; i < dtype_bytes(dtype); ++i) {
    bits |= static_cast<uint64_t>(from[i]) << (8 * i);
  }
  return wrap_integer(dtype, static_cast<int64_t>(bits));
}

void store_float(DType dtype, double value, std::byte* to) {
  if (dtype == DType::Float32) return store_as(static_cast<float>(value), to);
  if (dtype == DType::Float64) return store_as(value, to);
  FX_CHECK(is_float(dtype), "storing a float as an integer");
  store_as(encode_small(dtype == DType::Float16 ? kFloat16 : kBFloat16, value), to);
}

void store_integer(DType dtype, int64_t value, std::byte* to) {
  const auto bits = static_cast<uint64_t>(wrap_integer(dtype, value));
  for (int i = 0; i < dtype_bytes(dtype); ++i) {
    to[i] = static_cast<std::byte>(bits >> (8 * i) & 0xFF);
  }
}

}  // namespace fx2wasm
