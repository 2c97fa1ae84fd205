// The lecture's rule set: its text, the lecture's translations byte for byte, and faulty rules.
#include <gtest/gtest.h>

#include "builder/replay.h"
#include "ir/structural.h"
#include "print/tvmscript.h"
#include "transform/legalize.h"
#include "translate/conformance_cases.h"

namespace fx2wasm {
namespace {

fx::Graph lecture_graph(const std::string& name) {
  const auto text =
      conformance::read_file(conformance::folder() + "/cases/lecture/" + name + "/graph.fx.json");
  EXPECT_TRUE(text.has_value()) << name;
  Result<fx::Graph> graph = fx::read_json(text.value_or(""), name + ".fx.json");
  EXPECT_TRUE(graph.ok());
  return graph.ok() ? graph.value() : fx::Graph{};
}

TranslateOptions lecture_options(Emission ops, ParamsMode params) {
  TranslateOptions options;
  options.rules = RuleSet::Lecture;
  options.ops = ops;
  options.params = params;
  return options;
}

std::string all_messages(const Translation& translation) {
  std::string out;
  for (const Diagnostic& diagnostic : translation.diagnostics) {
    out += format_diagnostic(diagnostic) + "\n";
  }
  return out;
}

TEST(LectureRules, TextIsTheFiles) {
  const std::string folder = conformance::folder() + "/lecture_programs/";
  EXPECT_EQ(std::string(lecture_rules(Emission::EmitTe)),
            conformance::read_file(folder + "rules_te.py").value_or(""));
  EXPECT_EQ(std::string(lecture_rules(Emission::RelaxOperators)),
            conformance::read_file(folder + "rules_ops.py").value_or(""));
}

struct LectureCase {
  std::string name, graph;
  Emission ops = Emission::EmitTe;
  ParamsMode params = ParamsMode::Inputs;
  bool legalized = false;
};

class Lecture : public testing::TestWithParam<LectureCase> {};

TEST_P(Lecture, PrintsTvmsText) {
  const LectureCase& lecture = GetParam();
  const Translation translation =
      from_fx(lecture_graph(lecture.graph), lecture_options(lecture.ops, lecture.params));
  ASSERT_TRUE(translation.ok()) << all_messages(translation);
  IRModule module = translation.module;
  if (lecture.legalized) {
    const Result<IRModule> legalized = legalize_ops(module);
    ASSERT_TRUE(legalized.ok()) << format_diagnostic(legalized.diagnostics()[0]);
    module = legalized.value();
  }
  const std::string path =
      conformance::folder() + "/cases/lecture/" + lecture.name + "/expected.module.py";
  EXPECT_EQ(conformance::as_file(print_module(module).text),
            conformance::read_file(path).value_or("missing"));
  EXPECT_EQ(first_difference(replay(translation.steps), translation.module), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    All, Lecture,
    testing::Values(
        LectureCase{"fx_product_te", "fx_product", Emission::EmitTe, ParamsMode::Inline},
        LectureCase{"fx_product_te_inputs", "fx_product", Emission::EmitTe, ParamsMode::Inputs},
        LectureCase{"fx_product_ops", "fx_product", Emission::RelaxOperators, ParamsMode::Inputs},
        LectureCase{"fx_mlp_te", "fx_mlp", Emission::EmitTe, ParamsMode::Inline},
        LectureCase{"fx_mlp_te_inputs", "fx_mlp", Emission::EmitTe, ParamsMode::Inputs},
        LectureCase{"fx_mlp_ops", "fx_mlp", Emission::RelaxOperators, ParamsMode::Inline},
        LectureCase{"fx_mlp_ops_inputs", "fx_mlp", Emission::RelaxOperators, ParamsMode::Inputs},
        LectureCase{"fx_mlp_ops_legalized", "fx_mlp", Emission::RelaxOperators, ParamsMode::Inputs,
                    true}),
    [](const auto& info) { return info.param.name; });

const RuleChosen* chosen_rule(const Translation& translation, const std::string& node) {
  for (const Step& step : translation.steps) {
    if (step.fx_node != node) continue;
    for (const Event& event : step.events) {
      if (const auto* rule = std::get_if<RuleChosen>(&event)) return rule;
    }
  }
  return nullptr;
}

TEST(LectureRules, TheRuleShownIsTheRuleRun) {
  const Translation translation = from_fx(
      lecture_graph("fx_mlp"), lecture_options(Emission::RelaxOperators, ParamsMode::Inputs));
  const RuleChosen* rule = chosen_rule(translation, "linear0");
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->map, "call_module_map");
  EXPECT_EQ(rule->key, "torch.nn.Linear");
  EXPECT_EQ(rule->rule_set, "lecture");
  EXPECT_EQ(rule->rule, "map_linear");
  EXPECT_EQ(rule->source_line, 10);
  EXPECT_EQ(rule->source.substr(0, 45), "def map_linear(bb, node_map, node, module):\n ");
  EXPECT_EQ(rule->source.substr(rule->source.rfind('\n') + 1),
            "    return bb.emit(relax.op.linear(x, map_param(module.weight), "
            "map_param(module.bias)))");
}

TEST(LectureRules, OneNodeCanBeEmittedTheOtherWay) {
  TranslateOptions options = lecture_options(Emission::RelaxOperators, ParamsMode::Inputs);
  options.ops_by_node["relu"] = Emission::EmitTe;
  const Translation translation = from_fx(lecture_graph("fx_mlp"), options);
  ASSERT_TRUE(translation.ok()) << all_messages(translation);
  EXPECT_NE(find_prim_func(translation.module, "relu"), nullptr);
  EXPECT_EQ(translation.module.functions.size(), 2U);
}

Translation with_rules(const std::string& rules) {
  TranslateOptions options = lecture_options(Emission::EmitTe, ParamsMode::Inputs);
  options.rules_text = rules;
  options.rules_file = "my_rules.py";
  return from_fx(lecture_graph("fx_mlp"), options);
}

TEST(LectureRules, ANodeWithoutRuleTakesTheTvmSetsAndSaysSo) {
  const Translation translation = with_rules(
      "def twice(bb, node_map, node, module):\n"
      "    x = node_map[node.args[0]]\n"
      "    return bb.emit(x + x)\n"
      "\n"
      "call_module_map = {\"ReLU\": twice}\n");
  ASSERT_TRUE(translation.ok()) << all_messages(translation);
  const RuleChosen* relu = chosen_rule(translation, "relu");
  const RuleChosen* linear = chosen_rule(translation, "linear0");
  ASSERT_TRUE(relu != nullptr && linear != nullptr);
  EXPECT_EQ(relu->rule_set, "lecture");
  EXPECT_EQ(relu->source.substr(0, 9), "def twice");
  EXPECT_EQ(linear->rule_set, "tvm");
  EXPECT_NE(linear->why.find("lecture"), std::string::npos);
}

struct FaultyRules {
  std::string name, text, message;
};

class Faulty : public testing::TestWithParam<FaultyRules> {};

TEST_P(Faulty, IsReportedAtItsPlace) {
  const Translation translation = with_rules(GetParam().text);
  ASSERT_FALSE(translation.ok());
  const std::string text = format_diagnostic(translation.diagnostics[0]);
  EXPECT_EQ(text.substr(0, GetParam().message.size()), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, Faulty,
    testing::Values(
        FaultyRules{"syntax", "def f(:\n", "my_rules.py:1:6: error[FX5001]"},
        FaultyRules{"no_maps", "x = 1\n", "my_rules.py:1:1: error[FX5007]"},
        FaultyRules{"map_is_no_dict", "\ncall_module_map = []\n", "my_rules.py:2:1: error[FX5003]"},
        FaultyRules{"torch_is_only_names",
                    "def f(bb, node_map, node, module):\n"
                    "    return torch.relu(node_map[node.args[0]])\n"
                    "call_module_map = {nn.ReLU: f}\n",
                    "my_rules.py:2:12: error[FX5002]"},
        FaultyRules{"nothing_returned",
                    "def f(bb, node_map, node, module):\n"
                    "    bb.emit(relax.op.nn.relu(node_map[node.args[0]]))\n"
                    "call_module_map = {nn.ReLU: f}\n",
                    "my_rules.py:1:1: error[FX5003]"},
        FaultyRules{
            "no_such_setting",
            "def f(bb, node_map, node, module):\n"
            "    return bb.emit(relax.op.nn.leakyrelu(node_map[node.args[0]], module.slope))\n"
            "call_module_map = {nn.ReLU: f}\n",
            "my_rules.py:2:73: error[FX5003]"},
        FaultyRules{"a_rule_builds_no_function",
                    "def f(bb, node_map, node, module):\n"
                    "    with bb.dataflow():\n"
                    "        return node_map[node.args[0]]\n"
                    "call_module_map = {nn.ReLU: f}\n",
                    "my_rules.py:2:13: error[FX5006]"},
        FaultyRules{"what_does_not_fit_is_the_nodes_fault",
                    "def f(bb, node_map, node, module):\n"
                    "    x = node_map[node.args[0]]\n"
                    "    return bb.emit(relax.op.matmul(x, x))\n"
                    "call_module_map = {nn.ReLU: f}\n",
                    "fx_mlp.fx.json:7:5: error[FX4002]: 'relu' (torch.nn.ReLU)"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fx2wasm
