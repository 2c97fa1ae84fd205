// What PyTorch computed for a case is what the interpreter computes: from the Relax operators, and
// from the TensorIR that they are legalised to.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "interp/interp.h"
#include "transform/legalize.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

double half_value(uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
  if (exponent == 31) magnitude = mantissa == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class T>
double read_as(const std::byte* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

double element(const TensorData& tensor, int64_t index) {
  const std::byte* bytes = tensor.bytes.data() + static_cast<size_t>(index) *
                                                     static_cast<size_t>(dtype_bytes(tensor.dtype));
  switch (tensor.dtype) {
    case DType::Float64:
      return read_as<double>(bytes);
    case DType::Float32:
      return read_as<float>(bytes);
    case DType::Int64:
      return read_as<int64_t>(bytes);
    case DType::Int32:
      return read_as<int32_t>(bytes);
    case DType::Int16:
      return read_as<int16_t>(bytes);
    case DType::Int8:
      return read_as<int8_t>(bytes);
    case DType::UInt8:
    case DType::Bool:
      return read_as<uint8_t>(bytes);
    case DType::Float16:
      return half_value(static_cast<uint16_t>(read_as<uint16_t>(bytes)));
    case DType::BFloat16:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64:
      break;
  }
  ADD_FAILURE() << "no case has results of " << dtype_name(tensor.dtype);
  return 0;
}

void expect_close(const TensorData& actual, const TensorData& expected,
                  const nlohmann::json& entry) {
  ASSERT_EQ(actual.dtype, expected.dtype);
  ASSERT_EQ(actual.shape, expected.shape);
  const bool exact = !is_float(expected.dtype);
  const double usual = expected.dtype == DType::Float16 ? 1e-3 : 1e-5;
  const double rtol = exact ? 0 : entry.value("rtol", usual);
  const double atol = exact ? 0 : entry.value("atol", usual);
  for (int64_t i = 0; i < element_count(expected.shape); ++i) {
    const double a = element(actual, i), b = element(expected, i);
    if (std::isnan(a) && std::isnan(b)) continue;
    if (a == b) continue;
    ASSERT_LE(std::fabs(a - b), atol + rtol * std::fabs(b)) << "element " << i;
  }
}

class Numbers : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    conformance::load(GetParam(), case_);
    const auto bytes = conformance::read_file(case_.path("io.safetensors"));
    ASSERT_TRUE(bytes.has_value());
    const auto tensors = fx::read_safetensors(
        std::as_bytes(std::span(bytes->data(), bytes->size())), "io.safetensors");
    ASSERT_TRUE(tensors.ok()) << format_diagnostic(tensors.diagnostics()[0]);
    inputs_ = numbered(tensors.value(), "input.");
    outputs_ = numbered(tensors.value(), "output.");
  }

  static std::vector<TensorDataRef> numbered(const std::vector<NamedTensor>& tensors,
                                             const std::string& prefix) {
    std::vector<TensorDataRef> found;
    for (size_t i = 0; i < tensors.size(); ++i) {
      for (const NamedTensor& tensor : tensors) {
        if (tensor.name == prefix + std::to_string(i)) found.push_back(tensor.data);
      }
    }
    return found;
  }

  Translation translate() {
    TranslateOptions options = case_.options;
    options.params = ParamsMode::Inline;
    return from_fx(case_.graph, options);
  }

  void expect_results(const IRModule& module) {
    const auto results = interp::run_main(module, inputs_);
    ASSERT_TRUE(results.ok()) << format_diagnostic(results.diagnostics()[0]);
    ASSERT_EQ(results.value().size(), outputs_.size());
    for (size_t i = 0; i < outputs_.size(); ++i) {
      expect_close(*results.value()[i], *outputs_[i], case_.entry);
    }
  }

  conformance::Case case_;
  std::vector<TensorDataRef> inputs_, outputs_;
};

TEST_P(Numbers, OfRelaxOperatorsArePyTorchs) {
  const Translation translation = translate();
  ASSERT_TRUE(translation.ok()) << format_diagnostic(translation.diagnostics[0]);
  expect_results(translation.module);
}

TEST_P(Numbers, OfTensorExpressionsArePyTorchs) {
  const Translation translation = translate();
  ASSERT_TRUE(translation.ok()) << format_diagnostic(translation.diagnostics[0]);
  const Result<IRModule> legalized = legalize_to_compile(translation.module);
  ASSERT_TRUE(legalized.ok()) << format_diagnostic(legalized.diagnostics()[0]);
  expect_results(legalized.value());
}

INSTANTIATE_TEST_SUITE_P(Cases, Numbers,
                         testing::ValuesIn(conformance::covered_cases_with("io.safetensors")),
                         conformance::test_name);

}  // namespace
}  // namespace fx2wasm
