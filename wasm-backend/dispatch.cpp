// Which operators a hand-written kernel can do: patterns over Relax operators, one table.
#include <algorithm>
#include <unordered_map>

#include "compile.h"
#include "ir/op.h"
#include "ir/relax_build.h"

namespace fx2wasm::wasm {
namespace {

using Definitions = std::unordered_map<const relax::VarNode*, const relax::Binding*>;

const relax::OpCall* operator_call(const relax::Expr& expr, std::string_view name) {
  const auto* call = std::get_if<relax::OpCall>(&expr->kind);
  return call != nullptr && call->op->name == name ? call : nullptr;
}

const relax::Binding* definition(const relax::Expr& expr, const Definitions& definitions) {
  const auto* var = std::get_if<relax::Var>(&expr->kind);
  if (var == nullptr) return nullptr;
  const auto found = definitions.find(var->get());
  return found == definitions.end() ? nullptr : found->second;
}

bool is_float32(const relax::Expr& expr) {
  const auto* type = relax::as_tensor(expr);
  return type != nullptr && type->dtype == DType::Float32 && relax::static_shape(*type);
}

// Reverses two axes: no axes given, or [1, 0].
bool swaps_two_axes(const relax::OpCall& call) {
  const auto* type = relax::as_tensor(call.args[0]);
  if (type == nullptr || type->ndim != 2) return false;
  const AttrValue* axes = find_attr(call.attrs, "axes");
  if (axes == nullptr || std::holds_alternative<AttrNone>(axes->value)) return true;
  const auto* list = std::get_if<AttrList>(&axes->value);
  if (list == nullptr || list->size() != 2) return false;
  const auto* first = std::get_if<int64_t>(&(*list)[0].value);
  return first != nullptr && (*first == 1 || *first == -1);
}

// matmul(x, permute_dims(w)) → dense(x, w)
std::optional<std::vector<relax::Expr>> match_dense(const relax::Expr& expr,
                                                    const Definitions& definitions) {
  const relax::OpCall* matmul = operator_call(expr, "matmul");
  if (matmul == nullptr || matmul->args.size() != 2) return std::nullopt;
  const relax::Binding* transposed = definition(matmul->args[1], definitions);
  if (transposed == nullptr) return std::nullopt;
  const relax::OpCall* permute = operator_call(transposed->value, "permute_dims");
  if (permute == nullptr || !swaps_two_axes(*permute)) return std::nullopt;
  const relax::Expr& x = matmul->args[0];
  const relax::Expr& weight = permute->args[0];
  const auto* x_type = relax::as_tensor(x);
  if (!is_float32(x) || !is_float32(weight) || x_type->ndim < 2) return std::nullopt;
  return std::vector<relax::Expr>{x, weight};
}

struct Pattern {
  const char* symbol;
  std::optional<std::vector<relax::Expr>> (*match)(const relax::Expr&, const Definitions&);
};
constexpr Pattern kPatterns[] = {{"fx2wasm.dense", match_dense}};

bool is_chosen(const Origin& origin, const std::vector<int>& fx_nodes) {
  return std::any_of(origin.fx_nodes.begin(), origin.fx_nodes.end(), [&](int node) {
    return std::find(fx_nodes.begin(), fx_nodes.end(), node) != fx_nodes.end();
  });
}

void count_uses(const relax::Expr& expr, std::unordered_map<const relax::VarNode*, int>& uses) {
  if (const auto* var = std::get_if<relax::Var>(&expr->kind)) ++uses[var->get()];
  for (const relax::Expr& child : relax::children(expr)) count_uses(child, uses);
}

// Transposes that only dispatched operators read are left out.
void drop_unused_transposes(relax::FunctionNode& function, const std::vector<int>& fx_nodes) {
  std::unordered_map<const relax::VarNode*, int> uses;
  for (const relax::BindingBlock& block : function.blocks) {
    for (const relax::Binding& binding : block.bindings) count_uses(binding.value, uses);
  }
  if (function.body) count_uses(function.body, uses);
  for (relax::BindingBlock& block : function.blocks) {
    std::erase_if(block.bindings, [&](const relax::Binding& binding) {
      return is_chosen(binding.origin, fx_nodes) && uses[binding.var.get()] == 0 &&
             operator_call(binding.value, "permute_dims") != nullptr;
    });
  }
}

relax::Function dispatch(const relax::Function& function, const std::vector<int>& fx_nodes) {
  Definitions definitions;
  for (const relax::BindingBlock& block : function->blocks) {
    for (const relax::Binding& binding : block.bindings) {
      definitions[binding.var.get()] = &binding;
    }
  }
  relax::FunctionNode changed = *function;
  for (relax::BindingBlock& block : changed.blocks) {
    for (relax::Binding& binding : block.bindings) {
      if (!is_chosen(binding.origin, fx_nodes)) continue;
      for (const Pattern& pattern : kPatterns) {
        const auto args = pattern.match(binding.value, definitions);
        if (!args) continue;
        relax::CallDPSPacked call;
        call.func.global_symbol = pattern.symbol;
        call.args = *args;
        call.out_types = {binding.var->type};
        binding.value = relax::make_expr(binding.var->type, std::move(call));
        break;
      }
    }
  }
  drop_unused_transposes(changed, fx_nodes);
  return std::make_shared<const relax::FunctionNode>(std::move(changed));
}

}  // namespace

Result<IRModule> dispatch_to_library(const IRModule& module, const std::vector<int>& fx_nodes) {
  IRModule result = module;
  for (auto& entry : result.functions) {
    if (const auto* function = std::get_if<relax::Function>(&entry.second)) {
      entry.second = dispatch(*function, fx_nodes);
    }
  }
  return result;
}

}  // namespace fx2wasm::wasm
