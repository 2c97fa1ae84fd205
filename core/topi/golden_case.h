// For tests: the PrimFuncs of the conformance cases, with the parameters read back from their
// texts, so that the same operator can be built on the same tensors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "te/tensor.h"

namespace fx2wasm::topi_test {

struct GoldenFunction {
  std::string file;  // below conformance/cases
  std::string name;  // "add1"
  std::string text;  // from `def` on, without the decorator
  std::vector<te::Tensor> inputs;
  std::vector<tir::Var> scalars;
  te::Tensor output;  // a placeholder with the result's shape and dtype

  // Whole numbers captured by a regular expression's only group at its first match, or `otherwise`.
  int64_t number(const std::string& pattern, int64_t otherwise) const;
};

// All functions with one result of the legalised texts whose name without its number is `stem`.
std::vector<GoldenFunction> golden_functions(const std::string& stem);

}  // namespace fx2wasm::topi_test
