// A small language for writing numeric functions once for f32, f64 and four float32 lanes: each
// operation takes locals and gives a new one (engines turn that back into registers).
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "encode/code.h"

namespace fx2wasm::wasm {

class MathWriter;

// A value in a local: a float (of the writer's type), an integer of the same width, or a mask
// (0 or 1 as i32 for scalars; all ones or zeros per lane for vectors).
struct Value {
  MathWriter* writer = nullptr;
  uint32_t local = 0;
};

class MathWriter {
 public:
  // A function of `params` floats of `type`, giving one.
  MathWriter(std::string name, ValType type, int params);

  ValType type() const { return type_; }
  bool is_double() const { return type_ == ValType::F64; }
  Value param(int index) { return Value{this, static_cast<uint32_t>(index)}; }
  Value constant(double value);
  Value integer(int64_t value);  // in every lane

  // [operands] → a new local of the kind that the instruction gives.
  Value unary(Op f32, Op f64, Op v128, Value a);
  Value binary(Op f32, Op f64, Op v128, Value a, Value b);
  Value compare(Op f32, Op f64, Op v128, Value a, Value b);
  Value int_unary(Op i32, Op i64, Op v128, Value a);
  Value int_binary(Op i32, Op i64, Op v128, Value a, Value b);
  Value shift(Op i32, Op i64, Op v128, Value a, int count);
  Value select(Value mask, Value yes, Value no);
  Value either(Value mask, Value other);  // or
  Value both(Value mask, Value other);    // and
  Value call(uint32_t function, std::initializer_list<Value> args);
  Value to_integer(Value a);  // truncating
  Value from_integer(Value a);
  Value bits(Value a);  // the float's bits as an integer
  Value from_bits(Value a);

  Function finish(Value result);
  Code code;

 private:
  Op pick(Op scalar, Op wide, Op vector) const;
  Value keep(ValType type);
  ValType integer_type() const;
  ValType mask_type() const;
  ValType type_;
};

Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator/(Value a, Value b);
Value operator+(Value a, double b);
Value operator-(Value a, double b);
Value operator*(Value a, double b);
Value operator-(double a, Value b);
Value operator/(double a, Value b);
Value operator<(Value a, Value b);
Value operator>(Value a, Value b);
Value operator<(Value a, double b);
Value operator>(Value a, double b);
Value equal(Value a, Value b);
Value is_nan(Value a);
Value abs(Value a);
Value sqrt(Value a);
Value floor(Value a);
Value trunc(Value a);
Value nearest(Value a);
Value min(Value a, double b);
Value max(Value a, double b);
Value copysign(Value magnitude, Value sign);

// coefficients[0] + x·(coefficients[1] + x·(…))
Value polynomial(Value x, const std::vector<double>& coefficients);

}  // namespace fx2wasm::wasm
