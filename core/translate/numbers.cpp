#include "translate/numbers.h"

#include <cmath>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {
namespace {

constexpr int64_t kWidestShift = 62;

std::string_view symbol_of(NumberOp op) {
  switch (op) {
    case NumberOp::Add:
      return "+";
    case NumberOp::Subtract:
      return "-";
    case NumberOp::Multiply:
      return "*";
    case NumberOp::Divide:
    case NumberOp::Truncate:
      return "/";
    case NumberOp::FloorDivide:
      return "//";
    case NumberOp::Modulo:
    case NumberOp::Fmod:
      return "%";
    case NumberOp::Power:
      return "**";
    case NumberOp::Maximum:
      return "max";
    case NumberOp::Minimum:
      return "min";
    case NumberOp::Equal:
      return "==";
    case NumberOp::NotEqual:
      return "!=";
    case NumberOp::Less:
      return "<";
    case NumberOp::LessEqual:
      return "<=";
    case NumberOp::Greater:
      return ">";
    case NumberOp::GreaterEqual:
      return ">=";
    case NumberOp::And:
      return "&";
    case NumberOp::Or:
      return "|";
    case NumberOp::Xor:
      return "^";
    case NumberOp::LeftShift:
      return "<<";
    case NumberOp::RightShift:
      return ">>";
  }
  return "";
}

template <class Number>
std::optional<bool> ordered(NumberOp op, Number a, Number b) {
  if (op == NumberOp::Less) return a < b;
  if (op == NumberOp::LessEqual) return a <= b;
  if (op == NumberOp::Greater) return a > b;
  if (op == NumberOp::GreaterEqual) return a >= b;
  return std::nullopt;
}

std::optional<Value> float_op(NumberOp op, double a, double b) {
  const bool divides = op == NumberOp::Divide || op == NumberOp::FloorDivide ||
                       op == NumberOp::Modulo || op == NumberOp::Truncate || op == NumberOp::Fmod;
  if (divides && b == 0) return std::nullopt;
  if (const std::optional<bool> answer = ordered(op, a, b)) return Value{*answer};
  if (op == NumberOp::Add) return Value{a + b};
  if (op == NumberOp::Subtract) return Value{a - b};
  if (op == NumberOp::Multiply) return Value{a * b};
  if (op == NumberOp::Divide) return Value{a / b};
  if (op == NumberOp::FloorDivide) return Value{std::floor(a / b)};
  if (op == NumberOp::Modulo) return Value{a - b * std::floor(a / b)};
  if (op == NumberOp::Truncate) return Value{std::trunc(a / b)};
  if (op == NumberOp::Fmod) return Value{std::fmod(a, b)};
  if (op == NumberOp::Maximum) return Value{b > a ? b : a};
  if (op == NumberOp::Minimum) return Value{b < a ? b : a};
  if (op == NumberOp::Power) {
    const bool complex = a < 0 && b != std::floor(b);
    if (complex || (a == 0 && b < 0)) return std::nullopt;
    return Value{std::pow(a, b)};
  }
  return std::nullopt;
}

std::optional<Value> integer_power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    return float_op(NumberOp::Power, static_cast<double>(base), static_cast<double>(exponent));
  }
  int64_t result = 1;
  // 0, 1 and -1 have powers of every size; of others, 64 factors exceed all integers.
  if (base >= -1 && base <= 1) exponent = exponent < 2 ? exponent : 2 + exponent % 2;
  for (int64_t i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return Value{result};
}

