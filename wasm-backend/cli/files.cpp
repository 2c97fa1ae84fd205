#include "cli/files.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "support/diagnostic_codes.h"

namespace fx2wasm::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Diagnostic access_error(const std::string& path, const char* doing) {
  return error_at({path, 0, 0, ""}, codes::kFileAccess,
                  std::string("cannot ") + doing + ": " + std::strerror(errno));
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  File opened;
  std::FILE* file = stdin;
  if (path != "-") {
    opened.reset(std::fopen(path.c_str(), "rb"));
    file = opened.get();
    if (!file) return access_error(path, "open it");
  }
  std::string text;
  std::array<char, 65536> chunk;
  size_t count = 0;
  while ((count = std::fread(chunk.data(), 1, chunk.size(), file)) > 0) {
    text.append(chunk.data(), count);
  }
  if (std::ferror(file) != 0) return access_error(path, "read it");
  return text;
}

Result<Unit> write_file(const std::string& path, std::span<const std::byte> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return access_error(path, "write it");
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return access_error(path, "write it");
  }
  if (std::fclose(file.release()) != 0) return access_error(path, "write it");
  return Unit{};
}

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

std::string beside(const std::string& path, const std::string& name) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? name : path.substr(0, slash + 1) + name;
}

bool file_exists(const std::string& path) {
  return File(std::fopen(path.c_str(), "rb")) != nullptr;
}

}  // namespace fx2wasm::cli
