#include "translate/index_key.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "builder/slice_range.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {
namespace {

using Kind = AxisKey::Kind;

// A nested list in a key is a tensor: of integers, or of bools.
struct Listed {
  std::vector<int64_t> shape, values;
  bool is_mask = true;
};

bool read_list(const ValueList& list, size_t depth, Listed& out) {
  if (out.shape.size() == depth) out.shape.push_back(static_cast<int64_t>(list.size()));
  if (out.shape[depth] != static_cast<int64_t>(list.size())) return false;
  for (const Value& item : list) {
    if (const auto* nested = std::get_if<ValueList>(&item.value)) {
      if (!read_list(*nested, depth + 1, out)) return false;
      continue;
    }
    if (out.shape.size() != depth + 1) return false;
    const auto* flag = std::get_if<bool>(&item.value);
    const auto* number = std::get_if<int64_t>(&item.value);
    if (flag == nullptr && number == nullptr) return false;
    out.is_mask = out.is_mask && flag != nullptr;
    out.values.push_back(flag != nullptr ? (*flag ? 1 : 0) : *number);
  }
  return true;
}

// The positions of the true elements on each axis of a mask, as x[mask] takes them.
std::vector<relax::Expr> true_positions(const std::vector<int64_t>& shape,
                                        const std::vector<int64_t>& flags) {
  std::vector<std::vector<int64_t>> positions(shape.size());
  for (size_t at = 0; at < flags.size(); ++at) {
    if (flags[at] == 0) continue;
    auto rest = static_cast<int64_t>(at);
    for (size_t axis = shape.size(); axis-- > 0;) {
      positions[axis].push_back(rest % shape[axis]);
      rest /= shape[axis];
    }
  }
  std::vector<relax::Expr> tensors;
  for (const std::vector<int64_t>& axis : positions) {
    tensors.push_back(int64_tensor({static_cast<int64_t>(axis.size())}, axis));
  }
  return tensors;
}

bool is_mask_type(DType dtype) { return dtype == DType::Bool || dtype == DType::UInt8; }

class KeyReader {
 public:
  KeyReader(const Call& call, std::string_view name, const relax::TensorType& type)
      : call_(call), name_(name), shape_(*type.shape) {}

  Result<IndexKey> read(const ValueList& items);

 private:
  Diagnostic error(const std::string& message) const {
    return call_.argument_error(name_, message);
  }
  Result<size_t> axes_of(const Value& item) const;
  Result<Unit> add(const Value& item);
  Result<Unit> add_integer(int64_t index);
  Result<Unit> add_slice(const SliceValue& slice);
  Result<Unit> add_tensor(const relax::Expr& tensor);
  Result<Unit> add_list(const ValueList& list);
  Result<Unit> add_mask(const std::vector<int64_t>& shape, const std::vector<int64_t>& flags);
  Result<tir::PrimExpr> bound(const Value& value, const tir::PrimExpr& missing) const;
  void add_axis(AxisKey axis) {
    key_.order.push_back(static_cast<int>(key_.axes.size()));
    key_.axes.push_back(std::move(axis));
  }
  AxisKey whole_axis() const {
    AxisKey axis;
    axis.begin = infer::extent_of(0);
    axis.end = shape_[key_.axes.size()];
    return axis;
  }
  void add_positions(relax::Expr positions) {
    AxisKey axis;
    axis.kind = Kind::Positions;
    axis.positions = std::move(positions);
    axis.full = false;
    add_axis(std::move(axis));
  }

