// Functions of one element: roundings, powers, trigonometry, tests of a value.
#include <cmath>
#include <limits>
#include <utility>

#include "builder/infer_common.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "translate/element.h"
#include "translate/forms.h"
#include "translate/promote.h"

namespace fx2wasm::translate {
namespace {

using relax::Expr;
namespace op = relax::op;

constexpr double kPi = 3.14159265358979323846;
constexpr double kInf = std::numeric_limits<double>::infinity();

Expr one_argument(std::string_view name, const Expr& x) { return op::call(name, {x}); }

Result<Mapped> emitted(Call& call, const Expr& value) {
  FX_TRY(result, call.emit(value));
  return Mapped{result};
}

// ---- one Relax operator each ----

enum class Takes {
  Anything,
  Numbers,  // no bools
  Floats,   // integers and bools become float32 first
};

Result<Expr> taken(Call& call, Takes takes) {
  switch (takes) {
    case Takes::Anything:
      return call.tensor("input");
    case Takes::Numbers:
      return input_of_numbers(call);
    case Takes::Floats:
      return input_as_float(call);
  }
  return call.tensor("input");
}

struct OneOperator {
  std::string_view key;  // with `_` where PyTorch has the form in place
  std::string_view rule;
  std::string_view op;
  Takes takes;
};
constexpr OneOperator kOneOperator[] = {
    {"abs_", "map_abs", "abs", Takes::Numbers},
    {"absolute_", "map_abs", "abs", Takes::Numbers},
    {"acos_", "map_acos", "acos", Takes::Floats},
    {"acosh_", "map_acosh", "acosh", Takes::Floats},
    {"arccos_", "map_acos", "acos", Takes::Floats},
    {"arccosh_", "map_acosh", "acosh", Takes::Floats},
    {"arcsin_", "map_asin", "asin", Takes::Floats},
    {"arcsinh_", "map_asinh", "asinh", Takes::Floats},
    {"arctan_", "map_atan", "atan", Takes::Floats},
    {"arctanh_", "map_atanh", "atanh", Takes::Floats},
    {"asin_", "map_asin", "asin", Takes::Floats},
    {"asinh_", "map_asinh", "asinh", Takes::Floats},
    {"atan_", "map_atan", "atan", Takes::Floats},
    {"atanh_", "map_atanh", "atanh", Takes::Floats},
    {"ceil_", "map_ceil", "ceil", Takes::Numbers},
    {"cos_", "map_cos", "cos", Takes::Floats},
    {"cosh_", "map_cosh", "cosh", Takes::Floats},
    {"erf_", "map_erf", "erf", Takes::Floats},
    {"exp_", "map_exp", "exp", Takes::Floats},
    {"expit", "map_sigmoid", "sigmoid", Takes::Floats},
    {"fix_", "map_trunc", "trunc", Takes::Numbers},
    {"floor_", "map_floor", "floor", Takes::Numbers},
    {"isfinite", "map_isfinite", "isfinite", Takes::Anything},
    {"isinf", "map_isinf", "isinf", Takes::Anything},
    {"isnan", "map_isnan", "isnan", Takes::Anything},
    {"log_", "map_log", "log", Takes::Floats},
    {"rsqrt_", "map_rsqrt", "rsqrt", Takes::Floats},
    {"sgn_", "map_sign", "sign", Takes::Anything},
    {"sigmoid_", "map_sigmoid", "sigmoid", Takes::Floats},
    {"sign_", "map_sign", "sign", Takes::Anything},
    {"sin_", "map_sin", "sin", Takes::Floats},
    {"sinh_", "map_sinh", "sinh", Takes::Floats},
    {"sqrt_", "map_sqrt", "sqrt", Takes::Floats},
    {"tan_", "map_tan", "tan", Takes::Floats},
    {"tanh_", "map_tanh", "tanh", Takes::Floats},
    {"trunc_", "map_trunc", "trunc", Takes::Numbers},
};

template <size_t i>
Result<Mapped> map_one_operator(Call& call) {
  FX_TRY(x, taken(call, kOneOperator[i].takes));
  return emitted(call, one_argument(kOneOperator[i].op, x));
}

template <size_t... i>
constexpr std::array<RuleEntry, sizeof...(i)> one_operator_rows(std::index_sequence<i...>) {
  return {RuleEntry{kOneOperator[i].key, kOneOperator[i].rule, "input", map_one_operator<i>}...};
}
constexpr auto kOneOperatorRows =
    one_operator_rows(std::make_index_sequence<std::size(kOneOperator)>());

// ---- of tensors and of sizes ----

Result<Mapped> map_neg(Call& call) {
  const Value& x = call.argument("input");
  if (const auto* real = std::get_if<double>(&x.value)) return Mapped{{-*real}};
  if (const tir::PrimExpr size = as_size(x)) {
    return Mapped{size_value(infer::simplify(tir::sub(infer::extent_of(0), size)))};
  }
  FX_TRY(tensor, input_of_numbers(call));
  return emitted(call, one_argument("negative", tensor));
}

Result<Mapped> map_pos(Call& call) {
  const Value& x = call.argument("input");
  if (as_size(x) != nullptr || std::holds_alternative<double>(x.value)) return Mapped{x};
  FX_TRY(tensor, input_of_numbers(call));
  return Mapped{{tensor}, Sharing::Same};
}

// ---- composed of several operators, as TVM's importer has them ----

Result<Mapped> map_square(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const DType dtype = dtype_of(x) == DType::Bool ? DType::Int64 : dtype_of(x);
  FX_TRY(number, cast_to(call, x, dtype));
  return emitted(call, one_argument("square", number));
}

Result<Mapped> map_reciprocal(Call& call) {
  FX_TRY(x, input_as_float(call));
  return emitted(call, op::divide(constant_like(x, 1.0), x));
}

Result<Mapped> logarithm_to(Call& call, double log_of_base) {
  FX_TRY(x, input_as_float(call));
  return emitted(call, op::divide(one_argument("log", x), constant_like(x, log_of_base)));
}
Result<Mapped> map_log2(Call& call) { return logarithm_to(call, 0.6931471805599453); }
Result<Mapped> map_log10(Call& call) { return logarithm_to(call, 2.302585092994046); }

Result<Mapped> map_log1p(Call& call) {
  FX_TRY(x, input_as_float(call));
  return emitted(call, one_argument("log", op::add(x, constant_like(x, 1.0))));
}

// Rounds at a power of ten. Powers that the dtype does not hold are infinite, as in PyTorch.
Result<Mapped> round_at(Call& call, int64_t decimals) {
  FX_TRY(x, float_input(call));
  const DType dtype = dtype_of(x);
  const DType wide = dtype == DType::Float64 ? DType::Float64 : DType::Float32;
  FX_TRY(value, cast_to(call, x, wide));
  const Expr scale = constant_like(value, std::pow(10.0, std::fabs(static_cast<double>(decimals))));
  const Expr rounded =
      one_argument("round", decimals > 0 ? op::multiply(value, scale) : op::divide(value, scale));
  const Expr result = decimals > 0 ? op::divide(rounded, scale) : op::multiply(rounded, scale);
  return emitted(call, dtype == wide ? result : op::astype(result, dtype));
}

Result<Mapped> map_round(Call& call) {
  FX_TRY(decimals, call.integer("decimals", 0));
  if (decimals != 0) return round_at(call, decimals);
  FX_TRY(x, input_of_numbers(call));
  return emitted(call, one_argument("round", x));
}

Result<Mapped> map_lerp(Call& call) {
  FX_TRY(start, float_input(call));
  FX_TRY(end, call.tensor("end"));
  const Value& given = call.argument("weight");
  const Expr* tensor = as_expr(given);
  if (tensor == nullptr && !as_number(given)) {
    return call.argument_error("weight",
                               "'weight' is a number or a tensor, not " + describe(given));
  }
  const Expr weight = tensor != nullptr ? *tensor : constant_like(start, given);
  return emitted(call, op::add(start, op::multiply(weight, op::subtract(end, start))));
}

// ---- what TVM's importer lacks: float16 computes in float32 and is rounded once ----

struct Wide {
  Expr x;
  DType result;
};
Result<Wide> widened(Call& call, const Expr& x) {
  const DType dtype = dtype_of(x);
  const bool narrow = dtype == DType::Float16 || dtype == DType::BFloat16;
  FX_TRY(wide, cast_to(call, x, narrow ? DType::Float32 : dtype));
  return Wide{wide, dtype};
}

Result<Wide> wide_input(Call& call) {
  FX_TRY(x, input_as_float(call));
  return widened(call, x);
}

Result<Mapped> narrowed(Call& call, const Wide& input, const Expr& value) {
  const bool narrow = dtype_of(input.x) != input.result;
  return emitted(call, narrow ? op::astype(value, input.result) : value);
}

Result<Mapped> scaled_input(Call& call, double factor) {
  FX_TRY(in, wide_input(call));
  return narrowed(call, in, op::multiply(in.x, constant_like(in.x, factor)));
}
Result<Mapped> map_deg2rad(Call& call) { return scaled_input(call, kPi / 180); }
Result<Mapped> map_rad2deg(Call& call) { return scaled_input(call, 180 / kPi); }

// exp(x · log 2) would multiply the rounding of the product.
Result<Mapped> map_exp2(Call& call) {
  FX_TRY(in, wide_input(call));
  return narrowed(call, in, op::call("power", {constant_like(in.x, 2.0), in.x}));
}

// Near zero, exp(x) - 1 has lost what tanh keeps: exp(x) - 1 = 2t / (1 - t) with t = tanh(x / 2).
Result<Mapped> map_expm1(Call& call) {
  FX_TRY(in, wide_input(call));
  const Expr& x = in.x;
  FX_TRY(t, call.builder.emit(one_argument("tanh", op::multiply(x, constant_like(x, 0.5)))));
  const Expr near =
      op::divide(op::multiply(constant_like(x, 2.0), t), op::subtract(constant_like(x, 1.0), t));
  const Expr is_near = op::call("less", {one_argument("abs", x), constant_like(x, 0.5)});
  return narrowed(
      call, in, where(is_near, near, op::subtract(one_argument("exp", x), constant_like(x, 1.0))));
}

Result<Mapped> map_erfc(Call& call) {
  FX_TRY(in, wide_input(call));
  return narrowed(call, in, op::subtract(constant_like(in.x, 1.0), one_argument("erf", in.x)));
}

Result<Mapped> map_frac(Call& call) {
  FX_TRY(x, float_input(call));
  return emitted(call, op::subtract(x, one_argument("trunc", x)));
}

// The bounds are numbers of the input's own dtype.
Result<Mapped> map_logit(Call& call) {
  FX_TRY(given, input_as_float(call));
  FX_TRY(eps, number_option(call, "eps", -1));
  Expr bounded = given;
  if (eps >= 0) {  // a negative one bounds nothing
    FX_TRY(clipped, call.builder.emit(clip(given, {eps}, {1 - eps})));
    bounded = clipped;
  }
  FX_TRY(in, widened(call, bounded));
  const Expr odds = op::divide(in.x, op::subtract(constant_like(in.x, 1.0), in.x));
  return narrowed(call, in, one_argument("log", odds));
}

Result<Mapped> map_sinc(Call& call) {
  FX_TRY(in, wide_input(call));
  FX_TRY(angle, call.builder.emit(op::multiply(in.x, constant_like(in.x, kPi))));
  const Expr at_zero = op::call("equal", {in.x, constant_like(in.x, 0.0)});
  return narrowed(
      call, in,
      where(at_zero, constant_like(in.x, 1.0), op::divide(one_argument("sin", angle), angle)));
}

// Infinities become the dtype's largest numbers where nothing else is asked for.
Result<Mapped> map_nan_to_num(Call& call) {
  FX_TRY(x, call.tensor("input"));
  const DType dtype = dtype_of(x);
  if (!is_float(dtype)) return Mapped{{x}};
  const double largest = std::get<tir::FloatImm>(tir::max_value(dtype)->kind).value;
  FX_TRY(nan, number_option(call, "nan", 0));
  FX_TRY(above, number_option(call, "posinf", largest));
  FX_TRY(below, number_option(call, "neginf", -largest));
  const auto is = [&](double value) { return op::call("equal", {x, constant_like(x, value)}); };
  const Expr numbers = where(one_argument("isnan", x), constant_like(x, nan), x);
  return emitted(call, where(is(kInf), constant_like(x, above),
                             where(is(-kInf), constant_like(x, below), numbers)));
}

Result<Mapped> is_infinity(Call& call, double infinity) {
  FX_TRY(x, call.tensor("input"));
  if (!is_float(dtype_of(x))) return emitted(call, one_argument("isinf", x));
  return emitted(call, op::call("equal", {x, constant_like(x, infinity)}));
}
Result<Mapped> map_isposinf(Call& call) { return is_infinity(call, kInf); }
Result<Mapped> map_isneginf(Call& call) { return is_infinity(call, -kInf); }

// Of the zeros, the negative one has a negative reciprocal.
Result<Mapped> map_signbit(Call& call) {
  FX_TRY(x, call.tensor("input"));
  if (dtype_of(x) == DType::Bool) return emitted(call, one_argument("isnan", x));
  const auto negative = [&](const Expr& value) {
    return op::call("less", {value, constant_like(x, 0.0)});
  };
  if (!is_float(dtype_of(x))) return emitted(call, negative(x));
  const Expr reciprocal = op::divide(constant_like(x, 1.0), x);
  return emitted(call, op::call("logical_or", {negative(x), negative(reciprocal)}));
}

constexpr std::string_view kBounds = "input, min?, max?";

constexpr RuleEntry kComposedRows[] = {
    {"clamp_", "map_clamp", kBounds, map_clamp},
    {"clamp_max_", "map_clamp_max", "input, max", map_clamp_max},
    {"clamp_min_", "map_clamp_min", "input, min", map_clamp_min},
    {"clip_", "map_clamp", kBounds, map_clamp},
    {"deg2rad_", "map_deg2rad", "input", map_deg2rad},
    {"erfc_", "map_erfc", "input", map_erfc},
    {"exp2_", "map_exp2", "input", map_exp2},
    {"expm1_", "map_expm1", "input", map_expm1},
    {"frac_", "map_frac", "input", map_frac},
    {"isneginf", "map_isneginf", "input", map_isneginf},
    {"isposinf", "map_isposinf", "input", map_isposinf},
    {"lerp_", "map_lerp", "input, end, weight", map_lerp},
    {"log10_", "map_log10", "input", map_log10},
    {"log1p_", "map_log1p", "input", map_log1p},
    {"log2_", "map_log2", "input", map_log2},
    {"logit_", "map_logit", "input, eps?", map_logit},
    {"nan_to_num_", "map_nan_to_num", "input, nan?, posinf?, neginf?", map_nan_to_num},
    {"neg_", "map_neg", "input", map_neg},
    {"negative_", "map_neg", "input", map_neg},
    {"rad2deg_", "map_rad2deg", "input", map_rad2deg},
    {"reciprocal_", "map_reciprocal", "input", map_reciprocal},
    {"round_", "map_round", "input, decimals?", map_round},
    {"signbit", "map_signbit", "input", map_signbit},
    {"sinc_", "map_sinc", "input", map_sinc},
    {"square_", "map_square", "input", map_square},
};

constexpr RuleEntry kSameRows[] = {
    {"pos", "map_pos", "input", map_pos},
    {"positive", "map_pos", "input", map_pos},
};

constexpr auto kOneOperatorForms = both_forms<kOneOperatorRows>();
constexpr auto kComposedForms = both_forms<kComposedRows>();

template <size_t a, size_t b, size_t c>
constexpr std::array<RuleEntry, a + b + c> joined(const std::array<RuleEntry, a>& first,
                                                  const std::array<RuleEntry, b>& second,
                                                  const RuleEntry (&third)[c]) {
  std::array<RuleEntry, a + b + c> all{};
  size_t next = 0;
  for (const RuleEntry& entry : first) all[next++] = entry;
  for (const RuleEntry& entry : second) all[next++] = entry;
  for (const RuleEntry& entry : third) all[next++] = entry;
  return all;
}
constexpr auto kUnaryRules = joined(kOneOperatorForms, kComposedForms, kSameRows);

}  // namespace

RuleTable unary_rules() { return kUnaryRules; }

}  // namespace fx2wasm::translate
