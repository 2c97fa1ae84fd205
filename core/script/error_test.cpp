// Faulty programs: each is refused with its code at its line and column, and none hangs.
#include <gtest/gtest.h>

#include <string>

#include "script/run.h"

namespace fx2wasm::script {
namespace {

struct FaultyProgram {
  std::string name, text;
  std::string expected;  // the beginning of the first message
};

class Faulty : public testing::TestWithParam<FaultyProgram> {};

TEST_P(Faulty, IsRefusedAtItsPlace) {
  const Result<ScriptResult> result = run_program(GetParam().text, "p.py");
  ASSERT_FALSE(result.ok());
  const std::string text = format_diagnostic(result.diagnostics().at(0));
  EXPECT_EQ(text.substr(0, GetParam().expected.size()), GetParam().expected);
}

std::string many(const std::string& part, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += part;
  return out;
}

const std::string kBuilder =
    "A = relax.Var(\"A\", relax.TensorType((4,), \"float32\"))\n"
    "bb = relax.BlockBuilder()\n";                                       // two lines
const std::string kTensor = "A = te.placeholder((4, 8), name=\"A\")\n";  // one line

INSTANTIATE_TEST_SUITE_P(
    Syntax, Faulty,
    testing::Values(
        FaultyProgram{"open_bracket", "a = (1,\nb = 2\n", "p.py:1:5: error[FX5001]: '(' is never"},
        FaultyProgram{"wrong_bracket", "a = (1]\n", "p.py:1:7: error[FX5001]"},
        FaultyProgram{"open_string", "a = 'b\n", "p.py:1:5: error[FX5001]"},
        FaultyProgram{"indentation", "if True:\n    a = 1\n  b = 2\n", "p.py:3:3: error[FX5001]"},
        FaultyProgram{"missing_block", "if True:\na = 1\n", "p.py:2:1: error[FX5001]"},
        FaultyProgram{"sudden_block", "a = 1\n    b = 2\n", "p.py:2:5: error[FX5001]"},
        FaultyProgram{"class_", "class A:\n    pass\n",
                      "p.py:1:1: error[FX5001]: this small Python has no 'class'"},
        FaultyProgram{"while_", "a = 1\nwhile a:\n    pass\n",
                      "p.py:2:1: error[FX5001]: this small Python has no 'while'"},
        FaultyProgram{"try_", "try:\n    pass\n", "p.py:1:1: error[FX5001]"},
        FaultyProgram{"global_", "def f():\n    global a\n", "p.py:2:5: error[FX5001]"},
        FaultyProgram{"decorator", "@T.prim_func\ndef f():\n    pass\n",
                      "p.py:1:1: error[FX5001]: this small Python has no decorators"},
        FaultyProgram{"f_string", "a = f'x'\n", "p.py:1:5: error[FX5001]"},
        FaultyProgram{"return_outside", "return 1\n", "p.py:1:1: error[FX5001]"},
        FaultyProgram{"code_points", "é = 'ü' $\n", "p.py:1:9: error[FX5001]"},
        FaultyProgram{"assign_to_call", "f() = 1\n", "p.py:1:1: error[FX5001]"},
        FaultyProgram{"deep_brackets", "a = " + many("(", 5000), "p.py:1:105: error[FX5001]"},
        FaultyProgram{"deep_lambdas", "a = " + many("lambda: ", 5000), "p.py:1:485: error[FX5001]"},
        FaultyProgram{"long_sum", "a = 1" + many(" + 1", 5000), "p.py:1:803: error[FX5001]"},
        FaultyProgram{"long_minus", "a = " + many("-", 5000) + "1\n", "p.py:1:4805: error[FX5001]"},
        FaultyProgram{"big_integer", "a = 99999999999999999999\n", "p.py:1:5: error[FX5004]"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Evaluation, Faulty,
    testing::Values(
        FaultyProgram{"no_result", "a = 1\n", "p.py:1:1: error[FX5007]"},
        FaultyProgram{"empty", "", "p.py:1:1: error[FX5007]"},
        FaultyProgram{"args_is_no_list", "a = 2\nARGS = a\n", "p.py:2:1: error[FX5007]"},
        FaultyProgram{"unknown_name", "tensor = 1\nb = tensr\n",
                      "p.py:2:5: error[FX5002]: the name 'tensr' is not defined (did you mean "
                      "'tensor'?)"},
        FaultyProgram{"unknown_attribute", "A = te.placehoder((4,))\n",
                      "p.py:1:8: error[FX5002]: the module te has no 'placehoder' (did you mean "
                      "'placeholder'?)"},
        FaultyProgram{"older_name", "t = relax.TensorStructInfo((4,), \"float32\")\n",
                      "p.py:1:11: error[FX5002]"},
        FaultyProgram{"older_operator", kBuilder + "y = relax.op.relu(A)\n",
                      "p.py:3:14: error[FX5002]"},
        FaultyProgram{"import_torch", "import torch\n",
                      "p.py:1:1: error[FX5002]: this small Python has no module 'torch'"},
        FaultyProgram{"type_error", "a = 'x' + 1\n", "p.py:1:9: error[FX5003]"},
        FaultyProgram{"zero_division", "a = 1 // 0\n", "p.py:1:7: error[FX5004]"},
        FaultyProgram{"overflow", "a = 2 ** 63\n", "p.py:1:7: error[FX5004]"},
        FaultyProgram{"unpack", "a, b = (1, 2, 3)\n", "p.py:1:1: error[FX5004]"},
        FaultyProgram{"wrong_keyword", "A = te.placeholder((4,), dtyp=\"int32\")\n",
                      "p.py:1:5: error[FX5003]: te.placeholder has no parameter 'dtyp' (did you "
                      "mean 'dtype'?)"},
        FaultyProgram{"wrong_dtype", "A = te.placeholder((4,), \"float23\")\n",
                      "p.py:1:5: error[FX5004]"},
        FaultyProgram{"missing_argument", "def f(x):\n    return x\na = f()\n",
                      "p.py:3:5: error[FX5003]: f needs a value for 'x'"},
        FaultyProgram{"endless_recursion", "def f(x):\n    return f(x)\nf(1)\n",
                      "p.py:2:12: error[FX5005]"},
        FaultyProgram{"step_limit",
                      "for i in range(1000):\n    for j in range(1000):\n"
                      "        for k in range(1000):\n            a = i + j + k\n",
                      "p.py:"},
        FaultyProgram{"growing_list", "a = [1]\nfor i in range(100):\n    a = a + a\n",
                      "p.py:3:11: error[FX5005]"},
        FaultyProgram{"growing_string", "a = 'x'\nfor i in range(100):\n    a = a + a\n",
                      "p.py:3:11: error[FX5005]"},
        FaultyProgram{"growing_scalar",
                      "n = tirx.Var(\"n\")\nfor i in range(100):\n    n = n * n\n",
                      "p.py:3:11: error[FX5005]"},
        FaultyProgram{"growing_graph", kBuilder + "for i in range(100):\n    A = A + A\n",
                      "p.py:4:11: error[FX5005]"},
        FaultyProgram{"too_many_tensors", "for i in range(1000):\n    A = te.placeholder((4,))\n",
                      "p.py:2:9: error[FX5005]"},
        FaultyProgram{"list_in_itself", "a = []\na.append(a)\nb = []\nb.append(b)\nc = a == b\n",
                      "p.py:5:7: error[FX5005]"},
        FaultyProgram{"assertion", "assert 1 == 2, \"no\"\n", "p.py:1:1: error[FX5004]"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tensors, Faulty,
    testing::Values(
        FaultyProgram{"index_count", kTensor + "B = te.compute((4,), lambda i: A[i])\n",
                      "p.py:2:32: error[FX5003]: the tensor A has 2 dimensions, but 1 index"},
        FaultyProgram{"axis_count", kTensor + "B = te.compute((4, 8), lambda i: A[i, i])\n",
                      "p.py:2:5: error[FX5003]"},
        FaultyProgram{"axis_without_reduction",
                      kTensor + "k = te.reduce_axis((0, 8), name=\"k\")\n"
                                "B = te.compute((4,), lambda i: A[i, k])\nARGS = [A, B]\n",
                      "p.py:3:5: error[FX5008]: the loop variable 'k'"},
        FaultyProgram{"reduction_inside",
                      kTensor + "k = te.reduce_axis((0, 8), name=\"k\")\n"
                                "B = te.compute((4,), lambda i: te.sum(A[i, k], axis=k) + 1.0)\n",
                      "p.py:3:5: error[FX5008]: a reduction is the whole body"},
        FaultyProgram{"condition_of_symbols",
                      kTensor + "B = te.compute((4, 8), lambda i, j: A[i, j] if i < 2 else 0.0)\n",
                      "p.py:2:50: error[FX5003]: a scalar expression has no truth value"},
        FaultyProgram{"whole_tensor", kTensor + "B = te.compute((4, 8), lambda i, j: A)\n",
                      "p.py:2:5: error[FX5003]"},
        FaultyProgram{"shapes_of_topi",
                      kTensor + "B = te.placeholder((3, 8), name=\"B\")\nC = topi.add(A, B)\n",
                      "p.py:3:5: error[FX5008]: topi.add: the shapes (4, 8) and (3, 8)"},
        FaultyProgram{"input_not_in_args",
                      kTensor + "B = te.compute((4, 8), lambda i, j: A[i, j] + 1.0)\n"
                                "ARGS = [B]\n",
                      "p.py:3:1: error[FX5008]"},
        FaultyProgram{"twice_in_args", kTensor + "ARGS = [A, A]\n", "p.py:2:1: error[FX5008]"},
        FaultyProgram{"select_dtypes", "a = tirx.Select(tirx.const(True, \"bool\"), 1, 2.0)\n",
                      "p.py:1:5: error[FX5003]"},
        FaultyProgram{"deep_error_names_its_callers",
                      "def g(x):\n    return x.nothing\ndef f(x):\n    return g(x)\nf(1)\n",
                      "p.py:2:14: error[FX5003]: an integer has no attribute 'nothing'\n"
                      "  note: in the function g, called at line 4\n"
                      "  note: in the function f, called at line 5"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Misuse, Faulty,
    testing::Values(
        FaultyProgram{"emit_outside", kBuilder + "B = bb.emit(relax.op.nn.relu(A))\n",
                      "p.py:3:5: error[FX5006]"},
        FaultyProgram{"dataflow_outside", kBuilder + "with bb.dataflow():\n    pass\n",
                      "p.py:3:6: error[FX5006]"},
        FaultyProgram{"no_output",
                      kBuilder + "with bb.function(\"main\", [A]):\n"
                                 "    with bb.dataflow():\n"
                                 "        B = bb.emit(relax.op.nn.relu(A))\n"
                                 "MODULE = bb.get()\n",
                      "p.py:"},
        FaultyProgram{"dataflow_variable_leaves",
                      kBuilder + "with bb.function(\"main\", [A]):\n"
                                 "    with bb.dataflow():\n"
                                 "        B = bb.emit(relax.op.nn.relu(A))\n"
                                 "        out = bb.emit_output(B)\n"
                                 "    bb.emit_func_output(B)\n"
                                 "MODULE = bb.get()\n",
                      "p.py:7:5: error[FX5006]"},
        FaultyProgram{"two_outputs",
                      kBuilder + "with bb.function(\"main\", [A]):\n"
                                 "    with bb.dataflow():\n"
                                 "        out = bb.emit_output(relax.op.nn.relu(A))\n"
                                 "    bb.emit_func_output(out)\n"
                                 "    bb.emit_func_output(out)\n",
                      "p.py:7:5: error[FX5006]"},
        FaultyProgram{"function_inside_function",
                      kBuilder + "with bb.function(\"main\", [A]):\n"
                                 "    with bb.function(\"other\", [A]):\n        pass\n",
                      "p.py:4:10: error[FX5006]"},
        FaultyProgram{"get_too_early",
                      kBuilder + "with bb.function(\"main\", [A]):\n    MODULE = bb.get()\n",
                      "p.py:4:14: error[FX5006]"},
        FaultyProgram{"shape_mismatch",
                      kBuilder + "B = relax.Var(\"B\", relax.TensorType((3,), \"float32\"))\n"
                                 "with bb.function(\"main\", [A, B]):\n"
                                 "    with bb.dataflow():\n"
                                 "        C = bb.emit(relax.op.add(A, B))\n",
                      "p.py:6:13: error[FX4002]"},
        FaultyProgram{"tensor_in_emit",
                      kBuilder + "T = te.placeholder((4,))\n"
                                 "B = bb.emit(T)\n",
                      "p.py:4:5: error[FX5003]"}),
    [](const auto& info) { return info.param.name; });

TEST(SmallPython, HasWhatTheLectureUses) {
  const Result<ScriptResult> result = run_program(
      "\"\"\"A program with a bit of everything.\"\"\"\n"
      "from __future__ import annotations\n"
      "from tvm import relax, te, tirx, topi\n"
      "import tvm\n"
      "from tvm.te import placeholder as make\n"
      "\n"
      "def scaled(x: te.Tensor, *factors, offset=0.0) -> te.Tensor:\n"
      "    total = 1\n"
      "    for factor in factors:\n"
      "        total *= factor\n"
      "    if total > 100:\n"
      "        return x\n"
      "    elif total == 6:\n"
      "        pass\n"
      "    else:\n"
      "        total = -1\n"
      "    return te.compute(x.shape, lambda *i: x(*i) * float(total) + offset, name='y')\n"
      "\n"
      "sizes = {'rows': 4, 'columns': [2, 3][-1] * 2}\n"
      "shape = tuple([n for n in sizes.values() if n != 5])\n"
      "assert shape == (4, 6) and 0 < len(shape) <= 2 and not isinstance(shape, list)\n"
      "A = make(shape, name=\"A\"); B = scaled(A, 2, 3, offset=1.0)\n"
      "first, (second, third) = 1, (2, 3)\n"
      "assert (first if second is None else third) == 3 and 'row' in 'rows' and 'x' not in sizes\n"
      "assert [1, 2, 3, 4][1:3] == [2, 3] and (1, 2, 3)[::-1] == (3, 2, 1) and 7 // -2 == -4\n"
      "ARGS = [A, \\\n"
      "        B]\n",
      "p.py");
  ASSERT_TRUE(result.ok()) << format_diagnostic(result.diagnostics()[0]);
  EXPECT_TRUE(std::holds_alternative<tir::PrimFunc>(result.value().value));
}

}  // namespace
}  // namespace fx2wasm::script