  const Call& call_;
  std::string_view name_;
  const std::vector<tir::PrimExpr>& shape_;
  IndexKey key_;
};

// How many of the tensor's axes an item stands for.
Result<size_t> KeyReader::axes_of(const Value& item) const {
  if (is_none(item) || std::holds_alternative<bool>(item.value) ||
      std::holds_alternative<fx::Ellipsis>(item.value)) {
    return size_t{0};
  }
  if (const relax::TensorType* type = as_tensor(item)) {
    if (!type->dtype || is_float(*type->dtype)) {
      return error("tensors of " + std::string(type->dtype ? dtype_name(*type->dtype) : "?") +
                   " can't be indices: they are integers or a mask of bools");
    }
    return is_mask_type(*type->dtype) ? static_cast<size_t>(std::max(type->ndim, 0)) : size_t{1};
  }
  if (const auto* list = std::get_if<ValueList>(&item.value)) {
    Listed listed;
    if (!read_list(*list, 0, listed)) {
      return error("a list of indices holds integers or bools, not " + describe(item));
    }
    return listed.is_mask && !listed.values.empty() ? listed.shape.size() : size_t{1};
  }
  if (std::holds_alternative<SliceValue>(item.value) || as_size(item) != nullptr) {
    return size_t{1};
  }
  return error("a tensor is indexed by integers, slices, None, ... and tensors, not by " +
               describe(item) + " of type " + describe_type(item));
}

Result<IndexKey> KeyReader::read(const ValueList& items) {
  size_t used = 0, ellipses = 0;
  for (const Value& item : items) {
    FX_TRY(axes, axes_of(item));
    used += axes;
    ellipses += std::holds_alternative<fx::Ellipsis>(item.value) ? 1 : 0;
  }
  if (ellipses > 1) return error("an index holds '...' once at most");
  if (used > shape_.size()) {
    return error("too many indices: " + std::to_string(used) + " for a tensor of shape " +
                 infer::shape_text(shape_));
  }
  const auto fill = [&] {
    for (size_t i = used; i < shape_.size(); ++i) add_axis(whole_axis());
  };
  for (const Value& item : items) {
    if (std::holds_alternative<fx::Ellipsis>(item.value)) {
      fill();
      continue;
    }
    FX_TRY(added, add(item));
    static_cast<void>(added);
  }
  if (ellipses == 0) fill();
  return std::move(key_);
}

Result<Unit> KeyReader::add(const Value& item) {
  if (is_none(item)) {
    key_.order.push_back(kNewAxis);
    return Unit{};
  }
  if (const auto* flag = std::get_if<bool>(&item.value)) {
    if (!*flag) return error("the index False, which takes nothing, is not supported");
    key_.order.push_back(kNewAxis);  // as PyTorch does
    return Unit{};
  }
  if (const auto* index = std::get_if<int64_t>(&item.value)) return add_integer(*index);
  if (const auto* slice = std::get_if<SliceValue>(&item.value)) return add_slice(*slice);
  if (const auto* list = std::get_if<ValueList>(&item.value)) return add_list(*list);
  if (const relax::Expr* tensor = as_expr(item)) return add_tensor(*tensor);
  AxisKey axis;  // a symbolic size
  axis.kind = Kind::Integer;
  axis.begin = as_size(item);
  axis.end = infer::simplify(tir::add(axis.begin, infer::extent_of(1)));
  axis.full = false;
  add_axis(std::move(axis));
  return Unit{};
}

Result<Unit> KeyReader::add_integer(int64_t index) {
  const size_t position = key_.axes.size();
  const tir::PrimExpr& extent = shape_[position];
  const std::optional<int64_t> size = tir::as_int(extent);
  if (size && (index < -*size || index >= *size)) {
    return error("index " + std::to_string(index) + " is out of bounds for axis " +
                 std::to_string(position) + " of a tensor of shape " + infer::shape_text(shape_));
  }
  AxisKey axis;
  axis.kind = Kind::Integer;
  axis.full = false;
  if (index >= 0) {
    axis.begin = infer::extent_of(index);
    axis.end = infer::extent_of(index + 1);
  } else {
    axis.begin = infer::simplify(tir::add(extent, infer::extent_of(index)));
    axis.end = infer::simplify(tir::add(extent, infer::extent_of(index + 1)));
  }
  add_axis(std::move(axis));
  return Unit{};
}

Result<tir::PrimExpr> KeyReader::bound(const Value& value, const tir::PrimExpr& missing) const {
  if (is_none(value)) return missing;
  if (const tir::PrimExpr size = as_size(value)) return size;
  if (as_tensor(value) != nullptr) {
    return call_.error(codes::kUnsupportedOperator,
                       "the bound " + describe(value) +
                           " of a slice is a tensor: how many elements it takes depends on the "
                           "data, which can't be compiled ahead");
  }
  return error("the bound of a slice is an integer, not " + describe(value));
}

Result<Unit> KeyReader::add_slice(const SliceValue& slice) {
  AxisKey axis = whole_axis();
  if (!is_none(*slice.step)) {
    const auto* step = std::get_if<int64_t>(&slice.step->value);
    if (step == nullptr) {
      return error("the step of a slice is an integer, not " + describe(*slice.step));
    }
    if (*step < 1) {
      return error("the step of a slice is greater than zero, not " + std::to_string(*step));
    }
    axis.step = *step;
  }
  const tir::PrimExpr extent = axis.end;
  FX_TRY(begin, bound(*slice.start, axis.begin));
  FX_TRY(end, bound(*slice.stop, axis.end));
  axis.begin = begin;
  axis.end = end;
  const infer::SliceRange range = infer::slice_range(extent, begin, end, axis.step);
  axis.full =
      axis.step == 1 && tir::is_zero(range.first) && infer::provably_equal(range.length, extent);
  add_axis(std::move(axis));
  return Unit{};
}

Result<Unit> KeyReader::add_mask(const std::vector<int64_t>& shape,
                                 const std::vector<int64_t>& flags) {
  for (size_t i = 0; i < shape.size(); ++i) {
    const tir::PrimExpr& extent = shape_[key_.axes.size() + i];
    if (!infer::provably_equal(extent, infer::extent_of(shape[i]))) {
      return error("a mask of shape " + shape_text(shape) +
                   " does not fit the axes of a tensor of shape " + infer::shape_text(shape_));
    }
  }
  for (relax::Expr& positions : true_positions(shape, flags)) add_positions(std::move(positions));
  return Unit{};
}

Result<Unit> KeyReader::add_tensor(const relax::Expr& tensor) {
  const relax::TensorType& type = *relax::as_tensor(tensor);
  if (!is_mask_type(*type.dtype)) {
    add_positions(tensor);
    return Unit{};
  }
  const auto* constant = std::get_if<relax::Constant>(&tensor->kind);
  if (constant == nullptr || (*constant)->data == nullptr || (*constant)->shape.empty()) {
    return call_.error(codes::kUnsupportedOperator,
                       "a mask takes as many elements as it has true ones: that shape depends on "
                       "the data, which can't be compiled ahead; torch.where(mask, x, 0) keeps "
                       "the shape");
  }
  std::vector<int64_t> flags;
  for (const std::byte byte : (*constant)->data->bytes)
    flags.push_back(byte == std::byte{} ? 0 : 1);
  return add_mask((*constant)->shape, flags);
}

Result<Unit> KeyReader::add_list(const ValueList& list) {
  Listed listed;
  read_list(list, 0, listed);
  if (listed.is_mask && !listed.values.empty()) return add_mask(listed.shape, listed.values);
  add_positions(int64_tensor(listed.shape, listed.values));
  return Unit{};
}

relax::Expr integer_tuple(const std::vector<int64_t>& values) {
  std::vector<relax::Expr> fields;
  for (const int64_t value : values) fields.push_back(relax::prim_value(infer::extent_of(value)));
  return relax::tuple_expr(std::move(fields));
}

relax::Expr size_tuple(const std::vector<tir::PrimExpr>& values) {
  std::vector<relax::Expr> fields;
  for (const tir::PrimExpr& value : values) fields.push_back(relax::prim_value(value));
  return relax::tuple_expr(std::move(fields));
}

}  // namespace

