#include "lower/math.h"

#include <string>

#include "lower/math_functions.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::Intrinsic;

namespace {

// Which forms a function is written in itself; float32 goes by way of double where it has none.
enum class Types { All, Scalars, Double };

struct Entry {
  Intrinsic intrinsic;
  Types types;
  Function (*write)(Intrinsic, ValType, MathFunctions&);
};

Function write_sine(Intrinsic i, ValType t, MathFunctions& m) {
  return write_trigonometric(i, t, m.helper(Helper::SinOfQuadrant));
}
Function write_tangent(Intrinsic i, ValType t, MathFunctions& m) {
  return write_trigonometric(i, t, m.helper(Helper::TanOfQuadrant));
}

constexpr Entry kEntries[] = {
    {Intrinsic::Exp, Types::All, [](Intrinsic, ValType t, MathFunctions&) { return write_exp(t); }},
    {Intrinsic::Log, Types::All, [](Intrinsic, ValType t, MathFunctions&) { return write_log(t); }},
    {Intrinsic::Tanh, Types::All,
     [](Intrinsic, ValType t, MathFunctions& m) { return write_tanh(t, m); }},
    {Intrinsic::Sigmoid, Types::All,
     [](Intrinsic, ValType t, MathFunctions& m) { return write_sigmoid(t, m); }},
    {Intrinsic::Erf, Types::All,
     [](Intrinsic, ValType t, MathFunctions& m) { return write_erf(t, m); }},
    {Intrinsic::Rsqrt, Types::All,
     [](Intrinsic, ValType t, MathFunctions&) { return write_rsqrt(t); }},
    {Intrinsic::Sin, Types::Scalars, write_sine},
    {Intrinsic::Cos, Types::Scalars, write_sine},
    {Intrinsic::Tan, Types::Scalars, write_tangent},
    {Intrinsic::Exp2, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_exp_of_base(i, m); }},
    {Intrinsic::Exp10, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_exp_of_base(i, m); }},
    {Intrinsic::Log2, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_log_of_base(i, m); }},
    {Intrinsic::Log10, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_log_of_base(i, m); }},
    {Intrinsic::Log1p, Types::Double,
     [](Intrinsic, ValType, MathFunctions& m) { return write_log1p(m); }},
    {Intrinsic::Sinh, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_hyperbolic(i, m); }},
    {Intrinsic::Cosh, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_hyperbolic(i, m); }},
    {Intrinsic::Asinh, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_hyperbolic(i, m); }},
    {Intrinsic::Acosh, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_hyperbolic(i, m); }},
    {Intrinsic::Atanh, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_hyperbolic(i, m); }},
    {Intrinsic::Atan, Types::Double,
     [](Intrinsic, ValType, MathFunctions&) { return write_atan(); }},
    {Intrinsic::Asin, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_asin_acos(i, m); }},
    {Intrinsic::Acos, Types::Double,
     [](Intrinsic i, ValType, MathFunctions& m) { return write_asin_acos(i, m); }},
    {Intrinsic::Atan2, Types::Double,
     [](Intrinsic, ValType, MathFunctions& m) { return write_atan2(m); }},
    {Intrinsic::Pow, Types::Double,
     [](Intrinsic, ValType, MathFunctions& m) { return write_pow(m); }},
    {Intrinsic::Fmod, Types::Double,
     [](Intrinsic, ValType, MathFunctions&) { return write_fmod(); }},
};

const Entry* find_entry(Intrinsic intrinsic) {
  for (const Entry& entry : kEntries) {
    if (entry.intrinsic == intrinsic) return &entry;
  }
  return nullptr;
}

}  // namespace

bool MathFunctions::has_vector(Intrinsic intrinsic) {
  const Entry* entry = find_entry(intrinsic);
  return entry != nullptr && entry->types == Types::All;
}

uint32_t MathFunctions::helper(Helper helper) {
  if (const auto found = helpers_.find(helper); found != helpers_.end()) return found->second;
  const auto write = [helper] {
    switch (helper) {
      case Helper::FloorDivI32:
        return write_floor_div(ValType::I32);
      case Helper::FloorModI32:
        return write_floor_mod(ValType::I32);
      case Helper::FloorDivI64:
        return write_floor_div(ValType::I64);
      case Helper::FloorModI64:
        return write_floor_mod(ValType::I64);
      case Helper::HalfToFloat:
        return write_half_to_float();
      case Helper::FloatToHalf:
        return write_float_to_half();
      case Helper::FloatToBrain:
        return write_float_to_brain();
      case Helper::SinOfQuadrant:
        return write_quadrant(false);
      case Helper::TanOfQuadrant:
        return write_quadrant(true);
    }
    return Function{};
  };
  const uint32_t index = add_function(module_, write());
  helpers_[helper] = index;
  return index;
}

uint32_t MathFunctions::intrinsic(Intrinsic intrinsic, ValType type) {
  const auto key = std::make_pair(intrinsic, type);
  if (const auto found = intrinsics_.find(key); found != intrinsics_.end()) return found->second;
  // What a function calls is written before it.
  Function function = write(intrinsic, type);
  const uint32_t index = add_function(module_, std::move(function));
  intrinsics_[key] = index;
  return index;
}

Function MathFunctions::write(Intrinsic intrinsic, ValType type) {
  const Entry* entry = find_entry(intrinsic);
  FX_CHECK(entry != nullptr, "an intrinsic that is an instruction, or none of floats");
  FX_CHECK(type != ValType::V128 || entry->types == Types::All, "no vector form of this function");
  if (type == ValType::F32 && entry->types == Types::Double) {
    const uint32_t by_double = this->intrinsic(intrinsic, ValType::F64);
    return write_by_double(intrinsic, by_double, tir::intrinsic_arity(intrinsic));
  }
  return entry->write(intrinsic, type, *this);
}

}  // namespace fx2wasm::wasm
