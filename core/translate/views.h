// In-place writes seen through views. A view is a node whose rule says Sharing::View; to take it
// again, its rule is run again on what its base is now.
#pragma once

#include <string>

#include "translate/call.h"

namespace fx2wasm::translate {

// Brings a node's value up to date after an in-place write to its tensor, or to a view of it: a
// view is taken again; what a view wrote is put back into the tensor that it shows. FX4003 where
// PyTorch's strides decide whether there is a view at all (a reshape or contiguous() of a tensor
// that is not laid out in rows), and for writes to an expanded tensor.
Result<Unit> refresh(const Call& reader, const std::string& node);

}  // namespace fx2wasm::translate
