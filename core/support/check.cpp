#include "support/check.h"

#include <cstdio>
#include <cstdlib>

namespace fx2wasm {

void internal_error(std::string_view message, const char* file, int line) {
  std::fprintf(stderr, "internal error: %.*s (%s:%d)\n", static_cast<int>(message.size()),
               message.data(), file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace fx2wasm
