#include "print/tvmscript.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "print/test_programs.h"

namespace fx2wasm::print_test {
namespace {

using namespace tir;

TEST(PrintModule, CallTirWithMetadata) {
  EXPECT_EQ(print_module(mlp_te()).text, case_text("lecture/fx_mlp_te/expected.module.py"));
}

TEST(PrintModule, RelaxOperators) {
  EXPECT_EQ(print_module(mlp_ops()).text, case_text("composed/mlp/expected.from_fx.py"));
}

TEST(PrintModule, SymbolicShapes) {
  EXPECT_EQ(print_module(symbolic_cat()).text, case_text("symbolic/cat/expected.legalized.py"));
}

TEST(PrintModule, OpenFunctionHasNoOutput) {
  const std::string text = print_module(mlp_te(false)).text;
  std::string expected = case_text("lecture/fx_mlp_te/expected.module.py");
  const auto cut = [&](const std::string& line) {
    const size_t at = expected.find(line);
    ASSERT_NE(at, std::string::npos) << line;
    expected.erase(at, line.size());
  };
  cut(" -> R.Tensor((1, 10), dtype=\"float32\")");
  cut("\n            gv: R.Tensor((1, 10), dtype=\"float32\") = lv4");
  cut("\n            R.output(gv)");
  cut("\n        return gv");
  EXPECT_EQ(text, expected);
}

TEST(PrintModule, EmptyOnes) {
  EXPECT_EQ(print_module({}).text,
            "# from tvm.script import ir as I\n\n@I.ir_module\nclass Module:\n    pass");
  FunctionMaker maker;
  maker.param("x", relax::tensor_type(std::vector<int64_t>{}, DType::Float32));
  IRModule module;
  module.functions = {{"main", maker.open()}};
  EXPECT_NE(print_module(module).text.find("def main(x: R.Tensor((), dtype=\"float32\")):\n"
                                           "        with R.dataflow():\n            pass"),
            std::string::npos);
}

TEST(PrintPrimFunc, ReducerOverTuplesUsesLets) {
  const Buffer a = make_buffer("A", DType::Float32, {i32(4), i32(10)});
  const Buffer index = make_buffer("best_v0", DType::Int32, {i32(4)});
  const Buffer best = make_buffer("best_v1", DType::Float32, {i32(4)});
  const Nest nest({"i", "k"}, {i32(4), i32(10)}, "SR");
  const PrimExpr i = nest.v(0), k = nest.v(1);
  const PrimExpr old_index = load(index, {i}), old = load(best, {i}), value = load(a, {i, k});
  const PrimExpr keep = binary(
      BinaryOp::Or, binary(BinaryOp::GT, old, value),
      binary(BinaryOp::And, binary(BinaryOp::EQ, old, value), binary(BinaryOp::LT, old_index, k)));
  const Var v0 = make_var("v_best_v0", DType::Int32), v1 = make_var("v_best_v1", DType::Float32);
  SBlock block;
  block.name_hint = "best";
  block.reads = {point(a, {i, k})};
  block.writes = {point(index, {i}), point(best, {i})};
  block.init = seq({store(index, i32(-1), {i}), store(best, min_value(DType::Float32), {i})});
  block.body = make_stmt(LetStmt{
      v0, select(keep, old_index, k),
      make_stmt(LetStmt{v1, select(keep, old, value),
                        seq({store(index, var_expr(v0), {i}), store(best, var_expr(v1), {i})})})});
  const PrimFunc func = prim_func({a, index, best}, {}, nest.stmt(std::move(block)), main_attrs());
  EXPECT_EQ(print_prim_func(func).text, case_text("te/argmax/expected.primfunc.py"));
}

TEST(PrintPrimFunc, Int32SymbolsAndRegions) {
  const PrimExpr n = var_expr(make_var("n", DType::Int32));
  const Buffer a = make_buffer("A", DType::Float32, {mul(n, i32(2))});
  const Buffer b = make_buffer("B", DType::Float32, {n});
  const Nest nest({"i"}, {n}, "S");
  const PrimExpr twice = mul(nest.v(0), i32(2));
  SBlock block;
  block.name_hint = "B";
  block.reads = {{a, {{twice, i32(2)}}}};
  block.writes = {point(b, {nest.v(0)})};
  block.body = store(b, add(load(a, {twice}), load(a, {add(twice, i32(1))})), {nest.v(0)});
  const PrimFunc func = prim_func({a, b}, {}, nest.stmt(std::move(block)), main_attrs());
  EXPECT_EQ(print_prim_func(func).text, case_text("te/symbolic_derived/expected.primfunc.py"));
}

TEST(PrintPrimFunc, AxesOfAnotherDtypeAreNotRemapped) {
  const Var n_var = make_var("n", DType::Int64), m_var = make_var("m", DType::Int64);
  const PrimExpr n = var_expr(n_var), m = var_expr(m_var);
  const Buffer a = make_buffer("A", DType::Float32, {n, m}),
               b = make_buffer("B", DType::Float32, {m});
  const Buffer c = make_buffer("C", DType::Float32, {n});
  // The axes start at an int32 zero, the loops at an int64 one.
  Nest nest({"i", "k"}, {n, m}, "SR");
  SBlock block;
  block.name_hint = "C";
  block.reads = {point(a, {nest.v(0), nest.v(1)}), point(b, {nest.v(1)})};
  block.writes = {point(c, {nest.v(0)})};
  block.init = store(c, f32(0), {nest.v(0)});
  block.body = store(
      c, add(load(c, {nest.v(0)}), mul(load(a, {nest.v(0), nest.v(1)}), load(b, {nest.v(1)}))),
      {nest.v(0)});
  Stmt loops = nest.stmt(std::move(block));
  const auto& outer = std::get<For>(loops->kind);
  For inner = std::get<For>(outer.body->kind);
  SBlockRealize realize = std::get<SBlockRealize>(inner.body->kind);
  SBlock changed = *realize.block;
  for (IterVar& iter : changed.iter_vars) iter.dom.min = i32(0);
  realize.block = std::make_shared<SBlock>(std::move(changed));
  inner.body = make_stmt(std::move(realize));
  For copy = outer;
  copy.body = make_stmt(std::move(inner));
  const PrimFunc func = prim_func({a, b, c}, {}, make_stmt(std::move(copy)), main_attrs());
  EXPECT_EQ(print_prim_func(func).text, case_text("te/symbolic/expected.primfunc.py"));
}

TEST(PrintPrimFunc, ScalarBufferAndReservedNames) {
  const Buffer a = make_buffer("A", DType::Float32, {i32(4), i32(5)});
  const Buffer s = make_buffer("S", DType::Float32, {});
  const Nest nest({"i", "j"}, {i32(4), i32(5)}, "RR");
  SBlock block;
  block.name_hint = "S";
  block.reads = {point(a, {nest.v(0), nest.v(1)})};
  block.writes = {point(s, {})};
  block.init = store(s, f32(0), {});
  block.body = store(s, add(load(s, {}), load(a, {nest.v(0), nest.v(1)})), {});
  const PrimFunc func = prim_func({a, s}, {}, nest.stmt(std::move(block)), main_attrs());
  EXPECT_EQ(print_prim_func(func).text, case_text("te/sum_all/expected.primfunc.py"));
}

// What TVM 0.27 prints for loops as a schedule leaves them.
TEST(PrintPrimFunc, KindsOfLoops) {
  const Buffer a = make_buffer("A", DType::Float32, {i32(16)});
  const auto loop = [&](const char* name, ForKind kind, PrimExpr min, Attrs annotations) {
    For result;
    result.loop_var = make_var(name, DType::Int32);
    result.min = std::move(min);
    result.extent = i32(4);
    result.kind = kind;
    result.annotations = std::move(annotations);
    result.body = store(a, f32(0.5), {var_expr(result.loop_var)});
    return make_stmt(std::move(result));
  };
  const Attrs note = {{"pragma_auto_unroll_max_step", AttrValue{int64_t{16}}}};
  const Attrs no_unroll = {{"disable_unroll", AttrValue{true}}};
  auto func = std::make_shared<PrimFuncNode>();
  func->params = {a};
  func->attrs = {{"global_symbol", AttrValue{std::string("main")}}};
  func->body = seq(
      {loop("i", ForKind::Parallel, i32(0), {}), loop("i", ForKind::Vectorized, i32(0), {}),
       loop("i", ForKind::Unrolled, i32(0), {}), loop("i", ForKind::Serial, i32(3), {}),
       loop("i", ForKind::Serial, i32(0), note), loop("i", ForKind::Serial, i32(0), no_unroll)});
  EXPECT_EQ(print_prim_func(func).text, R"(# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func(s_tir=True)
def main(A: T.Buffer((16,), "float32")):
    for i in T.parallel(4):
        A[i] = T.float32(0.5)
    for i in T.vectorized(4):
        A[i] = T.float32(0.5)
    for i in T.unroll(4):
        A[i] = T.float32(0.5)
    for i in range(3, 7):
        A[i] = T.float32(0.5)
    for i in T.serial(4, annotations={"pragma_auto_unroll_max_step": 16}):
        A[i] = T.float32(0.5)
    for i in T.serial(4, unroll=False):
        A[i] = T.float32(0.5))");
}

// Printed by TVM 0.27: a predicate, a local buffer, control flow, a scalar parameter.
TEST(PrintPrimFunc, ControlFlow) {
  const Buffer a = make_buffer("A", DType::Int32, {i32(16)});
  const Buffer b = make_buffer("B", DType::Float32, {i32(1)});
  BufferNode local = *make_buffer("C", DType::Int32, {i32(4), i32(4)});
  local.scope = "local";
  const Var n = make_var("n", DType::Int32), x = make_var("x", DType::Float32);
  const Var i = make_var("i", DType::Int32), v = make_var("v", DType::Int32);
  const PrimExpr at_v = load(a, {var_expr(v)}), x_value = var_expr(x), b0 = load(b, {i32(0)});
  const auto set = [&](PrimExpr value) { return store(a, std::move(value), {var_expr(v)}); };
  const auto integer = [](Intrinsic op, std::vector<PrimExpr> args) {
    return call(DType::Int32, op, std::move(args));
  };
  const PrimExpr bits =
      integer(Intrinsic::BitwiseOr, {integer(Intrinsic::BitwiseAnd, {at_v, i32(7)}), i32(3)});
  const PrimExpr shifted =
      integer(Intrinsic::ShiftLeft, {integer(Intrinsic::BitwiseNot, {bits}), i32(2)});
  const PrimExpr sum =
      add(binary(BinaryOp::Mod, at_v, i32(3)), binary(BinaryOp::Div, at_v, var_expr(n)));
  const PrimExpr both = binary(BinaryOp::And, binary(BinaryOp::GT, var_expr(n), i32(0)),
                               binary(BinaryOp::LT, at_v, i32(3)));
  SBlock block;
  block.name_hint = "b";
  block.iter_vars = {{v, {i32(0), i32(16)}, IterKind::Spatial}};
  block.reads = {point(a, {var_expr(v)})};
  block.writes = {point(a, {var_expr(v)})};
  block.alloc_buffers = {std::make_shared<BufferNode>(local)};
  block.body = seq(
      {make_stmt(IfThenElse{binary(BinaryOp::LT, at_v, i32(3)), set(shifted), set(sum)}),
       make_stmt(While{binary(BinaryOp::LT, at_v, i32(2)), set(if_then_else(both, i32(4), at_v))}),
       store(b,
             add(call(DType::Float32, Intrinsic::Exp, {b0}),
                 mul(x_value, call(DType::Float32, Intrinsic::Pow, {x_value, x_value}))),
             {i32(0)})});
  const PrimExpr four_i = mul(var_expr(i), i32(4));
  For loop;
  loop.loop_var = i;
  loop.min = i32(0);
  loop.extent = i32(4);
  loop.body = make_stmt(SBlockRealize{
      {four_i}, binary(BinaryOp::LT, four_i, i32(15)), std::make_shared<SBlock>(std::move(block))});
  Attrs attrs = noalias();
  attrs.emplace_back("global_symbol", AttrValue{std::string("f")});
  const PrimFunc func = prim_func({a, n, b, x}, {}, make_stmt(std::move(loop)), std::move(attrs));
  EXPECT_EQ(print_prim_func(func).text, R"(# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func(s_tir=True)
def f(A: T.Buffer((16,), "int32"), n: T.int32, B: T.Buffer((1,), "float32"), x: T.float32):
    T.func_attr({"tirx.noalias": True})
    # with T.sblock("root"):
    for i in range(4):
        with T.sblock("b"):
            v = T.axis.spatial(16, i * 4)
            T.where(i * 4 < 15)
            T.reads(A[v])
            T.writes(A[v])
            C = T.sblock_alloc_buffer((4, 4), "int32", scope="local")
            if A[v] < 3:
                A[v] = ~(A[v] & 7 | 3) << 2
            else:
                A[v] = T.truncmod(A[v], 3) + T.Div(A[v], n)
            while A[v] < 2:
                A[v] = T.if_then_else(n > 0 and A[v] < 3, 4, A[v])
            B[0] = T.exp(B[0]) + x * T.pow(x, x))");
}

TEST(PrintExpr, Precedence) {
  const PrimExpr x = var_expr(make_var("x", DType::Int32)),
                 y = var_expr(make_var("y", DType::Int32));
  EXPECT_EQ(print_expr(sub(x, sub(y, i32(1)))), "x - (y - 1)");
  EXPECT_EQ(print_expr(sub(sub(x, y), i32(1))), "x - y - 1");
  EXPECT_EQ(print_expr(mul(add(x, y), i32(-2))), "(x + y) * -2");
  EXPECT_EQ(print_expr(floordiv(mul(x, i32(2)), add(y, i32(3)))), "x * 2 // (y + 3)");
  EXPECT_EQ(print_expr(floormod(x, floormod(y, i32(4)))), "x % (y % 4)");
  EXPECT_EQ(print_expr(binary(BinaryOp::Div, x, y)), "T.Div(x, y)");
  EXPECT_EQ(print_expr(binary(BinaryOp::Mod, x, y)), "T.truncmod(x, y)");
  const PrimExpr less = binary(BinaryOp::LT, x, y), equal = binary(BinaryOp::EQ, x, y);
  const PrimExpr either = binary(BinaryOp::Or, less, equal);
  EXPECT_EQ(print_expr(binary(BinaryOp::And, either, logical_not(less))),
            "(x < y or x == y) and not x < y");
  EXPECT_EQ(print_expr(logical_not(either)), "not (x < y or x == y)");
  const PrimExpr mask = call(DType::Int32, Intrinsic::BitwiseAnd, {x, add(y, i32(1))});
  EXPECT_EQ(print_expr(call(DType::Int32, Intrinsic::BitwiseNot, {mask})), "~(x & y + 1)");
  EXPECT_EQ(print_expr(call(DType::Int32, Intrinsic::ShiftLeft, {x, mask})), "x << (x & y + 1)");
}

TEST(PrintExpr, WhatWouldFoldPrintsAsACall) {
  EXPECT_EQ(print_expr(make_binary(BinaryOp::Add, i32(1), i32(2))), "T.Add(1, 2)");
  const PrimExpr x = var_expr(make_var("x", DType::Int64));
  EXPECT_EQ(print_expr(make_binary(BinaryOp::Mul, x, i64(1))), "T.Mul(x, T.int64(1))");
}

TEST(PrintExpr, Literals) {
  EXPECT_EQ(print_expr(i64(3)), "T.int64(3)");
  EXPECT_EQ(print_expr(bool_imm(true)), "T.bool(True)");
  EXPECT_EQ(print_expr(f32(1e-5)), "T.float32(1.0000000000000001e-05)");
  EXPECT_EQ(print_expr(f32(-340282346638528859811704183484516925440.0)),
            "T.float32(-340282346638528859811704183484516925440.0)");
  EXPECT_EQ(print_expr(f32(HUGE_VAL)), "T.float32(\"inf\")");
  EXPECT_EQ(print_expr(float_imm(DType::Float64, -HUGE_VAL)), "T.float64(\"-inf\")");
  EXPECT_EQ(print_expr(cast(DType::Int8, var_expr(make_var("x", DType::Int32)))),
            "T.Cast(\"int8\", x)");
}

TEST(PrintType, AllKinds) {
  using namespace relax;
  const PrimExpr n = var_expr(tir::make_var("n", DType::Int64));
  EXPECT_EQ(print_type(tensor_type({n, add(n, i64(1))}, DType::Float32)),
            "R.Tensor((n, \"n + 1\"), dtype=\"float32\")");
  TensorType unknown;
  unknown.dtype = DType::Float32;
  unknown.ndim = 2;
  EXPECT_EQ(print_type(make_type(unknown)), "R.Tensor(dtype=\"float32\", ndim=2)");
  EXPECT_EQ(print_type(make_type(TensorType{})), "R.Tensor");
  EXPECT_EQ(print_type(shape_expr({i64(2), n})->type), "R.Shape([2, n])");
  EXPECT_EQ(print_type(make_type(PrimType{DType::Int64, nullptr})), "T.int64");
  EXPECT_EQ(print_type(make_type(TupleType{{make_type(AnyType{})}})), "R.Tuple(R.Any)");
}

TEST(PrintRelaxExpr, CallsAndConstants) {
  using namespace relax;
  const Type type = tensor_type(std::vector<int64_t>{4}, DType::Float32);
  const Expr a = var_expr(relax::make_var("a", type)), b = var_expr(relax::make_var("b", type));
  EXPECT_EQ(
      print_relax_expr(relax::make_expr(type, CallDPSPacked{{"fx2wasm.dense"}, {a, b}, {type}})),
      "R.call_dps_packed(\"fx2wasm.dense\", (a, b), out_ty=R.Tensor((4,), dtype=\"float32\"))");
  EXPECT_EQ(print_relax_expr(tuple_expr({a})), "(a,)");
  EXPECT_EQ(print_relax_expr(tuple_expr({})), "R.tuple()");
  EXPECT_EQ(print_relax_expr(relax::make_expr(type, CallTIR{{"f"}, {a}, {i64(3)}, {type, type}})),
            "R.call_tir(cls.f, (a, 3), out_ty=[R.Tensor((4,), dtype=\"float32\"), "
            "R.Tensor((4,), dtype=\"float32\")])");
  auto data = std::make_shared<TensorData>();
  const float value = 1e-5F;
  data->bytes.resize(4);
  std::memcpy(data->bytes.data(), &value, 4);
  auto constant = std::make_shared<ConstantNode>();
  constant->data = data;
  EXPECT_EQ(print_relax_expr(constant_expr(constant)),
            "R.const(9.9999997473787516e-06, \"float32\")");
}

}  // namespace
}  // namespace fx2wasm::print_test
