// A JSON text as a tree whose every value knows its place. The tree tells `1` from `1.0` and keeps
// an object's members in order, which FX graphs need and most JSON libraries lose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fx/error_list.h"
#include "support/place.h"

namespace fx2wasm::fx {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  // in the order of the text; no key twice

  std::variant<std::nullptr_t, bool, int64_t, double, std::string, Array, Object> value;
  ByteRange range;

  bool is_null() const { return value.index() == 0; }
  const bool* boolean() const { return std::get_if<bool>(&value); }
  const int64_t* integer() const { return std::get_if<int64_t>(&value); }
  const double* floating() const { return std::get_if<double>(&value); }
  const std::string* string() const { return std::get_if<std::string>(&value); }
  const Array* array() const { return std::get_if<Array>(&value); }
  const Object* object() const { return std::get_if<Object>(&value); }
};

struct JsonMember {
  std::string key;
  ByteRange key_range;
  JsonValue value;
};

// The member of an object, or null.
const JsonValue* find_member(const JsonValue::Object& object, std::string_view key);

// `an object`, `an array`, `the integer 3`, `the string 'x'`: how messages call a value.
std::string describe(const JsonValue& value, std::string_view text);

// Parses strict JSON (RFC 8259). Errors, all added to `errors`: syntax, nesting past
// limits::kMaxJsonDepth, more than limits::kMaxJsonValues values, a key that stands twice in its
// object, integers past 64 bits, floats past float64, bytes that are not UTF-8. Nothing is returned
// when there was one. Linear in the text.
std::optional<JsonValue> parse_json(std::string_view text, ErrorList& errors);

}  // namespace fx2wasm::fx
