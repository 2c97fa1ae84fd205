#include "topi/elementwise.h"

#include <algorithm>

#include "ir/match.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"

namespace fx2wasm::topi {
namespace {

std::string block_name(BroadcastOp op) {
  switch (op) {
    case BroadcastOp::Add:
      return "T_add";
    case BroadcastOp::Subtract:
      return "T_subtract";
    case BroadcastOp::Multiply:
      return "T_multiply";
    case BroadcastOp::Divide:
      return "T_divide";
    case BroadcastOp::FloorDivide:
      return "T_floor_divide";
    case BroadcastOp::FloorMod:
      return "T_floor_mod";
    case BroadcastOp::Mod:
      return "T_mod";
    case BroadcastOp::Maximum:
      return "T_maximum";
    case BroadcastOp::Minimum:
      return "T_minimum";
    case BroadcastOp::Power:
      return "T_power";
    case BroadcastOp::Atan2:
      return "T_atan2";
    case BroadcastOp::Equal:
      return "T_equal";
    case BroadcastOp::NotEqual:
      return "T_not_equal";
    case BroadcastOp::Less:
      return "T_less";
    case BroadcastOp::LessEqual:
      return "T_less_equal";
    case BroadcastOp::Greater:
      return "T_greater";
    case BroadcastOp::GreaterEqual:
      return "T_greater_equal";
    case BroadcastOp::LogicalAnd:
      return "T_logical_and";
    case BroadcastOp::LogicalOr:
      return "T_logical_or";
    case BroadcastOp::LogicalXor:
      return "T_logical_xor";
    case BroadcastOp::BitwiseAnd:
      return "T_bitwise_and";
    case BroadcastOp::BitwiseOr:
      return "T_bitwise_or";
    case BroadcastOp::BitwiseXor:
      return "T_bitwise_xor";
    case BroadcastOp::LeftShift:
      return "T_left_shift";
    case BroadcastOp::RightShift:
      return "T_right_shift";
  }
  return "";
}

// The quotient rounded down; of floats TVM writes it out.
PrimExpr floored_quotient(const PrimExpr& a, const PrimExpr& b) {
  if (!is_float(a->dtype)) return tir::floordiv(a, b);
  return tir::call(a->dtype, tir::Intrinsic::Floor, {tir::binary(tir::BinaryOp::Div, a, b)});
}

PrimExpr floored_remainder(const PrimExpr& a, const PrimExpr& b) {
  if (!is_float(a->dtype)) return tir::floormod(a, b);
  return tir::sub(a, tir::mul(floored_quotient(a, b), b));
}

PrimExpr bitwise(tir::Intrinsic op, const PrimExpr& a, const PrimExpr& b) {
  return tir::call(a->dtype, op, {a, b});
}

PrimExpr combine(BroadcastOp op, const PrimExpr& a, const PrimExpr& b) {
  switch (op) {
    case BroadcastOp::Add:
      return tir::add(a, b);
    case BroadcastOp::Subtract:
      return tir::sub(a, b);
    case BroadcastOp::Multiply:
      return tir::mul(a, b);
    case BroadcastOp::Divide:
      return tir::binary(tir::BinaryOp::Div, a, b);
    case BroadcastOp::FloorDivide:
      return floored_quotient(a, b);
    case BroadcastOp::FloorMod:
      return floored_remainder(a, b);
    case BroadcastOp::Mod:
      return tir::binary(tir::BinaryOp::Mod, a, b);
    case BroadcastOp::Maximum:
      return tir::binary(tir::BinaryOp::Max, a, b);
    case BroadcastOp::Minimum:
      return tir::binary(tir::BinaryOp::Min, a, b);
    case BroadcastOp::Power:
      return tir::call(a->dtype, tir::Intrinsic::Pow, {a, tir::cast(a->dtype, b)});
    case BroadcastOp::Atan2:
      return tir::call(a->dtype, tir::Intrinsic::Atan2, {a, b});
    case BroadcastOp::Equal:
      return tir::binary(tir::BinaryOp::EQ, a, b);
    case BroadcastOp::NotEqual:
      return tir::binary(tir::BinaryOp::NE, a, b);
    case BroadcastOp::Less:
      return tir::binary(tir::BinaryOp::LT, a, b);
    case BroadcastOp::LessEqual:
      return tir::binary(tir::BinaryOp::LE, a, b);
    case BroadcastOp::Greater:
      return tir::binary(tir::BinaryOp::GT, a, b);
    case BroadcastOp::GreaterEqual:
      return tir::binary(tir::BinaryOp::GE, a, b);
    case BroadcastOp::LogicalAnd:
      return tir::binary(tir::BinaryOp::And, a, b);
    case BroadcastOp::LogicalOr:
      return tir::binary(tir::BinaryOp::Or, a, b);
    case BroadcastOp::LogicalXor:
      return bitwise(tir::Intrinsic::BitwiseXor, a, b);
    case BroadcastOp::BitwiseAnd:
      return bitwise(tir::Intrinsic::BitwiseAnd, a, b);
    case BroadcastOp::BitwiseOr:
      return bitwise(tir::Intrinsic::BitwiseOr, a, b);
    case BroadcastOp::BitwiseXor:
      return bitwise(tir::Intrinsic::BitwiseXor, a, b);
    case BroadcastOp::LeftShift:
      return bitwise(tir::Intrinsic::ShiftLeft, a, b);
    case BroadcastOp::RightShift:
      return bitwise(tir::Intrinsic::ShiftRight, a, b);
  }
  return nullptr;
}

// The extent that two dimensions broadcast to.
PrimExpr common_extent(const PrimExpr& a, const PrimExpr& b) {
  const auto pick = [&](const PrimExpr& extent) {
    const DType wide = dtype_bits(a->dtype) < dtype_bits(b->dtype) ? b->dtype : a->dtype;
    return tir::cast(wide, extent);
  };
  if (same_extent(a, b) || tir::is_one(b)) return pick(a);
  if (tir::is_one(a)) return pick(b);
  const bool a_known = tir::as_int(a).has_value(), b_known = tir::as_int(b).has_value();
  // A symbol beside a number can only be 1 or that number.
  if (a_known || b_known) return pick(a_known ? a : b);
  return tir::binary(tir::BinaryOp::Max, a, b);
}

Indices common_shape(const Indices& a, const Indices& b) {
  const Indices& longer = a.size() < b.size() ? b : a;
  Indices shape = longer;
  const size_t shared = std::min(a.size(), b.size());
  for (size_t i = 1; i <= shared; ++i) {
    shape[shape.size() - i] = common_extent(a[a.size() - i], b[b.size() - i]);
  }
  return shape;
}

// `x` at the indices of a shape that it broadcasts to: 0 on the axes where it is repeated.
PrimExpr read_broadcast(const Tensor& x, const Indices& indices, const Indices& shape) {
  const Indices own = te::shape_of(x);
  const size_t skipped = indices.size() - own.size();
  Indices mapped;
  for (size_t i = 0; i < own.size(); ++i) {
    const bool repeated = tir::is_one(own[i]) && !tir::is_one(shape[skipped + i]);
    mapped.push_back(repeated ? imm_like(indices[skipped + i], 0) : indices[skipped + i]);
  }
  return te::read(x, mapped);
}

Indices shape_of_operand(const Operand& operand) {
  return match(
      operand, [](const Tensor& tensor) { return te::shape_of(tensor); },
      [](const PrimExpr&) { return Indices{}; });
}

PrimExpr read_operand(const Operand& operand, const Indices& indices, const Indices& shape) {
  return match(
      operand, [&](const Tensor& tensor) { return read_broadcast(tensor, indices, shape); },
      [](const PrimExpr& scalar) { return scalar; });
}

DType result_dtype(tir::Intrinsic intrinsic, DType dtype) {
  const bool is_test = intrinsic == tir::Intrinsic::IsNan || intrinsic == tir::Intrinsic::IsInf ||
                       intrinsic == tir::Intrinsic::IsFinite;
  return is_test ? DType::Bool : dtype;
}

// Integers are round already.
bool rounds(tir::Intrinsic intrinsic) {
  return intrinsic == tir::Intrinsic::Ceil || intrinsic == tir::Intrinsic::Floor ||
         intrinsic == tir::Intrinsic::Nearbyint || intrinsic == tir::Intrinsic::Round ||
         intrinsic == tir::Intrinsic::Trunc;
}

}  // namespace

Tensor broadcast(BroadcastOp op, const Operand& a, const Operand& b) {
  FX_CHECK(std::holds_alternative<Tensor>(a) || std::holds_alternative<Tensor>(b),
           "a broadcast needs a tensor");
  const Indices shape = common_shape(shape_of_operand(a), shape_of_operand(b));
  return te::compute(shape, cpp_style(block_name(op), shape.size()), [&](const Indices& i) {
    return combine(op, read_operand(a, i, shape), read_operand(b, i, shape));
  });
}

namespace {

PrimExpr is_single(const PrimExpr& extent) {
  return tir::binary(tir::BinaryOp::EQ, extent, imm_like(extent, 1));
}

PrimExpr extent_when_run(const PrimExpr& a, const PrimExpr& b) {
  if (same_extent(a, b) || tir::is_one(b)) return a;
  if (tir::is_one(a)) return b;
  const PrimExpr other = tir::select(is_single(b), a, imm_like(a, -1));
  return tir::select(tir::binary(tir::BinaryOp::EQ, a, b), a, tir::select(is_single(a), b, other));
}

// At position 0 along an axis of extent 1.
PrimExpr read_when_run(const Tensor& x, const Indices& indices) {
  const Indices own = te::shape_of(x);
  const size_t skipped = indices.size() - own.size();
  Indices mapped;
  for (size_t i = 0; i < own.size(); ++i) {
    const PrimExpr& index = indices[skipped + i];
    const PrimExpr first = imm_like(index, 0);
    const bool known = tir::as_int(own[i]).has_value();
    if (known) mapped.push_back(tir::is_one(own[i]) ? first : index);
    if (!known) mapped.push_back(tir::select(is_single(own[i]), first, index));
  }
  return te::read(x, mapped);
}

}  // namespace

Tensor broadcast_when_run(BroadcastOp op, const Tensor& a, const Tensor& b) {
  const Indices left = te::shape_of(a), right = te::shape_of(b);
  Indices shape = left.size() < right.size() ? right : left;
  for (size_t i = 1; i <= std::min(left.size(), right.size()); ++i) {
    shape[shape.size() - i] = extent_when_run(left[left.size() - i], right[right.size() - i]);
  }
  return te::compute(shape, cpp_style(block_name(op), shape.size()), [&](const Indices& i) {
    return combine(op, read_when_run(a, i), read_when_run(b, i));
  });
}

Tensor relu(const Tensor& x) {
  return te::compute(te::shape_of(x), python_style("compute"), [&](const Indices& i) {
    const PrimExpr zero = tir::const_of(te::dtype_of(x), 0);
    return tir::binary(tir::BinaryOp::Max, te::read(x, i), zero);
  });
}

Tensor unary(tir::Intrinsic intrinsic, const Tensor& x) {
  const bool kept = rounds(intrinsic) && !is_float(te::dtype_of(x));
  return te::compute(te::shape_of(x), python_style("compute"), [&](const Indices& i) {
    if (kept) return te::read(x, i);
    return tir::call(result_dtype(intrinsic, te::dtype_of(x)), intrinsic, {te::read(x, i)});
  });
}

Tensor cast(const Tensor& x, DType dtype) {
  return te::compute(te::shape_of(x), python_style("compute"),
                     [&](const Indices& i) { return tir::cast(dtype, te::read(x, i)); });
}

Tensor broadcast_to(const Tensor& x, std::vector<PrimExpr> shape) {
  return te::compute(shape, cpp_style("T_broadcast_to", shape.size()),
                     [&](const Indices& i) { return read_broadcast(x, i, shape); });
}

Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  const Indices shape =
      common_shape(te::shape_of(condition), common_shape(te::shape_of(x), te::shape_of(y)));
  return te::compute(shape, cpp_style("T_where", shape.size()), [&](const Indices& i) {
    // TVM writes `c != 0`, which its simplification of bools turns into this.
    const PrimExpr chosen = tir::cast(DType::Int64, read_broadcast(condition, i, shape));
    return tir::select(tir::binary(tir::BinaryOp::LT, tir::int_imm(DType::Int64, 0), chosen),
                       read_broadcast(x, i, shape), read_broadcast(y, i, shape));
  });
}

