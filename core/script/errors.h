// Errors of the small Python, made where they are found.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "script/ast.h"
#include "support/diagnostic.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::script {

// Without a place; the interpreter adds that of the call or operation.
inline Diagnostic script_error(std::string_view code, std::string message) {
  return error_at(Place{}, code, std::move(message));
}

inline Diagnostic script_error_at(Position at, std::string_view code, std::string message) {
  return error_at(Place{"", at.line, at.column, ""}, code, std::move(message));
}

inline Diagnostic type_error(std::string message) {
  return script_error(codes::kScriptType, std::move(message));
}
inline Diagnostic value_error(std::string message) {
  return script_error(codes::kScriptValue, std::move(message));
}

}  // namespace fx2wasm::script
