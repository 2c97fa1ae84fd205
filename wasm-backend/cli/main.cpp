// The native tool. Exit status: 0 done, 1 the input is at fault, 70 we are.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace {

constexpr int kInputAtFault = 1;
constexpr int kInternalError = 70;  // EX_SOFTWARE of sysexits.h

void exit_as_internal_error(int) { _exit(kInternalError); }

void print_all(const fx2wasm::Diagnostics& diagnostics) {
  for (const fx2wasm::Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", fx2wasm::format_diagnostic(diagnostic).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGABRT, exit_as_internal_error);
  const auto options = fx2wasm::cli::parse_options(std::vector<std::string>(argv + 1, argv + argc));
  if (!options.ok()) {
    print_all(options.diagnostics());
    return kInputAtFault;
  }
  const auto done = fx2wasm::cli::execute(options.value());
  if (!done.ok()) {
    print_all(done.diagnostics());
    return kInputAtFault;
  }
  return std::fflush(stdout) == 0 ? 0 : kInputAtFault;
}
