// Axes in another order, and axes along which one element stands for many.
#include <algorithm>
#include <numeric>
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

std::vector<int64_t> axes_in_order(int64_t rank) {
  std::vector<int64_t> axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

// `given` is what the operator shows: axes may be counted from the end there.
Result<Mapped> permuted(Call& call, const relax::Expr& x, const std::vector<int64_t>& given) {
  FX_TRY(result, call.emit(relax::op::permute_dims(x, given)));
  std::vector<int64_t> axes = given;
  for (int64_t& axis : axes) axis += axis < 0 ? rank_of(x) : 0;
  return Mapped{result, Sharing::View, permuted_view(x, axes)};
}

Result<Mapped> map_permute(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(dims, integer_list(call, "dims", call.rest()));
  return permuted(call, x, dims);
}

Result<Mapped> swapped(Call& call, const relax::Expr& x, size_t first, size_t second) {
  std::vector<int64_t> axes = axes_in_order(rank_of(x));
  if (axes.empty()) return Mapped{{x}, Sharing::Same};
  std::swap(axes[first], axes[second]);
  return permuted(call, x, axes);
}

Result<Mapped> swap_arguments(Call& call, std::string_view first, std::string_view second) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(a, axis_argument(call, first, rank_of(x)));
  FX_TRY(b, axis_argument(call, second, rank_of(x)));
  return swapped(call, x, a, b);
}

Result<Mapped> map_transpose(Call& call) { return swap_arguments(call, "dim0", "dim1"); }
Result<Mapped> map_swapaxes(Call& call) { return swap_arguments(call, "axis0", "axis1"); }

Result<Mapped> map_t(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (rank_of(x) > 2) {
    return call.error(
        codes::kShapeMismatch,
        "takes a tensor of at most two axes, not one of shape " + shape_text(*relax::as_tensor(x)));
  }
  if (rank_of(x) < 2) return Mapped{{x}, Sharing::Same};
  return swapped(call, x, 0, 1);
}

Result<Mapped> transpose_matrices(Call& call, const relax::Expr& x) {
  const auto rank = static_cast<size_t>(rank_of(x));
  if (rank >= 2) return swapped(call, x, rank - 2, rank - 1);
  return call.error(codes::kShapeMismatch,
                    "takes a matrix or a batch of them, not a tensor of shape " +
                        shape_text(*relax::as_tensor(x)));
}

Result<Mapped> map_adjoint(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return transpose_matrices(call, x);
}

Result<Mapped> map_movedim(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const int64_t rank = rank_of(x);
  FX_TRY(sources, integer_list(call, "source", call.argument("source")));
  FX_TRY(destinations, integer_list(call, "destination", call.argument("destination")));
  FX_TRY(from, axis_list(call, "source", sources, rank));
  FX_TRY(to, axis_list(call, "destination", destinations, rank));
  if (from.size() != to.size()) {
    return call.argument_error("destination", std::to_string(from.size()) + " axes move to " +
                                                  std::to_string(to.size()) + " places");
  }
  if (rank == 0) return Mapped{{x}, Sharing::Same};
  std::vector<int64_t> axes(static_cast<size_t>(rank), -1);
  for (size_t i = 0; i < from.size(); ++i) axes[to[i]] = static_cast<int64_t>(from[i]);
  // The others keep their order in the places that are left.
  size_t next = 0;
  for (int64_t& axis : axes) {
    if (axis >= 0) continue;
    while (std::find(from.begin(), from.end(), next) != from.end()) ++next;
    axis = static_cast<int64_t>(next++);
  }
  return permuted(call, x, axes);
}

Result<Mapped> apply_expand(Call& call, const relax::Expr& x, Sizes sizes) {
  FX_TRY(own, known_sizes(call, x));
  if (sizes.size() < own.size()) {
    return call.error(codes::kShapeMismatch,
                      "a tensor of shape " + shape_text(*relax::as_tensor(x)) +
                          " does not expand to the fewer axes of " + infer::shape_text(sizes));
  }
  const size_t added = sizes.size() - own.size();
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::optional<int64_t> size = tir::as_int(sizes[i]);
    if (!size || *size >= 0) continue;
    if (*size != -1 || i < added) {
      return call.error(codes::kArgument, *size != -1 ? "a size of " + std::to_string(*size)
                                                      : "a size of -1 keeps an axis, but axis " +
                                                            std::to_string(i) + " is new");
    }
    sizes[i] = own[i - added];
  }
  FX_TRY(result, call.emit(relax::op::call("broadcast_to", {x, relax::shape_expr(sizes)})));
  return Mapped{result, Sharing::View, expanded_view(x, sizes)};
}

