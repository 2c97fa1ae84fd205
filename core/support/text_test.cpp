#include "support/text.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/place.h"

namespace fx2wasm {
namespace {

TEST(Text, WritesFloatsAsPythonDoes) {
  EXPECT_EQ(python_float(1.0), "1.0");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(0.1), "0.1");
  EXPECT_EQ(python_float(1e-5), "1e-05");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(123456789.125), "123456789.125");
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(1.5e300), "1.5e+300");
  EXPECT_EQ(python_float(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Text, QuotesLongAndUnprintableText) {
  EXPECT_EQ(quote("a\nb"), "'a\\x0ab'");
  const std::string cut = quote(std::string(79, 'x') + "é and more");
  EXPECT_EQ(cut, "'" + std::string(79, 'x') + "…'");
}

TEST(Text, FindsTheClosestName) {
  EXPECT_EQ(closest_name("relu_", {"linear", "relu", "output"}), "relu");
  EXPECT_EQ(closest_name("ghost", {"linear", "relu"}), std::nullopt);
  EXPECT_EQ(did_you_mean("liner", {"linear"}), " (did you mean 'linear'?)");
}

TEST(Text, KnowsIdentifiers) {
  EXPECT_TRUE(is_identifier("_a1"));
  EXPECT_TRUE(is_identifier("größe"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("1a"));
  EXPECT_FALSE(is_identifier("n-1"));
}

TEST(Place, CountsCodePoints) {
  const Place place = place_of("ab\n€x", 6);
  EXPECT_EQ(place.line, 2);
  EXPECT_EQ(place.column, 2);
}

}  // namespace
}  // namespace fx2wasm
