// Tensors and PrimFuncs for the interpreter's tests.
#pragma once

#include <string>
#include <vector>

#include "ir/tir_build.h"
#include "support/rounding.h"
#include "support/tensor_data.h"

namespace fx2wasm::interp_test {

inline TensorDataRef tensor(DType dtype, std::vector<int64_t> shape,
                            const std::vector<double>& values) {
  const auto width = static_cast<size_t>(dtype_bytes(dtype));
  std::vector<std::byte> bytes(values.size() * width);
  for (size_t i = 0; i < values.size(); ++i) {
    std::byte* to = bytes.data() + i * width;
    if (is_float(dtype)) {
      store_float(dtype, values[i], to);
    } else {
      store_integer(dtype, static_cast<int64_t>(values[i]), to);
    }
  }
  return make_tensor_data(dtype, std::move(shape), std::move(bytes));
}

inline std::vector<double> values_of(const TensorData& tensor) {
  std::vector<double> values;
  const auto width = static_cast<size_t>(dtype_bytes(tensor.dtype));
  for (size_t at = 0; at < tensor.bytes.size(); at += width) {
    const std::byte* from = tensor.bytes.data() + at;
    values.push_back(is_float(tensor.dtype)
                         ? load_float(tensor.dtype, from)
                         : integer_to_double(tensor.dtype, load_integer(tensor.dtype, from)));
  }
  return values;
}

inline tir::PrimExpr i64(int64_t value) { return tir::int_imm(DType::Int64, value); }
inline tir::PrimExpr i32(int64_t value) { return tir::int_imm(DType::Int32, value); }
inline tir::PrimExpr f32(double value) { return tir::float_imm(DType::Float32, value); }

inline tir::Stmt loop(const tir::Var& var, tir::PrimExpr extent, tir::Stmt body,
                      tir::ForKind kind = tir::ForKind::Serial) {
  tir::For node;
  node.loop_var = var;
  node.min = tir::int_imm(var->dtype, 0);
  node.extent = std::move(extent);
  node.kind = kind;
  node.body = std::move(body);
  return tir::make_stmt(std::move(node));
}

// A PrimFunc whose root block owns `allocs`.
inline tir::PrimFunc prim_func(std::vector<tir::Param> params, std::vector<tir::Buffer> allocs,
                               tir::Stmt body) {
  auto root = std::make_shared<tir::SBlock>();
  root->name_hint = "root";
  root->alloc_buffers = std::move(allocs);
  root->body = std::move(body);
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->params = std::move(params);
  func->body = tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(root)});
  return func;
}

}  // namespace fx2wasm::interp_test