Result<Mapped> map_expand(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(sizes, call.sizes(call.rest()));
  return apply_expand(call, x, std::move(sizes));
}

Result<Mapped> map_expand_as(Call& call) {
  FX_TRY(x, call.tensor("input"));
  FX_TRY(other, call.tensor("other"));
  FX_TRY(sizes, known_sizes(call, other));
  return apply_expand(call, x, std::move(sizes));
}

Result<Mapped> map_broadcast_tensors(Call& call) {
  const bool listed =
      call.rest().size() == 1 && std::holds_alternative<ValueList>(call.rest()[0].value);
  const ValueList& values = listed ? std::get<ValueList>(call.rest()[0].value) : call.rest();
  Sizes shape;
  std::vector<relax::Expr> tensors;
  for (const Value& value : values) {
    if (as_tensor(value) == nullptr) {
      return call.error(codes::kArgument, "takes tensors, not " + describe(value));
    }
    tensors.push_back(*as_expr(value));
    FX_TRY(own, known_sizes(call, tensors.back()));
    const infer::Broadcast joined = infer::broadcast(shape, own);
    if (!joined.fits || !joined.shape) {
      return call.error(codes::kShapeMismatch, "tensors of shape " + infer::shape_text(shape) +
                                                   " and " + infer::shape_text(own) +
                                                   " do not broadcast to one shape");
    }
    shape = *joined.shape;
  }
  if (tensors.empty()) return Mapped{{ValueList{}}};
  for (relax::Expr& tensor : tensors) {
    if (same_sizes(*relax::as_tensor(tensor)->shape, shape)) continue;
    FX_TRY(expanded,
           call.builder.emit(relax::op::call("broadcast_to", {tensor, relax::shape_expr(shape)})));
    tensor = expanded;
  }
  FX_TRY(result, call.emit(relax::tuple_expr(std::move(tensors))));
  auto view = std::make_shared<ViewRule>();
  view->spreads = true;
  view->refuses_writes = "its elements may stand for several: clone() it first";
  return Mapped{result, Sharing::View, view};
}

constexpr RuleEntry kPermuteRules[] = {
    {"adjoint", "map_adjoint", "input", map_adjoint},
    {"broadcast_tensors", "map_broadcast_tensors", "*tensors", map_broadcast_tensors},
    {"broadcast_to", "map_broadcast_to", "input, *size", map_expand},
    {"expand", "map_expand", "input, *size", map_expand},
    {"expand_as", "map_expand_as", "input, other", map_expand_as},
    {"expand_as.default", "map_expand_as", "input, other", map_expand_as},
    {"moveaxis", "map_movedim", "input, source, destination", map_movedim},
    {"movedim", "map_movedim", "input, source, destination", map_movedim},
    {"permute", "map_permute", "input, *dims", map_permute},
    {"swapaxes", "map_swapaxes", "input, axis0, axis1", map_swapaxes},
    {"swapdims", "map_swapdims", "input, dim0, dim1", map_transpose},
    {"t", "map_t", "input", map_t},
    {"transpose", "map_transpose", "input, dim0, dim1", map_transpose},
};

}  // namespace

Result<Mapped> transposed_attribute(Call& call, const relax::Expr& x, std::string_view name) {
  if (name == "mT" || name == "mH") return transpose_matrices(call, x);
  if (name == "H" && rank_of(x) != 2 && rank_of(x) != 0) {
    return call.error(codes::kShapeMismatch, "H takes a matrix, not a tensor of shape " +
                                                 shape_text(*relax::as_tensor(x)));
  }
  std::vector<int64_t> axes = axes_in_order(rank_of(x));
  if (axes.size() < 2) return Mapped{{x}, Sharing::Same};
  std::reverse(axes.begin(), axes.end());
  return permuted(call, x, axes);
}

RuleTable permute_rules() { return kPermuteRules; }

}  // namespace fx2wasm::translate
