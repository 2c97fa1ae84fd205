// Operators that treat each element alone: of one tensor, of two or three that are broadcast.
#include <cmath>
#include <string>

#include "interp/relax_op.h"
#include "support/check.h"
#include "support/rounding.h"

namespace fx2wasm::interp {
namespace {

using RealUnary = double (*)(double);
using IntUnary = int64_t (*)(int64_t);
using RealBinary = double (*)(double, double);
using IntBinary = int64_t (*)(int64_t, int64_t);

constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double sign(double x) { return static_cast<double>((x > 0) - (x < 0)); }  // of NaN 0
double relu(double x) { return x < 0 ? 0 : x; }                           // keeps NaN

// Integers as unsigned ones, whose overflow is defined to wrap.
int64_t wrapping(uint64_t value) { return static_cast<int64_t>(value); }
uint64_t bits(int64_t value) { return static_cast<uint64_t>(value); }

struct UnaryRow {
  std::string_view name;
  RealUnary real;
  IntUnary integer;  // null: integers are taken as doubles
};

const UnaryRow kUnary[] = {
    {"abs", [](double x) { return std::fabs(x); },
     [](int64_t x) { return x < 0 ? wrapping(0 - bits(x)) : x; }},
    {"negative", [](double x) { return -x; }, [](int64_t x) { return wrapping(0 - bits(x)); }},
    {"square", [](double x) { return x * x; },
     [](int64_t x) { return wrapping(bits(x) * bits(x)); }},
    {"sign", sign, [](int64_t x) { return static_cast<int64_t>((x > 0) - (x < 0)); }},
    {"nn.relu", relu, [](int64_t x) { return x < 0 ? int64_t{0} : x; }},
    {"nn.relu6", [](double x) { return x > 6 ? 6 : relu(x); },
     [](int64_t x) { return x < 0   ? int64_t{0}
                            : x > 6 ? int64_t{6}
                                    : x; }},
    {"floor", [](double x) { return std::floor(x); }, [](int64_t x) { return x; }},
    {"ceil", [](double x) { return std::ceil(x); }, [](int64_t x) { return x; }},
    {"trunc", [](double x) { return std::trunc(x); }, [](int64_t x) { return x; }},
    {"round", [](double x) { return std::nearbyint(x); }, [](int64_t x) { return x; }},
    {"exp", [](double x) { return std::exp(x); }, nullptr},
    {"log", [](double x) { return std::log(x); }, nullptr},
    {"sqrt", [](double x) { return std::sqrt(x); }, nullptr},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, nullptr},
    {"sin", [](double x) { return std::sin(x); }, nullptr},
    {"cos", [](double x) { return std::cos(x); }, nullptr},
    {"tan", [](double x) { return std::tan(x); }, nullptr},
    {"sinh", [](double x) { return std::sinh(x); }, nullptr},
    {"cosh", [](double x) { return std::cosh(x); }, nullptr},
    {"tanh", [](double x) { return std::tanh(x); }, nullptr},
    {"asin", [](double x) { return std::asin(x); }, nullptr},
    {"acos", [](double x) { return std::acos(x); }, nullptr},
    {"atan", [](double x) { return std::atan(x); }, nullptr},
    {"asinh", [](double x) { return std::asinh(x); }, nullptr},
    {"acosh", [](double x) { return std::acosh(x); }, nullptr},
    {"atanh", [](double x) { return std::atanh(x); }, nullptr},
    {"erf", [](double x) { return std::erf(x); }, nullptr},
    {"sigmoid", sigmoid, nullptr},
    {"nn.silu", [](double x) { return x * sigmoid(x); }, nullptr},
    {"nn.gelu", [](double x) { return 0.5 * x * (1 + std::erf(x * kSqrtHalf)); }, nullptr},
    {"nn.gelu_tanh",
     [](double x) {
       return 0.5 * x * (1 + std::tanh(kSqrtTwoOverPi * (x + 0.044715 * x * x * x)));
     },
     nullptr},
    {"nn.selu", [](double x) { return kSeluScale * (x > 0 ? x : kSeluAlpha * std::expm1(x)); },
     nullptr},
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }, nullptr},
    {"isinf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }, nullptr},
    {"isfinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }, nullptr},
    {"logical_not", [](double x) { return x == 0 ? 1.0 : 0.0; },
     [](int64_t x) { return static_cast<int64_t>(x == 0); }},
};

double real_power(double a, double b) { return std::pow(a, b); }

int64_t int_power(int64_t base, int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  uint64_t result = 1;
  for (uint64_t square = bits(base); exponent > 0; exponent >>= 1, square *= square) {
    if ((exponent & 1) != 0) result *= square;
  }
  return wrapping(result);
}

// C's truncating division; the caller has made sure that no divisor is 0.
int64_t truncated_quotient(int64_t a, int64_t b) { return b == -1 ? wrapping(0 - bits(a)) : a / b; }
int64_t truncated_remainder(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }

int64_t floored_quotient(int64_t a, int64_t b) {
  const bool adjust = truncated_remainder(a, b) != 0 && (a < 0) != (b < 0);
  return truncated_quotient(a, b) - (adjust ? 1 : 0);
}

int64_t floored_remainder(int64_t a, int64_t b) {
  const int64_t remainder = truncated_remainder(a, b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

double floored_real_remainder(double a, double b) {
  const double remainder = std::fmod(a, b);
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

struct BinaryRow {
  std::string_view name;
  RealBinary real;
  IntBinary integer;
  bool divides = false;  // integers: the second operand must not be 0
};

template <class Compare>
constexpr BinaryRow comparison(std::string_view name, Compare) {
  return {name, [](double a, double b) { return Compare{}(a, b) ? 1.0 : 0.0; },
          [](int64_t a, int64_t b) { return static_cast<int64_t>(Compare{}(a, b)); }, false};
}

const BinaryRow kBinary[] = {
    {"add", [](double a, double b) { return a + b; },
     [](int64_t a, int64_t b) { return wrapping(bits(a) + bits(b)); }},
    {"subtract", [](double a, double b) { return a - b; },
     [](int64_t a, int64_t b) { return wrapping(bits(a) - bits(b)); }},
    {"multiply", [](double a, double b) { return a * b; },
     [](int64_t a, int64_t b) { return wrapping(bits(a) * bits(b)); }},
    {"divide", [](double a, double b) { return a / b; }, truncated_quotient, true},
    {"floor_divide", [](double a, double b) { return std::floor(a / b); }, floored_quotient, true},
    {"mod", [](double a, double b) { return std::fmod(a, b); }, truncated_remainder, true},
    {"floor_mod", floored_real_remainder, floored_remainder, true},
    {"power", real_power, int_power},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }, nullptr},
    {"minimum", [](double a, double b) { return std::isnan(b) ? b : smaller(a, b); },
     [](int64_t a, int64_t b) { return b < a ? b : a; }},
    {"maximum", [](double a, double b) { return std::isnan(b) ? b : larger(a, b); },
     [](int64_t a, int64_t b) { return a < b ? b : a; }},
    comparison("equal", std::equal_to<>{}),
    comparison("not_equal", std::not_equal_to<>{}),
    comparison("less", std::less<>{}),
    comparison("less_equal", std::less_equal<>{}),
    comparison("greater", std::greater<>{}),
    comparison("greater_equal", std::greater_equal<>{}),
    {"logical_and", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; },
     [](int64_t a, int64_t b) { return static_cast<int64_t>(a != 0 && b != 0); }},
    {"logical_or", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; },
     [](int64_t a, int64_t b) { return static_cast<int64_t>(a != 0 || b != 0); }},
    {"logical_xor", [](double a, double b) { return (a != 0) != (b != 0) ? 1.0 : 0.0; },
     [](int64_t a, int64_t b) { return static_cast<int64_t>((a != 0) != (b != 0)); }},
    {"bitwise_and", nullptr, [](int64_t a, int64_t b) { return a & b; }},
    {"bitwise_or", nullptr, [](int64_t a, int64_t b) { return a | b; }},
    {"bitwise_xor", nullptr, [](int64_t a, int64_t b) { return a ^ b; }},
    {"left_shift", nullptr,
     [](int64_t a, int64_t b) { return b < 0 || b > 63 ? 0 : wrapping(bits(a) << b); }},
    {"right_shift", nullptr, [](int64_t a, int64_t b) { return a >> (b < 0 || b > 63 ? 63 : b); }},
};

