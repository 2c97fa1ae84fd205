#include "support/diagnostic.h"

namespace fx2wasm {
namespace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "error";
}

}  // namespace

Diagnostic error_at(Place place, std::string_view code, std::string message) {
  return Diagnostic{Severity::Error, std::string(code), std::move(place), std::move(message), {}};
}

bool has_errors(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity == Severity::Error) return true;
  }
  return false;
}

std::string format_diagnostic(const Diagnostic& diagnostic) {
  const Place& place = diagnostic.place;
  std::string text = place.file.empty() ? "<input>" : place.file;
  if (place.line > 0) {
    text += ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
  }
  text += ": ";
  text += severity_name(diagnostic.severity);
  text += '[' + diagnostic.code + "]: " + diagnostic.message;
  for (const std::string& note : diagnostic.notes) text += "\n  note: " + note;
  return text;
}

}  // namespace fx2wasm
