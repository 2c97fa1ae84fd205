#include "fx/safetensors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fx/read_json.h"

namespace fx2wasm::fx {
namespace {

TensorDataRef tensor(DType dtype, std::vector<int64_t> shape) {
  const int64_t size = element_count(shape) * dtype_bytes(dtype);
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(dtype == DType::Bool ? i % 2 : i * 37 % 251);
  }
  return make_tensor_data(dtype, std::move(shape), std::move(bytes));
}

std::vector<std::byte> file_of(const std::string& header, size_t data_size,
                               uint64_t claimed = UINT64_MAX) {
  const uint64_t length = claimed == UINT64_MAX ? header.size() : claimed;
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(length >> (8 * i) & 0xFF));
  for (char c : header) bytes.push_back(static_cast<std::byte>(c));
  bytes.resize(bytes.size() + data_size);
  return bytes;
}

TEST(Safetensors, RoundTripsEveryDtype) {
  std::vector<NamedTensor> tensors;
  for (int i = 0; i <= static_cast<int>(DType::Float64); ++i) {
    const auto dtype = static_cast<DType>(i);
    tensors.push_back({std::string(dtype_name(dtype)), tensor(dtype, {2, 3})});
  }
  tensors.push_back({"scalar \"quoted\" \n", tensor(DType::Float32, {})});
  tensors.push_back({"empty", tensor(DType::Int64, {0, 7})});
  const std::vector<std::byte> bytes = write_safetensors(tensors);
  EXPECT_EQ((static_cast<size_t>(bytes[0]) | static_cast<size_t>(bytes[1]) << 8) % 8, 0U);
  const auto read = read_safetensors(bytes, "f");
  ASSERT_TRUE(read.ok()) << format_diagnostic(read.diagnostics()[0]);
  ASSERT_EQ(read.value().size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(read.value()[i].name, tensors[i].name);
    EXPECT_EQ(read.value()[i].data->dtype, tensors[i].data->dtype);
    EXPECT_EQ(read.value()[i].data->shape, tensors[i].data->shape);
    EXPECT_EQ(read.value()[i].data->bytes, tensors[i].data->bytes);
  }
  EXPECT_TRUE(read_safetensors(write_safetensors({}), "f").ok());
}

TEST(Safetensors, ReadsWhatPyTorchWrote) {
  namespace fs = std::filesystem;
  size_t files = 0;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(FX2WASM_SOURCE_DIR) / "conformance" / "cases")) {
    if (entry.path().filename() != "io.safetensors") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>()};
    const auto read = read_safetensors(std::as_bytes(std::span(text)), entry.path().string());
    ASSERT_TRUE(read.ok()) << format_diagnostic(read.diagnostics()[0]);
    EXPECT_FALSE(read.value().empty());
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST(Safetensors, RefusesHostileHeaders) {
  const std::string entry = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  const std::vector<std::vector<std::byte>> files = {
      {},
      std::vector<std::byte>(7),
      file_of("{}", 0, 1),
      file_of("{}", 0, uint64_t{1} << 62),
      file_of("{}", 0, UINT64_MAX - 1),
      file_of("[]", 0),
      file_of("{", 0),
      file_of("{}", 5),
      file_of(R"({"a":1})", 0),
      file_of(R"({"a":{"dtype":"F32","shape":[2]}})", 8),
      file_of(R"({"a":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,9]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8),
      file_of(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0),
      file_of(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})", 8),
      file_of(entry + "}", 12),
      file_of(entry + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12),
      file_of(entry + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]}})", 16),
      file_of(entry + R"(,"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8),
      file_of(R"({"a":)" + std::string(5000, '['), 0),
  };
  for (size_t i = 0; i < files.size(); ++i) {
    const auto read = read_safetensors(files[i], "hostile");
    EXPECT_FALSE(read.ok()) << "file " << i;
  }
  EXPECT_TRUE(
      read_safetensors(file_of(entry + R"(,"__metadata__":{"format":"pt"}}   )", 8), "f").ok());
}

TEST(Safetensors, AttachesWeightsByName) {
  auto graph = read_json(R"({"fx_graph": 1, "nodes": [
    {"op": "output", "name": "output", "target": "output", "args": [null]}],
    "tensors": {"a": {"shape": [2], "dtype": "float32"}, "b": {"shape": [3], "dtype": "int8"},
                "c": {"shape": [1], "dtype": "int8", "data": "AQ=="}}})",
                         "g");
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(missing_weights(graph.value()), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(attach_weights(graph.value(),
                             {{"a", tensor(DType::Float32, {2})},
                              {"other", tensor(DType::Int8, {9})},
                              {"c", tensor(DType::Int8, {7})}},
                             "w.safetensors")
                  .ok());
  EXPECT_EQ(missing_weights(graph.value()), std::vector<std::string>{"b"});
  const auto wrong =
      attach_weights(graph.value(), {{"b", tensor(DType::Int8, {4})}}, "w.safetensors");
  ASSERT_FALSE(wrong.ok());
  const std::string text = format_diagnostic(wrong.diagnostics()[0]);
  EXPECT_NE(text.find("'b' has shape (3,)"), std::string::npos) << text;
  EXPECT_NE(text.find("(4,) and int8 in w.safetensors"), std::string::npos) << text;
}

}  // namespace
}  // namespace fx2wasm::fx
