// Resizing: interpolate, Upsample, grid_sample, pixel_shuffle.
#include "translate/rules.h"

namespace fx2wasm::translate {
RuleTable resize_module_rules() { return {}; }
RuleTable resize_rules() { return {}; }

}  // namespace fx2wasm::translate
