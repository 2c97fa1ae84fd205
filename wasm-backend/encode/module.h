// A WebAssembly module as a value, and its binary form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fx2wasm::wasm {

enum class ValType : uint8_t { I32 = 0x7f, I64 = 0x7e, F32 = 0x7d, F64 = 0x7c, V128 = 0x7b };

struct FuncType {
  std::vector<ValType> params;
  std::vector<ValType> results;
  bool operator==(const FuncType&) const = default;
};

struct FunctionImport {
  std::string module, name;
  FuncType type;
};

// A place in a function's code that a reader may want to find again.
struct CodeMark {
  size_t offset = 0;  // in `code`
  std::string label;
};

struct Function {
  std::string name;
  FuncType type;
  std::vector<ValType> locals;  // without the parameters
  std::vector<std::byte> code;  // instructions with the closing `end`
  std::vector<CodeMark> marks;
};

struct Global {
  ValType type = ValType::I32;  // I32 only; mutable
  int32_t initial = 0;
  std::string name;
};

struct Memory {
  uint32_t min_pages = 1;
  uint32_t max_pages = 65536;
  bool imported = false;  // from `import_module`.`import_name`; exported as "memory" either way
  std::string import_module, import_name;
};

// Bytes copied into memory when the module is instantiated. The span's owner must outlive encode().
struct DataSegment {
  uint32_t offset = 0;
  std::span<const std::byte> bytes;
};

struct FunctionExport {
  std::string name;
  uint32_t function = 0;  // index, imports counted
};

struct CustomSection {
  std::string name;
  std::string content;
};

struct Module {
  std::vector<FunctionImport> imports;  // complete before the first call is written: they come
                                        // first in the index space
  std::vector<Function> functions;
  Memory memory;
  std::vector<Global> globals;
  std::vector<FunctionExport> exports;
  std::vector<DataSegment> data;
  std::vector<CustomSection> customs;
};

// Index of the function that add_function would give next, and the adding.
uint32_t next_function_index(const Module& module);
uint32_t add_function(Module& module, Function function);

struct FunctionRange {
  size_t begin = 0;  // first byte of the body (after its size), in the binary
  size_t end = 0;
  size_t code_begin = 0;  // first instruction: CodeMark offsets count from here
};

struct EncodedModule {
  std::vector<std::byte> binary;
  std::vector<FunctionRange> functions;  // in the order of Module::functions
};

EncodedModule encode(const Module& module);

// Appends an unsigned or signed LEB128 number.
void append_unsigned(std::vector<std::byte>& bytes, uint64_t value);
void append_signed(std::vector<std::byte>& bytes, int64_t value);

}  // namespace fx2wasm::wasm
