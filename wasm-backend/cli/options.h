// The command line of `fx2wasm`, as plain data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile.h"
#include "support/result.h"
#include "translate/from_fx.h"

namespace fx2wasm::cli {

enum class Command { Translate, Te, Steps, Compile, Run, Operators, Help, Version };

struct Options {
  Command command = Command::Help;
  std::string input;  // a path, or "-" for standard input
  TranslateOptions translate;
  std::string rules_path;            // --rules FILE.py
  std::optional<ParamsMode> params;  // as written; the default depends on the command
  bool legalize = false;
  wasm::CompileOptions compile;
  std::vector<std::string> library_nodes;  // --library NODE,…
  std::string weights, inputs, outputs, output, weights_out;
  std::string print;  // "", "tensorir" or "wat"
};

// The usage text, with every option.
std::string_view usage();

// argv without the program's name. What is wrong is FX7005.
Result<Options> parse_options(const std::vector<std::string>& arguments);

}  // namespace fx2wasm::cli
