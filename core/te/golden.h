// For tests: a function's text cut out of a conformance case, against the same function of ours.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ir/module.h"
#include "support/check.h"
#include "te/create_prim_func.h"

namespace fx2wasm::te_test {

inline std::string read_case(const std::string& path) {
  std::ifstream file(std::string(FX2WASM_SOURCE_DIR) + "/conformance/cases/" + path);
  FX_CHECK(file.good(), "a conformance case is missing");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The lines of `def NAME(…)` with its body, without the decorator.
inline std::string cut_function(const std::string& text, const std::string& name) {
  const size_t begin = text.find("    def " + name + "(");
  if (begin == std::string::npos) return "no function " + name;
  const size_t end = text.find("\n\n", begin);
  std::string function = text.substr(begin, end == std::string::npos ? end : end - begin);
  while (!function.empty() && function.back() == '\n') function.pop_back();
  return function;
}

inline std::string golden_function(const std::string& path, const std::string& name) {
  return cut_function(read_case(path), name);
}

// The module with the function as LegalizeOps and emit_te create it (private, int64 indices) under
// the name. Tests print it; this header does not, as te knows no printer.
inline IRModule module_with(const std::vector<te::FuncArg>& args, const std::string& name) {
  te::CreatePrimFuncOptions options;
  options.force_int64 = true;
  options.global_symbol.reset();
  const Result<tir::PrimFunc> func = te::create_prim_func(args, options);
  IRModule module;
  if (func.ok()) module.functions.emplace_back(name, func.value());
  return module;
}

}  // namespace fx2wasm::te_test
