// Functions of one element that are no single intrinsic, and tensors made from nothing. Several of
// them are written in TVM as arithmetic on whole tensors, which gives a block for every operation.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "topi/common.h"
#include "topi/topi.h"

namespace fx2wasm::topi {
namespace {

constexpr double kSeluSlope = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;

// `body` of each element; the axes are named as in TVM's Python operators.
template <class Body>
Tensor map_python(const Tensor& x, const Body& body) {
  return te::compute(te::shape_of(x), python_style("compute"),
                     [&](const Indices& i) { return body(te::read(x, i)); });
}

// The same for operators that TVM writes in C++.
template <class Body>
Tensor map_cpp(const Tensor& x, std::string name, const Body& body) {
  const size_t rank = te::shape_of(x).size();
  return te::compute(te::shape_of(x), cpp_style(std::move(name), rank),
                     [&](const Indices& i) { return body(te::read(x, i)); });
}

PrimExpr constant(const Tensor& like, double value) {
  return tir::const_of(te::dtype_of(like), value);
}

Tensor times(const Operand& a, const Operand& b) { return broadcast(BroadcastOp::Multiply, a, b); }
Tensor plus(const Operand& a, const Operand& b) { return broadcast(BroadcastOp::Add, a, b); }

PrimExpr is_nan(const PrimExpr& value) {
  if (!is_float(value->dtype)) return tir::bool_imm(false);
  // TVM asks float16 in float32.
  const PrimExpr asked = value->dtype == DType::Float16 ? tir::cast(DType::Float32, value) : value;
  return tir::call(DType::Bool, tir::Intrinsic::IsNan, {asked});
}

PrimExpr is_inf(const PrimExpr& value) {
  if (!is_float(value->dtype)) return tir::bool_imm(false);
  const PrimExpr magnitude = tir::call(value->dtype, tir::Intrinsic::Fabs, {value});
  const PrimExpr infinity = tir::float_imm(value->dtype, std::numeric_limits<double>::infinity());
  return tir::binary(tir::BinaryOp::And, tir::binary(tir::BinaryOp::EQ, magnitude, infinity),
                     tir::logical_not(is_nan(value)));
}

PrimExpr above(const PrimExpr& a, const PrimExpr& b) {
  return tir::binary(tir::BinaryOp::GT, a, b);
}

// A bound in the dtype of what it bounds; of a number that an integer dtype does not hold, the
// nearest one that it does (an infinity bounds nothing).
PrimExpr as_bound(DType dtype, const PrimExpr& bound) {
  if (is_float(dtype)) return tir::cast(dtype, bound);
  const auto* real = std::get_if<tir::FloatImm>(&bound->kind);
  const std::optional<int64_t> whole =
      real != nullptr ? tir::saturating_int64(real->value) : tir::as_int(bound);
  if (!whole) return tir::cast(dtype, bound);
  if (dtype == DType::UInt64) {
    const bool unbounded = *whole == std::numeric_limits<int64_t>::max();
    return unbounded ? tir::max_value(dtype) : tir::int_imm(dtype, std::max<int64_t>(*whole, 0));
  }
  return tir::int_imm(dtype, std::clamp(*whole, *tir::as_int(tir::min_value(dtype)),
                                        *tir::as_int(tir::max_value(dtype))));
}

}  // namespace

Tensor sign(const Tensor& x) {
  return map_cpp(x, "T_sign", [&](const PrimExpr& value) {
    const PrimExpr zero = constant(x, 0), one = constant(x, 1);
    const PrimExpr negative =
        is_uint(value->dtype) || value->dtype == DType::Bool
            ? zero
            : tir::select(tir::binary(tir::BinaryOp::LT, value, zero), constant(x, -1), zero);
    return tir::select(above(value, zero), one, negative);
  });
}

Tensor square(const Tensor& x) { return times(x, x); }

Tensor bitwise_not(const Tensor& x) {
  return map_cpp(x, "T_bitwise_not", [](const PrimExpr& value) {
    return tir::call(value->dtype, tir::Intrinsic::BitwiseNot, {value});
  });
}

Tensor logical_not(const Tensor& x) {
  return map_cpp(x, "T_logical_not", [](const PrimExpr& value) { return tir::logical_not(value); });
}

Tensor isnan(const Tensor& x) { return map_python(x, is_nan); }
Tensor isinf(const Tensor& x) { return map_python(x, is_inf); }
Tensor isfinite(const Tensor& x) {
  return map_python(x, [](const PrimExpr& value) {
    return tir::binary(tir::BinaryOp::And, tir::logical_not(is_inf(value)),
                       tir::logical_not(is_nan(value)));
  });
}

Tensor clip(const Tensor& x, const PrimExpr& low, const PrimExpr& high) {
  return map_python(x, [&](const PrimExpr& value) {
    const PrimExpr bounded = tir::binary(tir::BinaryOp::Min, value, as_bound(value->dtype, high));
    return tir::binary(tir::BinaryOp::Max, bounded, as_bound(value->dtype, low));
  });
}

Tensor erf(const Tensor& x) {
  if (te::dtype_of(x) != DType::Float16) return unary(tir::Intrinsic::Erf, x);
  return cast(unary(tir::Intrinsic::Erf, cast(x, DType::Float32)), DType::Float16);
}

Tensor gelu(const Tensor& x) {
  const Tensor gauss = times(erf(times(x, constant(x, std::sqrt(0.5)))), constant(x, 0.5));
  return times(x, plus(constant(x, 0.5), gauss));
}

Tensor gelu_tanh(const Tensor& x) {
  const Tensor half = times(constant(x, 0.5), x);
  const Tensor scaled = times(constant(x, kSqrtTwoOverPi), x);
  const Tensor square_term = times(times(constant(x, 0.044715), x), x);
  const Tensor inner = times(scaled, plus(constant(x, 1), square_term));
  return times(half, plus(constant(x, 1), unary(tir::Intrinsic::Tanh, inner)));
}

Tensor selu(const Tensor& x) {
  const Tensor positive = broadcast(BroadcastOp::Maximum, x, constant(x, 0));
  const Tensor grown =
      broadcast(BroadcastOp::Subtract, unary(tir::Intrinsic::Exp, x), constant(x, 1));
  const Tensor negative =
      broadcast(BroadcastOp::Minimum, constant(x, 0), times(constant(x, kSeluSlope), grown));
  return times(constant(x, kSeluScale), plus(positive, negative));
}

Tensor silu(const Tensor& x) { return times(x, unary(tir::Intrinsic::Sigmoid, x)); }

Tensor leaky_relu(const Tensor& x, double alpha) {
  return map_python(x, [&](const PrimExpr& value) {
    return tir::select(above(value, constant(x, 0)), value, tir::mul(value, constant(x, alpha)));
  });
}

Tensor softplus(const Tensor& x, double beta, double threshold) {
  return map_python(x, [&](const PrimExpr& value) {
    const PrimExpr scale = constant(x, beta), one = constant(x, 1);
    const PrimExpr scaled = tir::mul(scale, value);
    const PrimExpr grown = tir::add(one, tir::call(value->dtype, tir::Intrinsic::Exp, {scaled}));
    const PrimExpr soft = tir::mul(tir::binary(tir::BinaryOp::Div, one, scale),
                                   tir::call(value->dtype, tir::Intrinsic::Log, {grown}));
    return tir::select(above(scaled, constant(x, threshold)), value, soft);
  });
}

Tensor prelu(const Tensor& x, const Tensor& slope, int axis) {
  const Indices shape = te::shape_of(x);
  const size_t at = positive_axis(axis, shape.size());
  Tensor slopes = slope;
  if (tir::is_one(te::shape_of(slope)[0])) {
    te::ComputeOptions options = python_style("slope_broadcasted");
    options.axis_names = {"c"};
    slopes = te::compute({shape[at]}, options,
                         [&](const Indices& i) { return te::read(slope, {imm_like(i[0], 0)}); });
  }
  return te::compute(shape, python_style("compute"), [&](const Indices& i) {
    const PrimExpr value = te::read(x, i);
    return tir::select(above(value, constant(x, 0)), value,
                       tir::mul(value, te::read(slopes, {i[at]})));
  });
}

Tensor full(std::vector<PrimExpr> shape, DType dtype, const PrimExpr& value) {
  const size_t rank = shape.size();
  return te::compute(std::move(shape), cpp_style("T_full", rank),
                     [&](const Indices&) { return tir::cast(dtype, value); });
}

Tensor eye(const PrimExpr& rows, const PrimExpr& columns, int64_t diagonal, DType dtype) {
  te::ComputeOptions options = python_style("eye");
  options.axis_names = {"i", "j"};
  return te::compute({rows, columns}, options, [&](const Indices& i) {
    const PrimExpr on =
        tir::binary(tir::BinaryOp::EQ, i[0], tir::sub(i[1], imm_like(i[1], diagonal)));
    return tir::if_then_else(on, tir::const_of(dtype, 1), tir::const_of(dtype, 0));
  });
}

}  // namespace fx2wasm::topi