Tensor arange(const PrimExpr& start, const PrimExpr& step, const PrimExpr& count, DType dtype) {
  return te::compute({count}, cpp_style("T_arange", 1), [&](const Indices& i) {
    return tir::cast(dtype, tir::add(start, tir::mul(step, i[0])));
  });
}

Tensor integer_power(const Operand& base, const Operand& exponent) {
  constexpr int64_t kFactors = 66;  // even bases are 0 then
  const Indices shape = common_shape(shape_of_operand(base), shape_of_operand(exponent));
  const te::IterVar factor = reduce_over(tir::int_imm(DType::Int64, kFactors), "k");
  return te::compute(shape, cpp_style("T_power", shape.size()), [&](const Indices& i) {
    const PrimExpr a = read_operand(base, i, shape);
    const PrimExpr b = tir::cast(DType::Int64, read_operand(exponent, i, shape));
    const PrimExpr zero = tir::int_imm(DType::Int64, 0), one = tir::const_of(a->dtype, 1);
    const PrimExpr unit = tir::binary(
        tir::BinaryOp::Or, tir::binary(tir::BinaryOp::EQ, a, one),
        is_uint(a->dtype) ? tir::bool_imm(false)
                          : tir::binary(tir::BinaryOp::EQ, a, tir::const_of(a->dtype, -1)));
    const PrimExpr parity = tir::floormod(b, tir::int_imm(DType::Int64, 2));
    const PrimExpr most = tir::int_imm(DType::Int64, kFactors - 2);
    // Units and large exponents: the parity decides.
    const PrimExpr large = tir::add(most, parity);
    const PrimExpr negative = tir::binary(tir::BinaryOp::LT, b, zero);
    const PrimExpr count = tir::select(
        tir::binary(tir::BinaryOp::Or, negative, tir::binary(tir::BinaryOp::GT, b, most)), large,
        b);
    const PrimExpr vanishes = tir::binary(tir::BinaryOp::And, negative, tir::logical_not(unit));
    const PrimExpr taken = tir::binary(tir::BinaryOp::LT, te::var_of(factor), count);
    const PrimExpr source =
        tir::select(vanishes, tir::const_of(a->dtype, 0), tir::select(taken, a, one));
    return te::prod(source, {factor});
  });
}

}  // namespace fx2wasm::topi
