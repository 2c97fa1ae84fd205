#include "fx/safetensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "fx/json_value.h"
#include "support/diagnostic_codes.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm::fx {
namespace {

constexpr size_t kLengthBytes = 8;

struct TypeName {
  std::string_view name;
  DType dtype;
};

constexpr std::array<TypeName, 13> kTypes = {{{"BOOL", DType::Bool},
                                              {"I8", DType::Int8},
                                              {"I16", DType::Int16},
                                              {"I32", DType::Int32},
                                              {"I64", DType::Int64},
                                              {"U8", DType::UInt8},
                                              {"U16", DType::UInt16},
                                              {"U32", DType::UInt32},
                                              {"U64", DType::UInt64},
                                              {"F16", DType::Float16},
                                              {"BF16", DType::BFloat16},
                                              {"F32", DType::Float32},
                                              {"F64", DType::Float64}}};

std::string_view safetensors_name(DType dtype) {
  for (const TypeName& type : kTypes) {
    if (type.dtype == dtype) return type.name;
  }
  FX_CHECK(false, "a dtype without a safetensors name");
  return "";
}

// A tensor as the header claims it; every claim is checked against the file before it is used.
struct Claim {
  std::string name;
  DType dtype = DType::Float32;
  std::vector<int64_t> shape;
  size_t begin = 0;
  size_t end = 0;
};

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string out = "(";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) out += ", ";
    out += std::to_string(shape[i]);
  }
  return out + (shape.size() == 1 ? ",)" : ")");
}

class HeaderReader {
 public:
  HeaderReader(std::span<const std::byte> bytes, const std::string& file)
      : bytes_(bytes), file_(file) {}

  Result<std::vector<Claim>> read() {
    if (bytes_.size() < kLengthBytes) {
      refuse("the file has " + std::to_string(bytes_.size()) +
             " bytes; the header's length alone " + "takes 8");
      return problems_;
    }
    uint64_t length = 0;
    for (size_t i = 0; i < kLengthBytes; ++i) {
      length |= static_cast<uint64_t>(bytes_[i]) << (8 * i);
    }
    const size_t rest = bytes_.size() - kLengthBytes;
    if (length > rest || length > limits::kMaxSafetensorsHeaderBytes) {
      refuse("its first 8 bytes say that the header has " + std::to_string(length) +
             " bytes, but " + std::to_string(rest) + " follow");
      return problems_;
    }
    const std::string_view header(reinterpret_cast<const char*>(bytes_.data()) + kLengthBytes,
                                  static_cast<size_t>(length));
    data_size_ = rest - static_cast<size_t>(length);
    ErrorList errors(header, file_ + "!header");
    const std::optional<JsonValue> root = parse_json(header, errors);
    if (!root) return errors.take();
    if (root->object() == nullptr) {
      refuse("its header is " + describe(*root, header) + "; it should be an object");
      return problems_;
    }
    std::vector<Claim> claims;
    for (const JsonMember& member : *root->object()) {
      if (member.key != "__metadata__") read_claim(member, header, claims);
    }
    check_layout(claims);
    if (!problems_.empty()) return problems_;
    return claims;
  }

  size_t data_begin() const { return bytes_.size() - data_size_; }

 private:
  void refuse(const std::string& what) {
    Place place;
    place.file = file_;
    Diagnostic problem = error_at(place, codes::kWeightsFile, "not a safetensors file: " + what);
    problem.notes.push_back("write it with safetensors.torch.save_file, or fx2wasm.export");
    problems_.push_back(std::move(problem));
  }

  void read_claim(const JsonMember& member, std::string_view header, std::vector<Claim>& claims) {
    const std::string owner = "tensor " + quote(member.key) + ": ";
    const JsonValue::Object* fields = member.value.object();
    if (fields == nullptr) return refuse(owner + "its entry is no object");
    Claim claim;
    claim.name = member.key;
    const JsonValue* dtype = find_member(*fields, "dtype");
    const JsonValue* shape = find_member(*fields, "shape");
    const JsonValue* offsets = find_member(*fields, "data_offsets");
    if (dtype == nullptr || shape == nullptr || offsets == nullptr) {
      return refuse(owner + "dtype, shape or data_offsets is missing");
    }
    const auto type = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& candidate) {
      return dtype->string() != nullptr && candidate.name == *dtype->string();
    });
    if (type == kTypes.end()) {
      return refuse(owner + "its dtype is " + describe(*dtype, header) +
                    ", which is not supported");
    }
    claim.dtype = type->dtype;
    if (!read_sizes(*shape, limits::kMaxRank, claim.shape)) {
      return refuse(owner + "its shape is no array of sizes");
    }
    std::vector<int64_t> range;
    if (!read_sizes(*offsets, 2, range) || range.size() != 2 || range[0] > range[1] ||
        static_cast<uint64_t>(range[1]) > data_size_) {
      return refuse(owner + "its data_offsets are no range of the " + std::to_string(data_size_) +
                    " data bytes");
    }
    claim.begin = static_cast<size_t>(range[0]);
    claim.end = static_cast<size_t>(range[1]);
    if (!fits(claim)) {
      return refuse(owner + "its data has " + std::to_string(claim.end - claim.begin) +
                    " bytes, which is not what shape " + shape_text(claim.shape) + " of " +
                    std::string(dtype_name(claim.dtype)) + " takes");
    }
    claims.push_back(std::move(claim));
  }

  static bool read_sizes(const JsonValue& json, size_t most, std::vector<int64_t>& sizes) {
    const JsonValue::Array* array = json.array();
    if (array == nullptr || array->size() > most) return false;
    for (const JsonValue& item : *array) {
      const int64_t* size = item.integer();
      if (size == nullptr || *size < 0) return false;
      sizes.push_back(*size);
    }
    return true;
  }

  // Multiplies only as far as the file's own size, so that nothing overflows.
  static bool fits(const Claim& claim) {
    const auto actual = static_cast<uint64_t>(claim.end - claim.begin);
    if (std::find(claim.shape.begin(), claim.shape.end(), 0) != claim.shape.end()) {
      return actual == 0;
    }
    auto bytes = static_cast<uint64_t>(dtype_bytes(claim.dtype));
    for (int64_t extent : claim.shape) {
      if (static_cast<uint64_t>(extent) > actual / bytes) return false;
      bytes *= static_cast<uint64_t>(extent);
    }
    return bytes == actual;
  }

  // The tensors fill the data without gaps and overlaps, as the format demands.
  void check_layout(const std::vector<Claim>& claims) {
    if (!problems_.empty()) return;
    std::vector<const Claim*> sorted;
    for (const Claim& claim : claims) sorted.push_back(&claim);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Claim* a, const Claim* b) {
      return a->begin != b->begin ? a->begin < b->begin : a->end < b->end;
    });
    size_t at = 0;
    for (const Claim* claim : sorted) {
      if (claim->begin != at) {
        return refuse("tensor " + quote(claim->name) + ": its data begins at byte " +
                      std::to_string(claim->begin) + " while the one before ends at " +
                      std::to_string(at));
      }
      at = claim->end;
    }
    if (at != data_size_) {
      refuse(std::to_string(data_size_ - at) + " bytes at the end belong to no tensor");
    }
  }

  std::span<const std::byte> bytes_;
  const std::string& file_;
  size_t data_size_ = 0;
  Diagnostics problems_;
};

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(byte));
      out += escaped;
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  out += '"';
}

