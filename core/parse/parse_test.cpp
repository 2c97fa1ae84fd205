#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "ir/structural.h"
#include "parse/tvmscript.h"
#include "print/tvmscript.h"

namespace fx2wasm {
namespace {

namespace fs = std::filesystem;

std::string print(const ParsedText& parsed) {
  if (const auto* func = std::get_if<tir::PrimFunc>(&parsed)) return print_prim_func(*func).text;
  return print_module(std::get<IRModule>(parsed)).text;
}

std::string first_error(std::string_view text) {
  const Result<ParsedText> parsed = parse_tvmscript(text, "x.py");
  return parsed.ok() ? "" : format_diagnostic(parsed.diagnostics().front());
}

// ---- every text of the conformance cases ----

fs::path cases() { return fs::path(FX2WASM_SOURCE_DIR) / "conformance" / "cases"; }

// Texts that we do not read, and why. TVM itself reads none of the first kind.
const std::map<std::string, std::string> kUnread = {
    // Names that begin with a digit: no Python.
    {"composed/encoder_pair/expected.from_fx.py", "FX8001"},
    {"composed/encoder_pair/expected.legalized.py", "FX8001"},
    {"composed/sequential/expected.from_fx.py", "FX8001"},
    {"composed/sequential/expected.legalized.py", "FX8001"},
    // A buffer as an attribute (layout_free_placeholders), which our IR does not have.
    {"function/attention_2d/expected.legalized.py", "FX8004"},
    {"function/attention_4d/expected.legalized.py", "FX8004"},
    {"function/attention_causal/expected.legalized.py", "FX8004"},
    {"function/attention_mask/expected.legalized.py", "FX8004"},
};

std::vector<std::string> texts() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(cases())) {
    const std::string file = entry.path().filename().string();
    if (file.rfind("expected.", 0) != 0 || entry.path().extension() != ".py") continue;
    names.push_back(entry.path().lexically_relative(cases()).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text(const std::string& name) {
  std::ifstream file(cases() / name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!text.empty()) text.pop_back();  // the newline that ends the file but not TVM's text
  return text;
}

TEST(ParseConformance, PrintingWhatWasReadGivesTheSameText) {
  const std::vector<std::string> names = texts();
  ASSERT_GE(names.size(), 1494U);
  size_t read = 0;
  for (const std::string& name : names) {
    const std::string text = read_text(name);
    const Result<ParsedText> parsed = parse_tvmscript(text, name);
    const auto unread = kUnread.find(name);
    if (unread != kUnread.end()) {
      EXPECT_FALSE(parsed.ok()) << name << " can be read now: take it off the list";
      if (!parsed.ok()) {
        EXPECT_EQ(parsed.diagnostics().front().code, unread->second) << name;
      }
      continue;
    }
    if (!parsed.ok()) {
      ADD_FAILURE() << format_diagnostic(parsed.diagnostics().front());
      continue;
    }
    EXPECT_TRUE(is_tvmscript(text)) << name;
    EXPECT_EQ(print(parsed.value()), text) << name;
    ++read;
  }
  EXPECT_EQ(read, names.size() - kUnread.size());
}

// Read twice, a text gives equal modules: no name or order depends on the reading.
TEST(ParseConformance, ReadingIsStructurallyStable) {
  for (const std::string& name : texts()) {
    if (kUnread.count(name) != 0 || name.find("metadata") != std::string::npos) continue;
    const std::string text = read_text(name);
    if (text.find("metadata[") != std::string::npos) continue;  // opaque constants are identities
    const Result<IRModule> a = parse_module(text, name), b = parse_module(text, name);
    ASSERT_TRUE(a.ok() && b.ok()) << name;
    EXPECT_EQ(first_difference(a.value(), b.value()), std::nullopt) << name;
    EXPECT_EQ(structural_hash(a.value()), structural_hash(b.value())) << name;
  }
}

// ---- what a person writes ----

constexpr std::string_view kPlain = R"(
import tvm
from tvm.script import ir as I, relax as R
n = TypeVar("n")

@I.ir_module
class Net:  # a comment

  @T.prim_func(private=True, s_tir=True)
  def twice(
      x: T.Buffer((T.int64(4),), "float32"),   # line breaks in brackets
      y: T.Buffer((T.int64(4),), 'float32'),
  ):
    for i in range(T.int64(4)):
      with T.sblock("y"):
        v = T.axis.spatial(T.int64(4), i)
        T.reads(x[v]); T.writes(y[v])

        y[v] = x[v] * 2

  @R.function
  def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
      mod = Net
      with R.dataflow():
          a = R.call_tir(mod.twice, x, out_ty=R.Tensor((4,), "float32"))
          gv: R.Tensor((4,), "float32") = a
          R.output(gv)
      return gv
)";

constexpr std::string_view kPlainPrinted = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def twice(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        # with T.sblock("root"):
        for i in range(T.int64(4)):
            with T.sblock("y"):
                v = T.axis.spatial(T.int64(4), i)
                T.reads(x[v])
                T.writes(y[v])
                y[v] = x[v] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.twice, (x,), out_ty=R.Tensor((4,), dtype="float32"))
            gv: R.Tensor((4,), dtype="float32") = a
            R.output(gv)
        return gv)";

TEST(ParsePlain, LayoutCommentsAndShortFormsDoNotMatter) {
  const Result<ParsedText> parsed = parse_tvmscript(kPlain, "x.py");
  ASSERT_TRUE(parsed.ok()) << first_error(kPlain);
  EXPECT_EQ(print(parsed.value()), kPlainPrinted);
}

std::string relax_main(const std::string& body,
                       const std::string& params = "x: R.Tensor((4,), dtype=\"float32\")") {
  return "@I.ir_module\nclass Module:\n    @R.function\n    def main(" + params + "):\n" + body;
}

std::string prim(const std::string& body) {
  return "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n" +
         body;
}

TEST(ParseConstants, OneIndexIsOneConstantWithTheShapeOfItsUse) {
  const std::string text = relax_main(
      "        a: R.Tensor((2, 3), dtype=\"int64\") = metadata[\"ir.GenericConst\"][0]\n"
      "        b: R.Tuple(R.Tensor((2, 3), dtype=\"int64\")) = "
      "(metadata[\"ir.GenericConst\"][0],)\n"
      "        return b\n");
  const Result<IRModule> module = parse_module(text, "x.py");
  ASSERT_TRUE(module.ok()) << first_error(text);
  const relax::Function& main = *main_function(module.value());
  const auto& bindings = main->blocks[0].bindings;
  const auto& first = std::get<relax::Constant>(bindings[0].value->kind);
  const auto& pair = std::get<relax::Tuple>(bindings[1].value->kind);
  EXPECT_EQ(first, std::get<relax::Constant>(pair.fields[0]->kind));
  EXPECT_EQ(first->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(first->dtype, DType::Int64);
  EXPECT_EQ(first->data, nullptr);
}

TEST(ParseConstants, GivenTensorsKeepStructuralEquality) {
  const std::string text = relax_main(
      "        a: R.Tensor((2,), dtype=\"uint8\") = metadata[\"ir.GenericConst\"][0]\n"
      "        return a\n");
  ParseOptions options;
  options.constants = {make_tensor_data(DType::UInt8, {2}, {std::byte{1}, std::byte{2}})};
  const Result<IRModule> a = parse_module(text, "x.py", options);
  ASSERT_TRUE(a.ok());
  const PrintedText printed = print_module(a.value());
  options.constants = printed.constants;
  const Result<IRModule> b = parse_module(printed.text, "x.py", options);
  ASSERT_TRUE(b.ok());
  EXPECT_EQ(first_difference(a.value(), b.value()), std::nullopt);
}

TEST(ParseConstants, TheSmallestInteger) {
  const std::string text = relax_main(
      "        a: R.Tensor((), dtype=\"int64\") = R.const(-9223372036854775808, \"int64\")\n"
      "        return a\n");
  const Result<IRModule> module = parse_module(text, "x.py");
  ASSERT_TRUE(module.ok()) << first_error(text);
  EXPECT_NE(print_module(module.value()).text.find("R.const(-9223372036854775808, \"int64\")"),
            std::string::npos);
}

// TVM prints a string byte by byte, so that `\xNN` is no character as in Python, but a byte.
TEST(ParseStrings, EscapesAreBytes) {
  const std::string attribute = R"(R.func_attr({"caf\xC3\xA9 \xB7\n": 1}))";
  const std::string text = relax_main("        " + attribute +
                                      "\n        a: R.Tensor((), dtype=\"int64\") = "
                                      "R.const(1, \"int64\")\n        return a\n");
  const Result<IRModule> module = parse_module(text, "x.py");
  ASSERT_TRUE(module.ok()) << first_error(text);
  EXPECT_NE(print_module(module.value()).text.find(attribute), std::string::npos);
}

// ---- errors ----

struct BadText {
  std::string text;
  std::string begins;  // FILE:LINE:COL: error[CODE]
  std::string mentions;
};

std::string block(const std::string& body) {
  return prim("    for i in range(4):\n        with T.sblock(\"b\"):\n" + body);
}

TEST(ParseErrors, AreAtTheirPlace) {
  const std::string tensor = "R.Tensor((4,), dtype=\"float32\")";
  const std::vector<BadText> bad = {
      {"", "x.py:1:1: error[FX8006]", "one @I.ir_module class"},
      {"x = (1", "x.py:1:5: error[FX8001]", "never closed"},
      {"@I.ir_module\nclass M:\n    x = 3\n", "x.py:3:5: error[FX8006]", "holds functions"},
      {"@I.ir_module\nclass M:\n", "x.py:", "indented block"},
      {prim("    B[0] = A[\n"), "x.py:3:13: error[FX8001]", "never closed"},
      {prim("    B[0] = C[0]\n"), "x.py:3:12: error[FX8002]", "no buffer is named 'C'"},
      {prim("    B[0] = A[0, 1]\n"), "x.py:3:12: error[FX8003]", "1 dimensions, not 2"},
      {prim("    B[0] = A[1.5]\n"), "x.py:3:12: error[FX8003]", "an index must be an integer"},
      {prim("    B[0] = T.exq(A[0])\n"), "x.py:3:12: error[FX8002]", "'exq'"},
      {prim("    B[0] = T.exp(A[0], A[1])\n"), "x.py:3:12: error[FX8004]", "takes 1 arguments"},
      {prim("    B[0] = A[0] and A[1]\n"), "x.py:3:", "take bools"},
      {prim("    B[i] = A[0]\n"), "x.py:3:7: error[FX8002]", "'i' is unknown"},
      {prim("    B[0] = T.int8(300)\n"), "x.py:3:19: error[FX8003]", "300 does not fit int8"},
      {prim("    B[0] = T.Cast(\"float31\", A[0])\n"), "x.py:3:19: error[FX8003]", "float31"},
      {prim("    for i in T.gird(4):\n        B[i] = A[i]\n"), "x.py:3:14: error[FX8002]",
       "a loop runs over"},
      {prim("    for i, j in T.grid(4):\n        B[i] = A[i]\n"), "x.py:3:5: error[FX8004]",
       "2 loop variables for 1 loops"},
      {prim("    T.reads(A[0])\n"), "x.py:3:5: error[FX8006]", "directly in a block"},
      {prim("    x = A[0]\n"), "x.py:3:5: error[FX8006]", "T.let"},
      {block("            v = T.axis.spatial(4, i)\n            B[v] = A[v]\n"),
       "x.py:4:14: error[FX8006]", "does not say what it reads"},
      {block("            v = T.axis.remap(\"S\", [4])\n"), "x.py:5:36: error[FX8004]",
       "open loops"},
      {block("            v, w = T.axis.remap(\"S\", [i])\n"), "x.py:5:20: error[FX8004]",
       "1 kinds, 1 loop variables and 2 names"},
      {prim("    while True:\n        try:\n            pass\n"), "x.py:4:", "error[FX8001]"},
      {relax_main("        return y\n"), "x.py:5:16: error[FX8002]", "'y' is unknown"},
      {relax_main("        pass\n"), "x.py:4:5: error[FX8006]", "no return"},
      {relax_main("        a: " + tensor + " = R.adt(x, x)\n        return a\n"),
       "x.py:5:46: error[FX8002]", "did you mean 'add'"},
      {relax_main("        a: " + tensor + " = R.add(x)\n        return a\n"),
       "x.py:5:46: error[FX8004]", "x2"},
      {relax_main("        a: " + tensor + " = R.nn.softmax(x)\n        return a\n"),
       "x.py:5:46: error[FX8004]", "axis"},
      {relax_main("        a = R.exp(x)\n        return a\n"), "x.py:5:13: error[FX8003]",
       "type of this result is missing"},
      {relax_main("        a: " + tensor + " = R.exp(R.exp(x))\n        return a\n"),
       "x.py:5:52: error[FX8006]", "a name of its own"},
      {relax_main("        cls = Module\n        a = R.call_tir(cls.f, (x,), out_ty=" + tensor +
                  ")\n        return a\n"),
       "x.py:6:28: error[FX8002]", "no function 'f'"},
      {relax_main("        a: R.Tensor((4,), dtype=\"f32\") = x\n        return a\n"),
       "x.py:5:33: error[FX8003]", "'f32'"},
      {relax_main("        a: R.Tensor((\"n +\",)) = x\n        return a\n"),
       "x.py:5:", "error[FX8001]"},
      {relax_main("        a: R.Tensor((2,), dtype=\"int8\") = metadata[\"ir.GenericConst\"][0]\n"
                  "        b: R.Tensor((3,), dtype=\"int8\") = metadata[\"ir.GenericConst\"][0]\n"
                  "        return a\n"),
       "x.py:6:43: error[FX8007]", "two shapes"},
      {relax_main("        with R.dataflow():\n            R.output(gv)\n        return x\n"),
       "x.py:6:13: error[FX8002]", "'gv'"},
      {relax_main("        return x\n", "x"), "x.py:4:14: error[FX8003]", "no type"},
      {relax_main("        return x\n", "x: R.Tensor, x: R.Tensor"), "x.py:4:27: error[FX8002]",
       "two parameters"},
  };
  for (const BadText& entry : bad) {
    const std::string error = first_error(entry.text);
    EXPECT_EQ(error.rfind(entry.begins, 0), 0U) << error << "\n" << entry.text;
    EXPECT_NE(error.find(entry.mentions), std::string::npos) << error << "\n" << entry.text;
  }
}

TEST(ParseErrors, WhatIsTooDeepIsRefused) {
  std::string grid_names = "i0", extents = "1";
  for (int i = 1; i < 1000; ++i) {
    grid_names += ", i" + std::to_string(i);
    extents += ", 1";
  }
  EXPECT_NE(first_error(prim("    for " + grid_names + " in T.grid(" + extents +
                             "):\n        B[0] = A[0]\n"))
                .find("FX8005"),
            std::string::npos);
  std::string lets;
  for (int i = 0; i < 10'000; ++i) lets += "    x: T.let[T.int32] = 1\n";
  EXPECT_NE(first_error(prim(lets)).find("FX8005"), std::string::npos);
  const std::string deep = prim("    B[0] = " + std::string(100'000, '(') + "\n");
  EXPECT_NE(first_error(deep).find("FX8001"), std::string::npos);
  std::string nested;
  for (size_t i = 0; i < 1000; ++i) nested += std::string(4 + i, ' ') + "if True:\n";
  EXPECT_NE(first_error(prim(nested)).find("error[FX800"), std::string::npos);
}

// Cut anywhere, a text is an error or another module, never a crash.
TEST(ParseErrors, CutTexts) {
  for (size_t size = 0; size < kPlainPrinted.size(); ++size) {
    const Result<ParsedText> parsed = parse_tvmscript(kPlainPrinted.substr(0, size), "x.py");
    if (!parsed.ok()) {
      EXPECT_FALSE(parsed.diagnostics().empty());
    }
  }
}

// So is a text with one character replaced or taken out.
TEST(ParseErrors, DamagedTexts) {
  constexpr std::string_view kMarks = "()[]{}:,.=\"'#@\n x0-*";
  for (size_t at = 0; at < kPlainPrinted.size(); ++at) {
    std::string text(kPlainPrinted);
    text[at] = kMarks[at % kMarks.size()];
    if (parse_tvmscript(text, "x.py").ok()) continue;
    text = std::string(kPlainPrinted);
    text.erase(at, 1);
    const Result<ParsedText> parsed = parse_tvmscript(text, "x.py");
    if (parsed.ok()) print(parsed.value());
  }
}

}  // namespace
}  // namespace fx2wasm
