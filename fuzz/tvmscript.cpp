// TVMScript read, printed and read again: when a text can be read, what it prints as can be read,
// too, and prints as itself.
#include "parse/tvmscript.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "builder/infer_type.h"
#include "fuzz/words.h"
#include "print/tvmscript.h"
#include "support/check.h"

namespace {

using namespace fx2wasm;

std::string printed(const ParsedText& parsed) {
  if (const auto* func = std::get_if<tir::PrimFunc>(&parsed)) return print_prim_func(*func).text;
  return print_module(std::get<IRModule>(parsed)).text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ParseOptions options;
  options.infer_type = infer_type;
  const std::string text(data, data + size);
  const Result<ParsedText> first = parse_tvmscript(text, "fuzzed.py", options);
  if (!first.ok()) return 0;
  const std::string once = printed(first.value());
  const Result<ParsedText> second = parse_tvmscript(once, "printed.py", options);
  if (!second.ok()) {
    std::fprintf(stderr, "%s\n%s\n", once.c_str(),
                 format_diagnostic(second.diagnostics().front()).c_str());
    internal_error("what was printed cannot be read", __FILE__, __LINE__);
  }
  const std::string twice = printed(second.value());
  if (once != twice) {
    std::fprintf(stderr, "%s\n----\n%s\n", once.c_str(), twice.c_str());
    internal_error("what was printed prints as something else", __FILE__, __LINE__);
  }
  return 0;
}
