// Rounding numbers to the dtypes of tensors, and their bytes: what "rounds once per operation" and
// "integers wrap" mean, in one place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/dtype.h"

namespace fx2wasm {

// The nearest value of a float dtype, ties to even; too large becomes infinity. Rounds once, from
// the double, in float16 and bfloat16 too.
double round_float(DType dtype, double value);

// The value modulo 2^bits of an integer dtype; for bool 0 or 1. A uint64 stands as its bits.
int64_t wrap_integer(DType dtype, int64_t value);

// An integer of a dtype as a double (a uint64's bits are read as unsigned).
double integer_to_double(DType dtype, int64_t value);

// Truncates towards zero and saturates at the dtype's range; NaN gives 0. Bool: whether it is not
// 0.
int64_t float_to_integer(DType dtype, double value);

// One element in little-endian memory. Floats as doubles, integers and bools as int64.
double load_float(DType dtype, const std::byte* from);
int64_t load_integer(DType dtype, const std::byte* from);
void store_float(DType dtype, double value, std::byte* to);  // rounds
void store_integer(DType dtype, int64_t value, std::byte* to);

}  // namespace fx2wasm
