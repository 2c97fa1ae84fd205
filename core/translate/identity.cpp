// What leaves its input as it is in inference.
#include "translate/rules.h"

namespace fx2wasm::translate {
namespace {

Result<Mapped> map_same(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return Mapped{{x}, Sharing::Same};
}

// Elements that do not lie one after the other are copied.
Result<Mapped> map_contiguous(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return Mapped{{x}, Sharing::Packed};
}

// A copy: an in-place write to the original does not reach it.
Result<Mapped> map_clone(Call& call) {
  FX_TRY(x, call.tensor("input"));
  return Mapped{{x}};
}

constexpr RuleEntry kIdentityModuleRules[] = {
    {"torch.nn.Dropout", "map_dropout", "input", map_same},
    {"torch.nn.Identity", "map_identity", "input", map_same},
};
constexpr RuleEntry kIdentityRules[] = {
    {"clone", "map_clone", "input, memory_format?", map_clone},
    {"contiguous", "map_contiguous", "input, memory_format?", map_contiguous},
    {"cpu", "map_cpu", "input, memory_format?", map_same},
    {"detach", "map_detach", "input", map_same},
    {"dropout", "map_dropout", "input, p?, training?, inplace?", map_same},
    {"requires_grad_", "map_requires_grad", "input, requires_grad?", map_same},
    {"stochastic_depth", "map_stochastic_depth", "input, p, mode, training?", map_same},
};

}  // namespace

RuleTable identity_module_rules() { return kIdentityModuleRules; }
RuleTable identity_rules() { return kIdentityRules; }

}  // namespace fx2wasm::translate
