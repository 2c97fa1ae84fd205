#include "builder/call_loops.h"

#include <algorithm>
#include <utility>

#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"

namespace fx2wasm {
namespace {

// The function's own symbols for the caller's.
struct OwnSymbols {
  tir::PrimExpr of(const tir::PrimExpr& extent) {
    for (const tir::Var& var : tir::free_vars(extent)) {
      const bool known = std::any_of(copies.begin(), copies.end(),
                                     [&](const auto& copy) { return copy.first == var; });
      if (!known) copies.emplace_back(var, tir::var_expr(tir::make_var(var->name, var->dtype)));
    }
    return tir::substitute(extent, copies);
  }
  tir::VarMap copies;
};

tir::Buffer param_buffer(OwnSymbols& symbols, const std::string& name,
                         const relax::TensorType& type) {
  std::vector<tir::PrimExpr> shape;
  for (const tir::PrimExpr& extent : *type.shape) shape.push_back(symbols.of(extent));
  return tir::make_buffer(name, *type.dtype, std::move(shape));
}

std::string argument_name(const relax::Expr& arg, size_t position) {
  if (const auto* var = std::get_if<relax::Var>(&arg->kind)) return (*var)->name_hint;
  return std::string(1, static_cast<char>('A' + static_cast<int>(position % 26)));
}

tir::BufferRegion whole_region(const tir::Buffer& buffer) {
  tir::BufferRegion region{buffer, {}};
  for (const tir::PrimExpr& extent : buffer->shape) {
    region.region.push_back({tir::int_imm(DType::Int64, 0), extent});
  }
  return region;
}

tir::Stmt loops_block(const std::string& name, topi::Loops loops,
                      const std::vector<tir::Buffer>& inputs,
                      const std::vector<tir::Buffer>& results) {
  auto block = std::make_shared<tir::SBlock>();
  block->name_hint = name;
  for (const tir::Buffer& buffer : inputs) block->reads.push_back(whole_region(buffer));
  for (const tir::Buffer& buffer : results) block->writes.push_back(whole_region(buffer));
  block->body = std::move(loops.body);
  auto root = std::make_shared<tir::SBlock>();
  root->name_hint = "root";
  root->alloc_buffers = std::move(loops.scratch);
  root->body = tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(block)});
  return tir::make_stmt(tir::SBlockRealize{{}, nullptr, std::move(root)});
}

// Symbols that no whole dimension of an argument gives.
std::vector<std::pair<tir::Var, tir::PrimExpr>> free_symbols(const OwnSymbols& symbols,
                                                             const std::vector<relax::Expr>& args) {
  std::vector<std::pair<tir::Var, tir::PrimExpr>> unbound;
  for (const auto& copy : symbols.copies) {
    const bool bound = std::any_of(args.begin(), args.end(), [&](const relax::Expr& arg) {
      const auto& shape = *relax::as_tensor(arg)->shape;
      return std::any_of(shape.begin(), shape.end(), [&](const tir::PrimExpr& extent) {
        const auto* var = std::get_if<tir::Var>(&extent->kind);
        return var != nullptr && *var == copy.first;
      });
    });
    if (!bound) unbound.push_back(copy);
  }
  return unbound;
}

}  // namespace

relax::Expr call_loops(BlockBuilder& builder, const std::string& name,
                       const std::vector<relax::Expr>& args,
                       const std::vector<relax::TensorType>& results, const LoopWriter& write) {
  OwnSymbols symbols;
  std::vector<tir::Buffer> inputs, outputs;
  for (size_t i = 0; i < args.size(); ++i) {
    inputs.push_back(param_buffer(symbols, argument_name(args[i], i), *relax::as_tensor(args[i])));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string suffix = results.size() == 1 ? "" : "_v" + std::to_string(i);
    outputs.push_back(param_buffer(symbols, name + suffix, results[i]));
  }
  relax::CallTIR call;
  auto func = std::make_shared<tir::PrimFuncNode>();
  func->attrs = {{"tirx.noalias", AttrValue{true}}};
  func->params.assign(inputs.begin(), inputs.end());
  for (const auto& [symbol, copy] : free_symbols(symbols, args)) {
    func->params.emplace_back(*std::get_if<tir::Var>(&copy->kind));
    call.tir_vars.push_back(tir::var_expr(symbol));
  }
  func->params.insert(func->params.end(), outputs.begin(), outputs.end());
  func->body = loops_block(name, write(inputs, outputs), inputs, outputs);

  call.func.name = builder.add_func(func, name);
  call.args = args;
  for (const relax::TensorType& type : results) call.out_types.push_back(relax::make_type(type));
  relax::Type type = call.out_types.size() == 1
                         ? call.out_types[0]
                         : relax::make_type(relax::TupleType{call.out_types});
  return relax::make_expr(std::move(type), std::move(call));
}

}  // namespace fx2wasm
