// Element types of tensors and scalars, shared by FX graphs, Relax, TensorIR and the runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fx2wasm {

enum class DType : uint8_t {
  Bool,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
};

// TVM's and PyTorch's common name: "float32", "int64", "bool".
std::string_view dtype_name(DType dtype);

// The dtype of a name as dtype_name gives it; nothing for any other text.
std::optional<DType> parse_dtype(std::string_view name);

// Bytes of one element in memory (bool: 1).
int dtype_bytes(DType dtype);
// Bits of the value (bool: 1).
int dtype_bits(DType dtype);

bool is_float(DType dtype);
// Signed integers; bool is none.
bool is_int(DType dtype);
bool is_uint(DType dtype);
// Signed or unsigned, without bool.
bool is_integer(DType dtype);

}  // namespace fx2wasm
