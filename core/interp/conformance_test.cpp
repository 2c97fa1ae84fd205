// PyTorch's numbers, from both oracles: Relax operators as they are, and TensorIR after legalising.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fx/read_json.h"
#include "fx/safetensors.h"
#include "interp/interp.h"
#include "support/rounding.h"
#include "transform/legalize.h"
#include "translate/from_fx.h"

namespace fx2wasm::interp {
namespace {

namespace fs = std::filesystem;

// Stems of case names; `Conv2d` stands for `Conv2d_s2p1`, too.
const std::vector<std::pair<std::string, std::vector<std::string>>> kCovered = {
    {"module",
     {"Linear", "Conv2d", "MaxPool2d", "ReLU", "Flatten", "Dropout", "LogSoftmax", "Softmax"}},
    {"function",
     {"add", "sub", "mul", "matmul", "relu", "F_relu", "flatten", "reshape", "op_add", "op_sub",
      "op_mul", "softmax", "log_softmax", "dropout", "linear", "conv2d"}},
    {"method",
     {"add", "sub", "mul", "matmul", "relu", "flatten", "reshape", "view", "softmax",
      "log_softmax"}},
    {"composed", {"mlp", "lenet"}},
};

// Stems that begin like a covered one, but are operators of their own.
const std::vector<std::string> kOthers = {"addmm", "multiply_", "sum", "subm"};

std::string read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<NamedTensor> tensors_of(const fs::path& path) {
  const std::string text = read_file(path);
  auto tensors = fx::read_safetensors(std::as_bytes(std::span(text)), path.string());
  EXPECT_TRUE(tensors.ok()) << path;
  return tensors.ok() ? std::move(tensors).value() : std::vector<NamedTensor>{};
}

// The tensors named `prefix0`, `prefix1`, …
std::vector<TensorDataRef> numbered(const std::vector<NamedTensor>& tensors,
                                    const std::string& prefix) {
  std::vector<TensorDataRef> found;
  for (bool more = true; more;) {
    more = false;
    for (const NamedTensor& tensor : tensors) {
      if (tensor.name != prefix + std::to_string(found.size())) continue;
      found.push_back(tensor.data);
      more = true;
      break;
    }
  }
  return found;
}

bool close(double got, double wanted, double tolerance) {
  if (std::isnan(wanted)) return std::isnan(got);
  return got == wanted || std::fabs(got - wanted) <= tolerance + tolerance * std::fabs(wanted);
}

void expect_equal(const TensorData& got, const TensorData& wanted) {
  ASSERT_EQ(got.shape, wanted.shape);
  ASSERT_EQ(got.dtype, wanted.dtype);
  const auto width = static_cast<size_t>(dtype_bytes(got.dtype));
  const double tolerance = got.dtype == DType::Float16 ? 1e-3 : 1e-5;
  for (size_t at = 0; at < got.bytes.size(); at += width) {
    if (is_float(got.dtype)) {
      const double a = load_float(got.dtype, got.bytes.data() + at);
      const double b = load_float(got.dtype, wanted.bytes.data() + at);
      ASSERT_TRUE(close(a, b, tolerance)) << "element " << at / width << ": " << a << ", not " << b;
    } else {
      ASSERT_EQ(load_integer(got.dtype, got.bytes.data() + at),
                load_integer(got.dtype, wanted.bytes.data() + at))
          << "element " << at / width;
    }
  }
}

void expect_outputs(const IRModule& module, const std::vector<NamedTensor>& io) {
  const auto outputs = run_main(module, numbered(io, "input."));
  ASSERT_TRUE(outputs.ok()) << format_diagnostic(outputs.diagnostics()[0]);
  const std::vector<TensorDataRef> wanted = numbered(io, "output.");
  ASSERT_EQ(outputs.value().size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    expect_equal(*outputs.value()[i], *wanted[i]);
  }
}

bool begins_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

bool covered(const std::string& name, const std::vector<std::string>& stems) {
  for (const std::string& other : kOthers) {
    if (begins_with(name, other)) return false;
  }
  for (const std::string& stem : stems) {
    if (name == stem || begins_with(name, stem + "_")) return true;
  }
  return false;
}

std::vector<std::string> covered_cases() {
  const fs::path root = fs::path(FX2WASM_SOURCE_DIR) / "conformance" / "cases";
  std::vector<std::string> cases;
  for (const auto& [group, stems] : kCovered) {
    for (const auto& entry : fs::directory_iterator(root / group)) {
      const std::string name = entry.path().filename().string();
      if (covered(name, stems) && fs::exists(entry.path() / "io.safetensors")) {
        cases.push_back(group + "/" + name);
      }
    }
  }
  return cases;
}

class Conformance : public ::testing::TestWithParam<std::string> {};

TEST_P(Conformance, BothOraclesGivePyTorchsNumbers) {
  const fs::path folder = fs::path(FX2WASM_SOURCE_DIR) / "conformance" / "cases" / GetParam();
  auto graph = fx::read_json(read_file(folder / "graph.fx.json"), "graph.fx.json");
  ASSERT_TRUE(graph.ok());
  if (!graph.value().weights.empty()) {
    const auto weights = tensors_of(folder / graph.value().weights);
    ASSERT_TRUE(fx::attach_weights(graph.value(), weights, graph.value().weights).ok());
  }
  TranslateOptions options;
  options.params = ParamsMode::Inline;
  const Translation translation = from_fx(graph.value(), options);
  ASSERT_TRUE(translation.ok()) << format_diagnostic(translation.diagnostics[0]);
  const std::vector<NamedTensor> io = tensors_of(folder / "io.safetensors");
  {
    SCOPED_TRACE("Relax");
    expect_outputs(translation.module, io);
  }
  const auto legalized = legalize_ops(translation.module);
  ASSERT_TRUE(legalized.ok()) << format_diagnostic(legalized.diagnostics()[0]);
  SCOPED_TRACE("TensorIR");
  expect_outputs(legalized.value(), io);
}

INSTANTIATE_TEST_SUITE_P(Cases, Conformance, ::testing::ValuesIn(covered_cases()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           for (char& c : name) {
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace fx2wasm::interp
