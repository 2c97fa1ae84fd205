#include "support/rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace fx2wasm {
namespace {

uint16_t bits_of(DType dtype, double value) {
  std::byte bytes[2];
  store_float(dtype, value, bytes);
  return static_cast<uint16_t>(static_cast<unsigned>(bytes[0]) | static_cast<unsigned>(bytes[1])
                                                                     << 8);
}

TEST(Rounding, Float16HasIeeeBits) {
  EXPECT_EQ(bits_of(DType::Float16, 1.0), 0x3C00);
  EXPECT_EQ(bits_of(DType::Float16, -2.0), 0xC000);
  EXPECT_EQ(bits_of(DType::Float16, 65504.0), 0x7BFF);
  EXPECT_EQ(bits_of(DType::Float16, 65519.999), 0x7BFF);
  EXPECT_EQ(bits_of(DType::Float16, 65520.0), 0x7C00);
  EXPECT_EQ(bits_of(DType::Float16, std::ldexp(1.0, -24)), 0x0001);
  EXPECT_EQ(bits_of(DType::Float16, std::ldexp(1.0, -25)), 0x0000);
  EXPECT_EQ(bits_of(DType::Float16, std::ldexp(1.0, -14)), 0x0400);
  EXPECT_EQ(bits_of(DType::Float16, std::ldexp(1023.75, -24)), 0x0400);
  EXPECT_EQ(bits_of(DType::Float16, -0.0), 0x8000);
  EXPECT_EQ(bits_of(DType::BFloat16, 1.0), 0x3F80);
  EXPECT_EQ(bits_of(DType::BFloat16, 3.0e38), 0x7F62);
  EXPECT_EQ(bits_of(DType::BFloat16, 1.00390625), 0x3F80);  // a tie goes to the even fraction
  EXPECT_EQ(bits_of(DType::BFloat16, 1.01171875), 0x3F82);
}

TEST(Rounding, EverySmallFloatSurvivesTheWayThere) {
  for (const DType dtype : {DType::Float16, DType::BFloat16}) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      const std::byte bytes[2] = {static_cast<std::byte>(bits & 0xFF),
                                  static_cast<std::byte>(bits >> 8)};
      const double value = load_float(dtype, bytes);
      if (std::isnan(value)) continue;
      EXPECT_EQ(bits_of(dtype, value), bits);
      EXPECT_EQ(round_float(dtype, value), value);
    }
  }
}

TEST(Rounding, IntegersWrapAndFloatsSaturate) {
  EXPECT_EQ(wrap_integer(DType::Int8, 128), -128);
  EXPECT_EQ(wrap_integer(DType::UInt8, -1), 255);
  EXPECT_EQ(wrap_integer(DType::Int32, int64_t{1} << 31), -(int64_t{1} << 31));
  EXPECT_EQ(wrap_integer(DType::Bool, 4), 1);
  EXPECT_EQ(float_to_integer(DType::Int8, 300.7), 127);
  EXPECT_EQ(float_to_integer(DType::Int8, -300.7), -128);
  EXPECT_EQ(float_to_integer(DType::Int64, 1e30), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(float_to_integer(DType::Int64, -1e30), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(float_to_integer(DType::UInt16, -1.0), 0);
  EXPECT_EQ(float_to_integer(DType::Int32, -1.9), -1);
  EXPECT_EQ(float_to_integer(DType::Int32, std::nan("")), 0);
  EXPECT_EQ(float_to_integer(DType::Bool, std::nan("")), 1);
  EXPECT_EQ(integer_to_double(DType::UInt64, -1), 18446744073709551616.0);
}

}  // namespace
}  // namespace fx2wasm
