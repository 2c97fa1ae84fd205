#include "builder/infer_type.h"

#include "builder/infer_common.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm {

Result<relax::Type> infer_type(const relax::OpCall& call) {
  FX_CHECK(call.op != nullptr, "an operator call has an operator");
  for (infer::Rule rule :
       {infer::elementwise_rule(call.op->name), infer::creation_rule(call.op->name),
        infer::shape_rule(call.op->name), infer::nn_rule(call.op->name),
        infer::reduction_rule(call.op->name), infer::normalization_rule(call.op->name),
        infer::indexing_rule(call.op->name), infer::rearrange_rule(call.op->name),
        infer::window_rule(call.op->name), infer::resize_rule(call.op->name)}) {
    if (rule != nullptr) return rule(call);
  }
  return error_at({}, codes::kUnsupportedOperator,
                  "the type of R." + std::string(call.op->name) + " can't be inferred yet");
}

}  // namespace fx2wasm
