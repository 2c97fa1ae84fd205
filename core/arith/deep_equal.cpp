#include "arith/deep_equal.h"

#include "ir/match.h"

namespace fx2wasm::arith {
namespace {

using tir::PrimExpr;

bool all_equal(const std::vector<PrimExpr>& a, const std::vector<PrimExpr>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!deep_equal(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

bool deep_equal(const PrimExpr& a, const PrimExpr& b) {
  if (a == b) return true;
  if (a->dtype != b->dtype || a->kind.index() != b->kind.index()) return false;
  return match(
      a->kind, [&](const tir::Var& v) { return v == std::get<tir::Var>(b->kind); },
      [&](const tir::IntImm& i) { return i.value == std::get<tir::IntImm>(b->kind).value; },
      [&](const tir::FloatImm& f) { return f.value == std::get<tir::FloatImm>(b->kind).value; },
      [&](const tir::StringImm& s) { return s.value == std::get<tir::StringImm>(b->kind).value; },
      [&](const tir::Binary& x) {
        const auto& y = std::get<tir::Binary>(b->kind);
        return x.op == y.op && deep_equal(x.a, y.a) && deep_equal(x.b, y.b);
      },
      [&](const tir::Not& x) { return deep_equal(x.a, std::get<tir::Not>(b->kind).a); },
      [&](const tir::Cast& x) { return deep_equal(x.value, std::get<tir::Cast>(b->kind).value); },
      [&](const tir::Select& x) {
        const auto& y = std::get<tir::Select>(b->kind);
        return deep_equal(x.condition, y.condition) && deep_equal(x.true_value, y.true_value) &&
               deep_equal(x.false_value, y.false_value);
      },
      [&](const tir::Call& x) {
        const auto& y = std::get<tir::Call>(b->kind);
        return x.op == y.op && all_equal(x.args, y.args);
      },
      [&](const tir::BufferLoad& x) {
        const auto& y = std::get<tir::BufferLoad>(b->kind);
        return x.buffer == y.buffer && all_equal(x.indices, y.indices);
      },
      [](const tir::Let&) { return false; },
      [&](const tir::ProducerLoad& x) {
        const auto& y = std::get<tir::ProducerLoad>(b->kind);
        return x.producer == y.producer && x.output == y.output && all_equal(x.indices, y.indices);
      },
      [](const tir::Reduce&) { return false; });
}

}  // namespace fx2wasm::arith
