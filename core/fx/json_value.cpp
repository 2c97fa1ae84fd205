#include "fx/json_value.h"

#include "support/text.h"

namespace fx2wasm::fx {

const JsonValue* find_member(const JsonValue::Object& object, std::string_view key) {
  for (const JsonMember& member : object) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::string describe(const JsonValue& value, std::string_view text) {
  // A number is shown as it was written: 2.50 stays 2.50.
  const std::string written(text.substr(value.range.begin, value.range.end - value.range.begin));
  if (value.is_null()) return "null";
  if (value.boolean() != nullptr) return written;
  if (value.integer() != nullptr) return "the integer " + written;
  if (value.floating() != nullptr) return "the float " + written;
  if (const std::string* string = value.string()) return "the string " + quote(*string);
  return value.array() != nullptr ? "an array" : "an object";
}

}  // namespace fx2wasm::fx
