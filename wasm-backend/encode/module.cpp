#include "encode/module.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "support/check.h"

namespace fx2wasm::wasm {
namespace {

using Bytes = std::vector<std::byte>;

constexpr uint8_t kFunctionExternal = 0;
constexpr uint8_t kMemoryExternal = 2;

void append_byte(Bytes& bytes, uint8_t value) { bytes.push_back(static_cast<std::byte>(value)); }

void append_bytes(Bytes& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

void append_text(Bytes& bytes, const std::string& text) {
  append_bytes(bytes, std::as_bytes(std::span(text.data(), text.size())));
}

void append_name(Bytes& bytes, const std::string& name) {
  append_unsigned(bytes, name.size());
  append_text(bytes, name);
}

void append_types(Bytes& bytes, const std::vector<ValType>& types) {
  append_unsigned(bytes, types.size());
  for (const ValType type : types) append_byte(bytes, static_cast<uint8_t>(type));
}

void append_section(Bytes& binary, uint8_t id, const Bytes& content) {
  append_byte(binary, id);
  append_unsigned(binary, content.size());
  append_bytes(binary, content);
}

// Locals are declared as runs of equal types.
void append_locals(Bytes& bytes, const std::vector<ValType>& locals) {
  std::vector<std::pair<uint32_t, ValType>> runs;
  for (const ValType type : locals) {
    if (runs.empty() || runs.back().second != type) runs.emplace_back(0, type);
    ++runs.back().first;
  }
  append_unsigned(bytes, runs.size());
  for (const auto& run : runs) {
    append_unsigned(bytes, run.first);
    append_byte(bytes, static_cast<uint8_t>(run.second));
  }
}

void append_memory_limits(Bytes& bytes, const Memory& memory) {
  append_byte(bytes, 1);  // with a maximum
  append_unsigned(bytes, memory.min_pages);
  append_unsigned(bytes, memory.max_pages);
}

class TypeTable {
 public:
  uint32_t index_of(const FuncType& type) {
    const auto found = std::find(types_.begin(), types_.end(), type);
    if (found != types_.end()) return static_cast<uint32_t>(found - types_.begin());
    types_.push_back(type);
    return static_cast<uint32_t>(types_.size() - 1);
  }
  Bytes section() const {
    Bytes bytes;
    append_unsigned(bytes, types_.size());
    for (const FuncType& type : types_) {
      append_byte(bytes, 0x60);
      append_types(bytes, type.params);
      append_types(bytes, type.results);
    }
    return bytes;
  }

 private:
  std::vector<FuncType> types_;
};

Bytes import_section(const Module& module, TypeTable& types) {
  Bytes bytes;
  append_unsigned(bytes, module.imports.size() + (module.memory.imported ? 1 : 0));
  for (const FunctionImport& import : module.imports) {
    append_name(bytes, import.module);
    append_name(bytes, import.name);
    append_byte(bytes, kFunctionExternal);
    append_unsigned(bytes, types.index_of(import.type));
  }
  if (module.memory.imported) {
    append_name(bytes, module.memory.import_module);
    append_name(bytes, module.memory.import_name);
    append_byte(bytes, kMemoryExternal);
    append_memory_limits(bytes, module.memory);
  }
  return bytes;
}

Bytes global_section(const Module& module) {
  Bytes bytes;
  append_unsigned(bytes, module.globals.size());
  for (const Global& global : module.globals) {
    append_byte(bytes, static_cast<uint8_t>(global.type));
    append_byte(bytes, 1);     // mutable
    append_byte(bytes, 0x41);  // i32.const
    append_signed(bytes, global.initial);
    append_byte(bytes, 0x0b);
  }
  return bytes;
}

Bytes export_section(const Module& module) {
  Bytes bytes;
  append_unsigned(bytes, module.exports.size() + 1);
  append_name(bytes, "memory");
  append_byte(bytes, kMemoryExternal);
  append_unsigned(bytes, 0);
  for (const FunctionExport& entry : module.exports) {
    append_name(bytes, entry.name);
    append_byte(bytes, kFunctionExternal);
    append_unsigned(bytes, entry.function);
  }
  return bytes;
}

// The names that debuggers and disassemblers show.
Bytes name_section(const Module& module) {
  Bytes functions;
  append_unsigned(functions, module.imports.size() + module.functions.size());
  uint32_t index = 0;
  for (const FunctionImport& import : module.imports) {
    append_unsigned(functions, index++);
    append_name(functions, import.name);
  }
  for (const Function& function : module.functions) {
    append_unsigned(functions, index++);
    append_name(functions, function.name);
  }
  Bytes bytes;
  append_name(bytes, "name");
  append_section(bytes, 1, functions);
  return bytes;
}

void append_code_section(Bytes& binary, const Module& module, EncodedModule& encoded) {
  Bytes content;
  append_unsigned(content, module.functions.size());
  for (const Function& function : module.functions) {
    Bytes locals;
    append_locals(locals, function.locals);
    append_unsigned(content, locals.size() + function.code.size());
    FunctionRange range;
    range.begin = content.size();
    append_bytes(content, locals);
    range.code_begin = content.size();
    append_bytes(content, function.code);
    range.end = content.size();
    encoded.functions.push_back(range);
  }
  append_byte(binary, 10);
  append_unsigned(binary, content.size());
  for (FunctionRange& range : encoded.functions) {
    range.begin += binary.size();
    range.code_begin += binary.size();
    range.end += binary.size();
  }
  append_bytes(binary, content);
}

void append_data_section(Bytes& binary, const Module& module) {
  Bytes header;
  append_unsigned(header, module.data.size());
  std::vector<Bytes> prefixes;
  size_t size = header.size();
  for (const DataSegment& segment : module.data) {
    Bytes prefix;
    append_unsigned(prefix, 0);  // active, memory 0
    append_byte(prefix, 0x41);
    append_signed(prefix, static_cast<int32_t>(segment.offset));
    append_byte(prefix, 0x0b);
    append_unsigned(prefix, segment.bytes.size());
    size += prefix.size() + segment.bytes.size();
    prefixes.push_back(std::move(prefix));
  }
  append_byte(binary, 11);
  append_unsigned(binary, size);
  append_bytes(binary, header);
  for (size_t i = 0; i < prefixes.size(); ++i) {
    append_bytes(binary, prefixes[i]);
    append_bytes(binary, module.data[i].bytes);
  }
}

}  // namespace

void append_unsigned(Bytes& bytes, uint64_t value) {
  do {
    const auto low = static_cast<uint8_t>(value & 0x7f);
    value >>= 7;
    append_byte(bytes, static_cast<uint8_t>(value != 0 ? low | 0x80 : low));
  } while (value != 0);
}

void append_signed(Bytes& bytes, int64_t value) {
  while (true) {
    const auto low = static_cast<uint8_t>(value & 0x7f);
    value >>= 7;
    const bool done = (value == 0 && (low & 0x40) == 0) || (value == -1 && (low & 0x40) != 0);
    append_byte(bytes, static_cast<uint8_t>(done ? low : low | 0x80));
    if (done) return;
  }
}

uint32_t next_function_index(const Module& module) {
  return static_cast<uint32_t>(module.imports.size() + module.functions.size());
}

uint32_t add_function(Module& module, Function function) {
  const uint32_t index = next_function_index(module);
  module.functions.push_back(std::move(function));
  return index;
}

EncodedModule encode(const Module& module) {
  EncodedModule encoded;
  Bytes& binary = encoded.binary;
  size_t data_bytes = 0;
  for (const DataSegment& segment : module.data) data_bytes += segment.bytes.size() + 16;
  binary.reserve(data_bytes + 65536);
  for (const int byte : {0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00}) {
    append_byte(binary, static_cast<uint8_t>(byte));
  }

  TypeTable types;
  const Bytes imports = import_section(module, types);
  Bytes functions;
  append_unsigned(functions, module.functions.size());
  for (const Function& function : module.functions) {
    append_unsigned(functions, types.index_of(function.type));
  }
  append_section(binary, 1, types.section());
  if (!module.imports.empty() || module.memory.imported) append_section(binary, 2, imports);
  append_section(binary, 3, functions);
  if (!module.memory.imported) {
    Bytes memory;
    append_unsigned(memory, 1);
    append_memory_limits(memory, module.memory);
    append_section(binary, 5, memory);
  }
  if (!module.globals.empty()) append_section(binary, 6, global_section(module));
  append_section(binary, 7, export_section(module));
  append_code_section(binary, module, encoded);
  if (!module.data.empty()) append_data_section(binary, module);
  append_section(binary, 0, name_section(module));
  for (const CustomSection& custom : module.customs) {
    Bytes bytes;
    append_name(bytes, custom.name);
    append_text(bytes, custom.content);
    append_section(binary, 0, bytes);
  }
  return encoded;
}

}  // namespace fx2wasm::wasm
