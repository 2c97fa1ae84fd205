// What is wrong with a user's input, as a value. Broken invariants of our own are not diagnostics:
// they stop the program through FX_CHECK (check.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/place.h"

namespace fx2wasm {

enum class Severity { Error, Warning, Note };

// `code` is stable across releases and is one of the constants of diagnostic_codes.h; `message` is
// one sentence that says what is wrong; `notes` say why or what to do.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;
  Place place;
  std::string message;
  std::vector<std::string> notes;
};

using Diagnostics = std::vector<Diagnostic>;

// An error at a place, without notes.
Diagnostic error_at(Place place, std::string_view code, std::string message);

// True when at least one of them is an error.
bool has_errors(const Diagnostics& diagnostics);

// `FILE:LINE:COL: error[CODE]: message`, then each note on its own line as `  note: …`. Line and
// column are left out when unknown, the file is `<input>` when it has no name.
std::string format_diagnostic(const Diagnostic& diagnostic);

}  // namespace fx2wasm
