// What can be translated, as a Markdown page (docs/operators.md), from the tables that translate.
#pragma once

#include <string>

namespace fx2wasm::report {

std::string operators_page();

}  // namespace fx2wasm::report
