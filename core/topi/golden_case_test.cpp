#include "topi/golden_case.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <regex>
#include <utility>

#include "ir/tir_build.h"
#include "te/golden.h"

namespace fx2wasm::topi_test {
namespace {

std::vector<std::string> legalized_files() {
  const std::filesystem::path root = std::string(FX2WASM_SOURCE_DIR) + "/conformance/cases";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().filename() == "expected.legalized.py") {
      files.push_back(std::filesystem::relative(entry.path(), root).string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Reads `a: T.Buffer((T.int64(4), "n + m"), "float32"), n: T.int64, …`.
class SignatureReader {
 public:
  explicit SignatureReader(std::string text) : text_(std::move(text)) {}

  // The parameters of `function`; its last tensor is the output.
  bool read(GoldenFunction& function) {
    std::vector<te::Tensor> tensors;
    while (at_ < text_.size() && !take(")")) {
      const std::string name = word();
      take(": ");
      if (take("T.Buffer((")) {
        std::vector<tir::PrimExpr> shape;
        while (!take(")")) {
          take("\"");
          shape.push_back(sum());
          take("\"");
          take(",");
        }
        take(", \"");
        tensors.push_back(te::placeholder(shape, *parse_dtype(word()), name));
        take("\")");
      } else if (take("T.int64")) {
        function.scalars.push_back(symbol(name));
      } else {
        return false;
      }
      take(", ");
    }
    if (tensors.size() < 2) return false;
    function.output = tensors.back();
    tensors.pop_back();
    function.inputs = std::move(tensors);
    return true;
  }

 private:
  bool take(const std::string& token) {
    while (at_ < text_.size() && text_[at_] == ' ' && token[0] != ' ') ++at_;
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }

  std::string word() {
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(text_[at_]) != 0 || text_[at_] == '_')) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  tir::Var symbol(const std::string& name) {
    tir::Var& var = symbols_[name];
    if (!var) var = tir::make_var(name, DType::Int64);
    return var;
  }

  tir::PrimExpr sum() {
    tir::PrimExpr value = product();
    while (true) {
      if (take(" + ")) {
        value = tir::add(value, product());
      } else if (take(" - ")) {
        value = tir::sub(value, product());
      } else {
        return value;
      }
    }
  }

  tir::PrimExpr product() {
    tir::PrimExpr value = primary();
    while (true) {
      if (take(" * ")) {
        value = tir::mul(value, primary());
      } else if (take(" // ")) {
        value = tir::floordiv(value, primary());
      } else {
        return value;
      }
    }
  }

  tir::PrimExpr primary() {
    if (take("T.int64(")) {
      const int64_t value = std::stoll(text_.substr(at_));
      at_ = text_.find(')', at_) + 1;
      return tir::int_imm(DType::Int64, value);
    }
    if (take("(")) {
      tir::PrimExpr value = sum();
      take(")");
      return value;
    }
    return tir::var_expr(symbol(word()));
  }

  std::string text_;
  size_t at_ = 0;
  std::map<std::string, tir::Var> symbols_;
};

struct FunctionText {
  std::string file, name, text;
};

std::vector<FunctionText> all_functions() {
  std::vector<FunctionText> functions;
  const std::string definition = "    def ";
  for (const std::string& file : legalized_files()) {
    const std::string text = te_test::read_case(file);
    for (size_t at = text.find(definition); at != std::string::npos;
         at = text.find(definition, at + 1)) {
      const size_t begin = at + definition.size();
      const std::string name = text.substr(begin, text.find('(', begin) - begin);
      functions.push_back({file, name, te_test::cut_function(text, name)});
    }
  }
  return functions;
}

std::optional<GoldenFunction> read_function(const FunctionText& source) {
  GoldenFunction function{source.file, source.name, source.text, {}, {}, {}};
  const size_t begin = source.text.find('(') + 1;
  const size_t end = source.text.find("):\n", begin) + 1;
  if (!SignatureReader(source.text.substr(begin, end - begin)).read(function)) return std::nullopt;
  return function;
}

}  // namespace

int64_t GoldenFunction::number(const std::string& pattern, int64_t otherwise) const {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(pattern))) return otherwise;
  return std::stoll(found[1]);
}

std::vector<GoldenFunction> golden_functions(const std::string& stem) {
  static const std::vector<FunctionText> texts = all_functions();
  std::vector<GoldenFunction> functions;
  for (const FunctionText& text : texts) {
    const bool is_stem =
        text.name.compare(0, stem.size(), stem) == 0 &&
        text.name.find_first_not_of("0123456789", stem.size()) == std::string::npos;
    if (!is_stem) continue;
    if (auto function = read_function(text)) functions.push_back(std::move(*function));
  }
  return functions;
}

}  // namespace fx2wasm::topi_test
