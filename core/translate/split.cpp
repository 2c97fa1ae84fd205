// A tensor in parts along an axis: a tuple of views.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/axes.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

constexpr std::string_view kPartsUnknown = "into how many parts it falls depends on it";

relax::Expr split_call(const relax::Expr& x, const AttrValue& positions, int64_t axis) {
  return relax::op::call("split", {x}, {{"indices_or_sections", positions}, {"axis", {axis}}});
}

// The parts of the first axis that is longer than 1 lie one behind the other.
bool parts_are_spread(const relax::Expr& x, size_t axis) {
  const relax::TensorType* type = relax::as_tensor(x);
  for (size_t i = 0; i < axis; ++i) {
    if (!type->shape || !tir::is_one((*type->shape)[i])) return true;
  }
  return false;
}

ViewRulePtr parts_view(const relax::Expr& x, const AttrValue& positions, size_t axis) {
  auto view = std::make_shared<ViewRule>();
  view->take = [=](BlockBuilder& builder, const Value& base) -> Result<Value> {
    FX_TRY(parts, builder.emit(split_call(*as_expr(base), positions, static_cast<int64_t>(axis))));
    return Value{parts};
  };
  view->put = [axis](BlockBuilder& builder, const Value&, const Value& written) -> Result<Value> {
    FX_TRY(whole, builder.emit(relax::op::call("concat", {*as_expr(written)},
                                               {{"axis", {static_cast<int64_t>(axis)}}})));
    return Value{whole};
  };
  view->spreads = parts_are_spread(x, axis);
  return view;
}

// The whole tensor as the only part.
Result<Mapped> only_part(Call& call, const relax::Expr& x) {
  FX_TRY(result, call.emit(relax::tuple_expr({x})));
  auto view = std::make_shared<ViewRule>();
  view->take = [](BlockBuilder&, const Value& base) -> Result<Value> {
    return Value{relax::tuple_expr({*as_expr(base)})};
  };
  view->put = [](BlockBuilder& builder, const Value&, const Value& written) -> Result<Value> {
    return item_view(0)->take(builder, written);
  };
  return Mapped{result, Sharing::View, view};
}

Result<Mapped> parts_at(Call& call, const relax::Expr& x, const AttrValue& positions, size_t axis,
                        int64_t shown_axis) {
  FX_TRY(result, call.emit(split_call(x, positions, shown_axis)));
  return Mapped{result, Sharing::View, parts_view(x, positions, axis)};
}

// An axis of a tensor that has axes, as it is given and counted from the front.
struct SplitAxis {
  relax::Expr x;
  int64_t dim = 0;
  size_t axis = 0;
};

Result<SplitAxis> split_axis(const Call& call) {
  FX_TRY(x, call.tensor(call.has("tensor") ? "tensor" : "input"));
  if (rank_of(x) == 0) {
    return call.error(codes::kShapeMismatch, "a tensor without axes has no parts");
  }
  FX_TRY(dim, call.integer("dim", 0));
  FX_TRY(axis, axis_at(call, "dim", dim, rank_of(x)));
  return SplitAxis{x, dim, axis};
}

Result<Mapped> parts_of_sizes(Call& call, const SplitAxis& at, const std::vector<int64_t>& sizes) {
  if (sizes.empty()) return Mapped{{ValueList{}}};
  if (sizes.size() == 1) return only_part(call, at.x);
  std::vector<int64_t> positions;
  int64_t position = 0;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) positions.push_back(position += sizes[i]);
  return parts_at(call, at.x, relax::op::int_list(positions), at.axis, at.dim);
}

// The sizes are all of the axis: sizes that are symbols are to be provably so.
Result<Mapped> apply_split_sizes(Call& call, const SplitAxis& at, const ValueList& given) {
  FX_TRY(sizes, call.sizes(given));
  FX_TRY(shape, known_sizes(call, at.x));
  tir::PrimExpr sum = infer::extent_of(0);
  std::vector<int64_t> numbers;
  for (const tir::PrimExpr& size : sizes) {
    sum = tir::add(sum, size);
    const std::optional<int64_t> number = tir::as_int(size);
    if (number && *number < 0) {
      return call.error(codes::kArgument, "a part of size " + std::to_string(*number));
    }
    // The last one is what is left: only the positions before it are written out.
    if (!number && &size != &sizes.back()) {
      return call.error(codes::kArgument, "a part of a symbolic size, " + describe({size}) +
                                              ", can stand only at the end");
    }
    numbers.push_back(number.value_or(0));
  }
  const tir::PrimExpr& extent = shape[at.axis];
  if (!infer::provably_equal(infer::simplify(sum), extent)) {
    return call.error(codes::kShapeMismatch, "parts of the sizes " + infer::shape_text(sizes) +
                                                 " are not all of axis " + std::to_string(at.axis) +
                                                 " of the shape " +
                                                 shape_text(*relax::as_tensor(at.x)));
  }
  return parts_of_sizes(call, at, numbers);
}

