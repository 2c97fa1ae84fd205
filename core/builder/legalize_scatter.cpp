// Which functions stand for writes at positions and for searches: loops of their own, no tensor
// expressions.
#include "builder/legalize_scatter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "builder/infer_common.h"
#include "ir/tir_build.h"
#include "ir/tir_visit.h"
#include "topi/ordering.h"

namespace fx2wasm::legalize {
namespace {

// The parameters for a call's arguments, with symbols of the function's own.
class ScatterParams {
 public:
  topi::ScatterParam add(const relax::Expr& arg) {
    const relax::TensorType& type = *relax::as_tensor(arg);
    topi::ScatterParam param;
    const auto* var = std::get_if<relax::Var>(&arg->kind);
    param.name = var != nullptr ? (*var)->name_hint
                                : std::string(1, static_cast<char>('A' + args_.size() % 26));
    param.dtype = *type.dtype;
    for (const tir::PrimExpr& extent : *type.shape) {
      for (const tir::Var& symbol : tir::free_vars(extent)) copy(symbol);
      param.shape.push_back(tir::substitute(extent, copies_));
    }
    args_.push_back(arg);
    return param;
  }

  Answer call(const Legalization& l, const std::string& name, const tir::PrimFunc& func) {
    if (StepRecorder* recorder = l.builder.recorder()) {
      recorder->record(PrimFuncCreated{name, func});
    }
    relax::CallTIR call;
    call.func.name = l.builder.add_func(func, name);
    call.args = std::move(args_);
    const relax::Type type = relax::tensor_type(*l.out->shape, *l.out->dtype);
    call.out_types = {type};
    return relax::make_expr(type, std::move(call));
  }

 private:
  void copy(const tir::Var& symbol) {
    for (const auto& [original, own] : copies_) {
      if (original == symbol) return;
    }
    copies_.emplace_back(symbol, tir::var_expr(tir::make_var(symbol->name, symbol->dtype)));
  }

  tir::VarMap copies_;
  std::vector<relax::Expr> args_;
};

// Every symbol is bound by an argument: by an extent that is nothing else.
bool binds_all_symbols(const std::vector<relax::Expr>& args) {
  std::vector<const tir::VarNode*> bound, used;
  for (const relax::Expr& arg : args) {
    for (const tir::PrimExpr& extent : *relax::as_tensor(arg)->shape) {
      if (const auto* var = std::get_if<tir::Var>(&extent->kind)) bound.push_back(var->get());
      for (const tir::Var& symbol : tir::free_vars(extent)) used.push_back(symbol.get());
    }
  }
  for (const tir::VarNode* symbol : used) {
    if (std::find(bound.begin(), bound.end(), symbol) == bound.end()) return false;
  }
  return true;
}

struct ModeRow {
  std::string_view reduction;
  topi::ScatterMode mode;
};
constexpr ModeRow kModes[] = {
    {"update", topi::ScatterMode::Update}, {"add", topi::ScatterMode::Add},
    {"mul", topi::ScatterMode::Multiply},  {"max", topi::ScatterMode::Max},
    {"min", topi::ScatterMode::Min},
};

}  // namespace

Answer scatter_elements_loops(const Legalization& l) {
  const std::string reduction = infer::string_attr(l.call, "reduction");
  if (l.out->ndim < 1 || !binds_all_symbols(l.call.args)) return relax::Expr();
  int64_t axis = infer::int_attr(l.call, "axis");
  if (axis < 0) axis += l.out->ndim;
  for (const ModeRow& row : kModes) {
    if (row.reduction != reduction) continue;
    ScatterParams params;
    const topi::ScatterParam data = params.add(l.call.args[0]);
    const topi::ScatterParam indices = params.add(l.call.args[1]);
    const topi::ScatterParam updates = params.add(l.call.args[2]);
    return params.call(
        l, "scatter_elements",
        topi::scatter_elements(data, indices, updates, static_cast<size_t>(axis), row.mode));
  }
  return relax::Expr();
}

Answer searchsorted_loops(const Legalization& l) {
  const std::vector<relax::Expr> args = {l.call.args[1], l.call.args[0]};
  if (!binds_all_symbols(args)) return relax::Expr();
  ScatterParams params;
  const topi::ScatterParam boundaries = params.add(args[0]), values = params.add(args[1]);
  return params.call(l, "searchsorted",
                     topi::searchsorted_function(infer::bool_attr(l.call, "right"), boundaries,
                                                 values, *l.out->dtype));
}

Answer index_put_loops(const Legalization& l) {
  const auto* tuple = std::get_if<relax::Tuple>(&l.call.args[1]->kind);
  if (tuple == nullptr || tuple->fields.empty()) return relax::Expr();
  std::vector<relax::Expr> args = tuple->fields;
  args.insert(args.begin(), l.call.args[0]);
  args.push_back(l.call.args[2]);
  if (!binds_all_symbols(args)) return relax::Expr();
  ScatterParams params;
  const topi::ScatterParam data = params.add(args.front());
  std::vector<topi::ScatterParam> indices;
  for (const relax::Expr& field : tuple->fields) indices.push_back(params.add(field));
  const topi::ScatterParam values = params.add(args.back());
  return params.call(
      l, "index_put",
      topi::index_put(data, indices, values, infer::bool_attr(l.call, "accumulate")));
}

}  // namespace fx2wasm::legalize
