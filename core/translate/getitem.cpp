// x[key] of a tensor and setitem.
#include "translate/getitem.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "builder/slice_range.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/index_key.h"
#include "translate/index_write.h"

namespace fx2wasm::translate {
namespace {

using Kind = AxisKey::Kind;
using Extents = std::vector<tir::PrimExpr>;

Result<relax::Expr> emitted(Call& call, const relax::Expr& value) {
  return call.builder.emit(value);
}

Result<relax::Expr> taken(Call& call, const relax::Expr& x, const relax::Expr& positions,
                          size_t axis) {
  return emitted(call, relax::op::call("take", {x, positions},
                                       {{"axis", {static_cast<int64_t>(axis)}},
                                        {"mode", {std::string("fast")}}}));
}

const Extents& shape_of_expr(const relax::Expr& x) { return *relax::as_tensor(x)->shape; }

// TVM takes first and then slices the other axes at their old places. That is right when the taken
// positions are a vector, or when the axes that have moved are not really sliced.
bool slices_old_places(const IndexKey& key, const Extents& shape, size_t axis) {
  const Extents& picked = shape_of_expr(key.axes[axis].positions);
  if (picked.size() < 2) return picked.size() == 1;
  Extents after = shape;
  const auto at = after.begin() + static_cast<std::ptrdiff_t>(axis);
  after.insert(after.erase(at), picked.begin(), picked.end());
  for (size_t i = axis + 1; i < shape.size(); ++i) {
    if (!key.axes[i].full) return false;
    const std::optional<int64_t> end = tir::as_int(shape[i]), have = tir::as_int(after[i]);
    const bool all = end && have ? *have <= *end : infer::provably_equal(shape[i], after[i]);
    if (!all) return false;
  }
  return true;
}

// The result's shape when the positions of one axis at most are read.
Extents result_shape(const IndexKey& key, const Extents& shape) {
  Extents result;
  for (const int axis : key.order) {
    if (axis == kNewAxis) {
      result.push_back(infer::extent_of(1));
      continue;
    }
    const auto i = static_cast<size_t>(axis);
    const AxisKey& item = key.axes[i];
    if (item.kind == Kind::Positions) {
      const Extents& picked = shape_of_expr(item.positions);
      result.insert(result.end(), picked.begin(), picked.end());
    } else if (item.kind == Kind::Slice) {
      result.push_back(sliced_extent(item, shape[i]));
    }
  }
  return result;
}

// The elements that slices and integers take of a tensor that is known now; null when they are not.
relax::Expr constant_part(const relax::Expr& x, const IndexKey& key) {
  const auto* constant = std::get_if<relax::Constant>(&x->kind);
  if (constant == nullptr || (*constant)->data == nullptr) return nullptr;
  const relax::ConstantNode& whole = **constant;
  const auto shape = relax::static_shape(
      *relax::as_tensor(relax::tensor_type(result_shape(key, shape_of_expr(x)), whole.dtype)));
  if (!shape) return nullptr;
  std::vector<size_t> offsets = {0};  // of the elements taken, axis after axis
  for (size_t i = 0; i < key.axes.size(); ++i) {
    const infer::SliceRange range = infer::slice_range(shape_of_expr(x)[i], key.axes[i].begin,
                                                       key.axes[i].end, key.axes[i].step);
    const auto first = tir::as_int(range.first), length = tir::as_int(range.length);
    if (!first || !length) return nullptr;
    std::vector<size_t> next;
    for (const size_t offset : offsets) {
      for (int64_t k = 0; k < *length; ++k) {
        next.push_back(offset * static_cast<size_t>(whole.shape[i]) +
                       static_cast<size_t>(*first + k * key.axes[i].step));
      }
    }
    offsets = std::move(next);
  }
  const auto width = static_cast<size_t>(dtype_bytes(whole.dtype));
  std::vector<std::byte> bytes;
  for (const size_t offset : offsets) {
    const auto from = whole.data->bytes.begin() + static_cast<std::ptrdiff_t>(offset * width);
    bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  auto part = std::make_shared<relax::ConstantNode>();
  part->dtype = whole.dtype;
  part->shape = *shape;
  part->data = make_tensor_data(whole.dtype, *shape, std::move(bytes));
  return relax::constant_expr(part);
}

Result<relax::Expr> read_slices(BlockBuilder& builder, const relax::Expr& x, const IndexKey& key) {
  if (const relax::Expr part = constant_part(x, key)) return part;
  const Extents shape = shape_of_expr(x);
  relax::Expr sliced = x;
  if (!shape.empty()) {
    FX_TRY(part, builder.emit(slice_axes(x, key.axes)));
    sliced = part;
  }
  return builder.emit(relax::op::reshape(sliced, result_shape(key, shape)));
}

Result<relax::Expr> take_then_slice(Call& call, const relax::Expr& x, const IndexKey& key,
                                    size_t axis) {
  FX_TRY(part, taken(call, x, key.axes[axis].positions, axis));
  FX_TRY(sliced, emitted(call, slice_axes(part, key.axes)));
  return emitted(call, relax::op::reshape(sliced, result_shape(key, shape_of_expr(x))));
}

// x with its axes in another order.
Result<relax::Expr> reordered(Call& call, const relax::Expr& x, const std::vector<int64_t>& axes) {
  if (std::is_sorted(axes.begin(), axes.end())) return x;
  return emitted(call, relax::op::permute_dims(x, axes));
}

// Several positions: their axes come first, are read together, and what they broadcast to stands
// where they stood, or in front when something stood between them.
Result<relax::Expr> read_together(Call& call, const relax::Expr& x,
                                  const std::vector<std::pair<size_t, relax::Expr>>& read) {
  const auto rank = static_cast<size_t>(relax::as_tensor(x)->ndim);
  std::vector<int64_t> order;
  std::vector<relax::Expr> positions;
  for (const auto& [axis, tensor] : read) {
    order.push_back(static_cast<int64_t>(axis));
    positions.push_back(tensor);
  }
  for (size_t axis = 0; axis < rank; ++axis) {
    const auto number = static_cast<int64_t>(axis);
    if (std::find(order.begin(), order.end(), number) == order.end()) order.push_back(number);
  }
  FX_TRY(common, common_positions(call, positions));
  FX_TRY(front, reordered(call, x, order));
  const relax::Expr indices = relax::tuple_expr(std::move(positions));
  FX_TRY(result, emitted(call, relax::op::call("index_tensor", {front, indices})));
  const size_t first = read.front().first;
  if (read.back().first - first + 1 != read.size()) return result;
  std::vector<int64_t> back(common.size() + rank - read.size());
  std::iota(back.begin(), back.end(), static_cast<int64_t>(common.size()));
  std::iota(back.begin() + static_cast<std::ptrdiff_t>(first),
            back.begin() + static_cast<std::ptrdiff_t>(first + common.size()), int64_t{0});
  std::iota(back.begin() + static_cast<std::ptrdiff_t>(first + common.size()), back.end(),
            static_cast<int64_t>(common.size() + first));
  return reordered(call, result, back);
}

// What slices, integers and new axes leave comes first, then the positions.
Result<relax::Expr> read_positions(Call& call, const relax::Expr& x, const IndexKey& key) {
  const Extents shape = shape_of_expr(x);
  const bool sliced = std::any_of(key.axes.begin(), key.axes.end(), [](const AxisKey& axis) {
    return axis.kind != Kind::Positions && !axis.full;
  });
  relax::Expr part = x;
  if (sliced) {
    FX_TRY(next, emitted(call, slice_axes(x, key.axes)));
    part = next;
  }
  // A position without dimensions takes its axis away, as an integer does.
  const auto is_single = [](const AxisKey& axis) {
    return axis.kind == Kind::Positions && shape_of_expr(axis.positions).empty();
  };
  for (size_t axis = key.axes.size(); axis-- > 0;) {
    if (!is_single(key.axes[axis])) continue;
    FX_TRY(next, taken(call, part, key.axes[axis].positions, axis));
    part = next;
  }
  Extents left;
  std::vector<std::pair<size_t, relax::Expr>> read;
  bool reshaped = false;
  for (const int number : key.order) {
    if (number == kNewAxis) {
      left.push_back(infer::extent_of(1));
      reshaped = true;
      continue;
    }
    const auto i = static_cast<size_t>(number);
    const AxisKey& axis = key.axes[i];
    if (is_single(axis)) continue;
    if (axis.kind == Kind::Positions) {
      read.emplace_back(left.size(), axis.positions);
      left.push_back(shape[i]);
    } else if (axis.kind == Kind::Slice) {
      left.push_back(sliced_extent(axis, shape[i]));
    } else {
      reshaped = true;
    }
  }
  if (reshaped) {
    FX_TRY(next, emitted(call, relax::op::reshape(part, left)));
    part = next;
  }
  if (read.empty()) return part;
  if (read.size() == 1) return taken(call, part, read[0].second, read[0].first);
  return read_together(call, part, read);
}

// Whether the elements of the part do not lie one after the other where the tensor's do.
bool part_is_spread(const Extents& shape, const IndexKey& key) {
  tir::PrimExpr stride = infer::extent_of(1), wanted = stride;  // of an axis in the two
  for (size_t i = key.axes.size(); i-- > 0;) {
    const AxisKey& axis = key.axes[i];
    const tir::PrimExpr extent =
        axis.kind == Kind::Integer ? infer::extent_of(1) : sliced_extent(axis, shape[i]);
    if (!tir::is_one(extent)) {
      const tir::PrimExpr own = tir::mul(stride, infer::extent_of(axis.step));
      if (!infer::provably_equal(own, wanted)) return true;
      wanted = tir::mul(wanted, extent);
    }
    stride = tir::mul(stride, shape[i]);
  }
  return false;
}

Result<Mapped> map_setitem(Call& call) {
  FX_TRY(x, call.tensor("object"));
  FX_TRY(written, write_at(call, x, call.argument("key"), call.argument("value")));
  return Mapped{{written}, Sharing::Written};
}

constexpr RuleEntry kGetitemRules[] = {
    {"setitem", "map_setitem", "object, key, value", map_setitem},
};

}  // namespace

ViewRulePtr part_view(const Extents& shape, IndexKey key) {
  auto rule = std::make_shared<ViewRule>();
  const auto shared = std::make_shared<const IndexKey>(std::move(key));
  rule->take = [shared](BlockBuilder& builder, const Value& base) -> Result<Value> {
    FX_TRY(part, read_slices(builder, *as_expr(base), *shared));
    return Value{part};
  };
  rule->put = [shared](BlockBuilder& builder, const Value& base,
                       const Value& written) -> Result<Value> {
    FX_TRY(whole, put_region(builder, *as_expr(base), *shared, *as_expr(written)));
    return Value{whole};
  };
  rule->spreads = part_is_spread(shape, *shared);
  return rule;
}

Result<Mapped> read_at(Call& call, const relax::Expr& x, const Value& key) {
  FX_TRY(read, read_index_key(call, "key", *relax::as_tensor(x), key));
  std::vector<size_t> positions;
  for (size_t i = 0; i < read.axes.size(); ++i) {
    if (read.axes[i].kind == Kind::Positions) positions.push_back(i);
  }
  if (positions.empty()) {
    FX_TRY(part, read_slices(call.builder, x, read));
    return Mapped{{part}, Sharing::View, part_view(shape_of_expr(x), std::move(read))};
  }
  for (const size_t axis : positions) {
    if (!relax::as_tensor(read.axes[axis].positions)->shape) {
      return call.error(codes::kShapeMismatch, "an index has an unknown shape");
    }
  }
  if (positions.size() == 1 && slices_old_places(read, shape_of_expr(x), positions[0])) {
    FX_TRY(part, take_then_slice(call, x, read, positions[0]));
    return Mapped{{part}};
  }
  FX_TRY(part, read_positions(call, x, read));
  return Mapped{{part}};
}

RuleTable getitem_rules() { return kGetitemRules; }

}  // namespace fx2wasm::translate
