// The rewrite rules, one set per operation. The order is the order in which they are tried.
#pragma once

#include "arith/rule.h"

namespace fx2wasm::arith {

// Of integer indices (int32, int64).
const RuleSet& add_rules();
const RuleSet& sub_rules();
const RuleSet& mul_rules();
const RuleSet& trunc_div_rules();
const RuleSet& trunc_mod_rules();
// FloorDiv tries `early`, then what rewrite_simplify computes about (x * c1 + y) // c2, then
// `late`.
const RuleSet& floor_div_early_rules();
const RuleSet& floor_div_late_rules();
const RuleSet& floor_mod_rules();
const RuleSet& min_rules();
const RuleSet& max_rules();
const RuleSet& eq_rules();
const RuleSet& lt_rules();

// Of any dtype.
const RuleSet& select_sum_rules();          // of Add, Sub, Min and Max over selects
const RuleSet& float_cancellation_rules();  // x - x and the like, also where x may be NaN
const RuleSet& not_rules();
const RuleSet& and_rules();
const RuleSet& or_rules();

}  // namespace fx2wasm::arith