std::optional<Value> integer_op(NumberOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case NumberOp::Add:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return Value{result};
    case NumberOp::Subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return Value{result};
    case NumberOp::Multiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return Value{result};
    case NumberOp::Divide:
      if (b == 0) return std::nullopt;
      return Value{static_cast<double>(a) / static_cast<double>(b)};
    case NumberOp::FloorDivide:
      if (b == 0) return std::nullopt;
      return Value{tir::floor_div(a, b)};
    case NumberOp::Modulo:
      if (b == 0) return std::nullopt;
      return Value{tir::floor_mod(a, b)};
    case NumberOp::Truncate:
    case NumberOp::Fmod: {
      // The rounding to zero is that of the quotient of the absolute values.
      if (b == 0 || a == INT64_MIN || b == INT64_MIN) return std::nullopt;
      return Value{op == NumberOp::Fmod ? a % b : a / b};
    }
    case NumberOp::Power:
      return integer_power(a, b);
    case NumberOp::Maximum:
      return Value{b > a ? b : a};
    case NumberOp::Minimum:
      return Value{b < a ? b : a};
    case NumberOp::And:
      return Value{a & b};
    case NumberOp::Or:
      return Value{a | b};
    case NumberOp::Xor:
      return Value{a ^ b};
    case NumberOp::LeftShift:
      if (b < 0 || b > kWidestShift) return std::nullopt;
      return integer_op(NumberOp::Multiply, a, int64_t{1} << b);
    case NumberOp::RightShift:
      if (b < 0) return std::nullopt;
      return Value{a >> (b > kWidestShift ? kWidestShift + 1 : b)};
    case NumberOp::Equal:
    case NumberOp::NotEqual:
    case NumberOp::Less:
    case NumberOp::LessEqual:
    case NumberOp::Greater:
    case NumberOp::GreaterEqual:
      break;
  }
  if (const std::optional<bool> answer = ordered(op, a, b)) return Value{*answer};
  return std::nullopt;
}

std::optional<Value> symbolic_op(NumberOp op, const tir::PrimExpr& a, const tir::PrimExpr& b) {
  switch (op) {
    case NumberOp::Add:
      return size_value(infer::simplify(tir::add(a, b)));
    case NumberOp::Subtract:
      return size_value(infer::simplify(tir::sub(a, b)));
    case NumberOp::Multiply:
      return size_value(infer::simplify(tir::mul(a, b)));
    case NumberOp::FloorDivide:
      if (tir::is_zero(b)) return std::nullopt;
      return size_value(infer::simplify(tir::floordiv(a, b)));
    case NumberOp::Modulo:
      if (tir::is_zero(b)) return std::nullopt;
      return size_value(infer::simplify(tir::floormod(a, b)));
    case NumberOp::Maximum:
      return size_value(infer::simplify(tir::binary(tir::BinaryOp::Max, a, b)));
    case NumberOp::Minimum:
      return size_value(infer::simplify(tir::binary(tir::BinaryOp::Min, a, b)));
    case NumberOp::Less:
    case NumberOp::LessEqual:
    case NumberOp::Greater:
    case NumberOp::GreaterEqual: {
      const std::optional<int64_t> difference = tir::as_int(infer::simplify(tir::sub(a, b)));
      if (!difference) return std::nullopt;
      return Value{*ordered<int64_t>(op, *difference, 0)};
    }
    case NumberOp::Divide:  // a float that is known only when the function runs
    case NumberOp::Truncate:
    case NumberOp::Fmod:
    case NumberOp::Power:
    case NumberOp::And:
    case NumberOp::Or:
    case NumberOp::Xor:
    case NumberOp::LeftShift:
    case NumberOp::RightShift:
    case NumberOp::Equal:
    case NumberOp::NotEqual:
      return std::nullopt;
  }
  return std::nullopt;
}

// A bool counts as an integer, as in Python.
Value as_integer(const Value& value) {
  const auto* flag = std::get_if<bool>(&value.value);
  return flag == nullptr ? value : Value{int64_t{*flag ? 1 : 0}};
}

std::optional<Value> equality(NumberOp op, const Value& a, const Value& b) {
  const std::optional<bool> same = same_value(a, b);
  if (!same) return std::nullopt;
  return Value{op == NumberOp::Equal ? *same : !*same};
}

