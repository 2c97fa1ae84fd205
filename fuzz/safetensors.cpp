// The safetensors reader: every file gives its tensors, which can be written and read again, or
// diagnostics.
#include "fx/safetensors.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace fx2wasm;
  const auto tensors = fx::read_safetensors(std::as_bytes(std::span(data, size)), "fuzzed");
  if (!tensors.ok()) return 0;
  const std::vector<std::byte> written = fx::write_safetensors(tensors.value());
  const auto again = fx::read_safetensors(written, "written");
  FX_CHECK(again.ok(), "what was written cannot be read");
  FX_CHECK(again.value().size() == tensors.value().size(), "a tensor was lost in writing");
  FX_CHECK(fx::write_safetensors(again.value()) == written, "written twice, a file differs");
  return 0;
}
