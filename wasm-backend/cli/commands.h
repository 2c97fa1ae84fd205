// What each command of the tool does.
#pragma once

#include "cli/options.h"

namespace fx2wasm::cli {

// Does what the options say, results to standard output and files. Failures that are the input's
// come back as diagnostics.
Result<Unit> execute(const Options& options);

}  // namespace fx2wasm::cli
