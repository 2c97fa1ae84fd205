// The errors found in one text, by byte offset. Offsets become lines and columns at the end, in one
// walk over the text: a large text with many errors stays linear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostic.h"

namespace fx2wasm::fx {

class ErrorList {
 public:
  ErrorList(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  // `node` is the FX node at fault, or empty; `note` says why or what to do, or is empty.
  void add(size_t offset, std::string_view code, std::string message, std::string_view node = {},
           std::string note = {});

  bool empty() const { return errors_.empty(); }
  size_t size() const { return errors_.size(); }
  // True once limits::kMaxDiagnostics are there: looking further is of no use to anybody.
  bool full() const;

  // The errors in the order of the text, with their places.
  Diagnostics take();

 private:
  struct Entry {
    size_t offset;
    Diagnostic diagnostic;
  };
  std::string_view text_;
  std::string file_;
  std::vector<Entry> errors_;
};

}  // namespace fx2wasm::fx
