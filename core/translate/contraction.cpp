// Matrix products with what is added to them (addmm, baddbmm, …), products of vectors, einsum.
#include <cmath>

#include "builder/constant_value.h"
#include "builder/infer_common.h"
#include "builder/relax_ops.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "topi/einsum.h"
#include "translate/products.h"
#include "translate/promote.h"
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

const relax::TensorType& type_of(const relax::Expr& x) { return *relax::as_tensor(x); }

Result<relax::Expr> of_rank(const Call& call, std::string_view name, int rank) {
  FX_TRY(x, call.tensor(name));
  if (type_of(x).ndim == rank) return x;
  return call.argument_error(name, "the argument '" + std::string(name) + "' has " +
                                       std::to_string(rank) + (rank == 1 ? " axis" : " axes") +
                                       ", not the shape " + shape_text(type_of(x)));
}

Result<Unit> check_one_dtype(const Call& call, const std::vector<relax::Expr>& tensors) {
  for (const relax::Expr& x : tensors) {
    if (type_of(x).dtype == type_of(tensors[0]).dtype) continue;
    return call.error(codes::kDtypeMismatch, "the operands have one dtype in PyTorch, not " +
                                                 describe_type({tensors[0]}) + " and " +
                                                 describe_type({x}));
  }
  return Unit{};
}

// A factor as PyTorch takes it: of integers its fraction is dropped.
Result<double> factor(const Call& call, std::string_view name, DType dtype) {
  if (!call.has(name)) return 1.0;
  const std::optional<double> number = as_number(call.argument(name));
  if (!number) {
    return call.argument_error(
        name, std::string(name) + " is a number, not " + describe(call.argument(name)));
  }
  return is_float(dtype) ? *number : std::trunc(*number);
}

relax::Expr times(const relax::Expr& x, double number) {
  if (number == 1) return x;
  return relax::op::multiply(x, relax::constant_expr(scalar_constant(*type_of(x).dtype, number)));
}

enum class AddendFirst { Yes, No };

// beta · input + alpha · product, in the product's shape. A factor of 0 leaves its term out, even
// where that is NaN.
Result<Mapped> add_product(Call& call, const relax::Expr& input, const relax::Expr& product,
                           AddendFirst order) {
  FX_TRY(typed, call.builder.normalize(product));
  FX_TRY(one_dtype, check_one_dtype(call, {input, typed}));
  static_cast<void>(one_dtype);
  const relax::TensorType type = type_of(typed);
  const DType dtype = *type.dtype;
  FX_TRY(alpha, factor(call, "alpha", dtype));
  FX_TRY(beta, factor(call, "beta", dtype));
  if (!type.shape || !type_of(input).shape) {
    return call.error(codes::kShapeMismatch, "the shapes of its operands are not known");
  }
  const infer::Broadcast joined = infer::broadcast(*type_of(input).shape, *type.shape);
  const bool fits = joined.shape && shape_text(type) == infer::shape_text(*joined.shape);
  if (!fits) {
    return call.argument_error("input", "the input of shape " + shape_text(type_of(input)) +
                                            " does not broadcast to the product's " +
                                            shape_text(type));
  }
  if (alpha == 0) {
    relax::Expr rest = relax::constant_expr(scalar_constant(dtype, int64_t{0}));
    if (beta != 0) {
      FX_TRY(scaled, call.builder.normalize(times(input, beta)));
      rest = scaled;
    }
    FX_TRY(result,
           call.emit(relax::op::call("broadcast_to", {rest, relax::shape_expr(*type.shape)})));
    return Mapped{result};
  }
  FX_TRY(emitted, call.builder.emit(product));
  relax::Expr sum = emitted;
  if (alpha != 1) {
    FX_TRY(scaled, call.builder.emit(times(sum, alpha)));
    sum = scaled;
  }
  if (beta == 0) return Mapped{{sum}};
  relax::Expr addend = input;
  if (beta != 1) {
    FX_TRY(scaled, call.builder.emit(times(input, beta)));
    addend = scaled;
  }
  FX_TRY(result, call.emit(order == AddendFirst::Yes ? relax::op::add(addend, sum)
                                                     : relax::op::add(sum, addend)));
  return Mapped{result};
}

