// What an FX node stands for while a graph is translated: a tensor (a Relax expression) or a value
// that is known now, such as a size.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "fx/graph.h"
#include "ir/relax.h"

namespace fx2wasm::translate {

struct Value;
using ValueList = std::vector<Value>;  // a Python list or tuple, a torch.Size

struct SliceValue {
  std::shared_ptr<const Value> start, stop, step;  // never null; None where left out
};
struct DictValue {
  std::vector<std::pair<std::string, Value>> items;
};

struct Value {
  // A PrimExpr is a symbolic size (int64); a known one is an int64_t. An Expr is a tensor or a
  // tuple of tensors. It may be not bound yet: it is bound where it is first used.
  std::variant<std::nullptr_t, bool, int64_t, double, std::string, tir::PrimExpr, DType,
               relax::Expr, ValueList, SliceValue, DictValue, fx::Ellipsis, fx::Device,
               fx::MemoryFormat, fx::Layout>
      value = nullptr;
  // An integer that TVM makes an int32 constant where it meets a tensor: a tensor's numel().
  bool is_count = false;
};

const relax::Expr* as_expr(const Value& value);
// The tensor type when the value is a tensor.
const relax::TensorType* as_tensor(const Value& value);
bool is_none(const Value& value);

// A size: an integer when it is known, else the expression.
Value size_value(const tir::PrimExpr& size);
// An integer or symbolic size as an int64 expression; null for every other value.
tir::PrimExpr as_size(const Value& value);
// The number of a bool, integer or float.
std::optional<double> as_number(const Value& value);

// As Python would show it, tensors by their variable: `lv2`, `(lv, 784)`, `torch.float32`.
std::string describe(const Value& value);
// What kind of value it is: `R.Tensor((1, 128), dtype="float32")`, `int`, `tuple`.
std::string describe_type(const Value& value);

// `(4, 6)`; unknown sizes as `?`.
std::string shape_text(const relax::TensorType& type);
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace fx2wasm::translate
