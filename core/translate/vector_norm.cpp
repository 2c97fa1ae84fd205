// normalize and local_response_norm, composed of operators that TVM has.
#include "translate/vector_norm.h"

#include <cmath>
#include <utility>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/norm_parts.h"

namespace fx2wasm::translate {
namespace {

using relax::Expr;

// The norm of order p along the axes, which are kept.
Result<Expr> norm_along(Call& call, const Expr& x, double p, const Attrs& axes) {
  BlockBuilder& builder = call.builder;
  if (p == 2) {
    FX_TRY(squares, builder.emit(relax::op::multiply(x, x)));
    FX_TRY(sum, builder.emit(relax::op::call("sum", {squares}, axes)));
    return builder.emit(relax::op::call("sqrt", {sum}));
  }
  FX_TRY(sizes, builder.emit(relax::op::call("abs", {x})));
  if (p == 1) return builder.emit(relax::op::call("sum", {sizes}, axes));
  if (std::isinf(p)) {
    return builder.emit(relax::op::call(p > 0 ? "max" : "min", {sizes}, axes));
  }
  if (p == 0) {  // how many are not 0
    FX_TRY(used, builder.emit(relax::op::call("not_equal", {sizes, constant_like(sizes, 0.0)})));
    FX_TRY(ones, builder.emit(relax::op::astype(used, dtype_of(x))));
    return builder.emit(relax::op::call("sum", {ones}, axes));
  }
  FX_TRY(powers, builder.emit(relax::op::call("power", {sizes, constant_like(x, p)})));
  FX_TRY(sum, builder.emit(relax::op::call("sum", {powers}, axes)));
  return builder.emit(relax::op::call("power", {sum, constant_like(x, 1 / p)}));
}

Result<std::vector<int64_t>> norm_axes(const Call& call) {
  const Value& given = call.argument("dim");
  if (is_none(given)) return std::vector<int64_t>{1};
  const auto* list = std::get_if<ValueList>(&given.value);
  std::vector<int64_t> axes;
  for (const Value& item : list != nullptr ? *list : ValueList{given}) {
    const auto* axis = std::get_if<int64_t>(&item.value);
    if (axis == nullptr) {
      return call.argument_error("dim",
                                 "'dim' is one dimension or several, not " + describe(given));
    }
    axes.push_back(*axis);
  }
  return axes;
}

}  // namespace

Result<Mapped> map_normalize(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(p, real_option(call, "p", 2));
  FX_TRY(epsilon, real_option(call, "eps", 1e-12));
  if (call.has("out")) return call.argument_error("out", "'out' is not supported");
  FX_TRY(dims, norm_axes(call));
  FX_TRY(norm, norm_along(call, x, p, {{"axis", relax::op::int_list(dims)}, {"keepdims", {true}}}));
  FX_TRY(bounded,
         call.builder.emit(relax::op::call("maximum", {norm, constant_like(norm, epsilon)})));
  FX_TRY(result, call.emit(relax::op::divide(x, bounded)));
  return Mapped{result};
}

// x / (k + alpha * mean of the squares of `size` channels around it)^beta; there are zeros beside
// the channels. The mean is a pool over (channel, all other positions).
Result<Mapped> map_local_response_norm(Call& call) {
  FX_TRY(x, float_input(call));
  FX_TRY(size, whole_option(call, "size", 1));
  FX_TRY(alpha, real_option(call, "alpha", 1e-4));
  FX_TRY(beta, real_option(call, "beta", 0.75));
  FX_TRY(k, real_option(call, "k", 1));
  FX_TRY(shape, extents_of(call, x));
  if (shape.size() < 3) {
    return call.error(codes::kShapeMismatch,
                      "takes (N, C, …) of at least three dimensions, not " + describe_type({x}));
  }
  if (size < 1) return option_error(call, "size", "'size' is at least 1");
  tir::PrimExpr positions = tir::int_imm(DType::Int64, 1);
  for (size_t i = 2; i < shape.size(); ++i) positions = tir::mul(positions, shape[i]);
  const tir::PrimExpr one = tir::int_imm(DType::Int64, 1);
  BlockBuilder& builder = call.builder;
  FX_TRY(squares, builder.emit(relax::op::multiply(x, x)));
  FX_TRY(rows, builder.emit(relax::op::reshape(squares, {shape[0], one, shape[1], positions})));
  FX_TRY(means, builder.emit(relax::op::call(
                    "nn.avg_pool2d", {rows},
                    {{"pool_size", relax::op::int_list({size, 1})},
                     {"strides", relax::op::int_list({1, 1})},
                     {"dilation", relax::op::int_list({1, 1})},
                     {"padding", relax::op::int_list({size / 2, 0, (size - 1) / 2, 0})},
                     {"ceil_mode", {false}},
                     {"count_include_pad", {true}},
                     {"layout", {std::string("NCHW")}},
                     {"out_layout", {std::string("NCHW")}}})));
  FX_TRY(back, builder.emit(relax::op::reshape(means, shape)));
  FX_TRY(scaled, builder.emit(relax::op::multiply(back, constant_like(back, alpha))));
  FX_TRY(moved, builder.emit(relax::op::add(scaled, constant_like(scaled, k))));
  FX_TRY(power, builder.emit(relax::op::call("power", {moved, constant_like(moved, beta)})));
  FX_TRY(result, call.emit(relax::op::divide(x, power)));
  return Mapped{result};
}

}  // namespace fx2wasm::translate