Result<Mapped> map_addmm(Call& call) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(a, of_rank(call, "mat1", 2));
  FX_TRY(b, of_rank(call, "mat2", 2));
  FX_TRY(one_dtype, check_one_dtype(call, {a, b}));
  static_cast<void>(one_dtype);
  return add_product(call, input, relax::op::matmul(a, b, type_of(a).dtype), AddendFirst::Yes);
}

Result<std::pair<relax::Expr, relax::Expr>> batches(const Call& call) {
  FX_TRY(a, of_rank(call, "batch1", 3));
  FX_TRY(b, of_rank(call, "batch2", 3));
  FX_TRY(one_dtype, check_one_dtype(call, {a, b}));
  static_cast<void>(one_dtype);
  const auto &x = type_of(a).shape, &y = type_of(b).shape;
  if (x && y && tir::as_int((*x)[0]) && tir::as_int((*y)[0]) &&
      *tir::as_int((*x)[0]) != *tir::as_int((*y)[0])) {
    return call.argument_error("batch2", "the batches of " + shape_text(type_of(a)) + " and " +
                                             shape_text(type_of(b)) + " have another size");
  }
  return std::pair(a, b);
}

Result<Mapped> map_baddbmm(Call& call) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(pair, batches(call));
  return add_product(call, input, relax::op::matmul(pair.first, pair.second), AddendFirst::No);
}

// The sum over the batch is one more axis to sum over.
Result<Mapped> map_addbmm(Call& call) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(pair, batches(call));
  const auto &a = type_of(pair.first).shape, &b = type_of(pair.second).shape;
  if (!a || !b) return call.error(codes::kShapeMismatch, "the shapes of the batches are not known");
  const tir::PrimExpr depth = infer::simplify(tir::mul((*a)[0], (*a)[2]));
  if (shape_text(relax::TensorType{{{(*a)[2]}}, 1, {}}) !=
      shape_text(relax::TensorType{{{(*b)[1]}}, 1, {}})) {
    return call.argument_error("batch2", "the matrices of " + shape_text(type_of(pair.first)) +
                                             " and " + shape_text(type_of(pair.second)) +
                                             " do not fit");
  }
  const relax::Expr left = relax::op::reshape(
      relax::op::permute_dims(pair.first, std::vector<int64_t>{1, 0, 2}), {(*a)[1], depth});
  const relax::Expr right = relax::op::reshape(pair.second, {depth, (*b)[2]});
  return add_product(call, input, relax::op::matmul(left, right), AddendFirst::Yes);
}

Result<Mapped> map_addmv(Call& call) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(matrix, of_rank(call, "mat", 2));
  FX_TRY(vector, of_rank(call, "vec", 1));
  return add_product(call, input, relax::op::matmul(matrix, vector), AddendFirst::Yes);
}

Result<Mapped> map_addr(Call& call) {
  FX_TRY(input, call.tensor("input"));
  FX_TRY(a, of_rank(call, "vec1", 1));
  FX_TRY(b, of_rank(call, "vec2", 1));
  DType dtype = promote_types(*type_of(a).dtype, *type_of(b).dtype);
  dtype = promote_types(dtype, *type_of(input).dtype);
  FX_TRY(addend, cast_to(call, input, dtype));
  FX_TRY(x, cast_to(call, a, dtype));
  FX_TRY(y, cast_to(call, b, dtype));
  return add_product(call, addend, relax::op::call("outer", {x, y}), AddendFirst::Yes);
}

using Rule = RuleFunction;
template <Rule rule>
Result<Mapped> written(Call& call) {
  FX_TRY(target, call.tensor("input"));
  FX_TRY(mapped, rule(call));
  if (describe_type({target}) != describe_type(mapped.value)) {
    return call.error(codes::kShapeMismatch, "a result of type " + describe_type(mapped.value) +
                                                 " can't be written into " +
                                                 describe_type({target}));
  }
  return Mapped{mapped.value, Sharing::Written};
}

