#include "transform/legalize.h"

#include <gtest/gtest.h>

#include "ir/well_formed.h"
#include "print/tvmscript.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

class Legalize : public testing::TestWithParam<std::string> {};

TEST_P(Legalize, PrintsWhatTvmPrints) {
  conformance::Case conformance_case;
  conformance::load(GetParam(), conformance_case);
  const Translation translation = from_fx(conformance_case.graph, conformance_case.options);
  ASSERT_TRUE(translation.ok()) << format_diagnostic(translation.diagnostics[0]);
  const Result<IRModule> legalized = legalize_ops(translation.module);
  ASSERT_TRUE(legalized.ok()) << format_diagnostic(legalized.diagnostics()[0]);
  for (const Diagnostic& diagnostic : check_well_formed(legalized.value())) {
    ADD_FAILURE() << format_diagnostic(diagnostic);
  }
  if (const auto text = conformance_case.text("expected.legalized.py")) {
    EXPECT_EQ(conformance::as_file(print_module(legalized.value()).text), *text);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Legalize, testing::ValuesIn(conformance::covered_cases()),
                         conformance::test_name);

}  // namespace
}  // namespace fx2wasm
