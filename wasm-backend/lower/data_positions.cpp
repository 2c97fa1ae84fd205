#include "lower/data_positions.h"

#include <algorithm>
#include <memory>

#include "ir/tir_build.h"
#include "ir/tir_visit.h"

namespace fx2wasm::wasm {
namespace {

using tir::PrimExpr;

bool reads_position(const PrimExpr& expr) {
  bool found = false;
  tir::walk(expr, [&](const PrimExpr& e) {
    found = found || std::holds_alternative<tir::BufferLoad>(e->kind);
    return !found;
  });
  return found;
}

// A remainder by the extent is inside already.
bool is_remainder(const PrimExpr& index, const PrimExpr& extent) {
  const auto* binary = std::get_if<tir::Binary>(&index->kind);
  if (binary == nullptr || binary->op != tir::BinaryOp::FloorMod) return false;
  const auto divisor = tir::as_int(binary->b), size = tir::as_int(extent);
  return divisor && size && *divisor > 0 && *divisor <= *size;
}

// Written without a Let, which would keep the loops around it from being recognised.
PrimExpr inside(const PrimExpr& index, const PrimExpr& extent) {
  const PrimExpr zero = tir::int_imm(index->dtype, 0), size = tir::cast(index->dtype, extent);
  const PrimExpr negative = tir::binary(tir::BinaryOp::LT, index, zero);
  const PrimExpr counted = tir::add(index, tir::select(negative, size, zero));
  const PrimExpr last = tir::sub(size, tir::int_imm(index->dtype, 1));
  return tir::binary(tir::BinaryOp::Max, tir::binary(tir::BinaryOp::Min, counted, last), zero);
}

PrimExpr is_inside(const PrimExpr& index, const PrimExpr& extent) {
  const PrimExpr zero = tir::int_imm(index->dtype, 0), size = tir::cast(index->dtype, extent);
  return tir::make_binary(tir::BinaryOp::And, tir::make_binary(tir::BinaryOp::LE, zero, index),
                          tir::make_binary(tir::BinaryOp::LT, index, size));
}

// The store, unless it goes to a position outside.
tir::Stmt only_inside(const tir::Stmt& stmt) {
  const auto* store = std::get_if<tir::BufferStore>(&stmt->kind);
  if (store == nullptr) return stmt;
  PrimExpr condition;
  for (size_t axis = 0; axis < store->indices.size(); ++axis) {
    const PrimExpr& index = store->indices[axis];
    const PrimExpr& extent = store->buffer->shape[axis];
    if (!reads_position(index) || is_remainder(index, extent)) continue;
    const PrimExpr inside = is_inside(index, extent);
    condition = condition ? tir::make_binary(tir::BinaryOp::And, condition, inside) : inside;
  }
  if (!condition) return stmt;
  return tir::make_stmt(tir::IfThenElse{condition, stmt, nullptr});
}

}  // namespace

tir::PrimFunc with_data_positions_inside(const tir::PrimFunc& func) {
  const tir::Stmt body = tir::rewrite(
      func->body,
      [](const PrimExpr& expr) {
        return tir::rewrite(expr, [](const PrimExpr& e) {
          const auto* load = std::get_if<tir::BufferLoad>(&e->kind);
          if (load == nullptr) return e;
          tir::BufferLoad moved = *load;
          bool changed = false;
          for (size_t axis = 0; axis < moved.indices.size(); ++axis) {
            const PrimExpr& extent = load->buffer->shape[axis];
            PrimExpr& index = moved.indices[axis];
            if (!reads_position(index) || is_remainder(index, extent)) continue;
            index = inside(index, extent);
            changed = true;
          }
          return changed ? tir::make_expr(e->dtype, std::move(moved)) : e;
        });
      },
      only_inside);
  if (body == func->body) return func;
  auto copy = std::make_shared<tir::PrimFuncNode>(*func);
  copy->body = body;
  return copy;
}

}  // namespace fx2wasm::wasm