// Bits of two bools are a bool.
std::optional<Value> bool_op(NumberOp op, bool a, bool b) {
  if (op == NumberOp::And) return Value{a && b};
  if (op == NumberOp::Or) return Value{a || b};
  if (op == NumberOp::Xor) return Value{a != b};
  return std::nullopt;
}

std::optional<Value> joined_lists(const ValueList& first, const ValueList& second) {
  ValueList joined = first;
  joined.insert(joined.end(), second.begin(), second.end());
  return Value{std::move(joined)};
}

std::optional<Value> known_result(NumberOp op, const Value& left, const Value& right) {
  if (op == NumberOp::Equal || op == NumberOp::NotEqual) return equality(op, left, right);
  const auto* flag = std::get_if<bool>(&left.value);
  const auto* other_flag = std::get_if<bool>(&right.value);
  if (flag != nullptr && other_flag != nullptr) {
    if (const std::optional<Value> result = bool_op(op, *flag, *other_flag)) return result;
  }
  const Value a = as_integer(left), b = as_integer(right);
  const auto* x = std::get_if<int64_t>(&a.value);
  const auto* y = std::get_if<int64_t>(&b.value);
  if (x != nullptr && y != nullptr) return integer_op(op, *x, *y);
  if (as_size(a) != nullptr && as_size(b) != nullptr) {
    return symbolic_op(op, as_size(a), as_size(b));
  }
  if (as_number(a) && as_number(b)) return float_op(op, *as_number(a), *as_number(b));
  // Lists and tuples are joined: x.shape[:1] + (3,).
  const auto* first = std::get_if<ValueList>(&a.value);
  const auto* second = std::get_if<ValueList>(&b.value);
  if (op == NumberOp::Add && first != nullptr && second != nullptr) {
    return joined_lists(*first, *second);
  }
  return std::nullopt;
}

std::optional<bool> same_lists(const ValueList& a, const ValueList& b) {
  if (a.size() != b.size()) return false;
  std::optional<bool> all = true;
  for (size_t i = 0; i < a.size(); ++i) {
    const std::optional<bool> same = same_value(a[i], b[i]);
    if (same && !*same) return false;
    if (!same) all = std::nullopt;
  }
  return all;
}

}  // namespace

std::optional<bool> same_value(const Value& left, const Value& right) {
  const Value a = as_integer(left), b = as_integer(right);
  if (as_expr(a) != nullptr || as_expr(b) != nullptr) return std::nullopt;
  if (as_number(a) && as_number(b)) {
    const auto *x = std::get_if<int64_t>(&a.value), *y = std::get_if<int64_t>(&b.value);
    return x != nullptr && y != nullptr ? *x == *y : *as_number(a) == *as_number(b);
  }
  if (as_size(a) != nullptr && as_size(b) != nullptr) {
    const std::optional<int64_t> difference =
        tir::as_int(infer::simplify(tir::sub(as_size(a), as_size(b))));
    if (!difference) return std::nullopt;
    return *difference == 0;
  }
  if (as_size(a) != nullptr || as_size(b) != nullptr) {
    // A size that is not known may equal a float.
    if (as_number(a) || as_number(b)) return std::nullopt;
    return false;
  }
  if (a.value.index() != b.value.index()) return false;
  const auto* list = std::get_if<ValueList>(&a.value);
  if (list != nullptr) return same_lists(*list, std::get<ValueList>(b.value));
  if (const auto* dtype = std::get_if<DType>(&a.value)) return *dtype == std::get<DType>(b.value);
  return describe(a) == describe(b);
}

Result<Value> evaluate_number_op(const Call& call, NumberOp op, const Value& a, const Value& b) {
  if (std::optional<Value> result = known_result(op, a, b)) return *result;
  return call.error(codes::kArgument, "can't work out " + describe(a) + " " +
                                          std::string(symbol_of(op)) + " " + describe(b) +
                                          " while translating");
}

}  // namespace fx2wasm::translate
