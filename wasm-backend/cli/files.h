// Whole files in and out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace fx2wasm::cli {

// "-" is standard input. A file that cannot be read is FX7004.
Result<std::string> read_file(const std::string& path);
Result<Unit> write_file(const std::string& path, std::span<const std::byte> bytes);

std::span<const std::byte> as_bytes(std::string_view text);

// The path of `name` beside the file `path` (in its folder).
std::string beside(const std::string& path, const std::string& name);
bool file_exists(const std::string& path);

}  // namespace fx2wasm::cli
