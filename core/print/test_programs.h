// Small modules built by hand, for tests of the printer.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "ir/module.h"
#include "ir/op.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/check.h"

namespace fx2wasm::print_test {

// A conformance text without the newline that ends the file but not TVM's text.
inline std::string case_text(const std::string& path) {
  std::ifstream file(std::string(FX2WASM_SOURCE_DIR) + "/conformance/cases/" + path);
  FX_CHECK(file.good(), "a conformance case is missing");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  text.pop_back();
  return text;
}

inline tir::PrimExpr i32(int64_t value) { return tir::int_imm(DType::Int32, value); }
inline tir::PrimExpr i64(int64_t value) { return tir::int_imm(DType::Int64, value); }
inline tir::PrimExpr f32(double value) { return tir::float_imm(DType::Float32, value); }

inline std::vector<tir::PrimExpr> exprs_of(const std::vector<tir::Var>& vars) {
  std::vector<tir::PrimExpr> result;
  for (const tir::Var& var : vars) result.push_back(tir::var_expr(var));
  return result;
}

// A block whose axes run over whole loops of the same extents, in a nest of those loops.
struct Nest {
  std::vector<std::string> axes;
  std::vector<tir::PrimExpr> extents;
  std::string kinds;  // one of S, R for each axis
  std::vector<tir::Var> loop_vars, block_vars;

  Nest(std::vector<std::string> names, std::vector<tir::PrimExpr> bounds, std::string axis_kinds)
      : axes(std::move(names)), extents(std::move(bounds)), kinds(std::move(axis_kinds)) {
    for (size_t i = 0; i < axes.size(); ++i) {
      loop_vars.push_back(tir::make_var(axes[i], extents[i]->dtype));
      block_vars.push_back(tir::make_var("v_" + axes[i], extents[i]->dtype));
    }
  }

  tir::PrimExpr v(size_t i) const { return tir::var_expr(block_vars[i]); }

  // `block` has its name, regions, init and body.
  tir::Stmt stmt(tir::SBlock block) const {
    for (size_t i = 0; i < axes.size(); ++i) {
      block.iter_vars.push_back({block_vars[i],
                                 {tir::int_imm(extents[i]->dtype, 0), extents[i]},
                                 kinds[i] == 'S' ? tir::IterKind::Spatial : tir::IterKind::Reduce});
    }
    tir::Stmt stmt = tir::make_stmt(tir::SBlockRealize{
        exprs_of(loop_vars), nullptr, std::make_shared<tir::SBlock>(std::move(block))});
    for (size_t i = axes.size(); i-- > 0;) {
      tir::For loop;
      loop.loop_var = loop_vars[i];
      loop.min = tir::int_imm(extents[i]->dtype, 0);
      loop.extent = extents[i];
      loop.body = std::move(stmt);
      stmt = tir::make_stmt(std::move(loop));
    }
    return stmt;
  }
};

inline tir::BufferRegion point(const tir::Buffer& buffer,
                               const std::vector<tir::PrimExpr>& indices) {
  tir::BufferRegion region{buffer, {}};
  for (const tir::PrimExpr& index : indices) {
    region.region.push_back({index, tir::int_imm(index->dtype, 1)});
  }
  return region;
}

inline tir::PrimFunc prim_func(std::vector<tir::Param> params, std::vector<tir::Buffer> allocs,
                               tir::Stmt body, Attrs attrs) {
  auto root = std::make_shared<tir::SBlock>();
  root->name_hint = "root";
  root->alloc_buffers = std::move(allocs);
  root->body = std::move(body);
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->params = std::move(params);
  func->attrs = std::move(attrs);
  func->body = tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(root)});
  return func;
}

inline Attrs noalias() { return {{"tirx.noalias", AttrValue{true}}}; }
inline Attrs main_attrs() {
  return {{"global_symbol", AttrValue{std::string("main")}}, {"tirx.noalias", AttrValue{true}}};
}

// ---- the PrimFuncs of the lecture's MLP ----

inline tir::PrimFunc dense_func(const std::string& x_name, int64_t in, int64_t out) {
  using namespace tir;
  const Buffer x = make_buffer(x_name, DType::Float32, {i64(1), i64(in)});
  const Buffer w = make_buffer("B", DType::Float32, {i64(out), i64(in)});
  const Buffer y = make_buffer("T_matmul_NT", DType::Float32, {i64(1), i64(out)});
  const Nest nest({"i0", "i1", "k"}, {i64(1), i64(out), i64(in)}, "SSR");
  SBlock block;
  block.name_hint = "T_matmul_NT";
  block.reads = {point(x, {nest.v(0), nest.v(2)}), point(w, {nest.v(1), nest.v(2)})};
  block.writes = {point(y, {nest.v(0), nest.v(1)})};
  block.init = store(y, f32(0), {nest.v(0), nest.v(1)});
  const PrimExpr product = mul(load(x, {nest.v(0), nest.v(2)}), load(w, {nest.v(1), nest.v(2)}));
  block.body = store(y, add(load(y, {nest.v(0), nest.v(1)}), product), {nest.v(0), nest.v(1)});
  Attrs attrs = noalias();
  attrs.emplace_back("layout_free_buffers", AttrValue{AttrList{AttrValue{int64_t{1}}}});
  return prim_func({x, w, y}, {}, nest.stmt(std::move(block)), std::move(attrs));
}

