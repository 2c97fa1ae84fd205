#include "translate/from_fx.h"

#include <gtest/gtest.h>

#include "builder/replay.h"
#include "ir/structural.h"
#include "ir/well_formed.h"
#include "print/tvmscript.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

class FromFx : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { conformance::load(GetParam(), case_); }

  Translation translate(Emission ops = Emission::RelaxOperators,
                        ParamsMode params = ParamsMode::Inputs) {
    TranslateOptions options = case_.options;
    options.ops = ops;
    options.params = params;
    Translation translation = from_fx(case_.graph, options);
    for (const Diagnostic& diagnostic : translation.diagnostics) {
      ADD_FAILURE() << format_diagnostic(diagnostic);
    }
    return translation;
  }

  void expect_sound(const Translation& translation) {
    for (const Diagnostic& diagnostic : check_well_formed(translation.module)) {
      ADD_FAILURE() << format_diagnostic(diagnostic);
    }
    const IRModule replayed = replay(translation.steps);
    EXPECT_TRUE(structural_equal(replayed, translation.module));
  }

  conformance::Case case_;
};

TEST_P(FromFx, PrintsWhatTvmPrints) {
  const Translation translation = translate();
  expect_sound(translation);
  if (const auto text = case_.text("expected.from_fx.py")) {
    EXPECT_EQ(conformance::as_file(print_module(translation.module).text), *text);
  }
}

TEST_P(FromFx, PrintsConstantsAsTvmDoes) {
  const Translation translation = translate(Emission::RelaxOperators, ParamsMode::Inline);
  expect_sound(translation);
  if (const auto text = case_.text("expected.inline.py")) {
    EXPECT_EQ(conformance::as_file(print_module(translation.module).text), *text);
  }
}

// Each operator as a tensor expression at once: what LegalizeOps makes of the whole module.
TEST_P(FromFx, EmitTePrintsTheLegalizedText) {
  const Translation translation = translate(Emission::EmitTe);
  expect_sound(translation);
  if (const auto text = case_.text("expected.legalized.py")) {
    EXPECT_EQ(conformance::as_file(print_module(translation.module).text), *text);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, FromFx, testing::ValuesIn(conformance::covered_cases()),
                         conformance::test_name);

}  // namespace
}  // namespace fx2wasm
