#include "fx/read_json.h"

#include <algorithm>
#include <array>

#include "fx/base64.h"
#include "fx/check_graph.h"
#include "fx/json_value.h"
#include "fx/read_argument.h"
#include "fx/syntax_hint.h"
#include "support/diagnostic_codes.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm::fx {
namespace {

constexpr int64_t kVersion = 1;

constexpr std::array<Opcode, 6> kOpcodes = {Opcode::Placeholder,  Opcode::GetAttr,
                                            Opcode::CallFunction, Opcode::CallMethod,
                                            Opcode::CallModule,   Opcode::Output};

std::vector<std::string_view> opcode_names() {
  std::vector<std::string_view> names;
  for (Opcode opcode : kOpcodes) names.push_back(opcode_name(opcode));
  return names;
}

// Multiplies an element count by one more dimension; nothing when int64 overflows.
std::optional<int64_t> times(int64_t count, int64_t extent) {
  if (extent != 0 && count > INT64_MAX / extent) return std::nullopt;
  return count * extent;
}

std::optional<Dim> read_dim(const JsonValue& json, bool symbols, const Reader& reader) {
  const std::string_view note =
      symbols ? "write a name, as \"n\", for a size that is not known" : "";
  if (const int64_t* extent = json.integer()) {
    if (*extent >= 0) return Dim(*extent);
    reader.error(json.range, codes::kSchemaDimension,
                 "the size " + std::to_string(*extent) + " is negative", std::string(note));
    return std::nullopt;
  }
  const std::string* symbol = symbols ? json.string() : nullptr;
  if (symbol == nullptr) {
    reader.error(json.range, codes::kSchemaDimension,
                 "a size is " + describe(json, reader.text) + "; it should be an integer" +
                     (symbols ? " or a name" : ""));
    return std::nullopt;
  }
  if (is_identifier(*symbol)) return Dim(*symbol);
  reader.error(json.range, codes::kSchemaDimension,
               "the symbolic size " + quote(*symbol) + " is not one identifier",
               "give the size a name of its own, as \"m\"");
  return std::nullopt;
}

std::string dims_text(const std::vector<Dim>& shape) {
  std::string out = "(";
  for (const Dim& dim : shape) {
    if (out.size() > 1) out += ", ";
    const int64_t* extent = std::get_if<int64_t>(&dim);
    out += extent != nullptr ? std::to_string(*extent) : *std::get_if<std::string>(&dim);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

// A shape whose known sizes multiply to a number of bytes that an int64 holds.
std::optional<std::vector<Dim>> read_shape(const JsonValue& json, bool symbols,
                                           const Reader& reader) {
  const JsonValue::Array* array = json.array();
  if (array == nullptr) {
    reader.error(
        json.range, codes::kSchemaFieldType,
        "\"shape\" is " + describe(json, reader.text) + "; it should be an array of sizes");
    return std::nullopt;
  }
  if (array->size() > limits::kMaxRank) {
    reader.error(json.range, codes::kSchemaDimension,
                 "the shape has " + std::to_string(array->size()) + " dimensions; PyTorch allows " +
                     std::to_string(limits::kMaxRank));
    return std::nullopt;
  }
  std::vector<Dim> shape;
  std::optional<int64_t> bytes = 8;
  for (const JsonValue& item : *array) {
    const std::optional<Dim> dim = read_dim(item, symbols, reader);
    if (!dim) continue;
    if (const int64_t* extent = std::get_if<int64_t>(&*dim)) {
      bytes = bytes ? times(*bytes, std::max<int64_t>(*extent, 1)) : bytes;
    }
    shape.push_back(*dim);
  }
  if (!bytes) {
    reader.error(json.range, codes::kSchemaDimension,
                 "a tensor of shape " + dims_text(shape) + " has more bytes than 64 bits can count",
                 "check its sizes");
    return std::nullopt;
  }
  if (shape.size() != array->size()) return std::nullopt;
  return shape;
}

std::optional<Meta> read_meta(const JsonValue& json, const Reader& reader) {
  if (json.object() == nullptr) {
    reader.error(json.range, codes::kSchemaFieldType,
                 "\"meta\" is " + describe(json, reader.text) + "; it should be an object");
    return std::nullopt;
  }
  refuse_unknown_members(*json.object(), {"shape", "dtype"}, reader);
  const JsonValue* shape = required_member(json, "shape", reader);
  const JsonValue* dtype = required_member(json, "dtype", reader);
  std::optional<std::vector<Dim>> dims;
  std::optional<DType> type;
  if (shape != nullptr) dims = read_shape(*shape, true, reader);
  if (dtype != nullptr) type = read_dtype(*dtype, reader);
  if (!dims || !type) return std::nullopt;
  return Meta{std::move(*dims), *type, json.range};
}

// Reads the sections of one text into a Graph, as far as they can be read; `complete_*` say whether
// a section is whole, so that later checks don't report what only follows from an error here.
class GraphReader {
 public:
  GraphReader(Graph& graph, ErrorList& errors) : graph_(graph), errors_(errors) {}

  void read(const JsonValue& root) {
    const Reader reader = reader_for("", "");
    if (root.object() == nullptr) {
      reader.error(root.range, codes::kSchemaFieldType,
                   "FX graph JSON is an object; this is " + describe(root, graph_.text));
      return;
    }
    if (!read_version(root, reader)) return;
    refuse_unknown_members(*root.object(),
                           {"fx_graph", "name", "nodes", "modules", "tensors", "weights"}, reader);
    if (const JsonValue* name = find_member(*root.object(), "name")) {
      graph_.name = read_string(*name, "name", reader).value_or("");
    }
    if (const JsonValue* weights = find_member(*root.object(), "weights")) {
      graph_.weights = read_string(*weights, "weights", reader).value_or("");
    }
    read_nodes(root, reader);
    read_modules(find_member(*root.object(), "modules"), reader);
    read_tensors(find_member(*root.object(), "tensors"), reader);
  }

  const Completeness& complete() const { return complete_; }

 private:
  Reader reader_for(std::string owner, std::string node) const {
    return Reader{graph_.text, errors_, std::move(owner), std::move(node)};
  }

  // False when the text is of another format or version: then nothing else in it can be judged.
  bool read_version(const JsonValue& root, const Reader& reader) {
    const JsonValue* version =
        required_member(root, "fx_graph", reader,
                        "FX graph JSON says its version: \"fx_graph\": 1. Is this another JSON?");
    if (version == nullptr) return find_member(*root.object(), "nodes") != nullptr;
    const int64_t* number = version->integer();
    if (number != nullptr && *number == kVersion) return true;
    reader.error(version->range, codes::kSchemaVersion,
                 "\"fx_graph\" is " + describe(*version, graph_.text) +
                     "; the version read here is " + std::to_string(kVersion),
                 "export the graph again with the fx2wasm package of this version");
    return false;
  }

  void read_nodes(const JsonValue& root, const Reader& reader) {
    const JsonValue* nodes =
        required_member(root, "nodes", reader, "the array of the graph's nodes, as FX lists them");
    if (nodes == nullptr) return;
    if (nodes->array() == nullptr) {
      reader.error(nodes->range, codes::kSchemaFieldType,
                   "\"nodes\" is " + describe(*nodes, graph_.text) + "; it should be an array");
      return;
    }
    if (nodes->array()->size() > limits::kMaxNodes) {
      reader.error(nodes->range, codes::kInputTooLarge,
                   "the graph has " + std::to_string(nodes->array()->size()) + " nodes; at most " +
                       std::to_string(limits::kMaxNodes) + " are read");
      return;
    }
    complete_.nodes = true;
    complete_.opcodes = true;
    size_t position = 0;
    for (const JsonValue& node : *nodes->array()) read_node(node, position++);
    complete_.nodes_range = nodes->range;
  }

  void read_node(const JsonValue& json, size_t position) {
    Reader reader = reader_for("nodes[" + std::to_string(position) + "]", "");
    if (json.object() == nullptr) {
      reader.error(json.range, codes::kSchemaFieldType,
                   "a node is " + describe(json, graph_.text) + "; it should be an object");
      complete_.nodes = complete_.opcodes = false;
      return;
    }
    Node node;
    node.range = json.range;
    node.number = static_cast<int>(position) + 1;
    if (const JsonValue* name =
            required_member(json, "name", reader, "each node has a name of its own")) {
      node.name = read_node_name(*name, reader);
    }
    if (!node.name.empty()) {
      reader.owner = "node " + quote(node.name);
      reader.node = node.name;
    }
    complete_.nodes = complete_.nodes && !node.name.empty();
    refuse_unknown_members(*json.object(),
                           {"op", "name", "target", "args", "kwargs", "tensor", "meta"}, reader);
    const std::optional<Opcode> op = read_opcode(json, reader);
    complete_.opcodes = complete_.opcodes && op;
    if (op) node.op = *op;
    if (const JsonValue* target =
            required_member(json, "target", reader,
                            "as FX has it: of a function its qualified name, \"torch.add\"")) {
      node.target = read_string(*target, "target", reader).value_or("");
    }
    read_node_arguments(json, node, reader);
    read_node_tensor(json, op, node, reader);
    read_node_meta(json, op, node, reader);
    if (op) check_argument_count(json, node, reader);
    graph_.nodes.push_back(std::move(node));
  }

  static std::string read_node_name(const JsonValue& json, const Reader& reader) {
    const std::string name = read_string(json, "name", reader).value_or("");
    if (name.empty() || is_identifier(name)) return name;
    reader.error(
        json.range, codes::kSchemaFieldType, "the name " + quote(name) + " is not an identifier",
        "FX names nodes by letters, digits and _ only, and the generated code uses the name");
    return "";
  }

  static std::optional<Opcode> read_opcode(const JsonValue& json, const Reader& reader) {
    const std::vector<std::string_view> names = opcode_names();
    const JsonValue* op = required_member(json, "op", reader, "one of " + join_words(names, "or"));
    if (op == nullptr) return std::nullopt;
    const std::optional<std::string> name = read_string(*op, "op", reader);
    if (!name) return std::nullopt;
    for (Opcode opcode : kOpcodes) {
      if (opcode_name(opcode) == *name) return opcode;
    }
    reader.error(op->range, codes::kSchemaUnknownOpcode,
                 "there is no opcode " + quote(*name) + did_you_mean(*name, names),
                 "FX has six: " + join_words(names));
    return std::nullopt;
  }

  static void read_node_arguments(const JsonValue& json, Node& node, const Reader& reader) {
    if (const JsonValue* args = find_member(*json.object(), "args")) {
      if (args->array() == nullptr) {
        reader.error(args->range, codes::kSchemaFieldType,
                     "\"args\" is " + describe(*args, reader.text) + "; it should be an array");
      } else {
        for (const JsonValue& item : *args->array()) {
          node.args.push_back(read_argument(item, reader));
        }
      }
    }
    if (const JsonValue* kwargs = find_member(*json.object(), "kwargs")) {
      if (kwargs->object() == nullptr) {
        reader.error(
            kwargs->range, codes::kSchemaFieldType,
            "\"kwargs\" is " + describe(*kwargs, reader.text) + "; it should be an object");
      } else {
        node.kwargs = read_arguments(*kwargs->object(), reader);
      }
    }
  }

  static void read_node_tensor(const JsonValue& json, std::optional<Opcode> op, Node& node,
                               const Reader& reader) {
    const JsonValue* tensor = find_member(*json.object(), "tensor");
    if (tensor == nullptr) return;
    node.tensor = read_string(*tensor, "tensor", reader).value_or("");
    if (op && *op != Opcode::GetAttr) {
      reader.error(
          tensor->range, codes::kSchemaUnknownField,
          "\"tensor\" belongs to get_attr nodes only; this is " + std::string(opcode_name(*op)));
    }
  }

  static void read_node_meta(const JsonValue& json, std::optional<Opcode> op, Node& node,
                             const Reader& reader) {
    if (const JsonValue* meta = find_member(*json.object(), "meta")) {
      node.meta = read_meta(*meta, reader);
    } else if (op && *op == Opcode::Placeholder && node.args.empty()) {
      reader.error(json.range, codes::kSchemaMissingField,
                   "an input needs its \"meta\": shape and dtype",
                   "as \"meta\": {\"shape\": [1, 784], \"dtype\": \"float32\"}");
    }
  }

  static void check_argument_count(const JsonValue& json, const Node& node, const Reader& reader) {
    const size_t count = node.args.size();
    const auto refuse = [&](const std::string& what) {
      reader.error(json.range, codes::kSchemaArgument,
                   std::string(opcode_name(node.op)) + " takes " + what + "; here are " +
                       std::to_string(count) + " arguments and " +
                       std::to_string(node.kwargs.size()) + " keyword arguments");
    };
    switch (node.op) {
      case Opcode::Placeholder:
        if (count > 1 || !node.kwargs.empty()) refuse("one argument at most, its default value");
        return;
      case Opcode::GetAttr:
        if (count > 0 || !node.kwargs.empty()) refuse("no arguments");
        return;
      case Opcode::Output:
        if (count != 1 || !node.kwargs.empty()) refuse("one argument, the value that is returned");
        return;
      case Opcode::CallMethod:
        if (count == 0) refuse("the tensor first whose method is called");
        return;
      case Opcode::CallFunction:
      case Opcode::CallModule:
        return;
    }
  }

  void read_modules(const JsonValue* json, const Reader& reader) {
    complete_.modules = json == nullptr || json->object() != nullptr;
    if (json == nullptr) return;
    if (!complete_.modules) {
      reader.error(json->range, codes::kSchemaFieldType,
                   "\"modules\" is " + describe(*json, graph_.text) + "; it should be an object");
      return;
    }
    for (const JsonMember& member : *json->object()) read_module(member);
  }

  void read_module(const JsonMember& member) {
    const Reader reader = reader_for("module " + quote(member.key), "");
    Module module;
    module.name = member.key;
    module.range = member.value.range;
    graph_.module_index.emplace(module.name, graph_.modules.size());
    if (const JsonValue::Object* fields = member.value.object()) {
      refuse_unknown_members(*fields, {"type", "attrs", "tensors"}, reader);
      const JsonValue* type = required_member(member.value, "type", reader,
                                              "the class's public name, as \"torch.nn.Linear\"");
      if (type != nullptr) module.type = read_string(*type, "type", reader).value_or("");
      read_module_attrs(find_member(*fields, "attrs"), module, reader);
      read_module_tensors(find_member(*fields, "tensors"), module, reader);
    } else {
      reader.error(
          module.range, codes::kSchemaFieldType,
          "a module is " + describe(member.value, graph_.text) + "; it should be an object");
    }
    graph_.modules.push_back(std::move(module));
  }

  static void read_module_attrs(const JsonValue* json, Module& module, const Reader& reader) {
    if (json == nullptr) return;
    if (json->object() == nullptr) {
      reader.error(json->range, codes::kSchemaFieldType,
                   "\"attrs\" is " + describe(*json, reader.text) + "; it should be an object");
      return;
    }
    module.attrs = read_arguments(*json->object(), reader);
  }

  static void read_module_tensors(const JsonValue* json, Module& module, const Reader& reader) {
    if (json == nullptr) return;
    if (json->object() == nullptr) {
      reader.error(
          json->range, codes::kSchemaFieldType,
          "\"tensors\" is " + describe(*json, reader.text) + "; it should be an object of names");
      return;
    }
    for (const JsonMember& tensor : *json->object()) {
      const std::optional<std::string> name = read_string(tensor.value, tensor.key, reader);
      if (name) module.tensors.emplace_back(tensor.key, *name);
    }
  }

  void read_tensors(const JsonValue* json, const Reader& reader) {
    complete_.tensors = json == nullptr || json->object() != nullptr;
    if (json == nullptr) return;
    if (!complete_.tensors) {
      reader.error(json->range, codes::kSchemaFieldType,
                   "\"tensors\" is " + describe(*json, graph_.text) + "; it should be an object");
      return;
    }
    for (const JsonMember& member : *json->object()) read_tensor(member);
  }

  void read_tensor(const JsonMember& member) {
    const Reader reader = reader_for("tensor " + quote(member.key), "");
    Tensor tensor;
    tensor.name = member.key;
    tensor.range = member.value.range;
    graph_.tensor_index.emplace(tensor.name, graph_.tensors.size());
    if (const JsonValue::Object* fields = member.value.object()) {
      refuse_unknown_members(*fields, {"shape", "dtype", "kind", "data"}, reader);
      const bool sized = read_tensor_type(member.value, tensor, reader);
      if (const JsonValue* kind = find_member(*fields, "kind")) read_kind(*kind, tensor, reader);
      const JsonValue* data = find_member(*fields, "data");
      if (data != nullptr && sized) read_data(*data, tensor, reader);
    } else {
      reader.error(
          tensor.range, codes::kSchemaFieldType,
          "a tensor is " + describe(member.value, graph_.text) + "; it should be an object");
    }
    graph_.tensors.push_back(std::move(tensor));
  }

  static bool read_tensor_type(const JsonValue& json, Tensor& tensor, const Reader& reader) {
    const JsonValue* shape = required_member(json, "shape", reader);
    const JsonValue* dtype = required_member(json, "dtype", reader);
    std::optional<std::vector<Dim>> dims;
    std::optional<DType> type;
    if (shape != nullptr) dims = read_shape(*shape, false, reader);
    if (dtype != nullptr) type = read_dtype(*dtype, reader);
    if (!dims || !type) return false;
    for (const Dim& dim : *dims) tensor.shape.push_back(*std::get_if<int64_t>(&dim));
    tensor.dtype = *type;
    return true;
  }

  static void read_kind(const JsonValue& json, Tensor& tensor, const Reader& reader) {
    const std::optional<std::string> kind = read_string(json, "kind", reader);
    if (!kind) return;
    static const std::vector<std::string_view> kKinds = {"parameter", "buffer", "constant"};
    const auto found = std::find(kKinds.begin(), kKinds.end(), *kind);
    if (found == kKinds.end()) {
      reader.error(json.range, codes::kSchemaFieldType,
                   "there is no kind of tensor " + quote(*kind) + did_you_mean(*kind, kKinds),
                   "there are " + join_words(kKinds));
      return;
    }
    tensor.kind = static_cast<TensorKind>(found - kKinds.begin());
  }

  static void read_data(const JsonValue& json, Tensor& tensor, const Reader& reader) {
    const std::string* text = json.string();
    if (text == nullptr) {
      reader.error(
          json.range, codes::kSchemaFieldType,
          "\"data\" is " + describe(json, reader.text) + "; it should be base64 in a string");
      return;
    }
    auto decoded = decode_base64(*text);
    if (const auto* wrong = std::get_if<Base64Error>(&decoded)) {
      // Without escapes in the string, the letter's own place is known.
      const bool plain = json.range.end - json.range.begin == text->size() + 2;
      const ByteRange at{json.range.begin + (plain ? 1 + wrong->offset : 0), json.range.end};
      reader.error(at, codes::kGraphTensorData,
                   wrong->bad_letter
                       ? "\"data\" is no base64: it holds " + quote(text->substr(wrong->offset, 1))
                       : "\"data\" is no base64: its length " + std::to_string(text->size()) +
                             " is no multiple of 4",
                   "padded standard base64 of the bytes, without line breaks");
      return;
    }
    auto& bytes = std::get<0>(decoded);
    const int64_t expected = element_count(tensor.shape) * dtype_bytes(tensor.dtype);
    if (static_cast<int64_t>(bytes.size()) != expected) {
      reader.error(json.range, codes::kGraphTensorData,
                   "\"data\" holds " + std::to_string(bytes.size()) +
                       " bytes; its shape and dtype " + "take " + std::to_string(expected),
                   "export the tensor again, or correct its shape and dtype");
      return;
    }
    tensor.data = make_tensor_data(tensor.dtype, tensor.shape, std::move(bytes));
  }

  Graph& graph_;
  ErrorList& errors_;
  Completeness complete_;
};

}  // namespace

Result<Graph> read_json(std::string text, std::string file) {
  Graph graph;
  graph.text = std::move(text);
  graph.file = std::move(file);
  ErrorList errors(graph.text, graph.file);
  if (graph.text.size() > limits::kMaxTextBytes) {
    errors.add(0, codes::kInputTooLarge,
               "the text has " + std::to_string(graph.text.size()) + " bytes; at most " +
                   std::to_string(limits::kMaxTextBytes) + " are read",
               {}, "put the weights into a safetensors file");
    return errors.take();
  }
  if (const std::optional<SyntaxHint> hint = foreign_text_hint(graph.text)) {
    errors.add(0, codes::kNotFxJson, hint->message, {}, hint->note);
    return errors.take();
  }
  const std::optional<JsonValue> root = parse_json(graph.text, errors);
  if (!root) return errors.take();
  GraphReader reader(graph, errors);
  reader.read(*root);
  check_graph(graph, reader.complete(), errors);
  if (!errors.empty()) return errors.take();
  return Result<Graph>(std::move(graph));
}

}  // namespace fx2wasm::fx