Result<Mapped> apply_split_size(Call& call, const SplitAxis& at, int64_t size) {
  FX_TRY(extent, known_extent(call, at.x, at.axis, kPartsUnknown));
  if (size < 0 || (size == 0 && extent != 0)) {
    return call.error(codes::kArgument, "parts of size " + std::to_string(size));
  }
  std::vector<int64_t> sizes;
  for (int64_t left = extent; left > 0; left -= size) sizes.push_back(std::min(left, size));
  if (sizes.empty()) sizes.push_back(0);
  return parts_of_sizes(call, at, sizes);
}

Result<Mapped> map_split(Call& call) {
  FX_TRY(at, split_axis(call));
  std::string_view name = "split_size";
  if (call.has("split_size_or_sections")) name = "split_size_or_sections";
  if (call.has("split_sizes")) name = "split_sizes";
  const Value& value = call.argument(name);
  if (const auto* list = std::get_if<ValueList>(&value.value)) {
    return apply_split_sizes(call, at, *list);
  }
  FX_TRY(size, call.integer(name));
  return apply_split_size(call, at, size);
}

Result<Mapped> map_chunk(Call& call) {
  FX_TRY(at, split_axis(call));
  FX_TRY(chunks, call.integer("chunks"));
  if (chunks <= 0) {
    return call.argument_error("chunks", std::to_string(chunks) + " parts");
  }
  if (chunks == 1) return only_part(call, at.x);
  FX_TRY(shape, known_sizes(call, at.x));
  const std::optional<int64_t> extent = tir::as_int(shape[at.axis]);
  const tir::PrimExpr rest =
      infer::simplify(tir::floormod(shape[at.axis], infer::extent_of(chunks)));
  if (!extent && !tir::is_zero(rest)) {
    return call.error(codes::kShapeMismatch,
                      "axis " + std::to_string(at.axis) + " of the shape " +
                          shape_text(*relax::as_tensor(at.x)) + " is not surely a multiple of " +
                          std::to_string(chunks) + ": " + std::string(kPartsUnknown));
  }
  int64_t count = chunks;
  if (extent && *extent != 0) {
    // Parts of one size may need fewer of them: 6 in 4 parts is 2, 2, 2.
    const int64_t size = (*extent - 1) / chunks + 1;
    count = (*extent - 1) / size + 1;
  }
  if (count == 1) return only_part(call, at.x);
  return parts_at(call, at.x, {count}, at.axis, at.dim);
}

Result<Mapped> apply_tensor_split(Call& call, const SplitAxis& at) {
  const Value& value = call.argument("indices_or_sections");
  FX_TRY(extent, known_extent(call, at.x, at.axis, kPartsUnknown));
  std::vector<int64_t> sizes;
  if (const auto* count = std::get_if<int64_t>(&value.value)) {
    if (*count <= 0) {
      return call.argument_error("indices_or_sections", std::to_string(*count) + " parts");
    }
    for (int64_t i = 0; i < *count; ++i) {
      sizes.push_back(extent / *count + (i < extent % *count ? 1 : 0));
    }
    return parts_of_sizes(call, at, sizes);
  }
  FX_TRY(positions, integer_list(call, "indices_or_sections", value));
  int64_t before = 0;
  for (int64_t position : positions) {
    position = std::clamp<int64_t>(position < 0 ? position + extent : position, 0, extent);
    if (position < before) {
      return call.argument_error("indices_or_sections",
                                 "positions that do not ascend give parts that overlap, which is "
                                 "not supported: " +
                                     describe(value));
    }
    sizes.push_back(position - before);
    before = position;
  }
  sizes.push_back(extent - before);
  return parts_of_sizes(call, at, sizes);
}

