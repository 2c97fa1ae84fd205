// What the rules of losses share.
#pragma once

#include <string>

#include "builder/constant_value.h"
#include "builder/relax_ops.h"
#include "translate/rules.h"

namespace fx2wasm::translate {

// "none", "mean" or "sum", and "batchmean" where that is one: FX4003 or FX4004 for every other.
Result<std::string> reduction_option(const Call& call, bool batch_mean);
// The losses themselves, their mean or their sum.
Result<Mapped> reduce_losses(Call& call, const relax::Expr& losses, const std::string& reduction);

// Of the distances between an input and a target (element_loss.cpp).
Result<Mapped> map_mse_loss(Call& call);
Result<Mapped> map_l1_loss(Call& call);
Result<Mapped> map_smooth_l1_loss(Call& call);
Result<Mapped> map_huber_loss(Call& call);
// Of probabilities.
Result<Mapped> map_bce_loss(Call& call);
Result<Mapped> map_bce_with_logits(Call& call);
Result<Mapped> map_kl_div(Call& call);

}  // namespace fx2wasm::translate
