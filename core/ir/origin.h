// Which FX nodes a piece of IR comes from: what links the panes of the page.
#pragma once

#include <string>
#include <vector>

namespace fx2wasm {

// Ignored by structural equality and hash. A fused piece has several nodes, sorted by their number.
struct Origin {
  std::vector<int> fx_nodes;  // 1-based numbers in the graph
  int step = -1;              // index of the Step that made it, or -1
  std::string rule;           // the translation rule's key, "torch.nn.Linear"
};

}  // namespace fx2wasm
