// docs/operators.md says what the tables say, and no table hides an entry of another.
#include "report/operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "translate/rules.h"

namespace fx2wasm {
namespace {

TEST(Operators, ThePageIsGeneratedFromTheTables) {
  std::ifstream file(std::string(FX2WASM_SOURCE_DIR) + "/docs/operators.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), report::operators_page() + "\n") << "fx2wasm operators > docs/operators.md";
}

TEST(Operators, EachKeyStandsOnce) {
  for (const auto& keys : {translate::module_keys(), translate::function_keys()}) {
    const auto doubled = std::adjacent_find(keys.begin(), keys.end());
    EXPECT_EQ(doubled, keys.end()) << *doubled;
  }
}

}  // namespace
}  // namespace fx2wasm
