#include "translate/promote.h"

#include <algorithm>
#include <cmath>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {
namespace {

// Bool < integer < float.
int kind_of(DType dtype) {
  if (is_float(dtype)) return 2;
  return dtype == DType::Bool ? 0 : 1;
}

DType promote_integers(DType a, DType b) {
  if (is_uint(a) == is_uint(b)) return dtype_bits(a) >= dtype_bits(b) ? a : b;
  const DType with_sign = is_uint(a) ? b : a, without = is_uint(a) ? a : b;
  if (dtype_bits(with_sign) > dtype_bits(without)) return with_sign;
  if (without == DType::UInt8) return DType::Int16;
  if (without == DType::UInt16) return DType::Int32;
  return DType::Int64;
}

// A size that is known only when the function runs, as a 0-d tensor.
Result<relax::Expr> tensor_of_size(Call& call, const tir::PrimExpr& size, DType dtype) {
  const tir::PrimExpr one = tir::int_imm(DType::Int64, 1);
  FX_TRY(
      single,
      call.builder.emit(relax::op::call(
          "arange",
          {relax::prim_value(size), relax::prim_value(tir::add(size, one)), relax::prim_value(one)},
          {{"dtype", {dtype}}})));
  return call.builder.emit(relax::op::reshape(single, {}));
}

}  // namespace

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  if (kind_of(a) != kind_of(b)) return kind_of(a) > kind_of(b) ? a : b;
  if (kind_of(a) == 1) return promote_integers(a, b);
  if (dtype_bits(a) != dtype_bits(b)) return dtype_bits(a) > dtype_bits(b) ? a : b;
  return DType::Float32;  // float16 and bfloat16
}

DType result_type(const Operand& a, const Operand& b) {
  if (a.rank == b.rank) return promote_types(a.dtype, b.dtype);
  const Operand& strong = a.rank > b.rank ? a : b;
  const Operand& weak = a.rank > b.rank ? b : a;
  return kind_of(weak.dtype) > kind_of(strong.dtype) ? weak.dtype : strong.dtype;
}

Operand joined_operand(const Operand& a, const Operand& b) {
  return {std::max(a.rank, b.rank), result_type(a, b)};
}

DType float_type(DType dtype) { return is_float(dtype) ? dtype : DType::Float32; }

Result<relax::Expr> cast_to(Call& call, const relax::Expr& tensor, DType dtype) {
  const relax::TensorType* type = relax::as_tensor(tensor);
  if (type != nullptr && type->dtype == dtype) return tensor;
  return call.builder.emit(relax::op::astype(tensor, dtype));
}

std::optional<Operand> operand_of(const Value& value) {
  if (const relax::TensorType* type = as_tensor(value)) {
    if (!type->dtype) return std::nullopt;
    return Operand{type->ndim == 0 ? Operand::Rank::Scalar : Operand::Rank::Tensor, *type->dtype};
  }
  if (std::holds_alternative<bool>(value.value)) {
    return Operand{Operand::Rank::Number, DType::Bool};
  }
  if (as_size(value) != nullptr) return Operand{Operand::Rank::Number, DType::Int64};
  if (std::holds_alternative<double>(value.value)) {
    return Operand{Operand::Rank::Number, DType::Float32};
  }
  return std::nullopt;
}

Result<relax::Expr> tensor_of(Call& call, const Value& value, DType dtype) {
  if (as_tensor(value) != nullptr) return cast_to(call, *as_expr(value), dtype);
  if (const auto* number = std::get_if<int64_t>(&value.value)) {
    if (!value.is_count) return relax::constant_expr(scalar_constant(dtype, *number));
    return cast_to(call, relax::constant_expr(scalar_constant(DType::Int32, *number)), dtype);
  }
  if (const tir::PrimExpr size = as_size(value)) return tensor_of_size(call, size, dtype);
  if (const std::optional<double> number = as_number(value)) {
    return relax::constant_expr(scalar_constant(dtype, *number));
  }
  return call.error(codes::kArgument, "a tensor or number is wanted, not " + describe(value));
}

Result<relax::Expr> fill_value(Call& call, std::string_view argument, DType dtype) {
  const Value& value = call.argument(argument);
  if (const relax::TensorType* type = as_tensor(value)) {
    if (type->ndim == 0) return *as_expr(value);
  } else if (operand_of(value)) {
    const std::optional<double> number = as_number(value);
    if (!number || is_float(dtype) || std::isfinite(*number)) {
      return tensor_of(call, value, dtype);
    }
    return call.argument_error(argument,
                               "no " + std::string(dtype_name(dtype)) + " is " + describe(value));
  }
  return call.argument_error(argument, "fills with a number or a tensor without axes, not " +
                                           describe(value) + " of type " + describe_type(value));
}

Result<std::pair<relax::Expr, relax::Expr>> promoted_operands(Call& call, const Value& a,
                                                              const Value& b, bool as_float) {
  const std::optional<Operand> left = operand_of(a), right = operand_of(b);
  const bool some_tensor = as_tensor(a) != nullptr || as_tensor(b) != nullptr;
  if (!left || !right || !some_tensor) {
    return call.error(codes::kArgument, "the operands are tensors or numbers, not " + describe(a) +
                                            " and " + describe(b));
  }
  DType dtype = result_type(*left, *right);
  if (as_float) dtype = float_type(dtype);
  FX_TRY(x, tensor_of(call, a, dtype));
  FX_TRY(y, tensor_of(call, b, dtype));
  return std::pair(x, y);
}

Result<Value> emit_promoted(Call& call, std::string_view op, const Value& a, const Value& b,
                            bool as_float) {
  FX_TRY(operands, promoted_operands(call, a, b, as_float));
  return call.emit(relax::op::call(op, {operands.first, operands.second}));
}

}  // namespace fx2wasm::translate