template <class Row, size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

Result<Value> unary(const OpRun& run) {
  const UnaryRow* row = find_row(kUnary, run.name());
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    if (!x.real() && row->integer != nullptr) {
      out.set(at, integer_scalar(out.real() ? DType::Int64 : out.dtype, row->integer(x.at(at).i)));
    } else {
      out.set_number(at, row->real(x.number(at)));
    }
  }
  return value_of(std::move(out));
}

// An argument as a tensor: prim values count as tensors of rank 0.
Tensor operand(const OpRun& run, size_t index) {
  if (std::holds_alternative<TensorRef>(run.args[index].kind)) return run.tensor(index);
  const Scalar scalar = run.scalar(index);
  Tensor tensor(scalar.dtype, {});
  tensor.set(0, scalar);
  return tensor;
}

// The positions of an operand's elements in the order of the result's.
class BroadcastReader {
 public:
  BroadcastReader(const Tensor& tensor, const Shape& to)
      : strides_(broadcast_strides(tensor.shape, to)) {}
  bool fits() const { return strides_.has_value(); }
  int64_t position(const std::vector<int64_t>& index) const { return offset_of(index, *strides_); }

 private:
  std::optional<std::vector<int64_t>> strides_;
};

Result<Value> binary(const OpRun& run) {
  const BinaryRow* row = find_row(kBinary, run.name());
  const Tensor a = operand(run, 0);
  const Tensor b = operand(run, 1);
  Tensor out = run.result();
  const bool real = a.real() || b.real() || row->integer == nullptr;
  if (real && row->real == nullptr) return run.unsupported("it takes integers");
  const BroadcastReader read_a(a, out.shape);
  const BroadcastReader read_b(b, out.shape);
  if (!read_a.fits() || !read_b.fits()) return run.wrong_input("the operands do not broadcast");
  if (out.count() == 0) return value_of(std::move(out));
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t at = 0;
  do {
    const int64_t pa = read_a.position(index);
    const int64_t pb = read_b.position(index);
    if (real) {
      out.set_number(at, row->real(a.number(pa), b.number(pb)));
    } else {
      const int64_t y = b.at(pb).i;
      if (row->divides && y == 0) return run.wrong_input("an integer is divided by zero");
      out.set(at,
              integer_scalar(out.real() ? DType::Int64 : out.dtype, row->integer(a.at(pa).i, y)));
    }
    ++at;
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

Result<Value> where(const OpRun& run) {
  const Tensor condition = operand(run, 0);
  const Tensor a = operand(run, 1);
  const Tensor b = operand(run, 2);
  Tensor out = run.result();
  const BroadcastReader read_condition(condition, out.shape);
  const BroadcastReader read_a(a, out.shape);
  const BroadcastReader read_b(b, out.shape);
  if (!read_condition.fits() || !read_a.fits() || !read_b.fits()) {
    return run.wrong_input("the operands do not broadcast");
  }
  if (out.count() == 0) return value_of(std::move(out));
  std::vector<int64_t> index(out.shape.size(), 0);
  int64_t at = 0;
  do {
    const bool chosen = condition.at(read_condition.position(index)).truth();
    out.set(at, chosen ? a.at(read_a.position(index)) : b.at(read_b.position(index)));
    ++at;
  } while (next_index(out.shape, index));
  return value_of(std::move(out));
}

// A bound of integers: truncated, and cut to what 64 bits hold.
int64_t integer_bound(const Scalar& bound) {
  return is_float(bound.dtype) ? float_to_integer(DType::Int64, bound.f) : bound.i;
}

// Of a value and a bound, a NaN wins.
double clipped(double value, double least, double most) {
  const double raised = std::isnan(least) || value < least ? least : value;
  if (std::isnan(raised)) return raised;
  return std::isnan(most) || raised > most ? most : raised;
}

Result<Value> clip(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Scalar low = run.scalar(1);
  const Scalar high = run.scalar(2);
  Tensor out = run.result();
  const auto number = [](const Scalar& value) {
    return is_float(value.dtype) ? value.f : integer_to_double(value.dtype, value.i);
  };
  for (int64_t at = 0; at < x.count(); ++at) {
    if (x.real()) {
      out.set_number(at, clipped(x.number(at), number(low), number(high)));
    } else {
      const int64_t raised = std::max(x.at(at).i, integer_bound(low));
      out.set(at, integer_scalar(x.dtype, std::min(raised, integer_bound(high))));
    }
  }
  return value_of(std::move(out));
}

Result<Value> bitwise_not(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  if (x.real()) return run.unsupported("it takes integers");
  for (int64_t at = 0; at < x.count(); ++at) {
    const int64_t value = x.at(at).i;
    out.set(at, integer_scalar(x.dtype, x.dtype == DType::Bool ? 1 - value : ~value));
  }
  return value_of(std::move(out));
}

Result<Value> leaky_relu(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const double alpha = run.real("alpha");
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    const double value = x.number(at);
    out.set_number(at, value < 0 ? value * alpha : value);
  }
  return value_of(std::move(out));
}

Result<Value> prelu(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const Tensor& slope = run.tensor(1);
  Tensor out = run.result();
  const auto axis = static_cast<size_t>(run.axes("axis", x.rank()).front());
  const int64_t inner = strides_of(x.shape)[axis];
  for (int64_t at = 0; at < x.count(); ++at) {
    const int64_t channel = at / inner % x.shape[axis];
    const double value = x.number(at);
    const double factor = slope.number(slope.count() == 1 ? 0 : channel);
    out.set_number(at, value < 0 ? value * factor : value);
  }
  return value_of(std::move(out));
}

Result<Value> softplus(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  const double beta = run.real("beta");
  const double threshold = run.real("threshold");
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) {
    const double value = x.number(at);
    out.set_number(at,
                   value * beta > threshold ? value : std::log1p(std::exp(value * beta)) / beta);
  }
  return value_of(std::move(out));
}

Result<Value> astype(const OpRun& run) {
  const Tensor& x = run.tensor(0);
  Tensor out = run.result();
  for (int64_t at = 0; at < x.count(); ++at) out.set(at, x.at(at));
  return value_of(std::move(out));
}

// In inference nothing is dropped; the second field is the mask.
Result<Value> dropout(const OpRun& run) {
  if (run.results.size() == 1) return run.args[0];
  Tensor mask = run.result(1);
  for (int64_t at = 0; at < mask.count(); ++at) mask.set_number(at, 1);
  return tuple_of({run.tensor(0), std::move(mask)});
}

const EvaluatorEntry kOthers[] = {
    {"where", where},
    {"clip", clip},
    {"bitwise_not", bitwise_not},
    {"astype", astype},
    {"nn.prelu", prelu},
    {"nn.leakyrelu", leaky_relu},
    {"nn.dropout", dropout},
    {"nn.softplus", softplus},
};

}  // namespace

Evaluator find_elementwise(std::string_view name) {
  if (find_row(kUnary, name) != nullptr) return unary;
  if (find_row(kBinary, name) != nullptr) return binary;
  return find_entry(kOthers, name);
}

}  // namespace fx2wasm::interp
