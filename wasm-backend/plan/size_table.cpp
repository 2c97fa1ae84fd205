#include "plan/size_table.h"

#include <limits>

namespace fx2wasm::wasm {

SizeTable plan_size_table(const Program& program, const std::vector<tir::PrimExpr>& workspaces) {
  SizeTable table;
  table.regions.resize(program.regions.size());
  table.extents.resize(program.regions.size());
  table.workspaces.resize(program.calls.size());
  for (size_t i = 0; i < program.regions.size(); ++i) {
    const Region& region = program.regions[i];
    if (!region.symbolic) continue;
    table.regions[i] = table.items.size();
    // An input stays: it may be given once for several runs.
    const bool input = region.kind == RegionKind::Input;
    table.items.push_back({region.extents, static_cast<uint64_t>(dtype_bytes(region.dtype)),
                           input ? 0 : region.first,
                           input ? std::numeric_limits<int>::max() : region.last, 0, 0});
  }
  for (size_t i = 0; i < program.calls.size(); ++i) {
    if (workspaces[i] == nullptr) continue;
    table.workspaces[i] = table.items.size();
    const int step = static_cast<int>(i);
    table.items.push_back({{workspaces[i]}, 1, step, step, 0, 0});
  }
  table.groups = plan_symbolic_arena(table.items);
  table.words = program.symbols.size() + table.items.size();
  for (const std::vector<Port>* ports :
       {&program.inputs, &program.outputs, &program.intermediates}) {
    for (const Port& port : *ports) {
      const Region& region = program.regions[port.region];
      if (!region.symbolic || table.extents[port.region]) continue;
      table.extents[port.region] = table.words;
      table.words += region.extents.size();
    }
  }
  return table;
}

}  // namespace fx2wasm::wasm
