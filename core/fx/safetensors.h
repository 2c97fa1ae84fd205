// safetensors files (an 8-byte little-endian header length, a JSON header, raw data; format of
// huggingface/safetensors): weights, inputs and outputs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fx/graph.h"
#include "support/result.h"
#include "support/tensor_data.h"

namespace fx2wasm::fx {

// All tensors of a file, in the header's order. Nothing is allocated on a header's claim alone:
// lengths and offsets are checked against the bytes first. `file` only serves the places.
Result<std::vector<NamedTensor>> read_safetensors(std::span<const std::byte> bytes,
                                                  const std::string& file);

// The bytes of a file that holds these tensors, header padded to 8 bytes with spaces.
std::vector<std::byte> write_safetensors(const std::vector<NamedTensor>& tensors);

// Gives the graph's tensors that have no data theirs from `tensors`, by name. A tensor of another
// shape or dtype is an error; a tensor that the file lacks stays without data.
Result<Unit> attach_weights(Graph& graph, const std::vector<NamedTensor>& tensors,
                            const std::string& file);

// The names of the tensors that still have no data.
std::vector<std::string> missing_weights(const Graph& graph);

}  // namespace fx2wasm::fx
