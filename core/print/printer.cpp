#include "print/printer.h"

#include <algorithm>

namespace fx2wasm::print {
namespace {

constexpr size_t kIndent = 4;

}  // namespace

void new_line(Printer& p) {
  if (p.text.empty()) return;
  p.text += '\n';
  p.text.append(static_cast<size_t>(p.indent) * kIndent, ' ');
}

void write(Printer& p, std::string_view text) { p.text += text; }

void write_tirx(Printer& p, std::string_view name) {
  p.uses_tirx = true;
  p.text += "T.";
  p.text += name;
}

void write_relax(Printer& p, std::string_view name) {
  p.uses_relax = true;
  p.text += "R.";
  p.text += name;
}

void insert_at(Printer& p, size_t offset, std::string_view text) {
  p.text.insert(offset, text);
  const auto shift = static_cast<uint32_t>(text.size());
  // Spans are added when they end, so all that lie behind the offset are at the back.
  for (auto span = p.spans.rbegin(); span != p.spans.rend() && span->end > offset; ++span) {
    if (span->begin >= offset) span->begin += shift;
    span->end += shift;
  }
}

void add_span(Printer& p, size_t begin, SpanKind kind, int index, std::string name,
              std::vector<int> fx_nodes) {
  Span span;
  span.begin = static_cast<uint32_t>(begin);
  span.end = static_cast<uint32_t>(p.text.size());
  span.kind = kind;
  span.function = p.function;
  span.index = index;
  span.name = std::move(name);
  span.fx_nodes = std::move(fx_nodes);
  p.spans.push_back(std::move(span));
}

std::string capture(Printer& p, const std::function<void()>& print) {
  const size_t begin = p.text.size();
  const size_t span_count = p.spans.size();
  print();
  std::string captured = p.text.substr(begin);
  p.text.resize(begin);
  p.spans.resize(span_count);
  return captured;
}

void begin_function(Printer& p, std::string_view name, std::vector<int> fx_nodes) {
  p.function = name;
  p.fx_nodes = std::move(fx_nodes);
  p.prelude.clear();
  p.loop_count = 0;
  p.block_count = 0;
  p.loops.clear();
  p.in_signature = false;
  p.signature_symbols.clear();
  p.var_index.clear();
  p.var_origin.clear();
  p.binding_origin = nullptr;
  p.module_alias_defined = false;
}

void set_prelude_here(Printer& p) {
  p.prelude_at = p.text.size();
  p.prelude_indent = p.indent;
}

void flush_prelude(Printer& p) {
  std::string lines;
  for (const std::string& line : p.prelude) {
    lines += '\n';
    lines.append(static_cast<size_t>(p.prelude_indent) * kIndent, ' ');
    lines += line;
  }
  p.prelude.clear();
  if (!lines.empty()) insert_at(p, p.prelude_at, lines);
}

}  // namespace fx2wasm::print
