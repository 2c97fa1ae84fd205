// Values of attributes: of operators, functions, blocks and loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "support/dtype.h"

namespace fx2wasm {

struct AttrValue;
struct NamedAttr;
using AttrList = std::vector<AttrValue>;
// Sorted by nothing: the order in which they were set, or (operators) declared, is the order of the
// printed text. Dictionaries of functions and blocks are printed sorted by key, as TVM does.
using Attrs = std::vector<NamedAttr>;

struct AttrNone {
  bool operator==(const AttrNone&) const = default;
};

// A float that TVM keeps as a float32 immediate: printed `T.float32(0.0)` where a double prints
// `0.0` (the region of interest of image.resize2d).
struct AttrFloat32 {
  double value = 0;
  bool operator==(const AttrFloat32&) const = default;
};

// Of a block: the buffer of its read region at this index, printed by its name
// (layout_free_placeholders of topi.nn.batch_matmul).
struct AttrReadBuffer {
  size_t read = 0;
  bool operator==(const AttrReadBuffer&) const = default;
};

struct AttrValue {
  using Value = std::variant<AttrNone, bool, int64_t, double, AttrFloat32, AttrReadBuffer,
                             std::string, DType, AttrList, Attrs>;
  Value value;
};

// Members as in std::pair, which can't be made of a type that is not complete yet.
struct NamedAttr {
  NamedAttr(std::string_view name, AttrValue value) : first(name), second(std::move(value)) {}
  std::string first;
  AttrValue second;
};

bool operator==(const AttrValue& a, const AttrValue& b);
bool operator==(const NamedAttr& a, const NamedAttr& b);

// The value of `key`, or null.
const AttrValue* find_attr(const Attrs& attrs, std::string_view key);

}  // namespace fx2wasm