void append_header_entry(std::string& out, const NamedTensor& tensor, size_t begin) {
  append_json_string(out, tensor.name);
  out += ":{\"dtype\":\"";
  out += safetensors_name(tensor.data->dtype);
  out += "\",\"shape\":[";
  for (size_t i = 0; i < tensor.data->shape.size(); ++i) {
    if (i > 0) out += ',';
    out += std::to_string(tensor.data->shape[i]);
  }
  out += "],\"data_offsets\":[" + std::to_string(begin) + "," +
         std::to_string(begin + tensor.data->bytes.size()) + "]}";
}

}  // namespace

Result<std::vector<NamedTensor>> read_safetensors(std::span<const std::byte> bytes,
                                                  const std::string& file) {
  HeaderReader reader(bytes, file);
  FX_TRY(claims, reader.read());
  std::vector<NamedTensor> tensors;
  tensors.reserve(claims.size());
  for (Claim& claim : claims) {
    const auto data = bytes.subspan(reader.data_begin() + claim.begin, claim.end - claim.begin);
    tensors.push_back({std::move(claim.name),
                       make_tensor_data(claim.dtype, std::move(claim.shape),
                                        std::vector<std::byte>(data.begin(), data.end()))});
  }
  return Result<std::vector<NamedTensor>>(std::move(tensors));
}

std::vector<std::byte> write_safetensors(const std::vector<NamedTensor>& tensors) {
  std::string header = "{";
  size_t data_size = 0;
  for (const NamedTensor& tensor : tensors) {
    if (data_size > 0 || header.size() > 1) header += ',';
    append_header_entry(header, tensor, data_size);
    data_size += tensor.data->bytes.size();
  }
  header += '}';
  header.append((8 - header.size() % 8) % 8, ' ');
  std::vector<std::byte> bytes(kLengthBytes + header.size());
  for (size_t i = 0; i < kLengthBytes; ++i) {
    bytes[i] = static_cast<std::byte>(static_cast<uint64_t>(header.size()) >> (8 * i) & 0xFF);
  }
  std::memcpy(bytes.data() + kLengthBytes, header.data(), header.size());
  bytes.reserve(bytes.size() + data_size);
  for (const NamedTensor& tensor : tensors) {
    bytes.insert(bytes.end(), tensor.data->bytes.begin(), tensor.data->bytes.end());
  }
  return bytes;
}

Result<Unit> attach_weights(Graph& graph, const std::vector<NamedTensor>& tensors,
                            const std::string& file) {
  std::map<std::string_view, const NamedTensor*> by_name;
  for (const NamedTensor& tensor : tensors) by_name.emplace(tensor.name, &tensor);
  Diagnostics problems;
  for (Tensor& tensor : graph.tensors) {
    if (tensor.data != nullptr) continue;
    const auto found = by_name.find(tensor.name);
    if (found == by_name.end()) continue;
    const TensorDataRef& data = found->second->data;
    if (data->shape == tensor.shape && data->dtype == tensor.dtype) {
      tensor.data = data;
      continue;
    }
    Diagnostic problem = error_at(
        place_in(graph, tensor.range), codes::kWeightsFile,
        "tensor " + quote(tensor.name) + " has shape " + shape_text(tensor.shape) + " and dtype " +
            std::string(dtype_name(tensor.dtype)) + " here, but " + shape_text(data->shape) +
            " and " + std::string(dtype_name(data->dtype)) + " in " + file);
    problem.notes.push_back("export graph and weights from the same model");
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) return problems;
  return Unit{};
}

std::vector<std::string> missing_weights(const Graph& graph) {
  std::vector<std::string> names;
  for (const Tensor& tensor : graph.tensors) {
    if (tensor.data == nullptr) names.push_back(tensor.name);
  }
  return names;
}

}  // namespace fx2wasm::fx
