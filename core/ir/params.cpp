#include "ir/params.h"

#include <algorithm>

#include "ir/tir_visit.h"

namespace fx2wasm::tir {

std::vector<bool> written_params(const PrimFunc& func) {
  std::vector<bool> written(func->params.size(), false);
  walk(
      func->body,
      [&](const Stmt& stmt) {
        const auto* store = std::get_if<BufferStore>(&stmt->kind);
        if (store == nullptr) return;
        for (size_t i = 0; i < func->params.size(); ++i) {
          const auto* buffer = std::get_if<Buffer>(&func->params[i]);
          if (buffer != nullptr && *buffer == store->buffer) written[i] = true;
        }
      },
      nullptr);
  return written;
}

std::vector<Var> shape_symbols(const PrimFunc& func) {
  std::vector<Var> symbols;
  const auto is_param = [&](const Var& var) {
    return std::any_of(func->params.begin(), func->params.end(), [&](const Param& param) {
      const auto* own = std::get_if<Var>(&param);
      return own != nullptr && *own == var;
    });
  };
  for (const Param& param : func->params) {
    const auto* buffer = std::get_if<Buffer>(&param);
    if (buffer == nullptr) continue;
    for (const PrimExpr& extent : (*buffer)->shape) {
      for (const Var& var : free_vars(extent)) {
        const bool known = std::find(symbols.begin(), symbols.end(), var) != symbols.end();
        if (!known && !is_param(var)) symbols.push_back(var);
      }
    }
  }
  return symbols;
}

}  // namespace fx2wasm::tir
