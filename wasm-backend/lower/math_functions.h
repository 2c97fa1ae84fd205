// The numeric functions, each written once for every type it supports (math.h hands them out).
#pragma once

#include "encode/module.h"
#include "lower/math.h"

namespace fx2wasm::wasm {

// For F32, F64 and V128.
Function write_exp(ValType type);
Function write_log(ValType type);
Function write_tanh(ValType type, MathFunctions& math);
Function write_sigmoid(ValType type, MathFunctions& math);
Function write_erf(ValType type, MathFunctions& math);
Function write_rsqrt(ValType type);

// F64 only; f32 goes through them and is rounded once.
Function write_exp_of_base(tir::Intrinsic intrinsic, MathFunctions& math);  // exp2, exp10
Function write_log_of_base(tir::Intrinsic intrinsic, MathFunctions& math);  // log2, log10
Function write_log1p(MathFunctions& math);
Function write_hyperbolic(tir::Intrinsic intrinsic, MathFunctions& math);  // sinh, cosh, asinh, …
Function write_atan();
Function write_asin_acos(tir::Intrinsic intrinsic, MathFunctions& math);
Function write_atan2(MathFunctions& math);
Function write_pow(MathFunctions& math);
Function write_fmod();

// sin, cos, tan. F32 is right for every argument, F64 up to about 2^30.
Function write_quadrant(bool tangent);  // (f64 r, f64 quadrant) → sin or tan of r + quadrant·π/2
Function write_trigonometric(tir::Intrinsic intrinsic, ValType type, uint32_t quadrant);

// (f32) → f32 by way of an f64 function of `params` arguments.
Function write_by_double(tir::Intrinsic intrinsic, uint32_t function, int params);

// Integer division and 16-bit floats.
Function write_floor_div(ValType type);
Function write_floor_mod(ValType type);
Function write_half_to_float();
Function write_float_to_half();
Function write_float_to_brain();

}  // namespace fx2wasm::wasm
