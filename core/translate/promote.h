// PyTorch's dtype promotion (torch.result_type).
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "translate/call.h"

namespace fx2wasm::translate {

// torch.promote_types.
DType promote_types(DType a, DType b);

// What an operand contributes: a tensor with dimensions decides over a 0-d one, and that over a
// Python number, as long as the kind (bool, integer, float) is not a higher one.
struct Operand {
  enum class Rank { Number, Scalar, Tensor } rank = Rank::Tensor;
  DType dtype = DType::Float32;  // of a number: bool, int64 or float32
};
DType result_type(const Operand& a, const Operand& b);
// What both together contribute to the dtype of a result with more operands.
Operand joined_operand(const Operand& a, const Operand& b);

// The dtype in which a floating-point function computes: integers and bools become float32.
DType float_type(DType dtype);

// A tensor in another dtype: the tensor itself when it has it already.
Result<relax::Expr> cast_to(Call& call, const relax::Expr& tensor, DType dtype);

// A value as a tensor of this dtype: tensors are cast, numbers are 0-d constants, and a size that
// is not known is a 0-d tensor that is computed from it. FX4003 for all other values.
Result<relax::Expr> tensor_of(Call& call, const Value& value, DType dtype);

// What a tensor of this dtype is filled with: a number as a 0-d constant, or a tensor without axes,
// whose dtype may be another. FX4003 for all other arguments, and for infinity among integers.
Result<relax::Expr> fill_value(Call& call, std::string_view argument, DType dtype);

// What a value contributes to the dtype of a result; absent when it is neither tensor nor number.
std::optional<Operand> operand_of(const Value& value);

// Both operands of a binary operator as tensors of their common dtype, numbers as 0-d constants.
// With `as_float`, integers and bools become float32 (division). FX4003 when neither is a tensor.
Result<std::pair<relax::Expr, relax::Expr>> promoted_operands(Call& call, const Value& a,
                                                              const Value& b, bool as_float);

// A Relax operator of two operands of their common dtype.
Result<Value> emit_promoted(Call& call, std::string_view op, const Value& a, const Value& b,
                            bool as_float = false);

}  // namespace fx2wasm::translate
