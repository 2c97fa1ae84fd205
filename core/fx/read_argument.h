// One argument of FX graph JSON → fx::Argument, and the small readers that other fields share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fx/error_list.h"
#include "fx/graph.h"
#include "fx/json_value.h"

namespace fx2wasm::fx {

// Whose field is read: how its errors begin and which FX node they name.
struct Reader {
  std::string_view text;
  ErrorList& errors;
  std::string owner;  // `node 'relu'`, `module 'linear0'`, `nodes[2]`
  std::string node;   // the FX node at fault, or empty

  void error(ByteRange at, std::string_view code, const std::string& message,
             std::string note = {}) const;
};

// Every form that the table of docs/fx-json.md lists. What is wrong is an error (FX2005, FX2007),
// and None stands in for the value, so that reading goes on.
Argument read_argument(const JsonValue& json, const Reader& reader);

// The members of an object of arguments (kwargs, attrs, a dict), in order.
std::vector<NamedArgument> read_arguments(const JsonValue::Object& object, const Reader& reader);

// A dtype's name, or an error FX2005 that lists the known ones.
std::optional<DType> read_dtype(const JsonValue& json, const Reader& reader);

// The string of a field; an error FX2003 when it is anything else or empty.
std::optional<std::string> read_string(const JsonValue& json, std::string_view field,
                                       const Reader& reader);

// The member of an object, or an error FX2002 at the object when there is none.
const JsonValue* required_member(const JsonValue& object, std::string_view field,
                                 const Reader& reader, std::string note = {});

// An error FX2008 for each member whose key is not among the known ones: a misspelt field that was
// skipped would change what the graph means.
void refuse_unknown_members(const JsonValue::Object& object,
                            const std::vector<std::string_view>& known, const Reader& reader);

}  // namespace fx2wasm::fx
