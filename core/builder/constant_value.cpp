#include "builder/constant_value.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "ir/tir_build.h"
#include "ir/tir_fold.h"

namespace fx2wasm {
namespace {

// Rounds to `bits` bits of precision, ties to even, with the smallest exponent of the format: what
// float16 (11 bits, 2^-24 the smallest step) and bfloat16 (8 bits, 2^-133) keep.
double round_to(double value, int bits, int smallest_step_exponent) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int step = std::max(exponent - bits, smallest_step_exponent);
  return std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
}

uint16_t bfloat16_bits(double value) {
  const auto rounded = static_cast<float>(round_to(value, 8, -133));
  uint32_t bits = 0;
  std::memcpy(&bits, &rounded, sizeof bits);
  return static_cast<uint16_t>(bits >> 16);
}

uint16_t float16_bits(double value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00);
  const double magnitude = std::fabs(round_to(value, 11, -24));
  if (magnitude > 65504) return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude < std::ldexp(1.0, -14)) {
    return static_cast<uint16_t>(sign | static_cast<int>(std::ldexp(magnitude, 24)));
  }
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  const int mantissa = static_cast<int>(std::ldexp(fraction, 11)) - 1024;
  return static_cast<uint16_t>(sign | ((exponent + 14) << 10) | mantissa);
}

double float16_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double magnitude = 0;
  if (exponent == 31) {
    magnitude = mantissa == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(mantissa, -24);
  } else {
    magnitude = std::ldexp(mantissa + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

double bfloat16_value(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return static_cast<double>(value);
}

template <class T>
T read_as(const std::byte* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

relax::Constant make_scalar(DType dtype, std::vector<std::byte> bytes) {
  auto data = std::make_shared<TensorData>();
  data->dtype = dtype;
  data->bytes = std::move(bytes);
  auto node = std::make_shared<relax::ConstantNode>();
  node->dtype = dtype;
  node->data = std::move(data);
  return node;
}

std::vector<std::byte> integer_bytes(DType dtype, int64_t value) {
  std::vector<std::byte> bytes = bytes_of(tir::wrap_integer(dtype, value));
  bytes.resize(static_cast<size_t>(dtype_bytes(dtype)));  // little-endian: the low bytes
  return bytes;
}

}  // namespace

tir::PrimExpr scalar_immediate(const relax::ConstantNode& constant) {
  if (!constant.shape.empty() || constant.data == nullptr) return nullptr;
  const std::byte* bytes = constant.data->bytes.data();
  const DType dtype = constant.dtype;
  switch (dtype) {
    case DType::Bool:
      return tir::bool_imm(read_as<uint8_t>(bytes) != 0);
    case DType::Int8:
      return tir::int_imm(dtype, read_as<int8_t>(bytes));
    case DType::Int16:
      return tir::int_imm(dtype, read_as<int16_t>(bytes));
    case DType::Int32:
      return tir::int_imm(dtype, read_as<int32_t>(bytes));
    case DType::Int64:
    case DType::UInt64:
      return tir::int_imm(dtype, read_as<int64_t>(bytes));
    case DType::UInt8:
      return tir::int_imm(dtype, read_as<uint8_t>(bytes));
    case DType::UInt16:
      return tir::int_imm(dtype, read_as<uint16_t>(bytes));
    case DType::UInt32:
      return tir::int_imm(dtype, read_as<uint32_t>(bytes));
    case DType::Float16:
      return tir::float_imm(dtype, float16_value(read_as<uint16_t>(bytes)));
    case DType::BFloat16:
      return tir::float_imm(dtype, bfloat16_value(read_as<uint16_t>(bytes)));
    case DType::Float32:
      return tir::float_imm(dtype, static_cast<double>(read_as<float>(bytes)));
    case DType::Float64:
      return tir::float_imm(dtype, read_as<double>(bytes));
  }
  return nullptr;
}

relax::Constant scalar_constant(DType dtype, double value) {
  switch (dtype) {
    case DType::Float16:
      return make_scalar(dtype, bytes_of(float16_bits(value)));
    case DType::BFloat16:
      return make_scalar(dtype, bytes_of(bfloat16_bits(value)));
    case DType::Float32:
      return make_scalar(dtype, bytes_of(static_cast<float>(value)));
    case DType::Float64:
      return make_scalar(dtype, bytes_of(value));
    case DType::Bool:
      return make_scalar(dtype, integer_bytes(dtype, value != 0 ? 1 : 0));
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64:
      return make_scalar(dtype, integer_bytes(dtype, tir::saturating_int64(value)));
  }
  return nullptr;
}

relax::Constant scalar_constant(DType dtype, int64_t value) {
  if (is_float(dtype)) return scalar_constant(dtype, static_cast<double>(value));
  return make_scalar(dtype, integer_bytes(dtype, value));
}

relax::Constant cast_scalar(const relax::ConstantNode& constant, DType dtype) {
  const tir::PrimExpr value = scalar_immediate(constant);
  if (value == nullptr) return nullptr;
  if (const auto* real = std::get_if<tir::FloatImm>(&value->kind)) {
    return scalar_constant(dtype, real->value);
  }
  const auto* whole = std::get_if<tir::IntImm>(&value->kind);
  if (whole == nullptr) return nullptr;
  if (dtype == DType::Bool) return scalar_constant(dtype, int64_t{whole->value != 0 ? 1 : 0});
  return scalar_constant(dtype, whole->value);
}

}  // namespace fx2wasm
