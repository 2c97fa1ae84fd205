#include "lower/pointers.h"

#include <algorithm>

#include "ir/tir_visit.h"
#include "lower/emitter.h"
#include "support/check.h"

namespace fx2wasm::wasm {

void Pointers::note(const tir::Buffer& buffer, const Affine& affine, bool is_load) {
  // What is no sum of variables may trap or differ within the loop: it is computed in place.
  if (!affine.opaque.empty()) return;
  size_t index = 0;
  while (index < groups_.size() &&
         (groups_[index].buffer != buffer || !same_terms(groups_[index].affine, affine))) {
    ++index;
  }
  if (index == groups_.size()) groups_.push_back(Group{buffer, affine, 0});
  Group& group = groups_[index];
  group.affine.constant = std::min(group.affine.constant, affine.constant);
  if (is_load) ++uses_[Key{index, affine.constant}].count;
}

void Pointers::collect(const tir::PrimExpr& expr) {
  tir::walk(expr, [&](const tir::PrimExpr& e) {
    if (const auto* load = std::get_if<tir::BufferLoad>(&e->kind)) {
      note(load->buffer, element_offset(load->buffer, load->indices), true);
    }
    return true;
  });
}

void Pointers::collect(const tir::Buffer& buffer, const std::vector<tir::PrimExpr>& indices) {
  note(buffer, element_offset(buffer, indices), false);
}

void Pointers::emit_init(Emitter& emitter) {
  for (Group& group : groups_) {
    const int bytes = dtype_bytes(group.buffer->dtype);
    group.local = emitter.code.add_local(ValType::I32);
    emitter.code.get(emitter.buffers.at(group.buffer.get()));
    emitter.add_terms(group.affine, bytes);
    if (group.affine.constant != 0) {
      emitter.code.i32(static_cast<int32_t>(group.affine.constant * bytes));
      emitter.code.op(Op::I32Add);
    }
    emitter.code.set(group.local);
  }
}

void Pointers::emit_advance(Emitter& emitter, const tir::Var& var, int64_t step) const {
  for (const Group& group : groups_) {
    const int64_t moved = coefficient(group.affine, var) * step * dtype_bytes(group.buffer->dtype);
    if (moved == 0) continue;
    emitter.code.get(group.local);
    emitter.code.i32(static_cast<int32_t>(moved));
    emitter.code.op(Op::I32Add);
    emitter.code.set(group.local);
  }
}

std::optional<Pointers::Place> Pointers::find(const tir::Buffer& buffer,
                                              const Affine& affine) const {
  if (!affine.opaque.empty()) return std::nullopt;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const Group& group = groups_[i];
    if (group.buffer != buffer || !same_terms(group.affine, affine)) continue;
    const int64_t offset = affine.constant - group.affine.constant;
    return Place{i, group.local, static_cast<uint32_t>(offset * dtype_bytes(buffer->dtype))};
  }
  return std::nullopt;
}

Pointers::Kept* Pointers::kept(const Place& place, Kind kind) {
  const Group& group = groups_[place.group];
  const int64_t constant =
      group.affine.constant + static_cast<int64_t>(place.offset) / dtype_bytes(group.buffer->dtype);
  const auto found = uses_.find(Key{place.group, constant});
  if (found == uses_.end() || found->second.count < 2) return nullptr;
  return &found->second.kept[static_cast<size_t>(kind)];
}

void Pointers::forget_kept() {
  for (auto& entry : uses_) {
    for (Kept& kept : entry.second.kept) kept.loaded = false;
  }
}

}  // namespace fx2wasm::wasm