Result<Mapped> map_outer(Call& call) {
  FX_TRY(a, of_rank(call, "input", 1));
  FX_TRY(b, of_rank(call, "vec2", 1));
  FX_TRY(pair, promoted_operands(call, {a}, {b}, false));
  FX_TRY(result, call.emit(relax::op::call("outer", {pair.first, pair.second})));
  return Mapped{result};
}

// ---- einsum ----

struct EinsumCall {
  std::string subscripts;
  std::vector<relax::Expr> operands;
};

// 0 … 25 are the capital letters, 26 … 51 the small ones.
Result<std::string> subscripts_of(const Call& call, const Value& value) {
  const auto* list = std::get_if<ValueList>(&value.value);
  if (list == nullptr) {
    return call.error(codes::kArgument,
                      "a list of axes follows each operand, not " + describe(value));
  }
  std::string text;
  for (const Value& item : *list) {
    if (std::holds_alternative<fx::Ellipsis>(item.value)) {
      text += "...";
      continue;
    }
    const auto* number = std::get_if<int64_t>(&item.value);
    if (number == nullptr || *number < 0 || *number >= 52) {
      return call.error(codes::kArgument,
                        "an axis is a number from 0 to 51 or an ellipsis, not " + describe(item));
    }
    text += static_cast<char>(*number < 26 ? 'A' + *number : 'a' + (*number - 26));
  }
  return text;
}

Result<relax::Expr> einsum_operand(const Call& call, const Value& value) {
  if (as_tensor(value) != nullptr) return *as_expr(value);
  return call.error(codes::kArgument, "an operand is a tensor, not " + describe(value));
}

// einsum(x, [0, 1], y, [1, 2], [0, 2])
Result<EinsumCall> einsum_of_lists(const Call& call, const ValueList& values) {
  EinsumCall einsum;
  const size_t pairs = values.size() / 2;
  for (size_t i = 0; i < pairs; ++i) {
    FX_TRY(operand, einsum_operand(call, values[2 * i]));
    FX_TRY(letters, subscripts_of(call, values[2 * i + 1]));
    einsum.operands.push_back(operand);
    einsum.subscripts += (i == 0 ? "" : ",") + letters;
  }
  if (values.size() % 2 == 1) {
    FX_TRY(letters, subscripts_of(call, values.back()));
    einsum.subscripts += "->" + letters;
  }
  return einsum;
}

Result<EinsumCall> einsum_arguments(const Call& call) {
  const ValueList& given = call.rest();
  if (given.empty()) return call.error(codes::kArgument, "the argument 'equation' is missing");
  const auto* text = std::get_if<std::string>(&given[0].value);
  if (text == nullptr) return einsum_of_lists(call, given);
  EinsumCall einsum{*text, {}};
  ValueList operands(given.begin() + 1, given.end());
  if (operands.size() == 1) {
    if (const auto* list = std::get_if<ValueList>(&operands[0].value)) {
      operands = ValueList(*list);
    }
  }
  for (const Value& value : operands) {
    FX_TRY(operand, einsum_operand(call, value));
    einsum.operands.push_back(operand);
  }
  if (einsum.operands.empty()) return call.error(codes::kArgument, "there is no operand");
  return einsum;
}

bool sums(const topi::Subscripts& subscripts) {
  for (const std::string& letters : subscripts.inputs) {
    if (letters.find_first_not_of(subscripts.output) != std::string::npos) return true;
  }
  return false;
}

