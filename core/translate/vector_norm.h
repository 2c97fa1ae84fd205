// Normalisations that TVM's importer lacks, composed of its operators.
#pragma once

#include "translate/rules.h"

namespace fx2wasm::translate {

// torch.nn.functional.normalize: x divided by its norm of order p along `dim`.
Result<Mapped> map_normalize(Call& call);
// LocalResponseNorm, local_response_norm
Result<Mapped> map_local_response_norm(Call& call);

}  // namespace fx2wasm::translate
