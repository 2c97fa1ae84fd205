#include "builder/step.h"

#include <utility>

namespace fx2wasm {

void StepRecorder::begin_step(std::string fx_node, int fx_number) {
  steps_.push_back({std::move(fx_node), fx_number, {}});
}

void StepRecorder::record(Event event) {
  if (steps_.empty()) steps_.emplace_back();
  steps_.back().events.push_back(std::move(event));
}

}  // namespace fx2wasm