ValueList key_items(const Value& key) {
  if (const auto* list = std::get_if<ValueList>(&key.value)) return *list;
  return {key};
}

const relax::Expr* find_mask(const Value& key) {
  const auto is_mask = [](const Value& item) {
    const relax::TensorType* type = as_tensor(item);
    if (type == nullptr || !type->dtype || !is_mask_type(*type->dtype)) return false;
    const auto* constant = std::get_if<relax::Constant>(&(*as_expr(item))->kind);
    return constant == nullptr || (*constant)->data == nullptr;
  };
  if (is_mask(key)) return as_expr(key);
  if (const auto* list = std::get_if<ValueList>(&key.value)) {
    for (const Value& item : *list) {
      if (is_mask(item)) return as_expr(item);
    }
  }
  return nullptr;
}

IndexKey whole_key(const std::vector<tir::PrimExpr>& shape) {
  IndexKey key;
  for (const tir::PrimExpr& extent : shape) {
    key.order.push_back(static_cast<int>(key.axes.size()));
    AxisKey axis;
    axis.begin = infer::extent_of(0);
    axis.end = extent;
    key.axes.push_back(std::move(axis));
  }
  return key;
}

Result<IndexKey> read_index_key(const Call& call, std::string_view name,
                                const relax::TensorType& type, const Value& key) {
  if (!type.shape) {
    return call.error(codes::kShapeMismatch, "the shape of the indexed tensor is not known");
  }
  return KeyReader(call, name, type).read(key_items(key));
}

relax::Expr int64_tensor(std::vector<int64_t> shape, const std::vector<int64_t>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(int64_t));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->dtype = DType::Int64;
  constant->shape = shape;
  constant->data = make_tensor_data(DType::Int64, std::move(shape), std::move(bytes));
  return relax::constant_expr(constant);
}

tir::PrimExpr sliced_extent(const AxisKey& axis, const tir::PrimExpr& extent) {
  return infer::slice_range(extent, axis.begin, axis.end, axis.step).length;
}

relax::Expr slice_axes(const relax::Expr& x, const std::vector<AxisKey>& axes) {
  std::vector<int64_t> numbers, steps;
  std::vector<tir::PrimExpr> begin, end;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].kind == Kind::Positions) continue;
    numbers.push_back(static_cast<int64_t>(i));
    begin.push_back(axes[i].begin);
    end.push_back(axes[i].end);
    steps.push_back(axes[i].step);
  }
  return relax::op::call(
      "strided_slice",
      {x, integer_tuple(numbers), size_tuple(begin), size_tuple(end), integer_tuple(steps)},
      {{"assume_inbound", {false}}});
}

Result<std::vector<tir::PrimExpr>> common_positions(const Call& call,
                                                    const std::vector<relax::Expr>& positions) {
  infer::Shape common;
  for (const relax::Expr& tensor : positions) {
    const relax::TensorType& type = *relax::as_tensor(tensor);
    if (!type.shape) return call.error(codes::kShapeMismatch, "an index has an unknown shape");
    const infer::Broadcast joined = infer::broadcast(common, *type.shape);
    if (!joined.fits || !joined.shape) {
      return call.error(codes::kShapeMismatch, "indices of the shapes " +
                                                   infer::shape_text(common) + " and " +
                                                   infer::shape_text(type) + " do not broadcast");
    }
    common = *joined.shape;
  }
  return common;
}

}  // namespace fx2wasm::translate
