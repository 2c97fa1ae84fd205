// Constants as TVMScript writes them.
#pragma once

#include <string>
#include <string_view>

#include "support/dtype.h"

namespace fx2wasm::print {

// Whole numbers with one decimal (`3.0`, also 1e300 in full), others with 17 significant digits,
// infinities and NaN as strings (`"-inf"`).
std::string float_literal(double value);

// In double quotes, with `"`, `\`, control and non-ASCII characters escaped.
std::string string_literal(std::string_view text);
// The same without the quotes.
std::string escaped(std::string_view text);

std::string dtype_literal(DType dtype);  // `"float32"`

}  // namespace fx2wasm::print
