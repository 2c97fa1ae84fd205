#include "ir/reduction.h"

#include <algorithm>

#include "ir/tir_visit.h"

namespace fx2wasm::tir {

const SBlockRealize* reduced_block(const For& loop) {
  const Stmt* body = &loop.body;
  while (const auto* inner = std::get_if<For>(&(*body)->kind)) body = &inner->body;
  const auto* realize = std::get_if<SBlockRealize>(&(*body)->kind);
  if (realize == nullptr || realize->block->init == nullptr) return nullptr;
  bool reduces = false;
  for (size_t i = 0; i < realize->iter_values.size(); ++i) {
    const std::vector<Var> used = free_vars(realize->iter_values[i]);
    if (std::find(used.begin(), used.end(), loop.loop_var) == used.end()) continue;
    if (realize->block->iter_vars[i].kind != IterKind::Reduce) return nullptr;
    reduces = true;
  }
  return reduces ? realize : nullptr;
}

}  // namespace fx2wasm::tir
