#include "translate/params.h"

#include <algorithm>

#include "ir/match.h"
#include "ir/relax_build.h"
#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"

namespace fx2wasm::translate {

Params::Params(const fx::Graph& graph, const TranslateOptions& options, StepRecorder& recorder)
    : graph_(graph), options_(options), recorder_(recorder) {
  for (const fx::Node& node : graph.nodes) {
    if (node.op != fx::Opcode::Placeholder || !node.meta) continue;
    const std::string name =
        options.rules == RuleSet::Lecture ? node.name : "inp_" + std::to_string(input_count_);
    const relax::Var var =
        relax::make_var(name, relax::tensor_type(shape_of(*node.meta), node.meta->dtype));
    inputs_.emplace(node.name, relax::var_expr(var));
    vars_.push_back(var);
    ++input_count_;
  }
  if (options.params == ParamsMode::Inline) return;
  std::vector<const fx::Tensor*> weights;
  for (const fx::Tensor& tensor : graph.tensors) {
    if (tensor.kind == fx::TensorKind::Parameter) weights.push_back(&tensor);
  }
  if (options.rules == RuleSet::Tvm) {
    std::sort(weights.begin(), weights.end(),
              [](const fx::Tensor* a, const fx::Tensor* b) { return a->name < b->name; });
  }
  for (const fx::Tensor* weight : weights) {
    const relax::Var var =
        relax::make_var(weight->name, relax::tensor_type(weight->shape, weight->dtype));
    weights_.emplace(weight->name, relax::var_expr(var));
    vars_.push_back(var);
  }
}

std::vector<tir::PrimExpr> Params::shape_of(const fx::Meta& meta) {
  std::vector<tir::PrimExpr> shape;
  for (const fx::Dim& dim : meta.shape) {
    shape.push_back(match(
        dim, [](int64_t extent) { return tir::int_imm(DType::Int64, extent); },
        [&](const std::string& name) {
          tir::Var& symbol = symbols_[name];
          if (symbol == nullptr) symbol = tir::make_var(name, DType::Int64);
          return tir::var_expr(symbol);
        }));
  }
  return shape;
}

Attrs Params::function_attrs() const {
  if (options_.rules == RuleSet::Lecture || options_.params == ParamsMode::Inline) return {};
  return {{"num_input", {input_count_}}};
}

relax::Expr Params::input(const std::string& placeholder) const {
  const auto found = inputs_.find(placeholder);
  return found == inputs_.end() ? nullptr : found->second;
}

Result<relax::Expr> Params::map_param(const std::string& tensor) {
  const auto known = weights_.find(tensor);
  if (known == weights_.end()) {
    FX_TRY(constant, map_constant(tensor));
    // A parameter is one constant however often it is used; of buffers TVM makes one at each use,
    // which shows in the numbers of the metadata.
    if (fx::find_tensor(graph_, tensor)->kind == fx::TensorKind::Parameter) {
      weights_.emplace(tensor, constant);
    }
    return constant;
  }
  const bool as_input = std::holds_alternative<relax::Var>(known->second->kind);
  recorder_.record(ParameterMapped{tensor, as_input, known->second});
  return known->second;
}

Result<relax::Expr> Params::map_constant(const std::string& tensor) {
  const fx::Tensor* source = fx::find_tensor(graph_, tensor);
  if (source == nullptr) {
    return error_at({}, codes::kArgument, "the graph has no tensor '" + tensor + "'");
  }
  auto constant = std::make_shared<relax::ConstantNode>();
  constant->name = source->name;
  constant->dtype = source->dtype;
  constant->shape = source->shape;
  constant->data = source->data;
  const relax::Expr expr = relax::constant_expr(constant);
  recorder_.record(ParameterMapped{tensor, false, expr});
  return expr;
}

}  // namespace fx2wasm::translate
