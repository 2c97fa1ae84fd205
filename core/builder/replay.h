// From the record back to the module, at any point of it.
#pragma once

#include <vector>

#include "builder/step.h"

namespace fx2wasm {

// The module after the first `step_count` steps and, of the step after these, its first
// `event_count` events. A function still open has no body; it prints what it has.
IRModule replay(const std::vector<Step>& steps, size_t step_count, size_t event_count = 0);
// After all of them.
IRModule replay(const std::vector<Step>& steps);

}  // namespace fx2wasm
