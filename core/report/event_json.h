// One builder event as the page's StepEvent, with its line for the list of calls.
#pragma once

#include <nlohmann/json.hpp>

#include "builder/step.h"
#include "support/diagnostic.h"

namespace fx2wasm::report {

nlohmann::ordered_json diagnostic_json(const Diagnostic& diagnostic);
nlohmann::ordered_json event_json(const Event& event);

}  // namespace fx2wasm::report
