#include "ir/well_formed.h"

#include <string>
#include <unordered_set>

#include "ir/well_formed_rules.h"

namespace fx2wasm {

std::string rule_code(int rule) {
  std::string digits = std::to_string(rule);
  digits.insert(0, 3 - digits.size(), '0');
  return std::string(codes::kWellFormedPrefix) + digits;
}

void RuleReport::add(int rule, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = rule_code(rule);
  diagnostic.message = function + ": " + std::move(message);
  diagnostics.push_back(std::move(diagnostic));
}

Diagnostics check_well_formed(const IRModule& module) {
  RuleReport report;
  std::unordered_set<std::string> names;
  for (const auto& [name, function] : module.functions) {
    report.function = name;
    if (!names.insert(name).second) report.add(11, "the module has two functions of this name");
    if (const auto* prim_func = std::get_if<tir::PrimFunc>(&function)) {
      check_prim_func(**prim_func, report);
    } else {
      check_relax_function(*std::get<relax::Function>(function), module, report);
    }
  }
  return std::move(report.diagnostics);
}

}  // namespace fx2wasm
