#include "builder/replay.h"

#include <algorithm>

#include "builder/assembly.h"

namespace fx2wasm {

IRModule replay(const std::vector<Step>& steps, size_t step_count, size_t event_count) {
  ModuleAssembly assembly;
  step_count = std::min(step_count, steps.size());
  for (size_t i = 0; i < step_count; ++i) {
    for (const Event& event : steps[i].events) assembly.apply(event);
  }
  if (step_count < steps.size()) {
    const std::vector<Event>& events = steps[step_count].events;
    for (size_t i = 0; i < std::min(event_count, events.size()); ++i) assembly.apply(events[i]);
  }
  return assembly.module();
}

IRModule replay(const std::vector<Step>& steps) { return replay(steps, steps.size()); }

}  // namespace fx2wasm
