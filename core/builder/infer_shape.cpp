// Type rules of operators that only move elements.
#include <algorithm>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"

namespace fx2wasm::infer {
namespace {

Result<relax::Type> permute_dims(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const std::optional<std::vector<int64_t>> axes = optional_ints_attr(call, "axes");
  if (axes && static_cast<int>(axes->size()) != x.ndim) {
    return shape_error(
        call, std::to_string(axes->size()) + " axes for a tensor of shape " + shape_text(x));
  }
  std::vector<int> order;
  for (int i = 0; i < x.ndim; ++i) {
    if (!axes) {
      order.push_back(x.ndim - 1 - i);
      continue;
    }
    FX_TRY(axis, normalize_axis(call, (*axes)[static_cast<size_t>(i)], x.ndim));
    if (std::find(order.begin(), order.end(), axis) != order.end()) {
      return shape_error(call, "axis " + std::to_string(axis) + " stands twice in the order");
    }
    order.push_back(axis);
  }
  if (!x.shape) return make_tensor(std::nullopt, x.ndim, *x.dtype);
  Shape shape;
  for (int axis : order) shape.push_back((*x.shape)[static_cast<size_t>(axis)]);
  return make_tensor(std::move(shape), x.ndim, *x.dtype);
}

// The shape that stands as an argument.
const Shape* shape_argument(const relax::OpCall& call, size_t index) {
  if (index >= call.args.size()) return nullptr;
  const auto* shape = std::get_if<relax::ShapeExpr>(&call.args[index]->kind);
  return shape == nullptr ? nullptr : &shape->values;
}

Result<relax::Type> reshape(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const Shape* target = shape_argument(call, 1);
  if (target == nullptr) return shape_error(call, "the new shape is not known");
  int unknown = 0;
  for (const tir::PrimExpr& extent : *target) {
    const std::optional<int64_t> number = tir::as_int(extent);
    if (number && *number == -1) ++unknown;
    if (number && *number < -1) {
      return shape_error(call, "the new shape " + shape_text(*target) + " has a negative size");
    }
  }
  if (unknown > 1) {
    return shape_error(call, "only one size can be -1, not " + std::to_string(unknown) + " as in " +
                                 shape_text(*target));
  }
  if (unknown == 1) {
    return shape_error(
        call, "no size for -1 makes " + shape_text(x) + " fit into " + shape_text(*target));
  }
  if (x.shape) {
    const tir::PrimExpr have = simplify(product(*x.shape)), want = simplify(product(*target));
    const std::optional<int64_t> have_count = tir::as_int(have), want_count = tir::as_int(want);
    if (have_count && want_count && *have_count != *want_count) {
      return shape_error(call, "a tensor of shape " + shape_text(x) + " has " +
                                   std::to_string(*have_count) + " elements, the new shape " +
                                   shape_text(*target) + " has " + std::to_string(*want_count));
    }
  }
  return make_tensor(*target, static_cast<int>(target->size()), *x.dtype);
}

Result<relax::Type> broadcast_to(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const Shape* target = shape_argument(call, 1);
  if (target == nullptr) return shape_error(call, "the new shape is not known");
  if (x.shape) {
    const Broadcast joined = broadcast(*x.shape, *target);
    bool fits = joined.fits && x.shape->size() <= target->size();
    for (size_t i = 0; fits && joined.shape && i < target->size(); ++i) {
      fits = provably_equal((*joined.shape)[i], (*target)[i]);
    }
    if (!fits) {
      return shape_error(
          call, "the shape " + shape_text(x) + " does not broadcast to " + shape_text(*target));
    }
  }
  return make_tensor(*target, static_cast<int>(target->size()), *x.dtype);
}

Result<relax::Type> expand_dims(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  const std::vector<int64_t> axes = ints_attr(call, "axis");
  const int rank = x.ndim + static_cast<int>(axes.size());
  if (!x.shape) return make_tensor(std::nullopt, x.ndim < 0 ? -1 : rank, *x.dtype);
  Shape shape(static_cast<size_t>(rank));
  for (int64_t given : axes) {
    FX_TRY(axis, normalize_axis(call, given, rank));
    tir::PrimExpr& extent = shape[static_cast<size_t>(axis)];
    if (extent != nullptr) {
      return shape_error(call, "axis " + std::to_string(given) + " is added twice");
    }
    extent = extent_of(1);
  }
  size_t next = 0;
  for (tir::PrimExpr& extent : shape) {
    if (extent == nullptr) extent = (*x.shape)[next++];
  }
  return make_tensor(std::move(shape), rank, *x.dtype);
}

Result<relax::Type> squeeze(const relax::OpCall& call) {
  FX_TRY(x, tensor_argument(call, 0));
  if (!x.shape) return make_tensor(std::nullopt, -1, *x.dtype);
  const std::optional<std::vector<int64_t>> axes = optional_ints_attr(call, "axis");
  std::vector<bool> dropped(x.shape->size(), false);
  for (int64_t given : axes.value_or(std::vector<int64_t>{})) {
    FX_TRY(axis, normalize_axis(call, given, x.ndim));
    const auto index = static_cast<size_t>(axis);
    // An axis of another known size stays; a symbolic one is said to be 1.
    const std::optional<int64_t> extent = tir::as_int((*x.shape)[index]);
    dropped[index] = !extent || *extent == 1;
  }
  Shape shape;
  for (size_t i = 0; i < dropped.size(); ++i) {
    const bool drop = axes ? dropped[i] : tir::is_one((*x.shape)[i]);
    if (!drop) shape.push_back((*x.shape)[i]);
  }
  const int rank = static_cast<int>(shape.size());
  return make_tensor(std::move(shape), rank, *x.dtype);
}

}  // namespace

Rule shape_rule(std::string_view op) {
  if (op == "permute_dims") return permute_dims;
  if (op == "reshape") return reshape;
  if (op == "broadcast_to") return broadcast_to;
  if (op == "expand_dims") return expand_dims;
  if (op == "squeeze") return squeeze;
  return nullptr;
}

}  // namespace fx2wasm::infer
