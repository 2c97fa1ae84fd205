#include "ir/op.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "ir/intrinsic.h"

namespace fx2wasm::relax {
namespace {

struct Call {
  std::string name;
  size_t positional = 0;
  std::vector<std::string> keywords;
};

// Splits `R.name(a, (b, c), k=v)` at its own commas.
Call parse_call(const std::string& text) {
  Call call;
  const size_t open = text.find('(');
  call.name = text.substr(0, open);
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (size_t i = open + 1; i + 1 < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ')' || c == ']' || c == '}')) --depth;
    if (!quoted && depth == 0 && c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  static const std::regex keyword(" ?([a-z_0-9]+)=.*");
  for (const std::string& part : parts) {
    std::smatch match;
    if (std::regex_match(part, match, keyword)) {
      call.keywords.push_back(match[1]);
    } else if (!part.empty()) {
      ++call.positional;
    }
  }
  return call;
}

// Every operator call in the texts of all cases agrees with the table.
TEST(Ops, TableAgreesWithAllTexts) {
  std::set<std::string> seen;
  const std::filesystem::path cases =
      std::filesystem::path(FX2WASM_SOURCE_DIR) / "conformance" / "cases";
  const std::string marker = " = R.";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cases)) {
    const std::string file = entry.path().filename().string();
    if (file != "expected.from_fx.py" && file != "expected.inline.py" &&
        file != "expected.module.py") {
      continue;
    }
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      const size_t at = line.find(marker);
      if (at == std::string::npos || line.back() != ')') continue;
      const Call call = parse_call(line.substr(at + marker.size()));
      if (call.name == "call_tir" || call.name == "const" || call.name == "tuple") continue;
      const OpInfo* op = find_op(call.name);
      ASSERT_NE(op, nullptr) << call.name;
      EXPECT_GE(call.positional, op->min_args) << line;
      EXPECT_LE(call.positional, op->args.size()) << line;
      EXPECT_EQ(call.keywords, std::vector<std::string>(op->attrs.begin(), op->attrs.end()))
          << line;
      seen.insert(call.name);
    }
  }
  EXPECT_GE(seen.size(), 138u);
}

TEST(Ops, FoundByName) {
  for (const OpInfo& op : all_ops()) EXPECT_EQ(find_op(op.name), &op);
  EXPECT_EQ(find_op("nn.dense"), nullptr);
  EXPECT_EQ(find_op(""), nullptr);
}

TEST(Intrinsics, FoundByName) {
  using tir::Intrinsic;
  for (int i = 0; i <= static_cast<int>(Intrinsic::Ret); ++i) {
    const auto intrinsic = static_cast<Intrinsic>(i);
    EXPECT_EQ(tir::find_intrinsic(tir::intrinsic_name(intrinsic)), intrinsic);
  }
  EXPECT_EQ(tir::find_intrinsic("dense"), std::nullopt);
  EXPECT_EQ(tir::intrinsic_arity(Intrinsic::IfThenElse), 3);
}

}  // namespace
}  // namespace fx2wasm::relax
