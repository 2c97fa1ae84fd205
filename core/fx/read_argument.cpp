#include "fx/read_argument.h"

#include <algorithm>
#include <limits>

#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "support/text.h"

namespace fx2wasm::fx {
namespace {

const std::vector<std::string_view> kForms = {
    "node", "slice", "ellipsis", "dtype", "device", "memory_format", "layout", "float", "dict"};
const std::vector<std::string_view> kMemoryFormats = {"contiguous_format", "preserve_format",
                                                      "channels_last", "channels_last_3d"};
const std::vector<std::string_view> kLayouts = {
    "strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};

Argument::Value wrong_argument(const JsonValue& json, const Reader& reader,
                               const std::string& message, std::string note = {}) {
  reader.error(json.range, codes::kSchemaArgument, message, std::move(note));
  return nullptr;
}

Argument::Value read_slice(const JsonValue& json, const Reader& reader) {
  const JsonValue::Array* parts = json.array();
  if (parts == nullptr || parts->size() != 3) {
    return wrong_argument(json, reader, "\"slice\" needs an array of start, stop and step",
                          "write null for a part that is left out");
  }
  std::vector<std::shared_ptr<const Argument>> read;
  for (const JsonValue& part : *parts) {
    Argument argument = read_argument(part, reader);
    const auto& value = argument.value;
    if (!std::holds_alternative<std::nullptr_t>(value) && !std::holds_alternative<int64_t>(value) &&
        !std::holds_alternative<NodeRef>(value)) {
      return wrong_argument(part, reader,
                            "a part of a slice is " + describe(part, reader.text) +
                                "; it should be null, an integer or a node");
    }
    read.push_back(std::make_shared<Argument>(std::move(argument)));
  }
  return Slice{read[0], read[1], read[2]};
}

Argument::Value read_float(const JsonValue& json, const Reader& reader) {
  const std::string* name = json.string();
  if (name != nullptr && *name == "inf") return std::numeric_limits<double>::infinity();
  if (name != nullptr && *name == "-inf") return -std::numeric_limits<double>::infinity();
  if (name != nullptr && *name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return wrong_argument(
      json, reader,
      "\"float\" is " + describe(json, reader.text) + "; it should be \"inf\", \"-inf\" or \"nan\"",
      "any other float is a plain number with a point");
}

std::string read_name(const JsonValue& json, std::string_view form,
                      const std::vector<std::string_view>& known, const Reader& reader) {
  const std::optional<std::string> name = read_string(json, form, reader);
  if (!name) return "";
  if (!known.empty() && std::find(known.begin(), known.end(), *name) == known.end()) {
    wrong_argument(json, reader,
                   quote(*name) + " is no " + std::string(form) + did_you_mean(*name, known),
                   "there are " + join_words(known));
  }
  return *name;
}

Argument::Value read_form(const JsonMember& form, const Reader& reader) {
  const JsonValue& inner = form.value;
  if (form.key == "node") return NodeRef{read_name(inner, "node", {}, reader)};
  if (form.key == "slice") return read_slice(inner, reader);
  if (form.key == "ellipsis") {
    if (inner.boolean() != nullptr && *inner.boolean()) return Ellipsis{};
    return wrong_argument(inner, reader, "\"ellipsis\" should be true");
  }
  if (form.key == "dtype") {
    const std::optional<DType> dtype = read_dtype(inner, reader);
    if (dtype) return *dtype;
    return nullptr;
  }
  if (form.key == "device") return Device{read_name(inner, "device", {}, reader)};
  if (form.key == "memory_format") {
    return MemoryFormat{read_name(inner, "memory_format", kMemoryFormats, reader)};
  }
  if (form.key == "layout") return Layout{read_name(inner, "layout", kLayouts, reader)};
  if (form.key == "float") return read_float(inner, reader);
  if (form.key == "dict") {
    if (inner.object() == nullptr) {
      return wrong_argument(inner, reader,
                            "\"dict\" is " + describe(inner, reader.text) + ", not an object");
    }
    return Dict{read_arguments(*inner.object(), reader)};
  }
  const std::string hint = did_you_mean(form.key, kForms);
  reader.error(form.key_range, codes::kSchemaArgument,
               "there is no kind of argument " + quote(form.key) + hint,
               "there are " + join_words(kForms) + "; a Python dict is {\"dict\": {…}}");
  return nullptr;
}

Argument::Value read_object(const JsonValue& json, const Reader& reader) {
  const JsonValue::Object& object = *json.object();
  if (object.size() == 1) return read_form(object.front(), reader);
  std::vector<std::string_view> keys;
  for (const JsonMember& member : object) keys.push_back(member.key);
  const std::string found =
      object.empty() ? "none" : std::to_string(keys.size()) + ": " + join_words(keys);
  return wrong_argument(
      json, reader,
      "an object among the arguments has one key, which says what it is; this one "
      "has " +
          found,
      "one of " + join_words(kForms, "or") + "; a Python dict is {\"dict\": {…}}");
}

Argument::Value read_list(const JsonValue::Array& array, const Reader& reader) {
  ArgumentList list;
  list.reserve(array.size());
  for (const JsonValue& item : array) list.push_back(read_argument(item, reader));
  return list;
}

}  // namespace

void Reader::error(ByteRange at, std::string_view code, const std::string& message,
                   std::string note) const {
  errors.add(at.begin, code, owner.empty() ? message : owner + ": " + message, node,
             std::move(note));
}

Argument read_argument(const JsonValue& json, const Reader& reader) {
  Argument argument;
  argument.range = json.range;
  if (json.object() != nullptr) {
    argument.value = read_object(json, reader);
  } else if (json.array() != nullptr) {
    argument.value = read_list(*json.array(), reader);
  } else if (json.string() != nullptr) {
    argument.value = *json.string();
  } else if (json.boolean() != nullptr) {
    argument.value = *json.boolean();
  } else if (json.integer() != nullptr) {
    argument.value = *json.integer();
  } else if (json.floating() != nullptr) {
    argument.value = *json.floating();
  } else {
    FX_CHECK(json.is_null(), "a JSON value of an unknown kind");
    argument.value = nullptr;
  }
  return argument;
}

std::vector<NamedArgument> read_arguments(const JsonValue::Object& object, const Reader& reader) {
  std::vector<NamedArgument> read;
  read.reserve(object.size());
  for (const JsonMember& member : object) {
    read.emplace_back(member.key, read_argument(member.value, reader));
  }
  return read;
}

std::optional<DType> read_dtype(const JsonValue& json, const Reader& reader) {
  static const std::vector<std::string_view> kNames = {
      "bool",   "int8",   "int16",   "int32",    "int64",   "uint8",  "uint16",
      "uint32", "uint64", "float16", "bfloat16", "float32", "float64"};
  const std::string* name = json.string();
  if (name == nullptr) {
    reader.error(
        json.range, codes::kSchemaDtype,
        "a dtype is " + describe(json, reader.text) + "; it should be a name, as \"float32\"");
    return std::nullopt;
  }
  const std::optional<DType> dtype = parse_dtype(*name);
  if (!dtype) {
    const bool complex = name->rfind("complex", 0) == 0;
    reader.error(json.range, codes::kSchemaDtype,
                 quote(*name) + (complex ? " is not supported: Wasm has no complex numbers"
                                         : " is no dtype" + did_you_mean(*name, kNames)),
                 "the dtypes are " + join_words(kNames));
  }
  return dtype;
}

std::optional<std::string> read_string(const JsonValue& json, std::string_view field,
                                       const Reader& reader) {
  const std::string* string = json.string();
  if (string == nullptr) {
    reader.error(json.range, codes::kSchemaFieldType,
                 "\"" + std::string(field) + "\" is " + describe(json, reader.text) +
                     "; it should be a string");
    return std::nullopt;
  }
  if (string->empty()) {
    reader.error(json.range, codes::kSchemaFieldType, "\"" + std::string(field) + "\" is empty");
    return std::nullopt;
  }
  return *string;
}

const JsonValue* required_member(const JsonValue& object, std::string_view field,
                                 const Reader& reader, std::string note) {
  const JsonValue* value = find_member(*object.object(), field);
  if (value == nullptr) {
    reader.error(object.range, codes::kSchemaMissingField,
                 "\"" + std::string(field) + "\" is missing", std::move(note));
  }
  return value;
}

void refuse_unknown_members(const JsonValue::Object& object,
                            const std::vector<std::string_view>& known, const Reader& reader) {
  for (const JsonMember& member : object) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    reader.error(
        member.key_range, codes::kSchemaUnknownField,
        "there is no field " + quote(member.key) + " here" + did_you_mean(member.key, known),
        "the fields are " + join_words(known));
  }
}

}  // namespace fx2wasm::fx