Result<Mapped> map_einsum(Call& call) {
  FX_TRY(einsum, einsum_arguments(call));
  std::vector<size_t> ranks;
  DType dtype = *type_of(einsum.operands[0]).dtype;
  for (const relax::Expr& operand : einsum.operands) {
    if (type_of(operand).ndim < 0) {
      return call.error(codes::kShapeMismatch, "the shape of an operand is not known");
    }
    ranks.push_back(static_cast<size_t>(type_of(operand).ndim));
    dtype = promote_types(dtype, *type_of(operand).dtype);
  }
  Result<topi::Subscripts> subscripts = topi::parse_subscripts(einsum.subscripts, ranks);
  if (!subscripts.ok()) {
    return call.error(codes::kArgument, subscripts.diagnostics()[0].message);
  }
  const bool has_sum = sums(subscripts.value());
  const bool single = einsum.operands.size() == 1;
  if (has_sum && !single) {
    // A contraction takes one dtype; a plain product promotes.
    FX_TRY(one_dtype, check_one_dtype(call, einsum.operands));
    static_cast<void>(one_dtype);
  }
  // A sum of integers is one of int64.
  if (has_sum && single && !is_float(dtype)) dtype = DType::Int64;
  for (relax::Expr& operand : einsum.operands) {
    FX_TRY(cast, cast_to(call, operand, dtype));
    operand = cast;
  }
  FX_TRY(result, call.emit(relax::op::call("einsum", {relax::tuple_expr(einsum.operands)},
                                           {{"subscripts", {einsum.subscripts}}})));
  // Without a sum one operand is only seen in another way.
  return Mapped{result, single && !has_sum ? Sharing::View : Sharing::Own};
}

constexpr std::string_view kAddmm = "input, mat1, mat2, beta?, alpha?";
constexpr std::string_view kBatches = "input, batch1, batch2, beta?, alpha?";
constexpr std::string_view kAddmv = "input, mat, vec, beta?, alpha?";
constexpr std::string_view kAddr = "input, vec1, vec2, beta?, alpha?";

constexpr RuleEntry kContractionRules[] = {
    {"addbmm", "map_addbmm", kBatches, map_addbmm},
    {"addbmm_", "map_addbmm_in_place", kBatches, written<map_addbmm>},
    {"addmm", "map_addmm", kAddmm, map_addmm},
    {"addmm_", "map_addmm_in_place", kAddmm, written<map_addmm>},
    {"addmv", "map_addmv", kAddmv, map_addmv},
    {"addmv_", "map_addmv_in_place", kAddmv, written<map_addmv>},
    {"addr", "map_addr", kAddr, map_addr},
    {"addr_", "map_addr_in_place", kAddr, written<map_addr>},
    {"baddbmm", "map_baddbmm", kBatches, map_baddbmm},
    {"baddbmm_", "map_baddbmm_in_place", kBatches, written<map_baddbmm>},
    {"bilinear", "map_bilinear", "input1, input2, weight, bias?", map_bilinear},
    {"cdist", "map_cdist", "x1, x2, p?, compute_mode?", map_cdist},
    {"chain_matmul", "map_chain", "*matrices", map_chain},
    {"cosine_similarity", "map_cosine_similarity", "x1, x2, dim?, eps?", map_cosine_similarity},
    {"dot", "map_dot", "input, tensor", map_dot},
    {"einsum", "map_einsum", "*operands", map_einsum},
    {"ger", "map_outer", "input, vec2", map_outer},
    {"inner", "map_inner", "input, other", map_inner},
    {"kron", "map_kron", "input, other", map_kron},
    {"multi_dot", "map_chain", "*tensors", map_chain},
    {"linalg_multi_dot", "map_chain", "*tensors", map_chain},
    {"mv", "map_mv", "input, vec", map_mv},
    {"outer", "map_outer", "input, vec2", map_outer},
    {"pairwise_distance", "map_pairwise_distance", "x1, x2, p?, eps?, keepdim?",
     map_pairwise_distance},
    {"tensordot", "map_tensordot", "a, b, dims?, out?", map_tensordot},
    {"vdot", "map_vdot", "input, other", map_vdot},
};

}  // namespace

RuleTable contraction_rules() { return kContractionRules; }

}  // namespace fx2wasm::translate