inline tir::PrimFunc add_func(const std::string& x_name, int64_t width) {
  using namespace tir;
  const Buffer x = make_buffer(x_name, DType::Float32, {i64(1), i64(width)});
  const Buffer b = make_buffer("B", DType::Float32, {i64(width)});
  const Buffer y = make_buffer("T_add", DType::Float32, {i64(1), i64(width)});
  const Nest nest({"ax0", "ax1"}, {i64(1), i64(width)}, "SS");
  SBlock block;
  block.name_hint = "T_add";
  block.reads = {point(x, {nest.v(0), nest.v(1)}), point(b, {nest.v(1)})};
  block.writes = {point(y, {nest.v(0), nest.v(1)})};
  block.body =
      store(y, add(load(x, {nest.v(0), nest.v(1)}), load(b, {nest.v(1)})), {nest.v(0), nest.v(1)});
  return prim_func({x, b, y}, {}, nest.stmt(std::move(block)), noalias());
}

inline tir::PrimFunc relu_func(const std::string& x_name, int64_t width) {
  using namespace tir;
  const Buffer x = make_buffer(x_name, DType::Float32, {i64(1), i64(width)});
  const Buffer y = make_buffer("relu", DType::Float32, {i64(1), i64(width)});
  const Nest nest({"i0", "i1"}, {i64(1), i64(width)}, "SS");
  SBlock block;
  block.name_hint = "relu";
  block.reads = {point(x, {nest.v(0), nest.v(1)})};
  block.writes = {point(y, {nest.v(0), nest.v(1)})};
  block.body = store(y, binary(BinaryOp::Max, load(x, {nest.v(0), nest.v(1)}), f32(0)),
                     {nest.v(0), nest.v(1)});
  return prim_func({x, y}, {}, nest.stmt(std::move(block)), noalias());
}

// ---- Relax functions ----

// Binds one value after the other in a dataflow block: lv, lv1, …, gv.
struct FunctionMaker {
  relax::FunctionNode func;
  relax::BindingBlock block;
  int fx_node = 0;  // number of the node that the next bindings come from

  relax::Expr param(const std::string& name, relax::Type type) {
    func.params.push_back(relax::make_var(name, std::move(type)));
    return relax::var_expr(func.params.back());
  }
  relax::Expr bind(relax::Expr value, const std::string& name, bool dataflow = true) {
    const relax::Var var = relax::make_var(name, value->type, dataflow);
    block.bindings.push_back({var, std::move(value), {{fx_node}, fx_node, "rule"}});
    return relax::var_expr(var);
  }
  std::string next_lv() const {
    const size_t count = block.bindings.size();
    return count == 0 ? "lv" : "lv" + std::to_string(count);
  }
  relax::Expr op(const std::string& name, std::vector<relax::Expr> args, Attrs attrs,
                 std::vector<int64_t> shape) {
    return bind(
        relax::make_expr(relax::tensor_type(shape, DType::Float32),
                         relax::OpCall{relax::find_op(name), std::move(args), std::move(attrs)}),
        next_lv());
  }
  relax::Expr call_tir(const std::string& name, std::vector<relax::Expr> args, relax::Type out,
                       std::vector<tir::PrimExpr> symbols = {}) {
    return bind(
        relax::make_expr(out, relax::CallTIR{{name}, std::move(args), std::move(symbols), {out}}),
        next_lv());
  }
  // The function without a result yet.
  relax::Function open() const {
    auto copy = std::make_shared<relax::FunctionNode>(func);
    copy->blocks = {block};
    return copy;
  }
  relax::Function finish(const relax::Expr& last) {
    const relax::Expr gv = bind(last, "gv", false);
    auto copy = std::make_shared<relax::FunctionNode>(func);
    copy->blocks = {block};
    copy->body = gv;
    copy->ret_type = gv->type;
    return copy;
  }
};

inline relax::Expr weight(const std::string& name, std::vector<int64_t> shape) {
  auto node = std::make_shared<relax::ConstantNode>();
  node->name = name;
  node->shape = std::move(shape);
  return relax::constant_expr(node);
}

