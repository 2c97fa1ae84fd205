#include "interp/tensor.h"

#include "support/check.h"
#include "support/rounding.h"

namespace fx2wasm::interp {

Tensor::Tensor(DType element, Shape extents) : dtype(element), shape(std::move(extents)) {
  const auto size = static_cast<size_t>(count());
  if (real()) {
    f.resize(size);
  } else {
    i.resize(size);
  }
}

Scalar Tensor::at(int64_t index) const {
  const auto position = static_cast<size_t>(index);
  return real() ? Scalar{dtype, f[position], 0} : Scalar{dtype, 0, i[position]};
}

double Tensor::number(int64_t index) const {
  const auto position = static_cast<size_t>(index);
  return real() ? f[position] : integer_to_double(dtype, i[position]);
}

void Tensor::set(int64_t index, const Scalar& value) {
  const Scalar converted = value.dtype == dtype ? value : cast_scalar(dtype, value);
  const auto position = static_cast<size_t>(index);
  if (real()) {
    f[position] = converted.f;
  } else {
    i[position] = converted.i;
  }
}

void Tensor::set_number(int64_t index, double value) {
  const auto position = static_cast<size_t>(index);
  if (real()) {
    f[position] = round_float(dtype, value);
  } else {
    i[position] = float_to_integer(dtype, value);
  }
}

TensorRef tensor_of(const TensorData& data) {
  auto tensor = std::make_shared<Tensor>(data.dtype, data.shape);
  const auto width = static_cast<size_t>(dtype_bytes(data.dtype));
  const auto count = static_cast<size_t>(tensor->count());
  for (size_t at = 0; at < count; ++at) {
    const std::byte* from = data.bytes.data() + at * width;
    if (tensor->real()) {
      tensor->f[at] = load_float(data.dtype, from);
    } else {
      tensor->i[at] = load_integer(data.dtype, from);
    }
  }
  return tensor;
}

TensorDataRef data_of(const Tensor& tensor) {
  const auto width = static_cast<size_t>(dtype_bytes(tensor.dtype));
  const auto count = static_cast<size_t>(tensor.count());
  std::vector<std::byte> bytes(count * width);
  for (size_t at = 0; at < count; ++at) {
    if (tensor.real()) {
      store_float(tensor.dtype, tensor.f[at], bytes.data() + at * width);
    } else {
      store_integer(tensor.dtype, tensor.i[at], bytes.data() + at * width);
    }
  }
  return make_tensor_data(tensor.dtype, tensor.shape, std::move(bytes));
}

std::vector<int64_t> strides_of(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

bool next_index(const Shape& shape, std::vector<int64_t>& index) {
  for (size_t axis = shape.size(); axis-- > 0;) {
    if (++index[axis] < shape[axis]) return true;
    index[axis] = 0;
  }
  return false;
}

int64_t offset_of(const std::vector<int64_t>& index, const std::vector<int64_t>& strides) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * strides[axis];
  return offset;
}

std::optional<std::vector<int64_t>> broadcast_strides(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return std::nullopt;
  const std::vector<int64_t> own = strides_of(from);
  std::vector<int64_t> strides(to.size(), 0);
  const size_t lead = to.size() - from.size();
  for (size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == to[lead + axis]) {
      strides[lead + axis] = own[axis];
    } else if (from[axis] != 1) {
      return std::nullopt;
    }
  }
  return strides;
}

}  // namespace fx2wasm::interp
