#include "report/operators.h"

#include <string_view>
#include <vector>

#include "ir/op.h"
#include "translate/rules.h"

namespace fx2wasm::report {
namespace {

using translate::RuleEntry;

// Fewer cells to read: `a`, `b`, `c`.
std::string code_list(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) {
    list += (list.empty() ? "`" : ", `") + std::string(word) + "`";
  }
  return list;
}

void add_rules(std::string& page, const std::vector<const RuleEntry*>& entries) {
  for (const RuleEntry* entry : entries) {
    page += "| `" + std::string(entry->key) + "` | `" + std::string(entry->signature) + "` | `" +
            std::string(entry->name) + "` |\n";
  }
}

}  // namespace

std::string operators_page() {
  const std::vector<const RuleEntry*> modules = translate::module_entries();
  const std::vector<const RuleEntry*> functions = translate::function_entries();
  std::string page =
      "# What can be translated\n\n"
      "`fx2wasm operators` writes this page from the tables that translate; a test holds it to "
      "them.\nAn argument with `?` may be left out, one with `*` takes all further positional "
      "ones; all may be\ngiven by name. The rule's name is what the steps show.\n\n"
      "## call_module_map: " +
      std::to_string(modules.size()) + " classes\n\n| class | arguments | rule |\n|---|---|---|\n";
  add_rules(page, modules);
  page += "\n## call_function_map and call_method_map: " + std::to_string(functions.size()) +
          " names\n\nA function of `torch`, `torch.nn.functional` or `operator` is found by its "
          "own name, a tensor's method\nlikewise; a name with its module is that function "
          "alone.\n\n| name | arguments | rule |\n|---|---|---|\n";
  add_rules(page, functions);
  page += "\n## Relax operators: " + std::to_string(relax::all_ops().size()) +
          "\n\nWith TVM's names, arguments and attributes.\n\n"
          "| operator | arguments | attributes |\n|---|---|---|\n";
  for (const relax::OpInfo& op : relax::all_ops()) {
    page += "| `R." + std::string(op.name) + "` | " + code_list(op.args) + " | " +
            code_list(op.attrs) + " |\n";
  }
  page.pop_back();  // the printer ends the last line
  return page;
}

}  // namespace fx2wasm::report
