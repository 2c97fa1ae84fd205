// Internal errors: a broken invariant of our own stops loudly, in release builds too. The page
// restarts its worker on an abort and keeps the user's text; the CLI exits with status 70.
#pragma once

#include <string_view>

namespace fx2wasm {

// Prints `internal error: message (file:line)` to standard error and aborts.
[[noreturn]] void internal_error(std::string_view message, const char* file, int line);

}  // namespace fx2wasm

#define FX_CHECK(condition, message)                                          \
  do {                                                                        \
    if (!(condition)) ::fx2wasm::internal_error(message, __FILE__, __LINE__); \
  } while (false)
