#include "arith/modular_set.h"

#include <limits>

#include "arith/wrapping.h"
#include "ir/match.h"
#include "ir/tir_build.h"
#include "ir/tir_fold.h"

namespace fx2wasm::arith {

using tir::BinaryOp;
using tir::PrimExpr;

int64_t gcd_with_zero(int64_t a, int64_t b) {
  // Euclid's on the magnitudes, which uint64 has all of.
  uint64_t x = a < 0 ? 0 - static_cast<uint64_t>(a) : static_cast<uint64_t>(a);
  uint64_t y = b < 0 ? 0 - static_cast<uint64_t>(b) : static_cast<uint64_t>(b);
  while (y != 0) {
    const uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  const bool fits = x <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return fits ? static_cast<int64_t>(x) : 1;
}

namespace {

constexpr ModularSet kAnything{1, 0};

// The base inside [0, coeff).
ModularSet normal(int64_t coeff, int64_t base) {
  if (coeff == std::numeric_limits<int64_t>::min()) return kAnything;
  if (coeff < 0) coeff = -coeff;
  return {coeff, coeff == 0 ? base : tir::floor_mod(base, coeff)};
}

ModularSet either(ModularSet a, ModularSet b) {
  const int64_t coeff = gcd_with_zero(a.coeff, b.coeff);
  if (coeff == 0) return a.base == b.base ? a : kAnything;
  const int64_t base_a = tir::floor_mod(a.base, coeff), base_b = tir::floor_mod(b.base, coeff);
  if (base_a == base_b) return {coeff, base_a};
  return normal(gcd_with_zero(gcd_with_zero(base_a, base_b), coeff), base_a);
}

ModularSet product(ModularSet a, ModularSet b) {
  const int64_t coeff =
      gcd_with_zero(wrapping_mul(a.coeff, b.coeff),
                    gcd_with_zero(wrapping_mul(a.coeff, b.base), wrapping_mul(a.base, b.coeff)));
  return normal(coeff, wrapping_mul(a.base, b.base));
}

ModularSet quotient(ModularSet a, int64_t divisor, bool rounds_down) {
  if (divisor == 0 || a.coeff % divisor != 0) return kAnything;
  if (a.base == 0) return normal(a.coeff / divisor, 0);
  if (a.base > 0 && divisor > 0 && rounds_down) return normal(a.coeff / divisor, a.base / divisor);
  return kAnything;
}

ModularSet remainder(ModularSet a, int64_t divisor, bool rounds_down) {
  if (divisor == 0) return kAnything;
  const int64_t coeff = gcd_with_zero(a.coeff, divisor);
  if (a.base % coeff == 0 || (a.base > 0 && rounds_down)) return normal(coeff, a.base % coeff);
  return kAnything;
}

}  // namespace

ModularSet ModularSets::of(const PrimExpr& expr) const {
  return match(
      expr->kind,
      [&](const tir::Var& var) {
        const auto entry = vars_.find(var);
        return entry == vars_.end() ? kAnything : entry->second;
      },
      [](const tir::IntImm& imm) {
        return ModularSet{0, imm.value};
      },
      [](const tir::FloatImm&) { return kAnything; },
      [](const tir::StringImm&) { return kAnything; },
      [&](const tir::Binary& binary) {
        const ModularSet a = of(binary.a), b = of(binary.b);
        switch (binary.op) {
          case BinaryOp::Add:
            return normal(gcd_with_zero(a.coeff, b.coeff), wrapping_add(a.base, b.base));
          case BinaryOp::Sub:
            return normal(gcd_with_zero(a.coeff, b.coeff),
                          wrapping_add(a.base, wrapping_mul(b.base, -1)));
          case BinaryOp::Mul:
            return product(a, b);
          case BinaryOp::Div:
          case BinaryOp::FloorDiv:
            return b.coeff == 0 ? quotient(a, b.base, binary.op == BinaryOp::FloorDiv) : kAnything;
          case BinaryOp::Mod:
          case BinaryOp::FloorMod:
            return b.coeff == 0 ? remainder(a, b.base, binary.op == BinaryOp::FloorMod) : kAnything;
          case BinaryOp::Min:
          case BinaryOp::Max:
            return either(a, b);
          case BinaryOp::EQ:
          case BinaryOp::NE:
          case BinaryOp::LT:
          case BinaryOp::LE:
          case BinaryOp::GT:
          case BinaryOp::GE:
          case BinaryOp::And:
          case BinaryOp::Or:
            return kAnything;
        }
        return kAnything;
      },
      [](const tir::Not&) { return kAnything; },
      [&](const tir::Cast& cast) { return of(cast.value); },
      [&](const tir::Select& select) {
        return either(of(select.true_value), of(select.false_value));
      },
      [](const tir::Call&) { return kAnything; }, [](const tir::BufferLoad&) { return kAnything; },
      [](const tir::Let&) { return kAnything; }, [](const tir::ProducerLoad&) { return kAnything; },
      [](const tir::Reduce&) { return kAnything; });
}

ModularSets::Saved ModularSets::enter(const PrimExpr& condition) {
  const auto* equality = std::get_if<tir::Binary>(&condition->kind);
  if (equality == nullptr || equality->op != BinaryOp::EQ) return std::nullopt;
  const auto base = tir::as_int(equality->b);
  const auto* left = std::get_if<tir::Binary>(&equality->a->kind);
  if (!base || left == nullptr) return std::nullopt;
  if (left->op != BinaryOp::FloorMod && left->op != BinaryOp::Mod) return std::nullopt;
  const auto* var = std::get_if<tir::Var>(&left->a->kind);
  const auto coeff = tir::as_int(left->b);
  if (var == nullptr || !coeff || *coeff <= 0) return std::nullopt;
  const auto known = vars_.find(*var);
  const ModularSet old = known == vars_.end() ? kAnything : known->second;
  vars_[*var] = old.coeff % *coeff == 0 ? old : normal(*coeff, *base);
  return std::pair{*var, old};
}

void ModularSets::leave(const Saved& saved) {
  if (saved) vars_[saved->first] = saved->second;
}

}  // namespace fx2wasm::arith
