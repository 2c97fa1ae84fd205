#include "fx/error_list.h"

#include <algorithm>

#include "support/limits.h"

namespace fx2wasm::fx {

void ErrorList::add(size_t offset, std::string_view code, std::string message,
                    std::string_view node, std::string note) {
  if (full()) return;
  Place place;
  place.file = file_;
  place.fx_node = std::string(node);
  Diagnostic diagnostic = error_at(std::move(place), code, std::move(message));
  if (!note.empty()) diagnostic.notes.push_back(std::move(note));
  errors_.push_back({std::min(offset, text_.size()), std::move(diagnostic)});
  if (full()) {
    errors_.back().diagnostic.notes.push_back("there may be more errors: the list ends here");
  }
}

bool ErrorList::full() const { return errors_.size() >= limits::kMaxDiagnostics; }

Diagnostics ErrorList::take() {
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const Entry& a, const Entry& b) { return a.offset < b.offset; });
  Diagnostics diagnostics;
  int line = 1;
  int column = 1;
  size_t at = 0;
  for (Entry& entry : errors_) {
    const Place step = place_of(text_.substr(at), entry.offset - at);
    column = step.line > 1 ? step.column : column + step.column - 1;
    line += step.line - 1;
    at = entry.offset;
    entry.diagnostic.place.line = line;
    entry.diagnostic.place.column = column;
    diagnostics.push_back(std::move(entry.diagnostic));
  }
  errors_.clear();
  return diagnostics;
}

}  // namespace fx2wasm::fx
