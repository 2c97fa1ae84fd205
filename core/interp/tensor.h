// Tensors and values of the Relax evaluator: every element as a double or an int64, whatever its
// dtype, so that an operator is written once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "interp/scalar.h"
#include "support/dtype.h"
#include "support/tensor_data.h"

namespace fx2wasm::interp {

using Shape = std::vector<int64_t>;

// Row-major and dense. Elements are in `f` when the dtype is a float, else in `i`.
struct Tensor {
  DType dtype = DType::Float32;
  Shape shape;
  std::vector<double> f;
  std::vector<int64_t> i;

  Tensor() = default;
  Tensor(DType element, Shape extents);  // all zero

  bool real() const { return is_float(dtype); }
  int64_t count() const { return element_count(shape); }
  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
  int64_t extent(int64_t axis) const { return shape[static_cast<size_t>(axis)]; }

  Scalar at(int64_t index) const;
  double number(int64_t index) const;            // of any dtype, as a double
  void set(int64_t index, const Scalar& value);  // converts to the tensor's dtype
  void set_number(int64_t index, double value);  // rounds to the tensor's dtype
};

using TensorRef = std::shared_ptr<const Tensor>;

TensorRef tensor_of(const TensorData& data);
TensorDataRef data_of(const Tensor& tensor);

struct Value;
using TupleValue = std::vector<Value>;
struct TextValue {};  // a string or dtype argument: operators read those from their attributes

struct Value {
  std::variant<TensorRef, TupleValue, Shape, Scalar, TextValue> kind;
};

// ---- index arithmetic ----

std::vector<int64_t> strides_of(const Shape& shape);

// Steps an index through a shape in row-major order; false after the last one.
bool next_index(const Shape& shape, std::vector<int64_t>& index);

// The position of an index under strides.
int64_t offset_of(const std::vector<int64_t>& index, const std::vector<int64_t>& strides);

// Strides that read a tensor of `from` as if broadcast to `to` (trailing axes aligned, stride 0 on
// repeated ones); nothing when it does not broadcast.
std::optional<std::vector<int64_t>> broadcast_strides(const Shape& from, const Shape& to);

}  // namespace fx2wasm::interp
