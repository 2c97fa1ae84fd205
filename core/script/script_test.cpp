// The lecture's programs and the TE programs, byte for byte against TVM's texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "builder/replay.h"
#include "ir/structural.h"
#include "print/tvmscript.h"
#include "script/run.h"

namespace fx2wasm::script {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fs::path conformance() { return fs::path(FX2WASM_SOURCE_DIR) / "conformance"; }

std::string all_diagnostics(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics) out += format_diagnostic(diagnostic) + "\n";
  return out;
}

std::string printed(const ScriptValue& value) {
  if (const auto* func = std::get_if<tir::PrimFunc>(&value)) return print_prim_func(*func).text;
  return print_module(std::get<IRModule>(value)).text;
}

// The program's text, or its errors.
std::string run_and_print(const fs::path& program) {
  const Result<ScriptResult> result = run_program(read_text(program), program.filename().string());
  return result.ok() ? printed(result.value().value) : all_diagnostics(result.diagnostics());
}

std::vector<std::string> programs_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".py" || name == "verify") continue;
    if (name.rfind("rules_", 0) == 0) continue;  // translate/lecture_rules_test.cpp
    names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string without_last_newline(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class LectureProgram : public testing::TestWithParam<std::string> {};

TEST_P(LectureProgram, PrintsTvmsText) {
  const std::string expected =
      read_text(conformance() / "cases" / "lecture" / GetParam() / "expected.module.py");
  EXPECT_EQ(run_and_print(conformance() / "lecture_programs" / (GetParam() + ".py")),
            without_last_newline(expected));
}

INSTANTIATE_TEST_SUITE_P(All, LectureProgram,
                         testing::ValuesIn(programs_in(conformance() / "lecture_programs")),
                         [](const auto& info) { return info.param; });

class TeProgram : public testing::TestWithParam<std::string> {};

TEST_P(TeProgram, PrintsTvmsText) {
  const std::string text = run_and_print(conformance() / "te_programs" / (GetParam() + ".py"));
  if (GetParam() == "scan_cumsum") {  // the one that TVM refuses
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "scan_cumsum.py:6:5: error[FX5008]: te.scan makes no PrimFunc: TVM's "
              "create_prim_func takes placeholders and computes only");
    return;
  }
  const std::string expected =
      read_text(conformance() / "cases" / "te" / GetParam() / "expected.primfunc.py");
  EXPECT_EQ(text, without_last_newline(expected));
}

INSTANTIATE_TEST_SUITE_P(All, TeProgram,
                         testing::ValuesIn(programs_in(conformance() / "te_programs")),
                         [](const auto& info) { return info.param; });

TEST(Steps, KnowTheirLinesAndRebuildTheModule) {
  const fs::path program = conformance() / "lecture_programs" / "builder_emit_te.py";
  const Result<ScriptResult> result = run_program(read_text(program), "builder_emit_te.py");
  ASSERT_TRUE(result.ok()) << all_diagnostics(result.diagnostics());
  std::vector<int> lines;
  for (const Step& step : result.value().steps) lines.push_back(step.fx_number);
  // function, dataflow, two emit_te, emit_output, the block's end, emit_func_output, the end.
  EXPECT_EQ(lines, (std::vector<int>{16, 17, 18, 19, 20, 17, 21, 16}));
  EXPECT_EQ(
      first_difference(replay(result.value().steps), std::get<IRModule>(result.value().value)),
      std::nullopt);
}

TEST(Steps, AreThereUntilAnError) {
  const ScriptRun run = run_script(
      "A = relax.Var(\"A\", relax.TensorType((4,), \"float32\"))\n"
      "bb = relax.BlockBuilder()\n"
      "with bb.function(\"main\", [A]):\n"
      "    with bb.dataflow():\n"
      "        B = bb.emit(relax.op.nn.relu(A))\n"
      "        C = bb.emit(missing)\n",
      "program.py");
  EXPECT_FALSE(run.value.has_value());
  EXPECT_EQ(run.steps.size(), 3U);
  EXPECT_EQ(format_diagnostic(run.diagnostics.at(0)),
            "program.py:6:21: error[FX5002]: the name 'missing' is not defined");
}

}  // namespace
}  // namespace fx2wasm::script