Result<Mapped> map_tensor_split(Call& call) {
  FX_TRY(at, split_axis(call));
  return apply_tensor_split(call, at);
}

// hsplit, vsplit, dsplit: tensor_split along a fixed axis.
Result<Mapped> split_along(Call& call, int64_t dim, int64_t least) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) < least) {
    return call.error(codes::kShapeMismatch, "takes a tensor of at least " + std::to_string(least) +
                                                 " axes, not one of shape " +
                                                 shape_text(*relax::as_tensor(x)));
  }
  const SplitAxis at{x, dim, static_cast<size_t>(dim)};
  const Value& value = call.argument("indices_or_sections");
  if (const auto* count = std::get_if<int64_t>(&value.value)) {
    FX_TRY(extent, known_extent(call, x, at.axis, kPartsUnknown));
    if (*count <= 0 || extent % *count != 0) {
      return call.argument_error(
          "indices_or_sections",
          std::to_string(*count) + " equal parts of the size " + std::to_string(extent));
    }
  }
  return apply_tensor_split(call, at);
}

Result<Mapped> map_hsplit(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return split_along(call, rank_of(x) > 1 ? 1 : 0, 1);
}
Result<Mapped> map_vsplit(Call& call) { return split_along(call, 0, 2); }
Result<Mapped> map_dsplit(Call& call) { return split_along(call, 2, 3); }

Result<relax::Expr> unbound_parts(BlockBuilder& builder, const relax::Expr& x, int64_t count,
                                  int64_t dim) {
  const auto dropped = [&](const relax::Expr& part) {
    return builder.emit(relax::op::call("squeeze", {part}, {{"axis", relax::op::int_list({dim})}}));
  };
  std::vector<relax::Expr> items;
  if (count == 1) {
    FX_TRY(item, dropped(x));
    items.push_back(item);
  } else {
    FX_TRY(parts, builder.emit(split_call(x, {count}, dim)));
    for (int64_t i = 0; i < count; ++i) {
      FX_TRY(item, dropped(relax::tuple_get_item(parts, static_cast<int>(i))));
      items.push_back(item);
    }
  }
  return builder.emit(relax::tuple_expr(std::move(items)));
}

Result<Mapped> map_unbind(Call& call) {
  FX_TRY(at, split_axis(call));
  FX_TRY(count, known_extent(call, at.x, at.axis, kPartsUnknown));
  if (count == 0) return Mapped{{ValueList{}}};
  FX_TRY(result, unbound_parts(call.builder, at.x, count, at.dim));
  auto view = std::make_shared<ViewRule>();
  view->take = [count = count, at = at](BlockBuilder& builder, const Value& base) -> Result<Value> {
    FX_TRY(parts, unbound_parts(builder, *as_expr(base), count, at.dim));
    return Value{parts};
  };
  view->put = [at = at](BlockBuilder& builder, const Value&,
                        const Value& written) -> Result<Value> {
    FX_TRY(whole, builder.emit(relax::op::call("stack", {*as_expr(written)},
                                               {{"axis", {static_cast<int64_t>(at.axis)}}})));
    return Value{whole};
  };
  view->spreads = parts_are_spread(at.x, at.axis);
  return Mapped{{result}, Sharing::View, view};
}

constexpr std::string_view kSectionArguments = "input, indices_or_sections";
// `tensor` and the other names of the second argument are those of torch.split.
constexpr std::string_view kSplitArguments =
    "input?, split_size?, dim?, split_size_or_sections?, split_sizes?, tensor?";

constexpr RuleEntry kSplitRules[] = {
    {"chunk", "map_chunk", "input, chunks, dim?", map_chunk},
    {"dsplit", "map_dsplit", kSectionArguments, map_dsplit},
    {"hsplit", "map_hsplit", kSectionArguments, map_hsplit},
    {"split", "map_split", kSplitArguments, map_split},
    {"split_with_sizes", "map_split", kSplitArguments, map_split},
    {"tensor_split", "map_tensor_split", "input, indices_or_sections, dim?", map_tensor_split},
    {"unbind", "map_unbind", "input, dim?", map_unbind},
    {"vsplit", "map_vsplit", kSectionArguments, map_vsplit},
};

}  // namespace

RuleTable split_rules() { return kSplitRules; }

}  // namespace fx2wasm::translate
