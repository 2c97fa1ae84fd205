#include "cli/options.h"

#include <array>
#include <functional>

#include "support/diagnostic_codes.h"

namespace fx2wasm::cli {
namespace {

constexpr std::string_view kUsage =
    R"(fx2wasm: torch.fx graphs and TVM programs to TVMScript and WebAssembly

  fx2wasm translate INPUT [options]     the IRModule as TVMScript
  fx2wasm te PROGRAM.py                 a program's PrimFunc (ARGS) or IRModule (MODULE)
  fx2wasm steps INPUT [options]         the translation, one JSON object a step
  fx2wasm compile INPUT [options] -o M.wasm
  fx2wasm run INPUT [options] --inputs I.safetensors --outputs O.safetensors
  fx2wasm operators                     what can be translated, as Markdown

INPUT is FX graph JSON or a program in the small Python; - is standard input.

translation
  --rules tvm|lecture|FILE.py           default tvm
  --ops relax|emit_te                   default relax
  --params inputs|inline                default inputs (compile and run: inline)
  --legalize                            apply LegalizeOps
  --unwrap-unit-return-tuple            a one-element tuple is returned as its element
  --no-bind-return-tuple                the elements of a returned tuple are bound one by one
  --default-image-layout NCHW|NHWC      what convolutions and pools work on
weights and tensors
  --weights W.safetensors               default: the file the graph names, beside it
  --inputs I.safetensors                input.0, input.1, …
  --outputs O.safetensors               output.0, output.1, …
compile
  --simd relaxed|simd128|off            default simd128
  --schedule on|off                     default on
  --keep-intermediates                  every binding's tensor stays readable
  --library NODE[,NODE…]                these nodes go to a library kernel where there is one
  --weights-out W.safetensors           weights go to a file beside the module
  --print tensorir|wat                  also print what was compiled
)";

Diagnostic usage_error(std::string message) {
  Diagnostic diagnostic = error_at({"fx2wasm", 0, 0, ""}, codes::kUsage, std::move(message));
  diagnostic.notes.push_back("`fx2wasm help` lists the commands and options");
  return diagnostic;
}

std::optional<Command> find_command(std::string_view word) {
  if (word == "translate") return Command::Translate;
  if (word == "te") return Command::Te;
  if (word == "steps") return Command::Steps;
  if (word == "compile") return Command::Compile;
  if (word == "run") return Command::Run;
  if (word == "operators") return Command::Operators;
  if (word == "help" || word == "-h" || word == "--help") return Command::Help;
  if (word == "version" || word == "--version") return Command::Version;
  return std::nullopt;
}

// A switch's word → its effect; false when the word is none of those allowed.
using Apply = std::function<bool(Options&, const std::string&)>;

struct Flag {
  std::string_view name;
  std::string_view allowed;  // for the message; empty: any text
  Apply apply;
};

bool set_text(std::string& target, const std::string& word) {
  target = word;
  return !word.empty();
}

bool set_on_off(bool& target, const std::string& word) {
  target = word == "on";
  return word == "on" || word == "off";
}

bool set_rules(Options& options, const std::string& word) {
  if (word == "tvm") {
    options.translate.rules = RuleSet::Tvm;
    return true;
  }
  options.translate.rules = RuleSet::Lecture;
  if (word == "lecture") return true;
  options.rules_path = word;
  return word.size() > 3 && word.substr(word.size() - 3) == ".py";
}

bool set_simd(wasm::Simd& simd, const std::string& word) {
  if (word == "relaxed") simd = wasm::Simd::Relaxed;
  if (word == "simd128") simd = wasm::Simd::Simd128;
  if (word == "off") simd = wasm::Simd::Off;
  return word == "relaxed" || word == "simd128" || word == "off";
}

bool split_names(std::vector<std::string>& names, const std::string& word) {
  size_t begin = 0;
  while (begin <= word.size()) {
    const size_t end = std::min(word.find(',', begin), word.size());
    if (end == begin) return false;
    names.push_back(word.substr(begin, end - begin));
    begin = end + 1;
  }
  return true;
}

const std::vector<Flag>& flags_with_word() {
  static const std::vector<Flag> flags = {
      {"--rules", "tvm, lecture or a file that ends in .py", set_rules},
      {"--ops", "relax or emit_te",
       [](Options& o, const std::string& w) {
         o.translate.ops = w == "emit_te" ? Emission::EmitTe : Emission::RelaxOperators;
         return w == "relax" || w == "emit_te";
       }},
      {"--params", "inputs or inline",
       [](Options& o, const std::string& w) {
         o.params = w == "inline" ? ParamsMode::Inline : ParamsMode::Inputs;
         return w == "inputs" || w == "inline";
       }},
      {"--default-image-layout", "a layout such as NCHW or NHWC",
       [](Options& o, const std::string& w) {
         return set_text(o.translate.default_image_layout, w);
       }},
      {"--weights", "", [](Options& o, const std::string& w) { return set_text(o.weights, w); }},
      {"--inputs", "", [](Options& o, const std::string& w) { return set_text(o.inputs, w); }},
      {"--outputs", "", [](Options& o, const std::string& w) { return set_text(o.outputs, w); }},
      {"--weights-out", "",
       [](Options& o, const std::string& w) { return set_text(o.weights_out, w); }},
      {"-o", "", [](Options& o, const std::string& w) { return set_text(o.output, w); }},
      {"--simd", "relaxed, simd128 or off",
       [](Options& o, const std::string& w) { return set_simd(o.compile.simd, w); }},
      {"--schedule", "on or off",
       [](Options& o, const std::string& w) { return set_on_off(o.compile.schedule, w); }},
      {"--library", "names of FX nodes, with commas between them",
       [](Options& o, const std::string& w) { return split_names(o.library_nodes, w); }},
      {"--print", "tensorir or wat",
       [](Options& o, const std::string& w) {
         o.print = w;
         return w == "tensorir" || w == "wat";
       }},
  };
  return flags;
}

bool set_switch(Options& options, std::string_view word) {
  if (word == "--legalize") return options.legalize = true;
  if (word == "--unwrap-unit-return-tuple") {
    return options.translate.unwrap_unit_return_tuple = true;
  }
  if (word == "--no-bind-return-tuple") return options.translate.no_bind_return_tuple = true;
  if (word == "--keep-intermediates") return options.compile.keep_intermediates = true;
  return false;
}

const Flag* find_flag(std::string_view name) {
  for (const Flag& flag : flags_with_word()) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

Result<Unit> check(const Options& options) {
  const bool alone = options.command == Command::Help || options.command == Command::Version ||
                     options.command == Command::Operators;
  if (alone) return Unit{};
  if (options.input.empty()) return usage_error("the input is missing: a file, or - ");
  if (options.command == Command::Compile && options.output.empty()) {
    return usage_error("compile needs -o M.wasm");
  }
  if (options.command == Command::Run && (options.inputs.empty() || options.outputs.empty())) {
    return usage_error("run needs --inputs I.safetensors and --outputs O.safetensors");
  }
  return Unit{};
}

}  // namespace

std::string_view usage() { return kUsage; }

Result<Options> parse_options(const std::vector<std::string>& arguments) {
  Options options;
  if (arguments.empty()) return usage_error("a command is missing");
  const std::optional<Command> command = find_command(arguments[0]);
  if (!command) return usage_error("unknown command " + arguments[0]);
  options.command = *command;
  for (size_t i = 1; i < arguments.size(); ++i) {
    std::string name = arguments[i];
    if (name == "-" || name[0] != '-') {
      if (!options.input.empty()) return usage_error("one input only: " + name + " is a second");
      options.input = name;
      continue;
    }
    if (set_switch(options, name)) continue;
    std::string word;
    const size_t equals = name.find('=');
    const bool joined = equals != std::string::npos;
    if (joined) {
      word = name.substr(equals + 1);
      name.resize(equals);
    }
    const Flag* flag = find_flag(name);
    if (!flag) return usage_error("unknown option " + name);
    if (!joined) {
      if (i + 1 == arguments.size()) return usage_error(name + " needs a value");
      word = arguments[++i];
    }
    if (!flag->apply(options, word)) {
      return usage_error(name + " takes " +
                         std::string(flag->allowed.empty() ? "a file's name" : flag->allowed) +
                         ", not '" + word + "'");
    }
  }
  FX_TRY(checked, check(options));
  (void)checked;
  return options;
}

}  // namespace fx2wasm::cli
