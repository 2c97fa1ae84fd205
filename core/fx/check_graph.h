// What must hold between the parts of a graph: names, order, modules, tensors.
#pragma once

#include "fx/error_list.h"
#include "fx/graph.h"

namespace fx2wasm::fx {

// Which sections were read whole. A section with holes is not blamed for what it may only seem to
// lack: a node that could not be read might be the one that another node names.
struct Completeness {
  bool nodes = false;    // every node has its name
  bool opcodes = false;  // and its opcode
  bool modules = false;
  bool tensors = false;
  ByteRange nodes_range;  // of the array
};

// Fills graph.node_index and adds an error for: a name that stands twice; an argument that names no
// node, its own node, a later one or the output; no output, a second one, a node behind it; a
// call_module whose module is not listed; a tensor that is not listed; a node among a module's
// settings.
void check_graph(Graph& graph, const Completeness& complete, ErrorList& errors);

}  // namespace fx2wasm::fx
