// FX graph JSON, version 1 → fx::Graph.
#pragma once

#include <string>
#include <string_view>

#include "fx/graph.h"
#include "support/result.h"

namespace fx2wasm::fx {

// Reads and checks a whole text: JSON syntax, fields, then the graph (names, order, modules,
// tensors, base64 data). All errors of a text come at once; a later stage runs only when the
// earlier ones found nothing that would make its answers wrong. `file` only serves the places.
Result<Graph> read_json(std::string text, std::string file);

}  // namespace fx2wasm::fx
