#include "support/dtype.h"

#include <array>

#include "support/check.h"

namespace fx2wasm {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  int bytes;
  int bits;
};

constexpr std::array<Row, 13> kRows = {{
    {DType::Bool, "bool", 1, 1},
    {DType::Int8, "int8", 1, 8},
    {DType::Int16, "int16", 2, 16},
    {DType::Int32, "int32", 4, 32},
    {DType::Int64, "int64", 8, 64},
    {DType::UInt8, "uint8", 1, 8},
    {DType::UInt16, "uint16", 2, 16},
    {DType::UInt32, "uint32", 4, 32},
    {DType::UInt64, "uint64", 8, 64},
    {DType::Float16, "float16", 2, 16},
    {DType::BFloat16, "bfloat16", 2, 16},
    {DType::Float32, "float32", 4, 32},
    {DType::Float64, "float64", 8, 64},
}};

const Row& row_of(DType dtype) {
  const auto& row = kRows[static_cast<size_t>(dtype)];
  FX_CHECK(row.dtype == dtype, "the dtype table is out of order");
  return row;
}

}  // namespace

std::string_view dtype_name(DType dtype) { return row_of(dtype).name; }

std::optional<DType> parse_dtype(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

int dtype_bytes(DType dtype) { return row_of(dtype).bytes; }
int dtype_bits(DType dtype) { return row_of(dtype).bits; }

bool is_float(DType dtype) { return dtype >= DType::Float16; }
bool is_int(DType dtype) { return dtype >= DType::Int8 && dtype <= DType::Int64; }
bool is_uint(DType dtype) { return dtype >= DType::UInt8 && dtype <= DType::UInt64; }
bool is_integer(DType dtype) { return is_int(dtype) || is_uint(dtype); }

}  // namespace fx2wasm
