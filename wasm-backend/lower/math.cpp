#include "lower/math.h"

#include <string>

#include "lower/math_functions.h"
#include "support/check.h"

namespace fx2wasm::wasm {

using tir::Intrinsic;

bool MathFunctions::has_vector(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::Exp || intrinsic == Intrinsic::Log ||
         intrinsic == Intrinsic::Tanh || intrinsic == Intrinsic::Sigmoid ||
         intrinsic == Intrinsic::Erf || intrinsic == Intrinsic::Rsqrt;
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
  FX_CHECK(type != ValType::V128 || has_vector(intrinsic), "no vector form of this function");
  switch (intrinsic) {
    case Intrinsic::Exp:
      return write_exp(type);
    case Intrinsic::Log:
      return write_log(type);
    case Intrinsic::Tanh:
      return write_tanh(type, *this);
    case Intrinsic::Sigmoid:
      return write_sigmoid(type, *this);
    case Intrinsic::Erf:
      return write_erf(type, *this);
    case Intrinsic::Rsqrt:
      return write_rsqrt(type);
    case Intrinsic::Sin:
    case Intrinsic::Cos:
      return write_trigonometric(intrinsic, type, helper(Helper::SinOfQuadrant));
    case Intrinsic::Tan:
      return write_trigonometric(intrinsic, type, helper(Helper::TanOfQuadrant));
    default:
      break;
  }
  if (type == ValType::F32) {
    const uint32_t by_double = this->intrinsic(intrinsic, ValType::F64);
    return write_by_double(intrinsic, by_double, tir::intrinsic_arity(intrinsic));
  }
  switch (intrinsic) {
    case Intrinsic::Exp2:
    case Intrinsic::Exp10:
      return write_exp_of_base(intrinsic, *this);
    case Intrinsic::Log2:
    case Intrinsic::Log10:
      return write_log_of_base(intrinsic, *this);
    case Intrinsic::Log1p:
      return write_log1p(*this);
    case Intrinsic::Sinh:
    case Intrinsic::Cosh:
    case Intrinsic::Asinh:
    case Intrinsic::Acosh:
    case Intrinsic::Atanh:
      return write_hyperbolic(intrinsic, *this);
    case Intrinsic::Atan:
      return write_atan();
    case Intrinsic::Asin:
    case Intrinsic::Acos:
      return write_asin_acos(intrinsic, *this);
    case Intrinsic::Atan2:
      return write_atan2(*this);
    case Intrinsic::Pow:
      return write_pow(*this);
    case Intrinsic::Fmod:
      return write_fmod();
    default:
      FX_CHECK(false, "an intrinsic that is an instruction, or none of floats");
  }
}

}  // namespace fx2wasm::wasm
