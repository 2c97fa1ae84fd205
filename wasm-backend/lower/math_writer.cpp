#include "lower/math_writer.h"

#include "support/check.h"

namespace fx2wasm::wasm {
namespace {

FuncType function_type(ValType type, int params) {
  return FuncType{std::vector<ValType>(static_cast<size_t>(params), type), {type}};
}

}  // namespace

MathWriter::MathWriter(std::string name, ValType type, int params)
    : code(std::move(name), function_type(type, params)), type_(type) {}

ValType MathWriter::integer_type() const {
  if (type_ == ValType::F32) return ValType::I32;
  return type_ == ValType::F64 ? ValType::I64 : ValType::V128;
}

ValType MathWriter::mask_type() const {
  return type_ == ValType::V128 ? ValType::V128 : ValType::I32;
}

Op MathWriter::pick(Op scalar, Op wide, Op vector) const {
  if (type_ == ValType::F32) return scalar;
  return type_ == ValType::F64 ? wide : vector;
}

Value MathWriter::keep(ValType type) {
  const uint32_t local = code.add_local(type);
  code.set(local);
  return Value{this, local};
}

Value MathWriter::constant(double value) {
  if (type_ == ValType::F64) {
    code.f64(value);
  } else if (type_ == ValType::F32) {
    code.f32(static_cast<float>(value));
  } else {
    const auto lane = __builtin_bit_cast(int32_t, static_cast<float>(value));
    code.v128_i32({lane, lane, lane, lane});
  }
  return keep(type_);
}

Value MathWriter::integer(int64_t value) {
  const auto low = static_cast<int32_t>(value);
  if (type_ == ValType::F64) {
    code.i64(value);
  } else if (type_ == ValType::F32) {
    code.i32(low);
  } else {
    code.v128_i32({low, low, low, low});
  }
  return keep(integer_type());
}

Value MathWriter::unary(Op f32, Op f64, Op v128, Value a) {
  code.get(a.local);
  code.op(pick(f32, f64, v128));
  return keep(type_);
}

Value MathWriter::binary(Op f32, Op f64, Op v128, Value a, Value b) {
  code.get(a.local);
  code.get(b.local);
  code.op(pick(f32, f64, v128));
  return keep(type_);
}

Value MathWriter::compare(Op f32, Op f64, Op v128, Value a, Value b) {
  code.get(a.local);
  code.get(b.local);
  code.op(pick(f32, f64, v128));
  return keep(mask_type());
}

Value MathWriter::int_unary(Op i32, Op i64, Op v128, Value a) {
  code.get(a.local);
  code.op(pick(i32, i64, v128));
  return keep(integer_type());
}

Value MathWriter::int_binary(Op i32, Op i64, Op v128, Value a, Value b) {
  code.get(a.local);
  code.get(b.local);
  code.op(pick(i32, i64, v128));
  return keep(integer_type());
}

Value MathWriter::shift(Op i32, Op i64, Op v128, Value a, int count) {
  code.get(a.local);
  if (type_ == ValType::F64) {
    code.i64(count);
  } else {
    code.i32(count);  // vectors take one count for all lanes
  }
  code.op(pick(i32, i64, v128));
  return keep(integer_type());
}

Value MathWriter::select(Value mask, Value yes, Value no) {
  code.get(yes.local);
  code.get(no.local);
  code.get(mask.local);
  code.op(type_ == ValType::V128 ? Op::V128Bitselect : Op::Select);
  return keep(code.local_type(yes.local));
}

Value MathWriter::either(Value mask, Value other) {
  code.get(mask.local);
  code.get(other.local);
  code.op(type_ == ValType::V128 ? Op::V128Or : Op::I32Or);
  return keep(mask_type());
}

Value MathWriter::both(Value mask, Value other) {
  code.get(mask.local);
  code.get(other.local);
  code.op(type_ == ValType::V128 ? Op::V128And : Op::I32And);
  return keep(mask_type());
}

Value MathWriter::call(uint32_t function, std::initializer_list<Value> args) {
  for (const Value& arg : args) code.get(arg.local);
  code.call(function);
  return keep(type_);
}

Value MathWriter::to_integer(Value a) {
  return int_unary(Op::I32TruncSatF32S, Op::I64TruncSatF64S, Op::I32x4TruncSatF32x4S, a);
}

Value MathWriter::from_integer(Value a) {
  return unary(Op::F32ConvertI32S, Op::F64ConvertI64S, Op::F32x4ConvertI32x4S, a);
}

Value MathWriter::bits(Value a) {
  code.get(a.local);
  if (type_ != ValType::V128) {
    code.op(type_ == ValType::F32 ? Op::I32ReinterpretF32 : Op::I64ReinterpretF64);
  }
  return keep(integer_type());
}

Value MathWriter::from_bits(Value a) {
  code.get(a.local);
  if (type_ != ValType::V128) {
    code.op(type_ == ValType::F32 ? Op::F32ReinterpretI32 : Op::F64ReinterpretI64);
  }
  return keep(type_);
}

Function MathWriter::finish(Value result) {
  code.get(result.local);
  return code.finish();
}

Value operator+(Value a, Value b) {
  return a.writer->binary(Op::F32Add, Op::F64Add, Op::F32x4Add, a, b);
}
Value operator-(Value a, Value b) {
  return a.writer->binary(Op::F32Sub, Op::F64Sub, Op::F32x4Sub, a, b);
}
Value operator*(Value a, Value b) {
  return a.writer->binary(Op::F32Mul, Op::F64Mul, Op::F32x4Mul, a, b);
}
Value operator/(Value a, Value b) {
  return a.writer->binary(Op::F32Div, Op::F64Div, Op::F32x4Div, a, b);
}
Value operator+(Value a, double b) { return a + a.writer->constant(b); }
Value operator-(Value a, double b) { return a - a.writer->constant(b); }
Value operator*(Value a, double b) { return a * a.writer->constant(b); }
Value operator-(double a, Value b) { return b.writer->constant(a) - b; }
Value operator/(double a, Value b) { return b.writer->constant(a) / b; }
Value operator<(Value a, Value b) {
  return a.writer->compare(Op::F32Lt, Op::F64Lt, Op::F32x4Lt, a, b);
}
Value operator>(Value a, Value b) { return b < a; }
Value operator<(Value a, double b) { return a < a.writer->constant(b); }
Value operator>(Value a, double b) { return a.writer->constant(b) < a; }
Value equal(Value a, Value b) { return a.writer->compare(Op::F32Eq, Op::F64Eq, Op::F32x4Eq, a, b); }
Value is_nan(Value a) { return a.writer->compare(Op::F32Ne, Op::F64Ne, Op::F32x4Ne, a, a); }
Value abs(Value a) { return a.writer->unary(Op::F32Abs, Op::F64Abs, Op::F32x4Abs, a); }
Value sqrt(Value a) { return a.writer->unary(Op::F32Sqrt, Op::F64Sqrt, Op::F32x4Sqrt, a); }
Value floor(Value a) { return a.writer->unary(Op::F32Floor, Op::F64Floor, Op::F32x4Floor, a); }
Value trunc(Value a) { return a.writer->unary(Op::F32Trunc, Op::F64Trunc, Op::F32x4Trunc, a); }
Value nearest(Value a) {
  return a.writer->unary(Op::F32Nearest, Op::F64Nearest, Op::F32x4Nearest, a);
}
Value min(Value a, double b) {
  return a.writer->binary(Op::F32Min, Op::F64Min, Op::F32x4Min, a, a.writer->constant(b));
}
Value max(Value a, double b) {
  return a.writer->binary(Op::F32Max, Op::F64Max, Op::F32x4Max, a, a.writer->constant(b));
}

Value copysign(Value magnitude, Value sign) {
  MathWriter& w = *magnitude.writer;
  if (w.type() != ValType::V128) {
    return w.binary(Op::F32Copysign, Op::F64Copysign, Op::F32x4Add, magnitude, sign);
  }
  return w.select(w.integer(INT32_MIN), sign, magnitude);
}

Value polynomial(Value x, const std::vector<double>& coefficients) {
  FX_CHECK(!coefficients.empty(), "a polynomial needs a coefficient");
  Value sum = x.writer->constant(coefficients.back());
  for (size_t i = coefficients.size() - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

}  // namespace fx2wasm::wasm
