#include "encode/listing.h"

#include <cstdio>
#include <cstring>

#include "encode/module.h"
#include "encode/opcode.h"
#include "support/text.h"

namespace fx2wasm::wasm {
namespace {

struct ByteReader {
  std::span<const std::byte> bytes;
  size_t position = 0;

  bool done() const { return position >= bytes.size(); }
  uint8_t byte() { return done() ? uint8_t{0} : static_cast<uint8_t>(bytes[position++]); }
  uint64_t unsigned_number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      value |= static_cast<uint64_t>(next & 0x7f) << shift;
      if ((next & 0x80) == 0) break;
    }
    return value;
  }
  int64_t signed_number() {
    uint64_t value = 0;
    int shift = 0;
    uint8_t next = 0;
    do {
      next = byte();
      value |= static_cast<uint64_t>(next & 0x7f) << shift;
      shift += 7;
    } while ((next & 0x80) != 0 && shift < 64);
    if (shift < 64 && (next & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  template <class T>
  T little_endian() {
    T value{};
    if (bytes.size() - position >= sizeof(T)) {
      std::memcpy(&value, bytes.data() + position, sizeof(T));
    }
    position += sizeof(T);
    return value;
  }
  std::string name() {
    const auto size = static_cast<size_t>(unsigned_number());
    if (size > bytes.size() - position) return {};
    std::string text(reinterpret_cast<const char*>(bytes.data() + position), size);
    position += size;
    return text;
  }
};

struct Type {
  std::vector<uint8_t> params, results;
};

struct Body {
  size_t begin = 0, end = 0;
};

// The parts of a module that its listing shows.
struct Parts {
  std::vector<Type> types;
  std::vector<size_t> function_types;  // of defined functions
  std::vector<Body> bodies;
  std::vector<std::string> names;  // by function index
  size_t imported = 0;
};

std::vector<uint8_t> read_types(ByteReader& reader) {
  std::vector<uint8_t> types(static_cast<size_t>(reader.unsigned_number()));
  for (uint8_t& type : types) type = reader.byte();
  return types;
}

void read_imports(ByteReader& reader, Parts& parts) {
  for (uint64_t count = reader.unsigned_number(); count > 0; --count) {
    reader.name();
    reader.name();
    if (reader.byte() == 0) {
      reader.unsigned_number();
      ++parts.imported;
    } else {  // the memory: limits with a maximum
      reader.byte();
      reader.unsigned_number();
      reader.unsigned_number();
    }
  }
}

void read_names(ByteReader& reader, Parts& parts) {
  if (reader.name() != "name") return;
  if (reader.byte() != 1) return;
  reader.unsigned_number();
  for (uint64_t count = reader.unsigned_number(); count > 0; --count) {
    const auto index = static_cast<size_t>(reader.unsigned_number());
    if (parts.names.size() <= index) parts.names.resize(index + 1);
    parts.names[index] = reader.name();
  }
}

Parts read_parts(std::span<const std::byte> binary) {
  Parts parts;
  ByteReader reader{binary, 8};
  while (!reader.done()) {
    const uint8_t id = reader.byte();
    const auto size = static_cast<size_t>(reader.unsigned_number());
    const size_t next = reader.position + size;
    if (id == 0) read_names(reader, parts);
    if (id == 1) {
      for (uint64_t count = reader.unsigned_number(); count > 0; --count) {
        reader.byte();
        Type type;
        type.params = read_types(reader);
        type.results = read_types(reader);
        parts.types.push_back(std::move(type));
      }
    }
    if (id == 2) read_imports(reader, parts);
    if (id == 3) {
      for (uint64_t count = reader.unsigned_number(); count > 0; --count) {
        parts.function_types.push_back(static_cast<size_t>(reader.unsigned_number()));
      }
    }
    if (id == 10) {
      for (uint64_t count = reader.unsigned_number(); count > 0; --count) {
        const auto bytes = static_cast<size_t>(reader.unsigned_number());
        parts.bodies.push_back({reader.position, reader.position + bytes});
        reader.position += bytes;
      }
    }
    reader.position = next;
  }
  return parts;
}

const char* type_name(uint8_t type) {
  switch (static_cast<ValType>(type)) {
    case ValType::I32:
      return "i32";
    case ValType::I64:
      return "i64";
    case ValType::F32:
      return "f32";
    case ValType::F64:
      return "f64";
    case ValType::V128:
      return "v128";
  }
  return "?";
}

std::string float_text(double value) { return python_float(value); }

std::string vector_text(ByteReader& reader) {
  std::string text = " i32x4";
  for (int lane = 0; lane < 4; ++lane) {
    char hex[16];
    std::snprintf(hex, sizeof hex, " 0x%08x", reader.little_endian<uint32_t>());
    text += hex;
  }
  return text;
}

std::string memory_text(ByteReader& reader) {
  reader.unsigned_number();  // the natural alignment
  const uint64_t offset = reader.unsigned_number();
  return offset == 0 ? std::string() : " offset=" + std::to_string(offset);
}

std::string immediate_text(Immediate immediate, ByteReader& reader, const Parts& parts) {
  switch (immediate) {
    case Immediate::None:
      return {};
    case Immediate::BlockType: {
      const uint8_t type = reader.byte();
      return type == 0x40 ? std::string() : std::string(" (result ") + type_name(type) + ")";
    }
    case Immediate::Label:
    case Immediate::Local:
    case Immediate::Global:
      return " " + std::to_string(reader.unsigned_number());
    case Immediate::Function: {
      const auto index = static_cast<size_t>(reader.unsigned_number());
      return " $" + (index < parts.names.size() ? parts.names[index] : std::to_string(index));
    }
    case Immediate::Memory:
      return memory_text(reader);
    case Immediate::MemoryLane: {
      const std::string text = memory_text(reader);
      return text + " " + std::to_string(reader.byte());
    }
    case Immediate::Lane:
      return " " + std::to_string(reader.byte());
    case Immediate::I32:
    case Immediate::I64:
      return " " + std::to_string(reader.signed_number());
    case Immediate::F32:
      return " " + float_text(static_cast<double>(reader.little_endian<float>()));
    case Immediate::F64:
      return " " + float_text(reader.little_endian<double>());
    case Immediate::V128:
      return vector_text(reader);
    case Immediate::Shuffle: {
      std::string text;
      for (int lane = 0; lane < 16; ++lane) text += " " + std::to_string(reader.byte());
      return text;
    }
    case Immediate::MemoryIndex:
      reader.byte();
      return {};
    case Immediate::MemoryPair:
      reader.byte();
      reader.byte();
      return {};
  }
  return {};
}

std::string header_text(const std::string& name, const Type& type, ByteReader& reader) {
  std::string text = "(func $" + name;
  for (const uint8_t param : type.params) text += std::string(" (param ") + type_name(param) + ")";
  for (const uint8_t result : type.results) {
    text += std::string(" (result ") + type_name(result) + ")";
  }
  size_t number = type.params.size();
  for (uint64_t runs = reader.unsigned_number(); runs > 0; --runs) {
    const auto count = static_cast<size_t>(reader.unsigned_number());
    const char* local = type_name(reader.byte());
    text += "\n  (local";
    for (size_t i = 0; i < count; ++i) text += std::string(" ") + local;
    text += ")  ;; " + std::to_string(number);
    if (count > 1) text += " to " + std::to_string(number + count - 1);
    number += count;
  }
  return text + "\n";
}

void list_function(std::span<const std::byte> binary, const Parts& parts, size_t defined,
                   Listing& listing) {
  const size_t index = parts.imported + defined;
  const std::string name = index < parts.names.size() ? parts.names[index] : std::to_string(index);
  const Body& body = parts.bodies[defined];
  ByteReader reader{binary.subspan(0, body.end), body.begin};
  listing.text += header_text(name, parts.types[parts.function_types[defined]], reader);
  int depth = 1;
  while (!reader.done()) {
    ListedLine line;
    line.code_offset = reader.position;
    line.function = name;
    uint32_t number = reader.byte();
    if (number >= 0xfc) {
      number = number << 16 | static_cast<uint32_t>(reader.unsigned_number());
    }
    const OpcodeInfo* info = find_opcode(number);
    line.begin = listing.text.size();
    char prefix[24];
    std::snprintf(prefix, sizeof prefix, "%06zx", line.code_offset);
    listing.text += prefix;
    if (info == nullptr) {
      listing.text += "  ;; not an instruction that this compiler writes\n";
      return;
    }
    const bool closes = info->op == Op::End || info->op == Op::Else;
    const int indent = closes ? depth - 1 : depth;
    listing.text.append(static_cast<size_t>(2 * (indent < 0 ? 0 : indent)) + 1, ' ');
    listing.text += info->text;
    listing.text += immediate_text(info->immediate, reader, parts);
    line.end = listing.text.size();
    listing.text += '\n';
    listing.lines.push_back(std::move(line));
    if (info->op == Op::Block || info->op == Op::Loop || info->op == Op::If) ++depth;
    if (info->op == Op::End) --depth;
  }
  listing.text += ")\n";
}

}  // namespace

Listing list_module(std::span<const std::byte> binary, std::string_view function_name) {
  const Parts parts = read_parts(binary);
  Listing listing;
  for (size_t i = 0; i < parts.bodies.size(); ++i) {
    const size_t index = parts.imported + i;
    const bool named = index < parts.names.size() && parts.names[index] == function_name;
    if (function_name.empty() || named) list_function(binary, parts, i, listing);
  }
  if (!listing.text.empty()) listing.text.pop_back();
  return listing;
}

}  // namespace fx2wasm::wasm
