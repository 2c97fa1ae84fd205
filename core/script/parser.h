// Tokens of the small Python → statements.
#pragma once

#include <string_view>
#include <vector>

#include "script/ast.h"
#include "script/lexer.h"
#include "support/result.h"

namespace fx2wasm::script {

// The statements of a text. Fails (FX5001) at the first thing that is not of the small Python, with
// line and column but no file; Python that it lacks (class, while, try, …) is named as such.
Result<Block> parse_program(std::string_view text);

// The one expression (or `a, b`) that the tokens make up; the last of them is End. TVMScript is
// Python too, and its reader (parse/) shares this. Fails as parse_program does.
Result<ExprRef> parse_expression(std::vector<Token> tokens);

// What the small Python has, in one sentence: for messages.
std::string_view language_summary();

}  // namespace fx2wasm::script
