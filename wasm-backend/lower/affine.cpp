#include "lower/affine.h"

#include <algorithm>

#include "ir/match.h"
#include "ir/structural.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"

namespace fx2wasm::wasm {
namespace {

using tir::PrimExpr;

void add_var(Affine& affine, const tir::Var& var, int64_t factor) {
  for (auto& term : affine.terms) {
    if (term.first == var) {
      term.second += factor;
      return;
    }
  }
  affine.terms.emplace_back(var, factor);
}

void add_opaque(Affine& affine, const PrimExpr& expr, int64_t factor) {
  for (auto& term : affine.opaque) {
    if (structural_equal(term.first, expr)) {
      term.second += factor;
      return;
    }
  }
  affine.opaque.emplace_back(expr, factor);
}

void accumulate(Affine& affine, const PrimExpr& expr, int64_t factor);

void accumulate_binary(Affine& affine, const PrimExpr& expr, const tir::Binary& e, int64_t factor) {
  if (e.op == tir::BinaryOp::Add || e.op == tir::BinaryOp::Sub) {
    accumulate(affine, e.a, factor);
    accumulate(affine, e.b, e.op == tir::BinaryOp::Add ? factor : -factor);
    return;
  }
  if (e.op == tir::BinaryOp::Mul) {
    if (const auto right = tir::as_int(e.b)) return accumulate(affine, e.a, factor * *right);
    if (const auto left = tir::as_int(e.a)) return accumulate(affine, e.b, factor * *left);
  }
  add_opaque(affine, expr, factor);
}

// Integers only widen here: an index is never narrowed before it is used.
bool is_widening(const PrimExpr& from, DType to) {
  return (from->dtype == DType::Int32 || from->dtype == DType::Int64) && to == DType::Int64;
}

void accumulate(Affine& affine, const PrimExpr& expr, int64_t factor) {
  match(
      expr->kind, [&](const tir::Var& var) { add_var(affine, var, factor); },
      [&](const tir::IntImm& imm) { affine.constant += imm.value * factor; },
      [&](const tir::Binary& e) { accumulate_binary(affine, expr, e, factor); },
      [&](const tir::Cast& e) {
        if (is_widening(e.value, expr->dtype)) return accumulate(affine, e.value, factor);
        add_opaque(affine, expr, factor);
      },
      [&](const tir::FloatImm&) { add_opaque(affine, expr, factor); },
      [&](const tir::StringImm&) { add_opaque(affine, expr, factor); },
      [&](const tir::Not&) { add_opaque(affine, expr, factor); },
      [&](const tir::Select&) { add_opaque(affine, expr, factor); },
      [&](const tir::Call&) { add_opaque(affine, expr, factor); },
      [&](const tir::BufferLoad&) { add_opaque(affine, expr, factor); },
      [&](const tir::Let&) { add_opaque(affine, expr, factor); },
      [&](const tir::ProducerLoad&) { add_opaque(affine, expr, factor); },
      [&](const tir::Reduce&) { add_opaque(affine, expr, factor); });
}

void drop_zeros(Affine& affine) {
  std::erase_if(affine.terms, [](const auto& term) { return term.second == 0; });
  std::erase_if(affine.opaque, [](const auto& term) { return term.second == 0; });
}

// strides[d], as an expression: the buffer's own, or the product of the later extents.
std::vector<PrimExpr> strides_of(const tir::Buffer& buffer) {
  if (!buffer->strides.empty()) return buffer->strides;
  std::vector<PrimExpr> strides(buffer->shape.size());
  PrimExpr product = tir::int_imm(DType::Int64, 1);
  for (size_t d = buffer->shape.size(); d-- > 0;) {
    strides[d] = product;
    product = tir::mul(product, tir::cast(DType::Int64, buffer->shape[d]));
  }
  return strides;
}

}  // namespace

Affine affine_of(const PrimExpr& index) {
  Affine affine;
  accumulate(affine, index, 1);
  drop_zeros(affine);
  return affine;
}

Affine element_offset(const tir::Buffer& buffer, const std::vector<PrimExpr>& indices) {
  const std::vector<PrimExpr> strides = strides_of(buffer);
  Affine affine;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (const auto stride = tir::as_int(strides[d])) {
      accumulate(affine, indices[d], *stride);
    } else {
      add_opaque(affine, tir::mul(tir::cast(DType::Int64, indices[d]), strides[d]), 1);
    }
  }
  // A symbol there is the caller's to choose: ours passes memory that begins with the tensor.
  const bool chosen = buffer->elem_offset && std::get_if<tir::Var>(&buffer->elem_offset->kind);
  if (buffer->elem_offset && !chosen) accumulate(affine, buffer->elem_offset, 1);
  drop_zeros(affine);
  return affine;
}

int64_t coefficient(const Affine& affine, const tir::Var& var) {
  for (const auto& term : affine.terms) {
    if (term.first == var) return term.second;
  }
  return 0;
}

bool uses_var(const PrimExpr& expr, const tir::Var& var) {
  const std::vector<tir::Var> vars = tir::free_vars(expr);
  return std::find(vars.begin(), vars.end(), var) != vars.end();
}

bool opaque_uses(const Affine& affine, const tir::Var& var) {
  return std::any_of(affine.opaque.begin(), affine.opaque.end(),
                     [&](const auto& term) { return uses_var(term.first, var); });
}

bool same_terms(const Affine& a, const Affine& b) {
  if (a.terms.size() != b.terms.size() || a.opaque.size() != b.opaque.size()) return false;
  for (const auto& term : a.terms) {
    if (coefficient(b, term.first) != term.second) return false;
  }
  for (const auto& term : a.opaque) {
    const auto found = std::find_if(b.opaque.begin(), b.opaque.end(), [&](const auto& other) {
      return other.second == term.second && structural_equal(other.first, term.first);
    });
    if (found == b.opaque.end()) return false;
  }
  return true;
}

}  // namespace fx2wasm::wasm
