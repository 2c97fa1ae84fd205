#include "plan/symbolic_arena.h"

#include <algorithm>

#include "ir/structural.h"
#include "ir/tir_build.h"
#include "plan/arena.h"

namespace fx2wasm::wasm {
namespace {

// constant · Π factors
struct Product {
  uint64_t constant = 1;
  std::vector<tir::PrimExpr> factors;
};

void multiply_into(Product& product, const tir::PrimExpr& expr) {
  if (const auto value = tir::as_int(expr)) {
    // An extent below zero never gets here: type inference gives none.
    product.constant *= static_cast<uint64_t>(std::max<int64_t>(*value, 0));
    return;
  }
  const auto* binary = std::get_if<tir::Binary>(&expr->kind);
  if (binary != nullptr && binary->op == tir::BinaryOp::Mul) {
    multiply_into(product, binary->a);
    multiply_into(product, binary->b);
    return;
  }
  product.factors.push_back(expr);
}

// Equal as bags.
bool same_factors(const std::vector<tir::PrimExpr>& a, const std::vector<tir::PrimExpr>& b) {
  return a.size() == b.size() &&
         std::is_permutation(
             a.begin(), a.end(), b.begin(),
             [](const tir::PrimExpr& x, const tir::PrimExpr& y) { return structural_equal(x, y); });
}

size_t group_of(std::vector<SizeGroup>& groups, const SizeGroup& wanted) {
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].bytes == wanted.bytes && groups[i].rounded == wanted.rounded &&
        same_factors(groups[i].factors, wanted.factors)) {
      return i;
    }
  }
  groups.push_back(wanted);
  return groups.size() - 1;
}

}  // namespace

std::vector<SizeGroup> plan_symbolic_arena(std::vector<SymbolicItem>& items) {
  std::vector<SizeGroup> groups;
  std::vector<uint64_t> units(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    Product product{items[i].element_bytes, {}};
    for (const tir::PrimExpr& extent : items[i].extents) multiply_into(product, extent);
    SizeGroup group{product.factors, 1, false, 0};
    units[i] = align_up(product.constant, kTensorAlignment);
    // Rounding up a few bytes for each unit would waste most of the memory.
    if (product.constant < kTensorAlignment) {
      group.bytes = product.constant;
      group.rounded = true;
      units[i] = 1;
    }
    items[i].group = group_of(groups, group);
  }
  for (size_t g = 0; g < groups.size(); ++g) {
    std::vector<ArenaItem> members;
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].group == g) members.push_back({units[i], items[i].first, items[i].last, 0});
    }
    groups[g].units = plan_arena(members, groups[g].rounded ? 1 : kTensorAlignment);
    size_t member = 0;
    for (SymbolicItem& item : items) {
      if (item.group == g) item.units = members[member++].offset;
    }
  }
  return groups;
}

}  // namespace fx2wasm::wasm
