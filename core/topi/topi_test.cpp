// Every PrimFunc of these operators in the conformance cases, against TVM's text.
#include "topi/topi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <regex>

#include "ir/tir_build.h"
#include "print/tvmscript.h"
#include "te/golden.h"
#include "topi/golden_case.h"
#include "topi/window.h"

namespace fx2wasm::topi {
namespace {

using topi_test::golden_functions;
using topi_test::GoldenFunction;
using Build = std::function<Tensor(const GoldenFunction&)>;

std::string printed(const std::vector<te::FuncArg>& args, const std::string& name) {
  const IRModule module = te_test::module_with(args, name);
  return te_test::cut_function(print_module(module).text, name);
}

std::string our_text(const GoldenFunction& function, const Tensor& result) {
  std::vector<te::FuncArg> args(function.inputs.begin(), function.inputs.end());
  args.insert(args.end(), function.scalars.begin(), function.scalars.end());
  args.emplace_back(result);
  return printed(args, function.name);
}

// At least `least` functions are there, and all come out as TVM prints them.
void expect_all(const std::string& stem, size_t least, const Build& build) {
  const std::vector<GoldenFunction> functions = golden_functions(stem);
  EXPECT_GE(functions.size(), least) << stem;
  for (const GoldenFunction& function : functions) {
    EXPECT_EQ(our_text(function, build(function)), function.text)
        << function.file << ": " << function.name;
  }
}

// The constant beside the input in `x[…] + T.float32(2.0)` or `T.float32(1.0) - x[…]`, if any.
struct Immediate {
  PrimExpr value;
  bool is_left = false;
};
Immediate immediate_of(const GoldenFunction& function) {
  const DType dtype = te::dtype_of(function.inputs[0]);
  const std::string line = function.text.substr(function.text.rfind('\n'));
  std::smatch found;
  const std::regex constant("(?:T\\.\\w+\\()?(-?[0-9.e+-]+|\"-?inf\")\\)?\\)?$");
  const std::regex left(" = (?:T\\.\\w+\\()?(?:T\\.\\w+\\()?(-?[0-9.e+-]+|\"-?inf\")[),]");
  const auto value = [&](const std::string& text) {
    if (text.find("inf") != std::string::npos) {
      return tir::const_of(dtype, (text[1] == '-' ? -1 : 1) * HUGE_VAL);
    }
    return tir::const_of(dtype, std::stod(text));
  };
  if (std::regex_search(line, found, left)) return {value(found[1]), true};
  if (std::regex_search(line, found, constant)) return {value(found[1]), false};
  return {};
}

Build broadcast_of(BroadcastOp op) {
  return [op](const GoldenFunction& function) {
    const std::vector<Tensor>& inputs = function.inputs;
    if (inputs.size() == 2) return broadcast(op, inputs[0], inputs[1]);
    const Immediate immediate = immediate_of(function);
    // A quotient without a constant had a neutral one; anything else has the tensor on both sides.
    if (!immediate.value && op == BroadcastOp::Divide) {
      return broadcast(op, inputs[0], tir::const_of(te::dtype_of(inputs[0]), 1));
    }
    if (!immediate.value) return broadcast(op, inputs[0], inputs[0]);
    return immediate.is_left ? broadcast(op, immediate.value, inputs[0])
                             : broadcast(op, inputs[0], immediate.value);
  };
}

TEST(Topi, Broadcast) {
  expect_all("add", 90, broadcast_of(BroadcastOp::Add));
  expect_all("subtract", 20, broadcast_of(BroadcastOp::Subtract));
  expect_all("multiply", 40, broadcast_of(BroadcastOp::Multiply));
  expect_all("divide", 25, broadcast_of(BroadcastOp::Divide));
  expect_all("power", 8, broadcast_of(BroadcastOp::Power));
  expect_all("maximum", 3, broadcast_of(BroadcastOp::Maximum));
  expect_all("minimum", 5, broadcast_of(BroadcastOp::Minimum));
  expect_all("broadcast_to", 8, [](const GoldenFunction& function) {
    return broadcast_to(function.inputs[0], te::shape_of(function.output));
  });
}

TEST(Topi, Elementwise) {
  expect_all("relu", 20, [](const GoldenFunction& function) { return relu(function.inputs[0]); });
  expect_all("cast", 25, [](const GoldenFunction& function) {
    return cast(function.inputs[0], te::dtype_of(function.output));
  });
  using tir::Intrinsic;
  const std::vector<std::pair<std::string, Intrinsic>> unaries = {
      {"tir_exp", Intrinsic::Exp},     {"tir_sqrt", Intrinsic::Sqrt},
      {"tir_tanh", Intrinsic::Tanh},   {"tir_sigmoid", Intrinsic::Sigmoid},
      {"tir_floor", Intrinsic::Floor}, {"tir_isnan", Intrinsic::IsNan},
      {"erf", Intrinsic::Erf}};
  for (const auto& [stem, intrinsic] : unaries) {
    expect_all(stem, 1, [op = intrinsic](const GoldenFunction& function) {
      return unary(op, function.inputs[0]);
    });
  }
}

TEST(Topi, Shape) {
  expect_all("reshape", 60, [](const GoldenFunction& function) {
    return reshape(function.inputs[0], te::shape_of(function.output));
  });
  expect_all("transpose", 30, [](const GoldenFunction& function) {
    // x[v_ax1, v_ax0]: where each axis of the result comes from.
    std::vector<int> axes(te::shape_of(function.output).size());
    const std::string line = function.text.substr(function.text.rfind(" = "));
    const std::regex axis("v_ax(\\d+)");
    int position = 0;
    std::sregex_iterator at(line.begin(), line.end(), axis);
    for (; at != std::sregex_iterator(); ++at) axes[std::stoul((*at)[1])] = position++;
    return transpose(function.inputs[0], axes);
  });
  expect_all("squeeze", 10, [](const GoldenFunction& function) {
    const std::string line = function.text.substr(function.text.rfind(" = "));
    const std::regex index("v_ax\\d+|T\\.int64\\(0\\)");
    std::vector<int> axes;
    int position = 0;
    std::sregex_iterator at(line.begin(), line.end(), index);
    for (; at != std::sregex_iterator(); ++at, ++position) {
      if (at->str()[0] == 'T') axes.push_back(position);
    }
    // No axis at all is the list of no axes, which squeeze would take for all of them.
    return axes.empty() ? squeeze(function.inputs[0], {0}) : squeeze(function.inputs[0], axes);
  });
  expect_all("expand_dims", 8, [](const GoldenFunction& function) {
    const std::string line = function.text.substr(function.text.rfind(" = "));
    std::vector<int> axes;
    for (size_t i = 0; i < te::shape_of(function.output).size(); ++i) {
      if (!std::regex_search(line, std::regex("v_i" + std::to_string(i) + "\\b"))) {
        axes.push_back(static_cast<int>(i));
      }
    }
    return insert_axes(function.inputs[0], axes);
  });
}

TEST(Topi, Matmul) {
  expect_all("matmul", 35, [](const GoldenFunction& function) {
    return matmul(function.inputs[0], function.inputs[1], te::dtype_of(function.output));
  });
}

TEST(Topi, Dense) {
  const Tensor x = te::placeholder({tir::int_imm(DType::Int64, 1), tir::int_imm(DType::Int64, 784)},
                                   DType::Float32, "x");
  const Tensor weight =
      te::placeholder({tir::int_imm(DType::Int64, 128), tir::int_imm(DType::Int64, 784)},
                      DType::Float32, "linear0_weight");
  EXPECT_EQ(printed({x, weight, dense(x, weight)}, "dense"),
            te_test::golden_function("lecture/fx_mlp_te_inputs/expected.module.py", "dense"));
}

TEST(Topi, Conv2d) {
  const std::string number = "T\\.int64\\((\\d+)\\)";
  expect_all("conv2d", 20, [&](const GoldenFunction& function) {
    const auto extent = [](const Tensor& tensor, size_t axis) {
      return tir::as_int(te::shape_of(tensor)[axis]).value_or(0);
    };
    const Tensor& data = function.inputs[0];
    const Tensor& weight = function.inputs[1];
    ConvAttrs attrs;
    attrs.strides = {function.number("v_yy \\* " + number, 1),
                     function.number("v_xx \\* " + number, 1)};
    attrs.dilation = {function.number("v_ry \\* " + number, 1),
                      function.number("v_rx \\* " + number, 1)};
    const int64_t top = function.number("v_i2 - " + number, 0);
    const int64_t left = function.number("v_i3 - " + number, 0);
    attrs.padding = {top, left, top, left};
    attrs.groups = extent(data, 1) / extent(weight, 1);
    return conv(data, weight, attrs);
  });
}

TEST(Topi, Softmax) {
  const auto axis = [](const GoldenFunction& function) {
    return static_cast<int>(function.number("\"axis\": (\\d+)", -1));
  };
  expect_all("softmax", 14, [&](const GoldenFunction& function) {
    return softmax(function.inputs[0], axis(function));
  });
  expect_all("log_softmax", 9, [&](const GoldenFunction& function) {
    return log_softmax(function.inputs[0], axis(function));
  });
}

// The attributes of every call of `R.nn.max_pool2d` in a text.
std::vector<PoolAttrs> pool_attrs(const std::string& text) {
  const auto numbers = [](const std::string& list) {
    std::vector<int64_t> values;
    const std::regex number("\\d+");
    std::sregex_iterator at(list.begin(), list.end(), number);
    for (; at != std::sregex_iterator(); ++at) values.push_back(std::stoll(at->str()));
    return values;
  };
  const std::regex call(
      "max_pool2d\\(\\w+, pool_size=(\\[.*?\\]), strides=(\\[.*?\\]), dilation=(\\[.*?\\]), "
      "padding=(\\[.*?\\]), ceil_mode=(True|False)");
  std::vector<PoolAttrs> attrs;
  std::sregex_iterator at(text.begin(), text.end(), call);
  for (; at != std::sregex_iterator(); ++at) {
    PoolAttrs pool;
    pool.kernel = numbers((*at)[1]);
    pool.strides = numbers((*at)[2]);
    pool.dilation = numbers((*at)[3]);
    pool.padding = numbers((*at)[4]);
    pool.ceil_mode = (*at)[5] == "True";
    pool.axes = {2, 3};
    attrs.push_back(std::move(pool));
  }
  return attrs;
}

TEST(Topi, MaxPool2d) {
  const std::vector<GoldenFunction> functions = golden_functions("max_pool2d");
  EXPECT_GE(functions.size(), 15U);
  for (const GoldenFunction& function : functions) {
    const std::string directory = function.file.substr(0, function.file.rfind('/'));
    // The function is one of the calls' of the module that was legalised.
    std::string ours = "no call";
    for (const PoolAttrs& attrs :
         pool_attrs(te_test::read_case(directory + "/expected.from_fx.py"))) {
      if (ours != function.text) ours = our_text(function, max_pool(function.inputs[0], attrs));
    }
    EXPECT_EQ(ours, function.text) << function.file << ": " << function.name;
  }
}

}  // namespace
}  // namespace fx2wasm::topi
