// The small Python: TE programs, builder programs and whatever else the text may be. A program
// gives a value, which prints, or diagnostics.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/words.h"
#include "print/tvmscript.h"
#include "script/run.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fx2wasm;
  script::Limits limits;
  limits.max_steps = 20'000;  // programs here are small; a loop that goes on is stopped early
  const std::string text(data, data + size);
  const script::ScriptRun run = script::run_script(text, "fuzzed.py", limits);
  FX_CHECK(run.value.has_value() == run.diagnostics.empty(), "neither a value nor an error");
  if (!run.value) return 0;
  const auto* func = std::get_if<tir::PrimFunc>(&*run.value);
  const std::string printed =
      func ? print_prim_func(*func).text : print_module(std::get<IRModule>(*run.value)).text;
  FX_CHECK(!printed.empty(), "a program's value prints as nothing");
  return 0;
}
