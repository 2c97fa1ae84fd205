// The table of Relax operators: names, argument names, attributes in the order in which they print.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace fx2wasm::relax {

struct OpInfo {
  std::string_view name;  // as printed after `R.`: "add", "nn.relu", "permute_dims"
  std::span<const std::string_view> args;   // argument names; a variadic operator takes a tuple
  std::span<const std::string_view> attrs;  // in declaration order: all of them always print
  size_t min_args = 0;  // fewer than args.size() where the last arguments may be left out
  bool pure = true;
};

// The operator of a name; null for an unknown one. Lives as long as the program, so operators
// compare by address.
const OpInfo* find_op(std::string_view name);
// All operators, sorted by name.
std::span<const OpInfo> all_ops();

}  // namespace fx2wasm::relax
