#include "translate/forms.h"

namespace fx2wasm::translate {

Result<bool> wants_in_place(const Call& call) {
  if (call.module != nullptr) return call.boolean_setting("inplace", false);
  return call.boolean("inplace", false);
}

}  // namespace fx2wasm::translate
