#include "plan/metadata.h"

#include <cstdio>

#include "ir/tir_build.h"
#include "print/tvmscript.h"

namespace fx2wasm::wasm {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

template <class T>
std::string number_list(const std::vector<T>& numbers) {
  std::string result = "[";
  for (size_t i = 0; i < numbers.size(); ++i) {
    result += (i > 0 ? "," : "") + std::to_string(numbers[i]);
  }
  return result + "]";
}

std::string tensor_fields(const Region& region) {
  return "\"dtype\":" + quoted(dtype_name(region.dtype)) +
         ",\"shape\":" + number_list(region.shape) +
         ",\"offset\":" + std::to_string(region.offset) +
         ",\"bytes\":" + std::to_string(region.bytes);
}

// Numbers, and expressions of symbols as text.
std::string extent_list(const Region& region) {
  std::string result = "[";
  for (size_t i = 0; i < region.extents.size(); ++i) {
    const auto value = tir::as_int(region.extents[i]);
    if (i > 0) result += ',';
    result += value ? std::to_string(*value) : quoted(print_expr(region.extents[i]));
  }
  return result + "]";
}

std::string symbolic_fields(size_t index, const Program& program, const SizeTable& table) {
  const Region& region = program.regions[index];
  return "\"dtype\":" + quoted(dtype_name(region.dtype)) + ",\"shape\":" + extent_list(region) +
         ",\"offset\":null,\"bytes\":null,\"addressWord\":" +
         std::to_string(table.word_of_item(*table.regions[index], program)) +
         ",\"extentWord\":" + std::to_string(*table.extents[index]);
}

std::string ports(const std::vector<Port>& list, const Program& program, const SizeTable& table,
                  bool with_nodes) {
  std::string result = "[";
  for (const Port& port : list) {
    const Region& region = program.regions[port.region];
    if (result.size() > 1) result += ',';
    result +=
        "{\"key\":" + quoted(port.key) + ",\"name\":" + quoted(port.name) + "," +
        (region.symbolic ? symbolic_fields(port.region, program, table) : tensor_fields(region));
    if (with_nodes) result += ",\"fxNodes\":" + number_list(region.fx_nodes);
    result += '}';
  }
  return result + "]";
}

std::string symbols(const Program& program) {
  std::string result = "[";
  for (const SizeSymbol& symbol : program.symbols) {
    if (result.size() > 1) result += ',';
    result += "{\"name\":" + quoted(symbol.var->name) +
              ",\"input\":" + std::to_string(symbol.input) +
              ",\"axis\":" + std::to_string(symbol.axis) + "}";
  }
  return result + "]";
}

std::string weights(const Program& program) {
  std::string result = "[";
  for (const Region& region : program.regions) {
    if (region.kind != RegionKind::Weight) continue;
    if (result.size() > 1) result += ',';
    result += "{\"name\":" + quoted(region.name) + "," + tensor_fields(region) + "}";
  }
  return result + "]";
}

}  // namespace

std::string write_metadata(const Program& program, const MemoryLayout& layout,
                           const SizeTable& table, const std::vector<FunctionInfo>& functions,
                           std::string_view simd, bool needs_library, bool weights_inside) {
  const bool symbolic = !program.symbols.empty();
  std::string json = "{\"abi\":" + std::to_string(symbolic ? kSymbolicAbiVersion : kAbiVersion);
  if (symbolic) {
    json += ",\"symbols\":" + symbols(program);
    json += ",\"tableOffset\":" + std::to_string(table.offset);
  }
  json += ",\"simd\":" + quoted(simd);
  json += ",\"inputs\":" + ports(program.inputs, program, table, false);
  json += ",\"outputs\":" + ports(program.outputs, program, table, false);
  json += ",\"intermediates\":" + ports(program.intermediates, program, table, true);
  json += std::string(",\"weightsInside\":") + (weights_inside ? "true" : "false");
  json += ",\"weights\":" + weights(program);
  json += std::string(",\"needsLibrary\":") + (needs_library ? "true" : "false");
  json += ",\"functions\":[";
  for (size_t i = 0; i < functions.size(); ++i) {
    const FunctionInfo& info = functions[i];
    json += (i > 0 ? ",{\"name\":" : "{\"name\":") + quoted(info.name) +
            ",\"fxNodes\":" + number_list(info.fx_nodes) +
            ",\"library\":" + (info.library.empty() ? "null" : quoted(info.library)) + "}";
  }
  json += "],\"memory\":{\"weightBytes\":" + std::to_string(layout.weight_bytes) +
          ",\"arenaOffset\":" + std::to_string(layout.arena_begin) +
          ",\"arenaBytes\":" + std::to_string(layout.arena_bytes) +
          ",\"totalBytes\":" + std::to_string(layout.total_bytes) + "}}";
  return json;
}

}  // namespace fx2wasm::wasm
