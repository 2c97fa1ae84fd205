// Programs of conformance/te_programs and lecture_programs, written in C++, against TVM's texts.
#include <gtest/gtest.h>

#include "ir/tir_build.h"
#include "print/tvmscript.h"
#include "te/golden.h"

namespace fx2wasm::te {
namespace {

using te_test::read_case;
using tir::binary;
using tir::BinaryOp;
using Exprs = std::vector<PrimExpr>;

PrimExpr i32(int64_t value) { return tir::int_imm(DType::Int32, value); }
PrimExpr f32(double value) { return tir::float_imm(DType::Float32, value); }
Exprs dims(std::initializer_list<int64_t> extents) {
  Exprs shape;
  for (const int64_t extent : extents) shape.push_back(i32(extent));
  return shape;
}
IterVar axis(PrimExpr extent, std::string name) {
  return reduce_axis({i32(0), std::move(extent)}, std::move(name));
}
ComputeOptions named(std::string name, std::vector<std::string> axes = {}) {
  ComputeOptions options;
  options.name = std::move(name);
  options.axis_names = std::move(axes);
  return options;
}
PrimExpr less(PrimExpr a, PrimExpr b) { return binary(BinaryOp::LT, a, b); }
PrimExpr equal(PrimExpr a, PrimExpr b) { return binary(BinaryOp::EQ, a, b); }

// The text of a direct create_prim_func, with the newline that ends a case's file.
std::string text_of(const std::vector<FuncArg>& args) {
  const Result<tir::PrimFunc> func = create_prim_func(args);
  return func.ok() ? print_prim_func(func.value()).text + "\n" : func.diagnostics()[0].message;
}

std::string te_case(const std::string& name) {
  return read_case("te/" + name + "/expected.primfunc.py");
}
std::string lecture_case(const std::string& name) {
  return read_case("lecture/" + name + "/expected.module.py");
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  const IterVar k = axis(shape_of(a)[1], "k");
  return compute(
      {shape_of(a)[0], shape_of(b)[1]}, named("matmul", {"i", "j"}), [&](const Exprs& i) {
        return sum(tir::mul(read(a, {i[0], var_of(k)}), read(b, {var_of(k), i[1]})), {k});
      });
}

Tensor relu(const Tensor& x, std::vector<std::string> axes = {}) {
  return compute(shape_of(x), named("relu", std::move(axes)),
                 [&](const Exprs& i) { return binary(BinaryOp::Max, read(x, i), f32(0)); });
}

TEST(Te, Lecture) {
  const Tensor a = placeholder(dims({128, 128}), DType::Float32, "A");
  const Tensor b = placeholder(dims({128, 128}), DType::Float32, "B");
  const Tensor c = matmul(a, b), d = relu(c);
  EXPECT_EQ(text_of({a, b, c}), lecture_case("te_matmul"));
  EXPECT_EQ(text_of({a, relu(a, {"i", "j"})}), lecture_case("te_relu_2d"));
  EXPECT_EQ(text_of({a, b, c, d}), lecture_case("te_fused_exposed"));
  EXPECT_EQ(text_of({a, b, d}), lecture_case("te_fused_hidden"));
  const Tensor cube = placeholder(dims({2, 8, 8}), DType::Float32, "A");
  EXPECT_EQ(text_of({cube, relu(cube)}), lecture_case("te_relu_rank3"));
}

TEST(Te, HullOfAccesses) {
  const Tensor a = placeholder(dims({8}), DType::Float32, "A");
  const Tensor b = compute(dims({8}), named("B", {"i"}), [&](const Exprs& i) {
    const PrimExpr x = read(a, i);
    const PrimExpr quotient =
        binary(BinaryOp::Div, tir::sub(x, tir::sub(x, f32(1))), tir::mul(x, tir::add(x, f32(2))));
    return tir::sub(quotient, tir::mul(x, f32(-1)));
  });
  const Tensor c = compute(dims({8}), named("C", {"i"}), [&](const Exprs& i) {
    const PrimExpr inside =
        binary(BinaryOp::And, binary(BinaryOp::GE, i[0], i32(2)), less(i[0], i32(5)));
    const PrimExpr seven = tir::logical_not(binary(BinaryOp::NE, i[0], i32(7)));
    return tir::select(binary(BinaryOp::Or, inside, seven), read(b, i),
                       read(b, {tir::sub(i32(7), i[0])}));
  });
  EXPECT_EQ(text_of({a, c}), te_case("precedence"));
}

TEST(Te, TupleReducer) {
  const Tensor a = placeholder(dims({4, 10}), DType::Float32, "A");
  const IterVar k = axis(i32(10), "k");
  const Combine combine = [](const std::vector<tir::Var>& x, const std::vector<tir::Var>& y) {
    const PrimExpr xi = tir::var_expr(x[0]), xv = tir::var_expr(x[1]);
    const PrimExpr yi = tir::var_expr(y[0]), yv = tir::var_expr(y[1]);
    const PrimExpr keep = binary(BinaryOp::Or, binary(BinaryOp::GT, xv, yv),
                                 binary(BinaryOp::And, equal(xv, yv), less(xi, yi)));
    return Exprs{tir::select(keep, xi, yi), tir::select(keep, xv, yv)};
  };
  const auto best = compute_many(dims({4}), named("best", {"i"}), [&](const Exprs& i) {
    return reduce(combine, {i32(-1), tir::min_value(DType::Float32)},
                  {var_of(k), read(a, {i[0], var_of(k)})}, {k});
  });
  EXPECT_EQ(text_of({a, best[0], best[1]}), te_case("argmax"));
}

TEST(Te, Names) {
  const auto plus = [](const Tensor& x, double value, const char* axis_name) {
    return compute(dims({4}), named("T_add", {axis_name}),
                   [&](const Exprs& i) { return tir::add(read(x, i), f32(value)); });
  };
  const Tensor a = placeholder(dims({4}), DType::Float32, "T_add");
  const Tensor d = plus(plus(plus(a, 1, "i"), 2, "i"), 3, "v_i");
  EXPECT_EQ(text_of({a, d}), te_case("name_clash"));
}

TEST(Te, NoInput) {
  const Tensor m = compute(dims({5, 5}), named("M", {"i", "j"}), [](const Exprs& i) {
    return tir::if_then_else(binary(BinaryOp::LE, i[1], i[0]), f32(1), f32(0));
  });
  EXPECT_EQ(text_of({m}), te_case("triangle"));
}

TEST(Te, Symbols) {
  const tir::Var n = tir::make_var("n", DType::Int64), m = tir::make_var("m", DType::Int64);
  const PrimExpr rows = tir::var_expr(n), columns = tir::var_expr(m);
  const Tensor a = placeholder({rows, columns}, DType::Float32, "A");
  const Tensor b = placeholder({columns}, DType::Float32, "B");
  const IterVar k = axis(columns, "k");
  const Tensor c = compute({rows}, named("C", {"i"}), [&](const Exprs& i) {
    return sum(tir::mul(read(a, {i[0], var_of(k)}), read(b, {var_of(k)})), {k});
  });
  EXPECT_EQ(text_of({a, b, c}), te_case("symbolic"));

  const PrimExpr half = tir::var_expr(tir::make_var("n", DType::Int32));
  const Tensor pairs = placeholder({tir::mul(half, i32(2))}, DType::Float32, "A");
  const Tensor sums = compute({half}, named("B", {"i"}), [&](const Exprs& i) {
    const PrimExpr first = tir::mul(i[0], i32(2));
    return tir::add(read(pairs, {first}), read(pairs, {tir::add(first, i32(1))}));
  });
  EXPECT_EQ(text_of({pairs, sums}), te_case("symbolic_derived"));
}

TEST(Te, UnknownIndices) {
  const Tensor table = placeholder(dims({10, 4}), DType::Float32, "table");
  const Tensor index = placeholder(dims({6}), DType::Int32, "index");
  const Tensor rows = compute(dims({6, 4}), named("G", {"i", "j"}), [&](const Exprs& i) {
    return read(table, {read(index, {i[0]}), i[1]});
  });
  EXPECT_EQ(text_of({table, index, rows}), te_case("gather_i32"));

  const Tensor x = placeholder(dims({6}), DType::Float32, "X");
  const Tensor padded = compute(dims({10}), named("P", {"i"}), [&](const Exprs& i) {
    const PrimExpr inner =
        tir::if_then_else(less(i[0], i32(8)), tir::sub(i[0], i32(2)), tir::sub(i32(12), i[0]));
    return read(x, {tir::if_then_else(less(i[0], i32(2)), tir::sub(i32(2), i[0]), inner)});
  });
  EXPECT_EQ(text_of({x, padded}), te_case("pad_reflect"));
}

TEST(Te, IndexArithmetic) {
  const Tensor a = placeholder(dims({6, 4}), DType::Float32, "A");
  const Tensor b = compute(dims({3, 8}), named("B", {"i", "j"}), [&](const Exprs& i) {
    const PrimExpr flat = tir::add(tir::mul(i[0], i32(8)), i[1]);
    return read(a, {tir::floordiv(flat, i32(4)), tir::floormod(flat, i32(4))});
  });
  EXPECT_EQ(text_of({a, b}), te_case("reshape_divmod"));
}

TEST(Te, ScalarParameterAndScalarResult) {
  const Tensor a = placeholder(dims({4}), DType::Float32, "A");
  const tir::Var alpha = tir::make_var("alpha", DType::Float32);
  const Tensor b = compute(dims({4}), named("B", {"i"}), [&](const Exprs& i) {
    return tir::mul(read(a, i), tir::var_expr(alpha));
  });
  EXPECT_EQ(text_of({a, alpha, b}), te_case("scalar_input"));

  const Tensor grid = placeholder(dims({4, 5}), DType::Float32, "A");
  const IterVar i = axis(i32(4), "i"), j = axis(i32(5), "j");
  const Tensor total = compute({}, named("S"), [&](const Exprs&) {
    return sum(read(grid, {var_of(i), var_of(j)}), {i, j});
  });
  EXPECT_EQ(text_of({grid, total}), te_case("sum_all"));
}

TEST(Te, ConditionOfReductionIsDropped) {
  const Tensor a = placeholder(dims({4, 8}), DType::Float32, "A");
  const IterVar k = axis(i32(8), "k");
  const Tensor s = compute(dims({4}), named("S", {"i"}), [&](const Exprs& i) {
    return sum(read(a, {i[0], var_of(k)}), {k}, equal(tir::floormod(var_of(k), i32(2)), i32(0)));
  });
  EXPECT_EQ(text_of({a, s}), te_case("sum_where"));
}

TEST(Te, SeveralOutputsInInt64) {
  const Tensor a = placeholder({tir::int_imm(DType::Int64, 4)}, DType::Float32, "A");
  const auto halves = compute_many(shape_of(a), named("halves", {"i"}), [&](const Exprs& i) {
    return Exprs{tir::add(read(a, i), f32(1)), tir::mul(read(a, i), f32(2))};
  });
  const IRModule module = te_test::module_with({a, halves[0], halves[1]}, "halves");
  EXPECT_EQ(te_test::cut_function(print_module(module).text, "halves"),
            te_test::golden_function("lecture/builder_two_results/expected.module.py", "halves"));
}

TEST(Te, Misuse) {
  const Tensor a = placeholder(dims({4}), DType::Float32, "A");
  const Tensor b = compute(dims({4}), named("B"), [&](const Exprs& i) { return read(a, i); });
  const auto missing = create_prim_func({b});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.diagnostics()[0].code, "FX5008");
  EXPECT_FALSE(create_prim_func({a, a, b}).ok());
  EXPECT_FALSE(create_prim_func({a}).ok());
}

}  // namespace
}  // namespace fx2wasm::te
