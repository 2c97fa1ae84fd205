// What the page links: each span covers exactly the text that its kind says.
#include <gtest/gtest.h>

#include <algorithm>

#include "print/test_programs.h"
#include "print/tvmscript.h"

namespace fx2wasm::print_test {
namespace {

std::string_view text_of(const PrintedText& printed, const Span& span) {
  return std::string_view(printed.text).substr(span.begin, span.end - span.begin);
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::vector<std::string> texts_of(const PrintedText& printed, SpanKind kind,
                                  std::string_view function) {
  std::vector<std::string> texts;
  for (const Span& span : printed.spans) {
    if (span.kind == kind && span.function == function) texts.emplace_back(text_of(printed, span));
  }
  return texts;
}

void check_span(const PrintedText& printed, const Span& span) {
  const std::string_view text = text_of(printed, span);
  switch (span.kind) {
    case SpanKind::Function:
      EXPECT_EQ(text[0], '@');
      EXPECT_NE(text.find("def " + span.name + "("), text.npos);
      EXPECT_NE(text.back(), '\n');
      break;
    case SpanKind::FunctionName:
      EXPECT_EQ(text, span.name);
      EXPECT_EQ(printed.text.substr(span.begin - 4, 4), "def ");
      break;
    case SpanKind::Binding:
      EXPECT_NE(text.find(" = "), text.npos) << text;
      EXPECT_EQ(text.find('\n'), text.npos);
      EXPECT_EQ(printed.text[span.begin - 1], ' ');
      EXPECT_EQ(printed.text[span.end], '\n');
      break;
    case SpanKind::Var:
    case SpanKind::Buffer:
      EXPECT_EQ(text, span.name);
      break;
    case SpanKind::GlobalVar:
      EXPECT_EQ(text, "cls." + span.name);
      break;
    case SpanKind::Constant:
      EXPECT_EQ(text, "metadata[\"ir.GenericConst\"][" + std::to_string(span.index) + "]");
      break;
    case SpanKind::SBlock:
      EXPECT_TRUE(starts_with(text, "with T.sblock(\"" + span.name + "\"):")) << text;
      EXPECT_NE(text.back(), '\n');
      break;
    case SpanKind::Loop:
      EXPECT_TRUE(starts_with(text, "for ")) << text;
      EXPECT_EQ(text.back(), ':');
      EXPECT_EQ(text.find('\n'), text.npos);
      break;
  }
}

TEST(Spans, CoverWhatTheySay) {
  for (const IRModule& module : {mlp_te(), mlp_te(false), mlp_ops(), symbolic_cat()}) {
    const PrintedText printed = print_module(module);
    EXPECT_FALSE(printed.spans.empty());
    for (const Span& span : printed.spans) check_span(printed, span);
  }
}

TEST(Spans, AreSortedAndNested) {
  const PrintedText printed = print_module(mlp_te());
  for (size_t i = 1; i < printed.spans.size(); ++i) {
    const Span &a = printed.spans[i - 1], &b = printed.spans[i];
    EXPECT_LE(a.begin, b.begin);
    if (a.begin == b.begin) {
      EXPECT_GE(a.end, b.end);
    }
    EXPECT_TRUE(b.begin >= a.end || b.end <= a.end) << text_of(printed, a);
  }
}

TEST(Spans, VariablesPointToTheirBindings) {
  const PrintedText printed = print_module(mlp_te());
  int defined = 0;
  for (const Span& span : printed.spans) {
    if (span.kind == SpanKind::Binding) {
      // The first variable in a binding's line is the one it defines.
      const auto var = std::find_if(printed.spans.begin(), printed.spans.end(), [&](const Span& s) {
        return s.kind == SpanKind::Var && s.begin == span.begin;
      });
      ASSERT_NE(var, printed.spans.end());
      EXPECT_EQ(var->index, span.index);
      EXPECT_EQ(var->fx_nodes, span.fx_nodes);
      ++defined;
    }
    if (span.kind == SpanKind::Var && span.name == "x") {
      EXPECT_EQ(span.index, -1);
    }
  }
  EXPECT_EQ(defined, 6);
  EXPECT_EQ(texts_of(printed, SpanKind::Var, "main"),
            (std::vector<std::string>{"x", "lv", "x", "lv1", "lv", "lv2", "lv1", "lv3", "lv2",
                                      "lv4", "lv3", "gv", "lv4", "gv", "gv"}));
}

TEST(Spans, OriginsReachPrimFuncs) {
  const PrintedText printed = print_module(mlp_te());
  for (const Span& span : printed.spans) {
    if (span.kind == SpanKind::Function && span.name == "dense1") {
      EXPECT_EQ(span.fx_nodes, std::vector<int>{4});
    }
    if (span.kind == SpanKind::GlobalVar && span.name == "relu") {
      EXPECT_EQ(span.fx_nodes, std::vector<int>{3});
    }
    if (span.kind == SpanKind::SBlock && span.function == "add") {
      EXPECT_EQ(span.fx_nodes, std::vector<int>{2});
    }
    if (span.kind == SpanKind::Constant && span.index == 2) {
      EXPECT_EQ(span.name, "l1.weight");
    }
  }
}

TEST(Spans, BuffersOfAPrimFunc) {
  const PrintedText printed = print_prim_func(add_func("lv", 128));
  EXPECT_EQ(texts_of(printed, SpanKind::Buffer, "main"),
            (std::vector<std::string>{"lv", "B", "T_add", "lv", "B", "T_add", "T_add", "lv", "B"}));
  EXPECT_EQ(texts_of(printed, SpanKind::Loop, "main"),
            (std::vector<std::string>{"for ax0, ax1 in T.grid(T.int64(1), T.int64(128)):"}));
}

}  // namespace
}  // namespace fx2wasm::print_test
