// Residues of integer expressions: every value is coeff * k + base.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "ir/tir.h"

namespace fx2wasm::arith {

struct ModularSet {
  int64_t coeff = 1;  // 0: the value is base
  int64_t base = 0;
};

// The greatest common divisor, where 0 divides nothing but is divided by all.
int64_t gcd_with_zero(int64_t a, int64_t b);

class ModularSets {
 public:
  ModularSet of(const tir::PrimExpr& expr) const;
  void set(const tir::Var& var, ModularSet set) { vars_[var] = set; }

  // A condition `x % c == b` refines x; `leave` takes back what `enter` returned.
  using Saved = std::optional<std::pair<tir::Var, ModularSet>>;
  Saved enter(const tir::PrimExpr& condition);
  void leave(const Saved& saved);

 private:
  std::map<tir::Var, ModularSet> vars_;
};

}  // namespace fx2wasm::arith