// lecture/fx_mlp_te
inline IRModule mlp_te(bool finished = true) {
  FunctionMaker maker;
  const auto f32_type = [](std::vector<int64_t> shape) {
    return relax::tensor_type(shape, DType::Float32);
  };
  const relax::Expr x = maker.param("x", f32_type({1, 784}));
  maker.fx_node = 2;
  relax::Expr h = maker.call_tir("dense", {x, weight("l0.weight", {128, 784})}, f32_type({1, 128}));
  h = maker.call_tir("add", {h, weight("l0.bias", {128})}, f32_type({1, 128}));
  maker.fx_node = 3;
  h = maker.call_tir("relu", {h}, f32_type({1, 128}));
  maker.fx_node = 4;
  h = maker.call_tir("dense1", {h, weight("l1.weight", {10, 128})}, f32_type({1, 10}));
  h = maker.call_tir("add1", {h, weight("l1.bias", {10})}, f32_type({1, 10}));
  IRModule module;
  module.functions = {{"main", finished ? maker.finish(h) : maker.open()},
                      {"dense", dense_func("x", 784, 128)},
                      {"add", add_func("lv", 128)},
                      {"relu", relu_func("lv1", 128)},
                      {"dense1", dense_func("lv2", 128, 10)},
                      {"add1", add_func("lv3", 10)}};
  return module;
}

// composed/mlp, as from_fx makes it
inline IRModule mlp_ops() {
  FunctionMaker maker;
  const auto param = [&](const std::string& name, std::vector<int64_t> shape) {
    return maker.param(name, relax::tensor_type(shape, DType::Float32));
  };
  const relax::Expr x = param("inp_0", {1, 784});
  const relax::Expr b0 = param("linear0.bias", {128}), w0 = param("linear0.weight", {128, 784});
  const relax::Expr b1 = param("linear1.bias", {10}), w1 = param("linear1.weight", {10, 128});
  maker.func.attrs = {{"num_input", AttrValue{int64_t{1}}}};
  const Attrs no_axes = {{"axes", AttrValue{}}};
  const Attrs out_f32 = {{"out_dtype", AttrValue{DType::Float32}}};
  relax::Expr w = maker.op("permute_dims", {w0}, no_axes, {784, 128});
  relax::Expr h = maker.op("matmul", {x, w}, out_f32, {1, 128});
  h = maker.op("add", {h, b0}, {}, {1, 128});
  h = maker.op("nn.relu", {h}, {}, {1, 128});
  w = maker.op("permute_dims", {w1}, no_axes, {128, 10});
  h = maker.op("matmul", {h, w}, out_f32, {1, 10});
  h = maker.op("add", {h, b1}, {}, {1, 10});
  IRModule module;
  module.functions = {{"main", maker.finish(h)}};
  return module;
}

// symbolic/cat, legalised
inline IRModule symbolic_cat() {
  using namespace tir;
  const PrimExpr n = var_expr(make_var("n", DType::Int64)),
                 m = var_expr(make_var("m", DType::Int64));
  const Buffer a = make_buffer("inp_0", DType::Float32, {n, i64(6)});
  const Buffer b = make_buffer("inp_1", DType::Float32, {m, i64(6)});
  const Buffer y = make_buffer("T_concat", DType::Float32, {add(n, m), i64(6)});
  const Nest nest({"ax0", "ax1"}, {add(n, m), i64(6)}, "SS");
  const PrimExpr row = sub(nest.v(0), n);
  SBlock block;
  block.name_hint = "T_concat";
  block.reads = {point(b, {row, nest.v(1)}), point(a, {nest.v(0), nest.v(1)})};
  block.writes = {point(y, {nest.v(0), nest.v(1)})};
  block.body = store(y,
                     if_then_else(binary(BinaryOp::LE, i64(0), row), load(b, {row, nest.v(1)}),
                                  load(a, {nest.v(0), nest.v(1)})),
                     {nest.v(0), nest.v(1)});
  FunctionMaker maker;
  const relax::Expr x0 = maker.param("inp_0", relax::tensor_type({n, i64(6)}, DType::Float32));
  const relax::Expr x1 = maker.param("inp_1", relax::tensor_type({m, i64(6)}, DType::Float32));
  maker.func.attrs = {{"num_input", AttrValue{int64_t{2}}}};
  const relax::Expr cat = maker.call_tir("concatenate", {x0, x1},
                                         relax::tensor_type({add(n, m), i64(6)}, DType::Float32));
  IRModule module;
  module.functions = {
      {"concatenate", prim_func({a, b, y}, {}, nest.stmt(std::move(block)), noalias())},
      {"main", maker.finish(cat)}};
  return module;
}

}  // namespace fx2wasm::print_test
