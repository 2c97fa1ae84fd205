// The options that the page sends and the answers that only the Wasm backend gives.
#pragma once

#include <string>
#include <vector>

#include "compile.h"
#include "support/result.h"
#include "translate/from_fx.h"

namespace fx2wasm {

// TranslateOptions of web/src/engine/core-types.ts. The page is the only caller, so a field of
// another type is our own fault: it is reported as FX7005.
Result<TranslateOptions> parse_translate_options(const std::string& json);

struct PageCompileOptions {
  wasm::CompileOptions compile;
  std::vector<std::string> library_nodes;
};
Result<PageCompileOptions> parse_compile_options(const std::string& json);

// CompileAnswer; `compiled` is null when it failed.
std::string compile_answer(const wasm::CompiledModule* compiled, const Diagnostics& diagnostics);

}  // namespace fx2wasm
